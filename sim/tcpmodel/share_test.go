package tcpmodel

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestMaxMin(t *testing.T) {
	for _, c := range []struct {
		name     string
		capacity float64
		demands  []float64
		whole    bool
		want     []float64
	}{
		{"nobody", 10, nil, false, []float64{}},
		{"alone and modest", 10, []float64{4}, false, []float64{4}},
		{"alone and greedy", 10, []float64{40}, false, []float64{10}},
		{"enough for all", 10, []float64{4, 1, 5}, false, []float64{4, 1, 5}},
		{"equal parts", 9, []float64{10, 10, 10}, false, []float64{3, 3, 3}},
		// 12/4 = 3: the 1 is satisfied, 11/3 = 3.67: the 3.5 too, 7.5/2 = 3.75 for the others.
		{"water fills", 12, []float64{9, 3.5, 1, 20}, false, []float64{3.75, 3.5, 1, 3.75}},
		{"no demand", 10, []float64{0, 20}, false, []float64{0, 10}},
		{"no capacity", 0, []float64{1, 0}, false, []float64{0, 0}},
		// 11/3 rounded down is 3: the 2 is satisfied, 9/2 rounded down is 4; 1 is left over.
		{"whole", 11, []float64{7, 2, 7}, true, []float64{4, 2, 4}},
		{"whole, less than one each", 2, []float64{7, 7, 7}, true, []float64{0, 0, 0}},
	} {
		shares := make([]float64, len(c.demands))
		MaxMin(c.capacity, c.demands, shares, c.whole)
		if !slices.Equal(shares, c.want) {
			t.Errorf("%s: %v, want %v", c.name, shares, c.want)
		}
	}
}

// TestMaxMinDefinition holds shares against the definition of max-min fairness (Bertsekas, Gallager, Data Networks, section
// 6.5.2): they are feasible, and no flow can get more without taking from one that has no more than it. On one link that is:
// either all demands are met, or the link is full and every flow short of its demand has the largest share there is.
func TestMaxMinDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		whole := rapid.Bool().Draw(t, "whole")
		capacity := float64(rapid.IntRange(0, 1000).Draw(t, "capacity"))
		demands := make([]float64, rapid.IntRange(1, 20).Draw(t, "flows"))
		for i := range demands {
			demands[i] = float64(rapid.IntRange(0, 300).Draw(t, "demand"))
			if !whole {
				demands[i] /= 7
			}
		}
		shares := make([]float64, len(demands))
		MaxMin(capacity, demands, shares, whole)

		const rounding = 1e-9
		sum, largest, short := 0.0, slices.Max(shares), 0
		for i, s := range shares {
			if s < 0 || s > demands[i] || whole && s != math.Trunc(s) {
				t.Fatalf("flow %d gets %v of its demand %v", i, s, demands[i])
			}
			sum += s
			if s < demands[i] {
				short++
				if s < largest-rounding {
					t.Fatalf("flow %d gets %v and wants %v, another gets %v: %v", i, s, demands[i], largest, shares)
				}
			}
		}
		if sum > capacity+rounding {
			t.Fatalf("shares sum to %v, the capacity is %v", sum, capacity)
		}
		// Rounding down loses less than 1 byte/s for each flow that is short.
		if lost := capacity - sum; short > 0 && (!whole && lost > rounding || whole && lost >= float64(short)) {
			t.Fatalf("%v of %v are unused, %d flows want more: %v of %v", lost, capacity, short, shares, demands)
		}
	})
}

// TestMaxMinOrder: the order of the flows means nothing.
func TestMaxMinOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		demands := rapid.SliceOfN(rapid.Map(rapid.IntRange(0, 300), func(i int) float64 { return float64(i) }), 1, 20).Draw(t, "demands")
		capacity := float64(rapid.IntRange(0, 1000).Draw(t, "capacity"))
		order := rapid.Permutation(indices(len(demands))).Draw(t, "order")
		shuffled := make([]float64, len(demands))
		for to, from := range order {
			shuffled[to] = demands[from]
		}
		a, b := make([]float64, len(demands)), make([]float64, len(demands))
		MaxMin(capacity, demands, a, true)
		MaxMin(capacity, shuffled, b, true)
		for to, from := range order {
			if b[to] != a[from] {
				t.Fatalf("%v give %v, in order %v %v", demands, a, order, b)
			}
		}
	})
}

func indices(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}
