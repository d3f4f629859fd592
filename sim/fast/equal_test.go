package fast

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"braid/sim"
	"braid/sim/flow"
	"braid/sim/page"
	"braid/sim/policy"
	"braid/sim/rng"
	"braid/sim/units"
)

// drawSpec draws a page, networks, parameters and a policy. Round values are frequent, so that events fall together.
func drawSpec(t *rapid.T) *sim.Spec {
	params := sim.Linux()
	if rapid.Bool().Draw(t, "smooth") {
		params = sim.DTSimulator()
	}
	params.MaxPerHost = rapid.SampledFrom([]int{1, 2, 3, 6}).Draw(t, "max_per_host")
	params.MaxConnections = rapid.SampledFrom([]int{1, 2, 5, 17, 256}).Draw(t, "max_connections")
	params.IdleCountsForHost = rapid.Bool().Draw(t, "idle_counts_for_host")
	params.Persistent = rapid.IntRange(0, 9).Draw(t, "persistent") > 0
	if rapid.IntRange(0, 4).Draw(t, "pipelining") == 0 {
		params.Pipelining = !params.Pipelining
	}
	params.InitialWindow = rapid.SampledFrom([]int{10, 10, 1, 4, 100}).Draw(t, "initial_window")
	params.IdleRestart = rapid.Bool().Draw(t, "idle_restart")
	params.IdleTimeout = rapid.SampledFrom([]time.Duration{30 * time.Second, 30 * time.Second, time.Millisecond, 300 * time.Millisecond}).Draw(t, "idle_timeout")
	params.HostTime = rapid.SampledFrom([]time.Duration{0, 0, time.Millisecond}).Draw(t, "host_time")
	params.RequestRTTs = rapid.SampledFrom([]int{params.RequestRTTs, params.RequestRTTs, 0, 1, 2}).Draw(t, "request_rtts")
	if params.Transmission == sim.Smooth {
		params.HostTime, params.RequestRTTs = 0, 0 // it has no requests
	}
	params.HandshakeRTTs = rapid.SampledFrom([]int{params.HandshakeRTTs, params.HandshakeRTTs, 0, 1}).Draw(t, "handshake_rtts")
	params.TLS = rapid.SampledFrom([]page.TLSVersion{page.TLS13, page.TLS12, page.TLSResumed}).Draw(t, "tls")
	params.FlightParts = rapid.SampledFrom([]int{4, 4, 1, 7}).Draw(t, "flight_parts")
	params.SendBuffer = rapid.SampledFrom([]int{4608, 4608, 600}).Draw(t, "send_buffer")
	params.EarlyLimit = rapid.SampledFrom([]units.Bytes{64500, 64500, 5000}).Draw(t, "early_limit")
	params.BindStop = rapid.SampledFrom([]units.Bytes{32768, 32768, 2000}).Draw(t, "bind_stop")
	params.BindMax = rapid.SampledFrom([]units.Bytes{65428, 65428, 3000}).Draw(t, "bind_max")
	params.ExitBDP = rapid.SampledFrom([]float64{1.5, 1.5, 0.1}).Draw(t, "exit_bdp")

	n := rapid.SampledFrom([]int{2, 2, 2, 1, 3}).Draw(t, "interfaces")
	var ifaces []sim.Interface
	var names []string
	for i := range n {
		f := sim.Interface{
			Name: fmt.Sprintf("net%d", i),
			Rate: units.Rate(rapid.SampledFrom([]float64{62500, 64000, 250000, 750000, 786432, 2.5e6, 6553600, 1.25e7, 1e8}).Draw(t, "rate")),
			RTT:  time.Duration(rapid.SampledFrom([]int64{1e6, 1e7, 2e7, 2e7, 3e7 + 1, 5e7, 1e8, 2e8 + 3}).Draw(t, "rtt")),
			DNS:  time.Duration(rapid.SampledFrom([]int64{0, 0, 0, 1e7, 33e6}).Draw(t, "dns")),
		}
		ifaces, names = append(ifaces, f), append(names, f.Name)
	}
	count := rapid.IntRange(1, 40).Draw(t, "objects")
	objects := make([]page.Object, count)
	for i := range objects {
		host := rapid.IntRange(0, 3).Draw(t, "host")
		objects[i] = page.Object{
			Host: fmt.Sprintf("h%d", host), TLS: host == 1 || rapid.IntRange(0, 9).Draw(t, "tls") == 0, After: page.None,
			Bytes:  int64(rapid.SampledFrom([]int{0, 1, 400, 1448, 1460, 3000, 10240, 14480, 14481, 50000, 102400, 1 << 20, 3 << 20}).Draw(t, "bytes")),
			Secure: page.TLSVersion(rapid.IntRange(0, 3).Draw(t, "secure")),
		}
		if i > 0 {
			objects[i].After = int32(rapid.IntRange(-1, i-1).Draw(t, "after"))
			objects[i].Think = time.Duration(rapid.SampledFrom([]int64{0, 0, 0, 0, 1, 1e7, 4e8, 2e9}).Draw(t, "think"))
		}
		objects[i].Server = time.Duration(rapid.SampledFrom([]int64{0, 0, 0, 5e6, 7e7}).Draw(t, "server"))
	}
	p, err := page.New("drawn", objects)
	if err != nil {
		t.Fatal(err)
	}
	return &sim.Spec{
		Page: p, Interfaces: ifaces, Params: params, Policy: rapid.SampledFrom(policy.Names(names)).Draw(t, "policy"),
		Key: rng.Key{Seed: rapid.Uint64().Draw(t, "seed"), Item: p.Name},
	}
}

// holdEqual runs the spec on both engines and fails unless everything they give is the same.
func holdEqual(t interface {
	Helper()
	Fatalf(string, ...any)
}, reference *flow.Engine, fast *Engine, s *sim.Spec) {
	t.Helper()
	want, errWant := reference.Run(s)
	got, errGot := fast.Run(s)
	if fmt.Sprint(errGot) != fmt.Sprint(errWant) {
		t.Fatalf("%s, %s: error %v, reference %v", s.Params.Profile, s.Policy, errGot, errWant)
	}
	if errWant != nil {
		return
	}
	for i := range want.End {
		if got.End[i] != want.End[i] {
			t.Fatalf("%s, %s: object %d ends at %d ns, reference %d ns", s.Params.Profile, s.Policy, i, got.End[i], want.End[i])
		}
	}
	if got.LoadTime != want.LoadTime || !slices.Equal(got.IfaceBytes, want.IfaceBytes) || got.Connections != want.Connections ||
		got.Events != want.Events || got.Predictions != want.Predictions {
		t.Fatalf("%s, %s: %+v, reference %+v", s.Params.Profile, s.Policy, got, want)
	}
}

// TestEqual holds the engine to the reference engine, to the last bit, on random loads.
func TestEqual(t *testing.T) {
	reference, fast := flow.New(), New()
	rapid.Check(t, func(t *rapid.T) { holdEqual(t, reference, fast, drawSpec(t)) })
}

// FuzzEqual is TestEqual with the inputs chosen by coverage.
func FuzzEqual(f *testing.F) {
	reference, fast := flow.New(), New()
	f.Fuzz(rapid.MakeFuzz(func(t *rapid.T) { holdEqual(t, reference, fast, drawSpec(t)) }))
}
