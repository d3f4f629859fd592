package flow

import (
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"braid/har"
	"braid/sim"
	"braid/sim/page"
	"braid/sim/units"
)

// responseHeader is what the measured server sent before each body.
const responseHeader = 120

// kernelRows reads one of the tables of kernel measurements.
func kernelRows(t testing.TB, name string) []map[string]string {
	t.Helper()
	f, err := os.Open("testdata/kernel/" + name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r := csv.NewReader(f)
	r.Comma, r.LazyQuotes, r.FieldsPerRecord = '\t', true, -1
	records, err := r.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var rows []map[string]string
	for _, rec := range records[1:] {
		row := map[string]string{}
		for i, name := range records[0] {
			if i < len(rec) {
				row[name] = rec[i]
			}
		}
		rows = append(rows, row)
	}
	return rows
}

func number(t testing.TB, s string) float64 {
	t.Helper()
	v, err := strconv.ParseFloat(s, 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func kernelIface(name string, mbit, rttMs float64) sim.Interface {
	return sim.Interface{Name: name, Rate: units.Rate(mbit) * units.MbitPerSecond, RTT: time.Duration(rttMs * 1e6)}
}

// chain is a page of objects that each wait for the one before, all from one host.
func chain(t testing.TB, think time.Duration, sizes ...int64) *page.Page {
	t.Helper()
	objects := make([]page.Object, len(sizes))
	for i, n := range sizes {
		objects[i] = page.Object{Host: "server.example", Bytes: n, After: int32(i) - 1}
		if i > 0 {
			objects[i].Think = think
		}
	}
	p, err := page.New("chain", objects)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func load(t testing.TB, s *sim.Spec) *sim.Result {
	t.Helper()
	res, err := New().Run(s)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// TestAccuracyDownloads holds new connections with one object against kernel TCP: at RTT of 50 ms or more each within
// 2 % and 0.8 % in the mean. At 10 ms host and link emulator add 1 to 4 ms; those rows are only reported.
func TestAccuracyDownloads(t *testing.T) {
	var errs, short deviation
	for _, row := range kernelRows(t, "downloads.tsv") {
		mbit, rtt, bytes, want := number(t, row["mbit_s"]), number(t, row["rtt_ms"]), number(t, row["bytes"]), number(t, row["median_ms"])
		p := chain(t, 0, int64(bytes)+responseHeader)
		got := load(t, &sim.Spec{Page: p, Policy: "if1", Params: sim.Linux(), Interfaces: []sim.Interface{kernelIface("wifi", mbit, rtt)}}).LoadTime.Seconds() * 1e3
		dev := got/want - 1
		t.Logf("%2.0f Mbit/s %3.0f ms %7.0f B: %7.1f ms, kernel %7.1f ms (%+.2f %%)", mbit, rtt, bytes, got, want, 100*dev)
		if rtt < 50 {
			short = append(short, dev)
			continue
		}
		errs = append(errs, dev)
		if math.Abs(dev) > 0.02 {
			t.Errorf("%v Mbit/s %v ms %v B: %+.2f %% (target 2 %%)", mbit, rtt, bytes, 100*dev)
		}
	}
	documented(t, fmt.Sprintf("new connection, one object, RTT >= 50 ms: mean %.2f %%, max %.2f %%", 100*errs.mean(), 100*errs.max()))
	documented(t, fmt.Sprintf("new connection, one object, RTT 10 ms: mean %.2f %%, max %.2f %% (1 to 4 ms are the host's)", 100*short.mean(), 100*short.max()))
	if errs.mean() > 0.008 {
		t.Errorf("mean %.2f %% (target 0.8 %%)", 100*errs.mean())
	}
}

// TestAccuracyReuse holds further objects on a warm connection against kernel TCP: each within 2 %.
func TestAccuracyReuse(t *testing.T) {
	var errs deviation
	for _, row := range kernelRows(t, "reuse.tsv") {
		mbit, rtt, bytes := number(t, row["mbit_s"]), number(t, row["rtt_ms"]), int64(number(t, row["bytes"]))+responseHeader
		pauses := strings.Split(row["pause_s"], "-")
		for _, pause := range pauses {
			think := time.Duration(number(t, pause) * 1e9)
			res := load(t, &sim.Spec{Page: chain(t, think, bytes, bytes), Policy: "if1", Params: sim.Linux(), Interfaces: []sim.Interface{kernelIface("wifi", mbit, rtt)}})
			first := res.End[0].Seconds() * 1e3
			following := (res.End[1] - res.End[0] - think).Seconds() * 1e3
			for _, x := range []struct {
				what      string
				got, want float64
			}{{"first", first, number(t, row["first_ms"])}, {"following", following, number(t, row["following_ms"])}} {
				dev := x.got/x.want - 1
				errs = append(errs, dev)
				t.Logf("%2.0f Mbit/s %3.0f ms %6d B, pause %v, %s: %.1f ms, kernel %.0f ms (%+.2f %%)", mbit, rtt, bytes, think, x.what, x.got, x.want, 100*dev)
				if math.Abs(dev) > 0.02 {
					t.Errorf("%s: %+.2f %% (target 2 %%)", x.what, 100*dev)
				}
			}
		}
	}
	documented(t, fmt.Sprintf("reuse, with and without pauses: mean %.2f %%, max %.2f %%", 100*errs.mean(), 100*errs.max()))
}

// TestAccuracyMPTCP holds Multipath TCP against the kernel's. A prediction between the measured minimum and maximum
// counts as right. The target is a mean of 8 %, and to be right in 11 of 12 cases about whether Multipath TCP beats the better
// path (ties within 4 % count for either).
func TestAccuracyMPTCP(t *testing.T) {
	var errs, plain deviation
	right := 0
	for _, row := range kernelRows(t, "mptcp.tsv") {
		var ifaces []sim.Interface
		for i, col := range []string{"path1_mbit_rttms", "path2_mbit_rttms"} {
			mbit, rtt, _ := strings.Cut(row[col], "/")
			ifaces = append(ifaces, kernelIface([]string{"one", "two"}[i], number(t, mbit), number(t, rtt)))
		}
		p := chain(t, 0, int64(number(t, row["bytes"]))+responseHeader)
		got := load(t, &sim.Spec{Page: p, Policy: "mptcp-if1", Params: sim.Linux(), Interfaces: ifaces}).LoadTime.Seconds() * 1e3
		want, low, high := number(t, row["mptcp_ms"]), number(t, row["mptcp_min_ms"]), number(t, row["mptcp_max_ms"])
		plain = append(plain, got/want-1)
		dev := 0.0
		if got < low || got > high {
			dev = got/want - 1
		}
		errs = append(errs, dev)
		tcp := min(number(t, row["tcp_path1_ms"]), number(t, row["tcp_path2_ms"]))
		better := min(load(t, &sim.Spec{Page: p, Policy: "if1", Params: sim.Linux(), Interfaces: ifaces}).LoadTime,
			load(t, &sim.Spec{Page: p, Policy: "if2", Params: sim.Linux(), Interfaces: ifaces}).LoadTime).Seconds() * 1e3
		kernel, model := want/tcp-1, got/better-1
		sign := kernel < 0 == (model < 0) || math.Abs(kernel) < 0.04 || math.Abs(model) < 0.04
		if sign {
			right++
		}
		t.Logf("%-6s + %-6s %7s B: %7.1f ms, kernel %7.1f (%.1f to %.1f) ms: %+.1f %%; over the better path %+.1f %%, kernel %+.1f %%, %v",
			row["path1_mbit_rttms"], row["path2_mbit_rttms"], row["bytes"], got, want, low, high, 100*dev, 100*model, 100*kernel, sign)
	}
	documented(t, fmt.Sprintf("multipath, against the median: mean %.1f %%, max %.1f %%", 100*plain.mean(), 100*plain.max()))
	documented(t, fmt.Sprintf("multipath, right between the measured minimum and maximum: mean %.1f %%, max %.1f %%; right about the better one in %d of %d", 100*errs.mean(), 100*errs.max(), right, len(errs)))
	if errs.mean() > 0.08 || right < len(errs)-1 {
		t.Errorf("mean %.1f %% (target 8 %%), right in %d of %d (target 11)", 100*errs.mean(), right, len(errs))
	}
}

// TestAccuracyPage holds the load of a page of 50 objects from 6 hosts against a client over kernel TCP that allowed 6
// connections a host and 17 in all. The target is a mean of 6 %.
func TestAccuracyPage(t *testing.T) {
	p, _, err := har.Open("testdata/kernel/page50.har", har.Options{})
	if err != nil {
		t.Fatal(err)
	}
	params := sim.Linux()
	params.MaxConnections = 17
	for _, host := range []time.Duration{0, time.Millisecond} {
		params.HostTime = host
		what := "page of 50 objects"
		if host > 0 {
			what = "page of 50 objects, host_time " + host.String()
		}
		var errs deviation
		for _, row := range kernelRows(t, "page.tsv") {
			iface := kernelIface("wifi", number(t, row["mbit_s"]), number(t, row["rtt_ms"]))
			want := number(t, row["kernel_median_ms"])
			got := load(t, &sim.Spec{Page: p, Policy: "if1", Params: params, Interfaces: []sim.Interface{iface}}).LoadTime.Seconds() * 1e3
			errs = append(errs, got/want-1)
			t.Logf("%2s Mbit/s %3s ms: %6.0f ms, kernel %6.0f ms (%+.1f %%)", row["mbit_s"], row["rtt_ms"], got, want, 100*(got/want-1))
		}
		documented(t, fmt.Sprintf("%s: mean %.1f %%, max %.1f %%", what, 100*errs.mean(), 100*errs.max()))
		if errs.mean() > 0.06 {
			t.Errorf("mean %.1f %% (target 6 %%)", 100*errs.mean())
		}
	}
}

// TestAccuracySharing reports parallel downloads beside kernel TCP. The flow level shares instantly and fairly; real TCP
// does not, so the band of the kernel's values is wide, and only that the model falls into it (2 x 2 MB: the last one
// between 1828 and 1877 ms within 2 %; 6 x 500 kB: between the first and the last of all runs) is asserted.
func TestAccuracySharing(t *testing.T) {
	for _, c := range []struct {
		flows                 int
		bytes                 int64
		first, low, high, tol float64 // ms
	}{
		{2, 2_000_000, 1290, 1828, 1877, 0.02},
		{6, 500_000, 916, 1027, 1531, 0.02},
	} {
		objects := make([]page.Object, c.flows)
		for i := range objects {
			objects[i] = page.Object{Host: "server.example", Bytes: c.bytes + responseHeader, After: page.None}
		}
		p, err := page.New("parallel", objects)
		if err != nil {
			t.Fatal(err)
		}
		res := load(t, &sim.Spec{Page: p, Policy: "if1", Params: sim.Linux(), Interfaces: []sim.Interface{kernelIface("wifi", 20, 50)}})
		first, last := slices.Min(res.End).Seconds()*1e3, res.LoadTime.Seconds()*1e3
		t.Logf("%d x %d B: %.0f to %.0f ms, kernel %.0f to %.0f ms", c.flows, c.bytes, first, last, c.first, c.high)
		if first < c.first*(1-c.tol) || last < c.low*(1-c.tol) || last > c.high*(1+c.tol) {
			t.Errorf("%d x %d B: %.0f to %.0f ms", c.flows, c.bytes, first, last)
		}
		if res.Connections != c.flows {
			t.Errorf("%d connections for %d flows", res.Connections, c.flows)
		}
	}
}
