package stat

import (
	"math"
	"math/rand/v2"
	"slices"
	"sort"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// Interval is a confidence interval.
type Interval struct{ Low, High float64 }

var noInterval = Interval{math.NaN(), math.NaN()}

// MeanInterval returns the confidence interval of the mean of normally distributed values by Student's t; see
// StudentInterval.
func MeanInterval(values []float64, level float64) Interval {
	checkLevel(level)
	if len(values) < 2 {
		return noInterval
	}
	mean, deviation := stat.MeanStdDev(values, nil)
	return StudentInterval(int64(len(values)), mean, deviation, level)
}

// StudentInterval returns the confidence interval of the mean of n normally distributed values with this mean and sample
// standard deviation s: m +- t(1-(1-level)/2, n-1) s/sqrt(n) (Student, "The Probable Error of a Mean", 1908). NaN for fewer
// than two values. It panics when level is not in (0, 1).
func StudentInterval(n int64, mean, deviation, level float64) Interval {
	checkLevel(level)
	if n < 2 {
		return noInterval
	}
	t := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: float64(n - 1)}.Quantile(1 - (1-level)/2)
	width := t * deviation / math.Sqrt(float64(n))
	return Interval{mean - width, mean + width}
}

// Bootstrap returns the confidence interval of a statistic by the percentile bootstrap (Efron and Tibshirani, "An
// Introduction to the Bootstrap" (1993), section 13.3): the (1-level)/2 and (1+level)/2 quantiles of the statistic over
// resamples of the values, drawn with replacement. The same values and seed give the same interval. NaN for no values. The
// statistic may reorder what it is given. It panics when level is not in (0, 1) or there are no resamples.
func Bootstrap(values []float64, statistic func([]float64) float64, level float64, resamples int, seed uint64) Interval {
	checkLevel(level)
	if resamples < 1 {
		panic("stat: no resamples")
	}
	if len(values) == 0 {
		return noInterval
	}
	random := rand.New(rand.NewPCG(seed, 0))
	sample := make([]float64, len(values))
	found := make([]float64, resamples)
	for k := range found {
		for i := range sample {
			sample[i] = values[random.IntN(len(values))]
		}
		found[k] = statistic(sample)
	}
	slices.Sort(found)
	return Interval{Quantile((1-level)/2, found), Quantile((1+level)/2, found)}
}

// MedianInterval returns the confidence interval of the median without assumptions on the distribution, from order
// statistics; see MedianRank. NaN when so few values cannot give it.
func MedianInterval(values []float64, level float64) Interval {
	sorted := slices.Sorted(slices.Values(values))
	k, ok := MedianRank(len(sorted), level)
	if !ok {
		return noInterval
	}
	return Interval{sorted[k], sorted[len(sorted)-1-k]}
}

// MedianRank returns the order statistics that bound the median of n values: the confidence interval is from the k-th of
// the sorted values, counted from 0, to the k-th from their end. The number of values below the median is binomial with
// p = 1/2 (Conover, "Practical Nonparametric Statistics" (1999), section 3.2). Its level is at least the one asked for;
// false when so few values cannot give it (less than six for 95 %). It panics when level is not in (0, 1).
func MedianRank(n int, level float64) (k int, ok bool) {
	checkLevel(level)
	below := distuv.Binomial{N: float64(n), P: 0.5}
	// So many k have P(B <= k) <= (1-level)/2. At n/2 it is at least 1/2.
	count := sort.Search(n/2+1, func(k int) bool { return below.CDF(float64(k)) > (1-level)/2 })
	return count - 1, count > 0
}

func checkLevel(level float64) {
	if !(level > 0 && level < 1) {
		panic("stat: level is not in (0, 1)")
	}
}
