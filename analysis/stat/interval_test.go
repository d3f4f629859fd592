package stat

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func near(a, b, within float64) bool { return math.Abs(a-b) <= within }

func TestECDF(t *testing.T) {
	x, share := ECDF([]float64{3, 1, 3, 2, 3})
	if !slices.Equal(x, []float64{1, 2, 3}) || !slices.Equal(share, []float64{0.2, 0.4, 1}) {
		t.Errorf("%v %v", x, share)
	}
	if x, share = ECDF(nil); x != nil || share != nil {
		t.Errorf("of nothing: %v %v", x, share)
	}
}

// Student's own data (1908): extra hours of sleep under two drugs, differences of ten patients. Mean 1.58, s 1.230; with
// t(0.975, 9) = 2.262: 1.58 +- 2.262*1.230/sqrt(10) = 1.58 +- 0.880. R's t.test prints 0.7001142 and 2.4598858.
func TestMeanInterval(t *testing.T) {
	i := MeanInterval([]float64{1.2, 2.4, 1.3, 1.3, 0, 1.0, 1.8, 0.8, 4.6, 1.4}, 0.95)
	if !near(i.Low, 0.7001142, 1e-6) || !near(i.High, 2.4598858, 1e-6) {
		t.Errorf("%+v", i)
	}
	if i := MeanInterval([]float64{1}, 0.95); !math.IsNaN(i.Low) || !math.IsNaN(i.High) {
		t.Errorf("of one value: %+v", i)
	}
}

// With six values the least and the greatest enclose the median but for 2/64 = 3.1 %; with five but for 2/32 = 6.3 %. With
// ten, P(B <= 1) = 11/1024 = 1.07 %, P(B <= 2) = 56/1024 = 5.5 %: the second from both ends.
func TestMedianInterval(t *testing.T) {
	values := []float64{10, 9, 8, 7, 6, 5, 4, 3, 2, 1}
	if i := MedianInterval(values, 0.95); i != (Interval{2, 9}) {
		t.Errorf("of ten: %+v", i)
	}
	if i := MedianInterval(values[:6], 0.95); i != (Interval{5, 10}) {
		t.Errorf("of six: %+v", i)
	}
	if i := MedianInterval(values[:5], 0.95); !math.IsNaN(i.Low) {
		t.Errorf("of five: %+v", i)
	}
}

// The bootstrap of a mean approaches the normal interval: 1000 values from 0 to 999 have the mean 499.5 with a standard error
// of 288.7/sqrt(1000) = 9.13, so 95 % are within 1.96 of them, 17.9; the Monte Carlo error of 4000 resamples is below 1.
func TestBootstrap(t *testing.T) {
	values := make([]float64, 1000)
	for i := range values {
		values[i] = float64(i)
	}
	mean := func(v []float64) float64 {
		sum := 0.0
		for _, x := range v {
			sum += x
		}
		return sum / float64(len(v))
	}
	i := Bootstrap(values, mean, 0.95, 4000, 1)
	if !near(i.Low, 499.5-17.9, 1.5) || !near(i.High, 499.5+17.9, 1.5) {
		t.Errorf("%+v", i)
	}
	if again := Bootstrap(values, mean, 0.95, 4000, 1); again != i {
		t.Errorf("%+v, then %+v", i, again)
	}
	if other := Bootstrap(values, mean, 0.95, 4000, 2); other == i {
		t.Error("the seed does not matter")
	}
	if i := Bootstrap(nil, mean, 0.95, 10, 1); !math.IsNaN(i.Low) {
		t.Errorf("of nothing: %+v", i)
	}
	if i := Bootstrap([]float64{3}, Median, 0.95, 10, 1); i != (Interval{3, 3}) {
		t.Errorf("of one value: %+v", i)
	}
}

// (1+2+3)^2 / (3*(1+4+9)) = 36/42; all equal 1; one has all 1/4.
func TestJain(t *testing.T) {
	for _, c := range []struct {
		shares []float64
		want   float64
	}{{[]float64{1, 2, 3}, 36. / 42}, {[]float64{5, 5, 5, 5}, 1}, {[]float64{0, 0, 7, 0}, 0.25}} {
		if got := Jain(c.shares); !near(got, c.want, 1e-12) {
			t.Errorf("%v: %v, want %v", c.shares, got, c.want)
		}
	}
	if !math.IsNaN(Jain(nil)) || !math.IsNaN(Jain([]float64{0, 0})) {
		t.Error("an index of nothing")
	}
}

// IQ and hours of television of ten people, the worked example of Wikipedia's article on Spearman's rho: the squares of the
// differences of ranks sum to 194, rho = 1 - 6*194/(10*99) = -0.17575757...
func TestSpearman(t *testing.T) {
	iq := []float64{106, 100, 86, 101, 99, 103, 97, 113, 112, 110}
	hours := []float64{7, 27, 2, 50, 28, 29, 20, 12, 6, 17}
	if got := Spearman(iq, hours); !near(got, 1-6*194./990, 1e-12) {
		t.Errorf("%v", got)
	}
	if got := Ranks([]float64{5, 1, 5, 5, 2}); !slices.Equal(got, []float64{4, 1, 4, 4, 2}) {
		t.Errorf("ranks with ties: %v", got)
	}
	if !math.IsNaN(Spearman([]float64{1, 1}, []float64{1, 2})) || !math.IsNaN(Spearman(nil, nil)) {
		t.Error("a correlation of nothing")
	}
}

// Any increasing map of x leaves the correlation as it is.
func TestSpearmanSeesOnlyTheOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.SliceOfN(rapid.Float64Range(-5, 5), 3, 20).Draw(t, "x")
		y := rapid.SliceOfN(rapid.Float64Range(-5, 5), len(x), len(x)).Draw(t, "y")
		doubled := make([]float64, len(x))
		for i, v := range x {
			doubled[i] = 2*v + 1
		}
		a, b := Spearman(x, y), Spearman(doubled, y)
		// Rounding may make equal what differed.
		if slices.Equal(Ranks(x), Ranks(doubled)) && !near(a, b, 1e-12) && !(math.IsNaN(a) && math.IsNaN(b)) {
			t.Fatalf("%v and %v", a, b)
		}
	})
}

// Depression scores of nine patients before and after a drug (Hollander and Wolfe, "Nonparametric Statistical Methods"
// (1973), table 3.1): the sum of positive ranks is 40, and R's wilcox.test(x, y, paired = TRUE) gives V = 40, p = 0.03906:
// with n = 9, 10 of the 512 signs give a sum of 5 or less, and twice 10/512 is 0.0390625.
func TestSignedRank(t *testing.T) {
	x := []float64{1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30}
	y := []float64{0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29}
	d := make([]float64, len(x))
	for i := range x {
		d[i] = x[i] - y[i]
	}
	if p := SignedRank(d); !near(p, 0.0390625, 1e-12) {
		t.Errorf("p = %v", p)
	}
	for i := range d {
		d[i] = -d[i]
	}
	if p := SignedRank(append(d, 0, 0)); !near(p, 0.0390625, 1e-12) {
		t.Errorf("mirrored, with zeros: p = %v", p)
	}
	if p := SignedRank([]float64{0, 0}); p != 1 {
		t.Errorf("of nothing: p = %v", p)
	}
	// Infinite differences tie: sizes 1, inf, inf with ranks 1, 2.5, 2.5, all positive, have the sum 6, as above.
	if p, want := SignedRank([]float64{1, math.Inf(1), math.Inf(1)}), SignedRank([]float64{1, 1, 2}); p != want {
		t.Errorf("with infinite ones: p = %v, want %v", p, want)
	}
	// All of n on one side: 2/2^n.
	if p := SignedRank([]float64{1, 2, 3, 4, 5}); !near(p, 2./32, 1e-12) {
		t.Errorf("five of five: p = %v", p)
	}
}

// With ties by hand: sizes 1, 1, 2 all positive, ranks 1.5, 1.5, 3, sum 6: one sign of eight gives as much, so p = 2/8. By the
// approximation, mean 3, variance 3*4*7/24 - (8-2)/48 = 3.375, z = 2.5/sqrt(3.375) = 1.3608, p = 0.1736. Sizes 1, 1, 2, 2
// with one 1 negative: ranks 1.5, 1.5, 3.5, 3.5; three signs (none, either 1) give 1.5 or less: p = 6/16. Where both can be
// had and there are many, they are close.
func TestSignedRankApproximation(t *testing.T) {
	if p := SignedRank([]float64{1, 1, 2}); !near(p, 0.25, 1e-12) {
		t.Errorf("with ties: p = %v", p)
	}
	if p := SignedRank([]float64{2, -1, 2, 1}); !near(p, 6./16, 1e-12) {
		t.Errorf("with ties: p = %v", p)
	}
	if p := signedRankNormal(3, 6, 6); !near(p, 0.1736, 1e-4) {
		t.Errorf("approximately, with ties: p = %v", p)
	}
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(15, exactPairs).Draw(t, "n")
		positive, most := 0.0, n*(n+1)/2
		var twice []int
		for rank := 1; rank <= n; rank++ {
			twice = append(twice, 2*rank)
			if rapid.Bool().Draw(t, "positive") {
				positive += float64(rank)
			}
		}
		a, b := signedRankExact(twice, positive), signedRankNormal(float64(n), positive, 0)
		if !near(a, b, 0.015) {
			t.Fatalf("%d of %d: %v exactly, %v approximately", int(positive), most, a, b)
		}
	})
}

// Of 100 values, the 40th and the 61st bound the median: P(B <= 39) = 0.0176, P(B <= 40) = 0.0284 (tables of the binomial
// distribution). Of ten million, it is 1.96 sqrt(n)/2 off the middle.
func TestMedianRank(t *testing.T) {
	if k, ok := MedianRank(100, 0.95); k != 39 || !ok {
		t.Errorf("%d, %v", k, ok)
	}
	const n = 10_000_000
	if k, ok := MedianRank(n, 0.95); !ok || math.Abs(float64(n/2-k)-1.959964*math.Sqrt(n)/2) > 3 {
		t.Errorf("%d, %v", k, ok)
	}
	if k, ok := MedianRank(0, 0.95); ok {
		t.Errorf("%d of no values", k)
	}
}
