package run

import (
	"fmt"
	"testing"

	"braid/scenarios"
	"braid/scenarios/result"
)

// BenchmarkGrid runs 1,000 cases of the Socket Intents grid, in both profiles, into Parquet: what a second worker gains, and
// what one row costs in all.
func BenchmarkGrid(b *testing.B) {
	s, err := scenarios.Load("socket-intents/table4-small")
	if err != nil {
		b.Fatal(err)
	}
	g, err := s.Grid()
	if err != nil {
		b.Fatal(err)
	}
	if g, err = g.Sample(scenarios.Sample{Cases: 1000}); err != nil {
		b.Fatal(err)
	}
	schema, err := Schema(g)
	if err != nil {
		b.Fatal(err)
	}
	for _, workers := range []int{1, 2} {
		b.Run(fmt.Sprintf("workers=%d", workers), func(b *testing.B) {
			engines, err := scenarios.NewEngines("fast")
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for b.Loop() {
				w, err := result.NewWriter(discard{}, result.Parquet, schema)
				if err != nil {
					b.Fatal(err)
				}
				if _, err := Do(b.Context(), g, Options{Workers: workers, Engine: engines.New}, w.Write); err != nil {
					b.Fatal(err)
				}
				if err := w.Close(); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.N)*float64(g.Len())/b.Elapsed().Seconds(), "rows/s")
		})
	}
}
