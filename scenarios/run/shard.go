package run

import (
	"sort"

	"braid/scenarios"
	"braid/scenarios/result"
)

// Divisible is a grid that can be computed in shards.
type Divisible interface {
	Grid
	Blocks() []scenarios.Block
	CaseRuns() int64
}

// Expected cost of a case, in units of about 1.5 microseconds under the seven policies of the Socket Intents grid. An
// object is predicted over against what is under way beside it, which grows with the page until the limits of connections
// are reached. Measured on 400 generated pages of socket-intents/table4, six networks each, sums of the fast engine's times:
// 1.4 to 1.9 microseconds for each object and object beside it in pages of 5 to 53 objects, and a cost for each object that
// no longer grows above that.
const (
	caseCost   = 26 // rows, and whatever does not depend on the page
	mostBeside = 40 // objects
)

// cost is the expected cost of a case with a page of so many objects. Every machine has to divide a grid alike: no sum
// here or below may be fused with a product.
func cost(objects int) float64 {
	return float64(caseCost + int64(objects)*int64(min(objects, mostBeside)))
}

// PartOf returns the runs of a shard: consecutive ones, whole cases, about as much work as any other shard's. Pages are
// opened to see how large they are.
func PartOf(g Divisible, s result.Shard) Part {
	if s.Whole() {
		return Part{0, g.Len()}
	}
	blocks := g.Blocks()
	each := make([]float64, len(blocks))     // cost of one case
	before := make([]float64, len(blocks)+1) // cost of all blocks before each
	var r scenarios.Run
	for i, b := range blocks {
		// A page that cannot be opened makes its runs fail, which costs next to nothing.
		objects := 0
		if err := g.Run(b.First*g.CaseRuns(), &r); err == nil || r.Spec.Page != nil {
			objects = len(r.Spec.Page.Objects)
		}
		each[i] = cost(objects)
		before[i+1] = before[i] + float64(each[i]*float64(b.Cases))
	}
	// The case at which shard k, from 0, begins.
	begin := func(k int) int64 {
		if k == s.Count {
			return g.Len() / g.CaseRuns() // whatever rounding makes of the share
		}
		share := float64(before[len(blocks)]*float64(k)) / float64(s.Count)
		i := sort.Search(len(blocks), func(i int) bool { return before[i+1] > share })
		if i == len(blocks) {
			return g.Len() / g.CaseRuns()
		}
		return blocks[i].First + min(int64((share-before[i])/each[i]), blocks[i].Cases)
	}
	first, end := begin(s.Index-1), begin(s.Index)
	return Part{first * g.CaseRuns(), (end - first) * g.CaseRuns()}
}
