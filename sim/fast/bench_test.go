package fast

import (
	"testing"
	"time"

	"braid/har"
	"braid/sim"
	"braid/sim/page"
	"braid/sim/units"
)

// page50 is the benchmark page: 50 objects, 1.2 MB, 6 hosts.
func page50(b testing.TB) *page.Page {
	b.Helper()
	p, _, err := har.Open("../flow/testdata/kernel/page50.har", har.Options{})
	if err != nil {
		b.Fatal(err)
	}
	return p
}

func networks() []sim.Interface {
	return []sim.Interface{
		{Name: "wifi", Rate: 6 * units.MbitPerSecond, RTT: 50 * time.Millisecond},
		{Name: "lte", Rate: 20 * units.MbitPerSecond, RTT: 100 * time.Millisecond},
	}
}

// BenchmarkLoad loads the benchmark page with each policy in each profile. The targets on one core: 20,000 loads/s for
// if1, 5,000/s for eaf and mptcp-if1, 2,000/s for eaf-mptcp, and no allocation. An event is a step of the load or of one of
// its predictions: ns/event is the time of a load by all of them.
func BenchmarkLoad(b *testing.B) {
	p := page50(b)
	e := New()
	for _, profile := range sim.Profiles {
		for _, policy := range []string{"if1", "if2", "round-robin", "eaf", "mptcp-if1", "mptcp-rnd", "eaf-mptcp"} {
			s := &sim.Spec{Page: p, Policy: policy, Params: profile.New(), Interfaces: networks()}
			b.Run(profile.Name+"/"+policy, func(b *testing.B) {
				b.ReportAllocs()
				var events int64
				for b.Loop() {
					if _, err := e.Run(s); err != nil {
						b.Fatal(err)
					}
					events += e.Steps()
				}
				b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "loads/s")
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(events), "ns/event")
				b.ReportMetric(float64(events)/float64(b.N), "events/load")
			})
		}
	}
}
