package run

import (
	"sort"

	"braid/scenarios"
	"braid/scenarios/result"
	"braid/sim"
)

// Divisible is a grid that can be computed in shards.
type Divisible interface {
	Grid
	Blocks() []scenarios.Block
	CaseRuns() int64
	Policies() int
}

// Expected cost of a case in one profile, in units of about 0.3 microseconds of the fast engine under the seven policies of
// the Socket Intents grid. Each object is predicted over against what is under way beside it, which grows with the page
// until the limits of connections are reached; with transmission in flights each flight is, and their number grows with the
// bytes. Fitted to 190 generated pages of socket-intents/table4 and 13 built-in pages of 10 kB to 8 MB, six networks each:
// the logarithm of the time is off by 0.45 (flights) and 0.59 (smooth) in the root mean square.
const (
	caseCost     = 26     // rows, and whatever does not depend on the page
	mostBeside   = 40     // objects that one is predicted over against
	flightBytes  = 10_000 // that cost as much as an object
	mostInFlight = 16     // objects that a flight is predicted over against
)

// cost is the expected cost of a run's page under all policies of its profile. Every machine has to divide a grid alike: no
// sum here or below may be fused with a product.
func cost(s *sim.Spec) float64 {
	if s.Page == nil {
		return caseCost // the runs fail
	}
	n := int64(len(s.Page.Objects))
	units := caseCost + n*min(n, mostBeside)
	if s.Params.Transmission == sim.Flights {
		units += s.Page.Bytes() / flightBytes * min(n, mostInFlight)
	}
	return float64(units)
}

// PartOf returns the runs of a shard: consecutive ones, whole cases, about as much work as any other shard's, as far as
// can be told from the pages, which are opened for it.
func PartOf(g Divisible, s result.Shard) Part {
	if s.Whole() {
		return Part{0, g.Len()}
	}
	blocks := g.Blocks()
	each := make([]float64, len(blocks))     // cost of one case
	before := make([]float64, len(blocks)+1) // cost of all blocks before each
	var r scenarios.Run
	for i, b := range blocks {
		for k := int64(0); k < g.CaseRuns(); k += int64(g.Policies()) {
			// An error is the run's own; the page is nil where it is to blame.
			_ = g.Run(b.First*g.CaseRuns()+k, &r)
			each[i] += cost(&r.Spec)
		}
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
