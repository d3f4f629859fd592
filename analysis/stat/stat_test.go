package stat

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	gonum "gonum.org/v1/gonum/stat"
	"pgregory.net/rapid"
)

// Expected values are those of R's quantile(x, p), type 7, worked out by hand: rank p*(n-1) from 0.
func TestQuantile(t *testing.T) {
	for _, c := range []struct {
		name   string
		p      float64
		sorted []float64
		want   float64
	}{
		{"single", 0.95, []float64{3}, 3},
		{"median of two is their mean", 0.5, []float64{1, 2}, 1.5},
		{"median of three is the middle", 0.5, []float64{1, 5, 9}, 5},
		{"rank 0.05*4 = 0.2: 10 + 0.2*10", 0.05, []float64{10, 20, 30, 40, 50}, 12},
		{"rank 0.95*4 = 3.8: 40 + 0.8*10", 0.95, []float64{10, 20, 30, 40, 50}, 48},
		{"smallest", 0, []float64{1, 2, 3}, 1},
		{"largest", 1, []float64{1, 2, 3}, 3},
	} {
		if got := Quantile(c.p, c.sorted); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%s: Quantile(%v, %v) = %v, want %v", c.name, c.p, c.sorted, got, c.want)
		}
	}
	if got := Quantile(0.5, nil); !math.IsNaN(got) {
		t.Errorf("quantile of nothing is %v, want NaN", got)
	}
}

func TestQuantilePanicsOutOfRange(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("no panic for p = 1.5")
		}
	}()
	Quantile(1.5, []float64{1})
}

func TestMedianSorts(t *testing.T) {
	if got := Median([]float64{9, 1, 5, 3}); got != 4 {
		t.Errorf("median of 9 1 5 3 is %v, want (3+5)/2 = 4", got)
	}
}

// gonum's empirical quantile is an order statistic at most one rank away from p*(n-1): type 7 lies between those two ranks away.
func TestQuantileLiesBetweenOrderStatistics(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.SliceOfN(rapid.Float64Range(0.001, 1000), 1, 50).Draw(t, "x")
		p := rapid.Float64Range(0, 1).Draw(t, "p")
		slices.Sort(x)
		got := Quantile(p, x)
		n := float64(len(x))
		low := gonum.Quantile(math.Max(0, p-2/n), gonum.Empirical, x, nil)
		high := gonum.Quantile(math.Min(1, p+2/n), gonum.Empirical, x, nil)
		if got < low || got > high {
			t.Fatalf("Quantile(%v, %v) = %v, not in [%v, %v]", p, x, got, low, high)
		}
	})
}

func TestDistributionIsExactForFewValues(t *testing.T) {
	var d Distribution
	if !math.IsNaN(d.Quantile(0.5)) {
		t.Error("an empty distribution has quantiles")
	}
	for _, x := range []float64{5, 1, 4, 2, 3} {
		d.Add(x)
	}
	if got := d.Quantile(0.5); got != 3 {
		t.Errorf("median %v, want 3", got)
	}
	d.Add(6) // after a quantile was asked for
	if got := d.Quantile(0.5); got != 3.5 {
		t.Errorf("median %v, want 3.5", got)
	}
	if !d.Exact() || d.N() != 6 {
		t.Errorf("exact %v, n %d", d.Exact(), d.N())
	}
}

// Beyond the exact values the sketch must keep its promise against the same values sorted.
func TestDistributionKeepsItsAccuracy(t *testing.T) {
	var d Distribution
	r := rand.New(rand.NewPCG(1, 2))
	values := make([]float64, 3*ExactValues)
	for i := range values {
		values[i] = math.Exp(2 * r.NormFloat64()) // about five decades
		d.Add(values[i])
	}
	slices.Sort(values)
	if d.Exact() {
		t.Fatal("still exact")
	}
	for _, p := range []float64{0, 0.001, 0.05, 0.5, 0.95, 0.999, 1} {
		want := values[int(p*float64(len(values)-1))]
		if got := d.Quantile(p); math.Abs(got-want) > Accuracy*want*(1+1e-9) {
			t.Errorf("quantile %v: %v, want %v within %v", p, got, want, Accuracy)
		}
	}
}

// Counts may be zero, differences negative.
func TestDistributionTakesZeroAndNegativeValues(t *testing.T) {
	var d Distribution
	for i := range 2 * ExactValues {
		d.Add(float64(i%5 - 2)) // -2 -1 0 1 2, equally often
	}
	// Ranks of 0, 0.5 and 1 fall on -2, 0 and 2.
	for p, want := range map[float64]float64{0: -2, 0.5: 0, 1: 2} {
		if got := d.Quantile(p); math.Abs(got-want) > Accuracy*math.Abs(want)*(1+1e-9) {
			t.Errorf("quantile %v is %v, want %v", p, got, want)
		}
	}
}

func TestDistributionIgnoresOrder(t *testing.T) {
	var a, b Distribution
	n := ExactValues + 1000
	for i := range n {
		a.Add(float64(1 + i))
		b.Add(float64(n - i))
	}
	for _, p := range []float64{0.05, 0.5, 0.95} {
		if a.Quantile(p) != b.Quantile(p) {
			t.Errorf("quantile %v: %v and %v", p, a.Quantile(p), b.Quantile(p))
		}
	}
}

func TestDistributionRefusesWhatIsNotFinite(t *testing.T) {
	for _, x := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("no panic for %v", x)
				}
			}()
			new(Distribution).Add(x)
		}()
	}
}

func BenchmarkDistribution(b *testing.B) {
	var d Distribution
	r := rand.New(rand.NewPCG(1, 2))
	for b.Loop() {
		d.Add(math.Exp(r.NormFloat64()))
	}
}
