package stat

import "slices"

// ECDF returns the empirical distribution function of the values as its steps: x ascending, each once, and the share of
// values that are at most x: F(x) = #{i: v_i <= x} / n (van der Vaart, "Asymptotic Statistics" (1998), section 19.1). Nothing
// for no values.
func ECDF(values []float64) (x, share []float64) {
	sorted := slices.Sorted(slices.Values(values))
	for i, v := range sorted {
		if i+1 < len(sorted) && sorted[i+1] == v {
			continue
		}
		x = append(x, v)
		share = append(share, float64(i+1)/float64(len(sorted)))
	}
	return x, share
}
