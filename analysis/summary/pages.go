package summary

import (
	"slices"

	"braid/analysis/stat"
)

// maxPages is how many pages a summary compares with each other; with more there is no table of pages, and no memory
// kept for one.
const maxPages = 8

// byPage holds, for each page, the speed-ups of each group.
type byPage struct {
	pages  []string
	groups map[*Group][]stat.Distribution // one for each of pages
	many   bool                           // there are more than maxPages
}

// add takes in a speed-up.
func (b *byPage) add(page string, g *Group, speedUp float64) {
	if b.many {
		return
	}
	i := slices.Index(b.pages, page)
	if i < 0 {
		if len(b.pages) == maxPages {
			*b = byPage{many: true}
			return
		}
		i = len(b.pages)
		b.pages = append(b.pages, page)
	}
	if b.groups == nil {
		b.groups = map[*Group][]stat.Distribution{}
	}
	for len(b.groups[g]) <= i {
		b.groups[g] = append(b.groups[g], stat.Distribution{})
	}
	b.groups[g][i].Add(speedUp)
}

// pageTable has the median speed-ups of each policy on each page; nil where there are not several pages, nothing to
// compare, or too little room.
func (s *Summary) pageTable(profile string) *grid {
	b := &s.pages
	if b.many || len(b.pages) < 2 {
		return nil
	}
	t := &grid{left: 1, heads: [][]string{make([]string, 1+len(b.pages)), append([]string{"policy"}, b.pages...)}}
	t.heads[0][1] = "median speed-up over " + s.baseline + " by page…"
	columns := make([][]float64, len(b.pages))
	for _, g := range s.groups {
		if g.Profile != profile || g.SpeedUp.N() == 0 {
			continue
		}
		t.rows = append(t.rows, []string{g.Policy})
		for i := range b.pages {
			median := nan
			if i < len(b.groups[g]) {
				median = b.groups[g][i].Quantile(0.5)
			}
			columns[i] = append(columns[i], median)
		}
	}
	if len(t.rows) == 0 {
		return nil
	}
	t.addColumns(columns)
	if t.width() > width {
		return nil
	}
	return t
}
