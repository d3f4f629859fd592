package flow

import (
	"testing"
	"time"

	"braid/sim"
	"braid/sim/page"
	"braid/sim/units"
)

// The expectations of this file are worked out by hand in the comments beside them.

func onePage(t *testing.T, objects ...page.Object) *page.Page {
	t.Helper()
	p, err := page.New("worked", objects)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func run(t *testing.T, p *page.Page, policy string, params sim.Params, ifaces ...sim.Interface) *sim.Result {
	t.Helper()
	s := &sim.Spec{Page: p, Policy: policy, Params: params, Interfaces: ifaces}
	trace := sim.NewTrace(s)
	res := load(t, s)
	if err := trace.Check(); err != nil {
		t.Error(err)
	}
	return res
}

// lan is an interface on which a packet of 1500 bytes takes 1 ms.
func lan(rtt time.Duration) sim.Interface {
	return sim.Interface{Name: "lan", Rate: 12 * units.MbitPerSecond, RTT: rtt}
}

// bare is the linux profile without the bytes of SYN and request, so that the arithmetic stays round.
func bare() sim.Params {
	p := sim.Linux()
	p.SYN, p.Request = 0, 0
	return p
}

func near(t *testing.T, what string, got, want time.Duration) {
	t.Helper()
	if d := got - want; d < -time.Microsecond || d > time.Microsecond {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

const ms = time.Millisecond

func TestSmoothWorkedExamples(t *testing.T) {
	// n2x1k at 786432 bytes/s; see the model: RTT 10 ms: 20 + 13.021 (10240 B) + 5 (the first of two, 204800 B/s) + 10
	// (the last, 102400 B/s); RTT 50 ms: 100 + 35.068 + 2.061 (cwnd 24840) + 1.980 (cwnd 25864).
	p := onePage(t, page.Object{Host: "a", Bytes: 10240, After: page.None},
		page.Object{Host: "a", Bytes: 1024, After: 0}, page.Object{Host: "a", Bytes: 1024, After: 0})
	for _, c := range []struct{ rtt, want time.Duration }{{10 * ms, 48021 * time.Microsecond}, {50 * ms, 139109 * time.Microsecond}} {
		got := run(t, p, "if1", sim.DTSimulator(), sim.Interface{Name: "one", Rate: 786432, RTT: c.rtt}).LoadTime
		near(t, "n2x1k", got, c.want)
	}
}

func TestHandshakes(t *testing.T) {
	// One packet at 1 ms, RTT 100 ms. linux: handshake 100, TLS 0, 100 or 200, request 100, packet 1.
	// dtsimulator: handshake 200, TLS 200, then 1448 bytes at cwnd/RTT = 146000 bytes/s: 9.917809 ms.
	object := func(tls bool, v page.TLSVersion) page.Object {
		return page.Object{Host: "a", Bytes: 1448, After: page.None, TLS: tls, Secure: v}
	}
	for _, c := range []struct {
		name   string
		o      page.Object
		params sim.Params
		want   time.Duration
	}{
		{"plain", object(false, page.TLSUnknown), bare(), 201 * ms},
		{"TLS as the profile says: 1.3", object(true, page.TLSUnknown), bare(), 301 * ms},
		{"TLS 1.2 recorded", object(true, page.TLS12), bare(), 401 * ms},
		{"TLS resumed", object(true, page.TLSResumed), bare(), 201 * ms},
		{"dtsimulator plain", object(false, page.TLSUnknown), sim.DTSimulator(), 209917809},
		{"dtsimulator TLS, whatever was recorded", object(true, page.TLS13), sim.DTSimulator(), 409917809},
	} {
		near(t, c.name, run(t, onePage(t, c.o), "if1", c.params, lan(100*ms)).LoadTime, c.want)
	}
	// SYN and SYN-ACK of 60 bytes at 1500 bytes/ms: 0.08 ms; a request of 200 bytes: 0.133334 ms (rounded up).
	near(t, "bytes of SYN and request", run(t, onePage(t, object(false, 0)), "if1", sim.Linux(), lan(100*ms)).LoadTime, 201*ms+80*time.Microsecond+133334)
}

func TestNameResolution(t *testing.T) {
	// dns 30 ms, once for each host: two hosts side by side, one object each, and a second object on the first host.
	// Host a: 30 + 100 + 100 + 1 = 231, then 100 + 1 on the open connection = 332.
	iface := lan(100 * ms)
	iface.DNS = 30 * ms
	p := onePage(t, page.Object{Host: "a", Bytes: 1448, After: page.None}, page.Object{Host: "a", Bytes: 1448, After: 0})
	near(t, "one host", run(t, p, "if1", bare(), iface).LoadTime, 332*ms)
	// Both objects at once: the second connection waits for the same resolution, so both packets share the link: 2 ms.
	q := onePage(t, page.Object{Host: "a", Bytes: 1448, After: page.None}, page.Object{Host: "a", Bytes: 1448, After: page.None})
	near(t, "two at once", run(t, q, "if1", bare(), iface).LoadTime, 232*ms)
}

func TestThinkAndServerTime(t *testing.T) {
	// 201 for the first; 40 think; 100 request, 25 server, 1 packet on the open connection: 367.
	p := onePage(t, page.Object{Host: "a", Bytes: 1448, After: page.None},
		page.Object{Host: "a", Bytes: 1448, After: 0, Think: 40 * ms, Server: 25 * ms})
	near(t, "think and server time", run(t, p, "if1", bare(), lan(100*ms)).LoadTime, 367*ms)
	params := bare()
	params.HostTime = 3 * ms // twice
	near(t, "host time", run(t, p, "if1", params, lan(100*ms)).LoadTime, 373*ms)
}

func TestFlights(t *testing.T) {
	// 100 packets at 1 ms, RTT 50 ms. Handshake 50, request 25, then flights of 10 (25 to 35), 20 and 40 start one RTT and
	// one packet after the one before: at 0, 51, 102 after the first. The 40 take until 142; 30 are left and start at
	// 102 + 51 = 153, after the link has been empty for 11 ms: 153 + 30 = 183. Arrival 25 later: 50 + 25 + 183 + 25 = 283.
	object := page.Object{Host: "a", Bytes: 100 * 1448, After: page.None}
	near(t, "slow start", run(t, onePage(t, object), "if1", bare(), lan(50*ms)).LoadTime, 283*ms)
	// RTT 30: 10 at 0, 20 at 31 (until 51), 40 at 62 (until 102): still queued at 93, so the other 30 follow without a gap:
	// 62 + 70 = 132; 30 + 15 + 132 + 15 = 192.
	near(t, "link limited", run(t, onePage(t, object), "if1", bare(), lan(30*ms)).LoadTime, 192*ms)
	// An initial window of 100: one flight, 50 + 25 + 100 + 25.
	params := bare()
	params.InitialWindow = 100
	near(t, "large initial window", run(t, onePage(t, object), "if1", params, lan(50*ms)).LoadTime, 200*ms)
	// One byte more than 10 packets holds: an eleventh packet counts whole. 10 at 0, 1 at 51: 50 + 25 + 52 + 25.
	object.Bytes = 10*1448 + 1
	near(t, "last packet whole", run(t, onePage(t, object), "if1", bare(), lan(50*ms)).LoadTime, 152*ms)
}

func TestIdleRestart(t *testing.T) {
	// RTT 50: 100 packets leave a window of 80 + 60 = 140 (the last flight of 30 is less than half of 80, which stays at 80).
	// Server's last packet leaves at 258. RTO = 250 ms. The next object of 100 packets:
	//   pause 0: requested at 283, at the server at 308, 50 ms idle: window 80: 80 at 0, 20 at 51, but the link is busy until
	//   80, so the rest joins then: 100 ms of packets in one go. 25 + 100 + 25 = 150.
	//   pause 700: idle for 750 = 3 RTO: 80 -> 10, as on a new connection: 25 + 183 + 25 = 233.
	for _, c := range []struct {
		pause, want time.Duration
		restart     bool
	}{{0, 150 * ms, true}, {700 * ms, 233 * ms, true}, {700 * ms, 150 * ms, false}} {
		p := onePage(t, page.Object{Host: "a", Bytes: 100 * 1448, After: page.None},
			page.Object{Host: "a", Bytes: 100 * 1448, After: 0, Think: c.pause})
		params := bare()
		params.IdleRestart = c.restart
		near(t, "second object", run(t, p, "if1", params, lan(50*ms)).LoadTime-283*ms-c.pause, c.want)
	}
}

func TestPersistence(t *testing.T) {
	// Without persistence each object has its own connection: 2 x 201. With a timeout shorter than the pause, too.
	p := onePage(t, page.Object{Host: "a", Bytes: 1448, After: page.None}, page.Object{Host: "a", Bytes: 1448, After: 0, Think: 40 * ms})
	params := bare()
	params.Persistent = false
	res := run(t, p, "if1", params, lan(100*ms))
	near(t, "not persistent", res.LoadTime, 442*ms)
	if res.Connections != 2 {
		t.Errorf("%d connections, want 2", res.Connections)
	}
	params = bare()
	params.IdleTimeout = 39 * ms
	near(t, "idle timeout", run(t, p, "if1", params, lan(100*ms)).LoadTime, 442*ms)
	params.IdleTimeout = 41 * ms
	near(t, "longer idle timeout", run(t, p, "if1", params, lan(100*ms)).LoadTime, 342*ms)
}

func TestPipelining(t *testing.T) {
	// One packet at 201; its two children are placed then. The first takes the open connection: 201 + 101 = 302. The second
	// with pipelining goes behind it: its request arrived at 251, so the server sends it when the first is there, 302 + 1
	// + 50 = 353; a server time of 60 ms is over at 311: 362. Without, a new connection is faster than to wait: 201 + 201 =
	// 402 instead of 403.
	object := page.Object{Host: "a", Bytes: 1448, After: page.None}
	child := object
	child.After = 0
	slow := child
	slow.Server = 60 * ms
	params := bare()
	near(t, "one at a time", run(t, onePage(t, object, child, child), "if1", params, lan(100*ms)).LoadTime, 402*ms)
	params.Pipelining = true
	near(t, "pipelining", run(t, onePage(t, object, child, child), "if1", params, lan(100*ms)).LoadTime, 353*ms)
	near(t, "pipelining, slow server", run(t, onePage(t, object, child, slow), "if1", params, lan(100*ms)).LoadTime, 362*ms)
}

func TestSharedLink(t *testing.T) {
	// Two objects of 8 packets on two connections: equal shares, both end after 16 ms of packets: 50 + 50 + 16. With
	// 4 and 8 packets the short one takes twice its own time: 8 ms, the long one 12.
	p := onePage(t, page.Object{Host: "a", Bytes: 4 * 1448, After: page.None}, page.Object{Host: "a", Bytes: 8 * 1448, After: page.None})
	res := run(t, p, "if1", bare(), lan(50*ms))
	near(t, "short", res.End[0], 108*ms)
	near(t, "long", res.End[1], 112*ms)
}

func TestLimits(t *testing.T) {
	// Seven objects of 1 packet from one host at once: six connections end together after 100 + 100 + 6; the seventh
	// waits for one of them: 206 + 100 + 1. In all at most 2 connections: three rounds and a half.
	objects := make([]page.Object, 7)
	for i := range objects {
		objects[i] = page.Object{Host: "a", Bytes: 1448, After: page.None}
	}
	p := onePage(t, objects...)
	res := run(t, p, "if1", bare(), lan(100*ms))
	near(t, "six a host", res.LoadTime, 307*ms)
	if res.Connections != 6 {
		t.Errorf("%d connections, want 6", res.Connections)
	}
	// Two in all: 202, then 102 each round (two packets share the link), the last alone: 202 + 102 + 102 + 101.
	params := bare()
	params.MaxConnections = 2
	near(t, "two in all", run(t, p, "if1", params, lan(100*ms)).LoadTime, 507*ms)
}

func TestPolicies(t *testing.T) {
	wifi := sim.Interface{Name: "wifi", Rate: 12 * units.MbitPerSecond, RTT: 100 * ms} // a packet: 1 ms
	lte := sim.Interface{Name: "lte", Rate: 24 * units.MbitPerSecond, RTT: 40 * ms}    // a packet: 0.5 ms
	one := onePage(t, page.Object{Host: "a", Bytes: 1448, After: page.None})
	both := onePage(t, page.Object{Host: "a", Bytes: 1448, After: page.None}, page.Object{Host: "b", Bytes: 1448, After: page.None})
	onWifi, onLTE := 201*ms, 80*ms+500*time.Microsecond
	near(t, "if1", run(t, one, "if1", bare(), wifi, lte).LoadTime, onWifi)
	near(t, "if2", run(t, one, "if2", bare(), wifi, lte).LoadTime, onLTE)
	near(t, "lte", run(t, one, "lte", bare(), wifi, lte).LoadTime, onLTE)
	near(t, "eaf", run(t, one, "eaf", bare(), wifi, lte).LoadTime, onLTE)
	near(t, "eaf-mptcp", run(t, one, "eaf-mptcp", bare(), wifi, lte).LoadTime, onLTE)
	rr := run(t, both, "rr", bare(), wifi, lte)
	near(t, "round-robin, first", rr.End[0], onWifi)
	near(t, "round-robin, second", rr.End[1], onLTE)
	// The first exchange goes over wifi and is over before lte joins (200 + 60 ms); 1448 bytes are two packets of 1420.
	near(t, "mptcp-if1", run(t, one, "mptcp-if1", bare(), wifi, lte).LoadTime, onWifi+ms)
}

func TestEstimatedKnowledge(t *testing.T) {
	// Before anything is measured all interfaces look alike, so eaf takes the first, however slow it is. From the first
	// handshake on it knows interface 1 (RTT 300 ms) and believes 150 ms of interface 2.
	slow := sim.Interface{Name: "slow", Rate: 12 * units.MbitPerSecond, RTT: 300 * ms}
	fast := sim.Interface{Name: "fast", Rate: 12 * units.MbitPerSecond, RTT: 10 * ms}
	p := onePage(t, page.Object{Host: "a", Bytes: 1448, After: page.None}, page.Object{Host: "b", Bytes: 1448, After: 0})
	params := bare()
	params.Knowledge = sim.Estimated
	res := run(t, p, "eaf", params, slow, fast)
	near(t, "first object, on the slow interface", res.End[0], 601*ms)
	near(t, "second object, on the fast interface", res.End[1], 622*ms)
	exact := run(t, p, "eaf", bare(), slow, fast)
	near(t, "exact knowledge", exact.LoadTime, 42*ms)
}

func TestErrors(t *testing.T) {
	p := onePage(t, page.Object{Host: "a", Bytes: 1, After: page.None})
	for name, change := range map[string]func(*sim.Spec){
		"no page":            func(s *sim.Spec) { s.Page = nil },
		"no interface":       func(s *sim.Spec) { s.Interfaces = nil },
		"zero rate":          func(s *sim.Spec) { s.Interfaces[0].Rate = 0 },
		"negative rate":      func(s *sim.Spec) { s.Interfaces[0].Rate = -1 },
		"zero RTT":           func(s *sim.Spec) { s.Interfaces[0].RTT = 0 },
		"unknown policy":     func(s *sim.Spec) { s.Policy = "fastest" },
		"policy without if2": func(s *sim.Spec) { s.Policy = "if2" },
		"same name twice":    func(s *sim.Spec) { s.Interfaces = append(s.Interfaces, s.Interfaces[0]) },
		"no parameters":      func(s *sim.Spec) { s.Params = sim.Params{} },
	} {
		s := &sim.Spec{Page: p, Policy: "if1", Params: sim.Linux(), Interfaces: []sim.Interface{lan(ms)}}
		change(s)
		if _, err := New().Run(s); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
