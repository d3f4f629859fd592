// Package stat holds the statistics that the results of runs are described with, where gonum's stat package has
// another definition or needs all values in memory.
package stat

import (
	"math"
	"slices"
)

// Quantile returns the p-quantile of sorted values by linear interpolation between the order statistics around
// p*(n-1), counted from 0: type 7 of Hyndman and Fan, "Sample Quantiles in Statistical Packages" (1996), the default of
// numpy, pandas, R and DuckDB's quantile_cont. (gonum's LinInterp is type 4, which gives the smaller of two values as
// their median.) NaN for no values; it panics when p is not in [0, 1].
func Quantile(p float64, sorted []float64) float64 {
	if !(p >= 0 && p <= 1) {
		panic("stat: p is not in [0, 1]")
	}
	if len(sorted) == 0 {
		return math.NaN()
	}
	rank, frac := math.Modf(p * float64(len(sorted)-1))
	i := int(rank)
	if frac == 0 {
		return sorted[i]
	}
	return sorted[i] + float64(frac*(sorted[i+1]-sorted[i]))
}

// Median returns the middle of the values, which it sorts; NaN for none.
func Median(values []float64) float64 {
	slices.Sort(values)
	return Quantile(0.5, values)
}
