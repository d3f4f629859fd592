package scenarios

import "sort"

// Block is consecutive cases of one page.
type Block struct {
	First, Cases int64 // positions of cases in the grid
}

// Blocks returns the cases of the grid page by page: pages vary slowest. A page that a zip pairs with several networks has
// several blocks.
func (g *Grid) Blocks() []Block {
	pages := int64(g.outer[0].len())
	size := int64(1) // cases of one page, whether a sample kept them or not
	for _, d := range g.outer[1:] {
		size *= int64(d.len())
	}
	var blocks []Block
	for k := range pages {
		b := Block{k * size, size}
		if g.picked != nil {
			first := sort.Search(len(g.picked), func(i int) bool { return g.picked[i] >= k*size })
			end := sort.Search(len(g.picked), func(i int) bool { return g.picked[i] >= (k+1)*size })
			b = Block{int64(first), int64(end - first)}
		}
		if b.Cases > 0 {
			blocks = append(blocks, b)
		}
	}
	return blocks
}

// CaseRuns returns how many runs a case has: the runs of case c are [c*CaseRuns(), (c+1)*CaseRuns()).
func (g *Grid) CaseRuns() int64 { return int64(g.profile.len()) * int64(g.policy.len()) }
