package stat

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// Ranks returns the rank of each value, from 1; equal values share the mean of their ranks.
func Ranks(values []float64) []float64 {
	order := make([]int, len(values))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		switch {
		case values[a] < values[b]:
			return -1
		case values[a] > values[b]:
			return 1
		}
		return 0
	})
	ranks := make([]float64, len(values))
	for i := 0; i < len(order); {
		end := i
		for end < len(order) && values[order[end]] == values[order[i]] {
			end++
		}
		for _, k := range order[i:end] {
			ranks[k] = float64(i+1+end) / 2
		}
		i = end
	}
	return ranks
}

// Spearman returns Spearman's rank correlation: Pearson's correlation of the ranks (Spearman, "The Proof and Measurement of
// Association between Two Things", 1904). NaN for fewer than two pairs, or when all x or all y are equal. It panics when the
// lengths differ.
func Spearman(x, y []float64) float64 {
	if len(x) != len(y) {
		panic("stat: lengths differ")
	}
	if len(x) < 2 {
		return math.NaN()
	}
	return stat.Correlation(Ranks(x), Ranks(y), nil)
}

// exactPairs is up to how many differences SignedRank counts all 2^n signs.
const exactPairs = 30

// SignedRank returns the two-sided p-value of Wilcoxon's signed-rank test: how likely differences that are symmetric about
// zero are to rank as unevenly as these (Wilcoxon, "Individual Comparisons by Ranking Methods", 1945). Differences of zero
// are left out; infinite ones are equal to each other and larger than the others. Exact up to 30 differences, also with ties
// (given the ranks, which equal sizes share); beyond, by the normal approximation with the corrections for continuity and
// ties (Conover (1999), section 5.7). 1 when nothing differs. It needs memory for a copy of the differences.
func SignedRank(differences []float64) float64 {
	var sorted []float64 // by size
	for _, d := range differences {
		if d != 0 {
			sorted = append(sorted, d)
		}
	}
	if len(sorted) == 0 {
		return 1
	}
	slices.SortFunc(sorted, func(a, b float64) int { return cmp.Compare(math.Abs(a), math.Abs(b)) })
	var (
		positive = 0.0 // the sum of the ranks of positive differences
		ties     = 0.0 // the sum of t^3-t over the groups of t equal sizes
		twice    []int // twice the ranks of few differences, which are whole
	)
	for i := 0; i < len(sorted); {
		end, above := i, 0
		for ; end < len(sorted) && math.Abs(sorted[end]) == math.Abs(sorted[i]); end++ {
			if sorted[end] > 0 {
				above++
			}
		}
		if len(sorted) <= exactPairs {
			twice = append(twice, slices.Repeat([]int{i + 1 + end}, end-i)...)
		}
		t := float64(end - i)
		positive += float64(above) * float64(i+1+end) / 2
		ties += t*t*t - t
		i = end
	}
	if twice != nil {
		return signedRankExact(twice, positive)
	}
	return signedRankNormal(float64(len(sorted)), positive, ties)
}

// signedRankExact counts the subsets of the ranks, given as twice their values, by their sum.
func signedRankExact(twice []int, positive float64) float64 {
	most := 0
	for _, rank := range twice {
		most += rank
	}
	count := make([]float64, most+1)
	count[0] = 1
	for _, rank := range twice {
		for sum := most; sum >= rank; sum-- {
			count[sum] += count[sum-rank]
		}
	}
	tail := 0.0
	for sum := range int(min(2*positive, float64(most)-2*positive)) + 1 {
		tail += count[sum]
	}
	return min(1, 2*tail/math.Exp2(float64(len(twice))))
}

func signedRankNormal(n, positive, ties float64) float64 {
	variance := n*(n+1)*(2*n+1)/24 - ties/48
	z := max(0, math.Abs(positive-n*(n+1)/4)-0.5) / math.Sqrt(variance)
	return 2 * distuv.UnitNormal.Survival(z)
}
