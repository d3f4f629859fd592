package flow_test

import (
	"testing"
	"time"

	"braid/har"
	"braid/sim"
	"braid/sim/flow"
	"braid/sim/page"
	"braid/sim/rng"
	"braid/sim/units"
)

// page50 is the recorded page of the kernel measurements: 50 objects.
func page50(t testing.TB) *page.Page {
	t.Helper()
	p, _, err := har.Open("testdata/kernel/page50.har", har.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Objects) != 50 {
		t.Fatalf("%d objects in page50.har, want 50", len(p.Objects))
	}
	return p
}

// BenchmarkLoad loads the page of 50 objects over 6 Mbit/s, 50 ms and 20 Mbit/s, 100 ms. The targets on one core are
// 1,000 loads/s with if1, 300 loads/s with eaf, and no allocation per event.
func BenchmarkLoad(b *testing.B) {
	p := page50(b)
	for _, profile := range sim.Profiles {
		for _, policy := range allPolicies {
			b.Run(profile.Name+"/"+policy, func(b *testing.B) {
				s := &sim.Spec{Page: p, Policy: policy, Params: profile.New(), Key: rng.Key{Seed: 1}, Interfaces: []sim.Interface{
					iface("wifi", 6*units.MbitPerSecond, 50*time.Millisecond), iface("lte", 20*units.MbitPerSecond, 100*time.Millisecond),
				}}
				e := flow.New()
				var events, predictions int64
				b.ReportAllocs()
				for b.Loop() {
					r, err := e.Run(s)
					if err != nil {
						b.Fatal(err)
					}
					events += r.Events
					predictions += r.Predictions
				}
				seconds := b.Elapsed().Seconds()
				b.ReportMetric(float64(b.N)/seconds, "loads/s")
				b.ReportMetric(float64(events)/seconds, "events/s")
				b.ReportMetric(float64(events)/float64(b.N), "events/load")
				b.ReportMetric(float64(predictions)/float64(b.N), "predictions/load")
			})
		}
	}
}

// BenchmarkTrace is a load that is watched.
func BenchmarkTrace(b *testing.B) {
	s := &sim.Spec{Page: page50(b), Policy: "eaf", Params: sim.Linux(), Interfaces: networks[2].ifaces}
	e := flow.New()
	b.ReportAllocs()
	for b.Loop() {
		sim.NewTrace(s)
		if _, err := e.Run(s); err != nil {
			b.Fatal(err)
		}
	}
}
