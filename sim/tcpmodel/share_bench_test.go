package tcpmodel

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// BenchmarkMaxMin shares 6 Mbit/s among n flows. "modest" demands are all met; "mixed" ones are spread around the fair share;
// "ladder" is the worst case: a round settles one flow, as long
// as float64 can tell the steps apart (they shrink with every round by the number of flows).
func BenchmarkMaxMin(b *testing.B) {
	const capacity = 750_000
	for _, n := range []int{1, 6, 17, 100} {
		r := rand.New(rand.NewPCG(1, 2))
		demands := map[string][]float64{"modest": nil, "mixed": nil, "ladder": nil}
		for range n {
			fair := capacity / float64(n)
			demands["modest"] = append(demands["modest"], fair*r.Float64())
			demands["mixed"] = append(demands["mixed"], 2*fair*r.Float64())
		}
		demands["ladder"] = ladder(capacity, n)
		for _, kind := range []string{"modest", "mixed", "ladder"} {
			b.Run(fmt.Sprintf("%s/%d", kind, n), func(b *testing.B) {
				shares := make([]float64, n)
				b.ReportAllocs()
				for b.Loop() {
					MaxMin(capacity, demands[kind], shares, false)
				}
			})
		}
	}
}

// ladder returns demands of which each is above the fair share until the one before it is settled.
func ladder(capacity float64, n int) []float64 {
	demands := make([]float64, n)
	left, last := capacity, 0.8*capacity/float64(n)
	for i := range demands {
		fair := left / float64(n-i)
		demands[n-1-i] = (last + fair) / 2
		left -= demands[n-1-i]
		last = fair
	}
	return demands
}
