package scenarios

import (
	"container/heap"
	"fmt"
	"slices"
	"sort"
	"strings"
)

// Filter is a condition on factors, ready to be asked of rows.
type Filter struct {
	factors []int            // indexes into Grid.Columns
	levels  [][]bool         // the levels each of them may have
	values  []map[Value]bool // the same as cells
}

// Match reads conditions such as {"policy": "eaf,if1", "wifi.rtt": "50ms"}: names of factors or columns, and the levels to
// keep: as written with a unit, as the bare number in the column, or as a pattern ("n2x*") for text; several apart by
// commas. A name or level that is not in the grid is an error that lists what there is.
func (g *Grid) Match(where map[string]string) (*Filter, error) {
	names := make([]string, 0, len(where))
	for name := range where {
		names = append(names, name)
	}
	sort.Strings(names)
	f := &Filter{}
	for _, name := range names {
		i := g.factor(name)
		if i < 0 {
			return nil, fmt.Errorf("unknown factor %q%s", name, DidYouMean(name, "factors", g.FactorNames()))
		}
		keep, err := g.factors[i].selected(where[name])
		if err != nil {
			return nil, err
		}
		values := map[Value]bool{}
		for l, ok := range keep {
			if ok {
				values[g.factors[i].levels[l].value] = true
			}
		}
		f.factors = append(f.factors, i)
		f.levels = append(f.levels, keep)
		f.values = append(f.values, values)
	}
	return f, nil
}

// selected says which levels the text keeps.
func (f *factor) selected(text string) ([]bool, error) {
	keep := make([]bool, len(f.levels))
	choices := strings.Split(text, ",")
	if slices.Contains(f.texts(), text) {
		choices = []string{text} // a page with a comma in its name
	}
	for _, want := range choices {
		want = strings.TrimSpace(want)
		found := false
		for l := range f.levels {
			if f.matches(&f.levels[l], want) {
				keep[l], found = true, true
			}
		}
		if !found {
			return nil, fmt.Errorf("%s has no level %q%s", f.name, want, DidYouMean(want, "levels", f.texts()))
		}
	}
	return keep, nil
}

// Keeps says whether a row with these factors (one for each of Grid.Columns) meets the conditions.
func (f *Filter) Keeps(factors []Value) bool {
	for k, i := range f.factors {
		if !f.values[k][factors[i]] {
			return false
		}
	}
	return true
}

// FactorNames returns the names of the factors, in the order of Columns.
func (g *Grid) FactorNames() []string {
	names := make([]string, len(g.factors))
	for i := range g.factors {
		names[i] = g.factors[i].name
	}
	return names
}

// Levels returns the levels of a factor as text, or nil if there is no such factor.
func (g *Grid) Levels(name string) []string {
	if i := g.factor(name); i >= 0 {
		return g.factors[i].texts()
	}
	return nil
}

// Where returns the part of the grid that meets all conditions, each like "policy=eaf,if1", "wifi.rtt=50ms" or
// "wifi_rtt_s=0.05"; see Match. Runs keep their order and get new indexes. An unknown factor or level, and conditions that
// leave no run, are errors.
func (g *Grid) Where(conditions ...string) (*Grid, error) {
	h := *g
	h.outer = slices.Clone(g.outer)
	for _, c := range conditions {
		name, text, ok := strings.Cut(c, "=")
		if !ok {
			return nil, fmt.Errorf("condition %q is not like factor=level (factors: %s)", c, enumerate(g.FactorNames()))
		}
		f, err := g.Match(map[string]string{strings.TrimSpace(name): text})
		if err != nil {
			return nil, fmt.Errorf("where %s: %w", c, err)
		}
		h.restrict(f.factors[0], f.levels[0])
		if h.Len() == 0 {
			return nil, fmt.Errorf("where %s: no run is left", c)
		}
	}
	return &h, nil
}

// restrict keeps the levels of one factor.
func (g *Grid) restrict(factor int, keep []bool) {
	narrow := func(d *dimension) {
		kept := []int{}
		for k := range d.len() {
			if keep[d.level(&g.factors[factor], int64(k))] {
				kept = append(kept, d.at(int64(k)))
			}
		}
		d.keep = kept
	}
	switch {
	case slices.Contains(g.policy.factors, factor):
		narrow(&g.policy)
	case slices.Contains(g.profile.factors, factor):
		narrow(&g.profile)
	case g.picked != nil:
		picked := []int64{}
		for _, c := range g.picked {
			if keep[g.levelOf(c, factor)] {
				picked = append(picked, c)
			}
		}
		g.picked, g.cases = picked, int64(len(picked))
	default:
		g.cases = 1
		for d := range g.outer {
			if slices.Contains(g.outer[d].factors, factor) {
				narrow(&g.outer[d])
			}
			g.cases *= int64(g.outer[d].len())
		}
	}
}

// levelOf returns the level of a factor in a case, by the case's number.
func (g *Grid) levelOf(number int64, factor int) int {
	for d := len(g.outer) - 1; d >= 0; d-- {
		n := int64(g.outer[d].len())
		if slices.Contains(g.outer[d].factors, factor) {
			return g.outer[d].level(&g.factors[factor], number%n)
		}
		number /= n
	}
	panic("scenarios: a factor without a dimension")
}

// Sample returns a grid of n cases with all their profiles and policies, or the grid itself where it has no more. Which
// cases are kept depends on their factor values and the seed alone: those with the n lowest hashes. A smaller sample is
// part of a larger one, and a case that is in two samples gives the same rows in both.
//
// It looks at every case once (about 10 ns each) and remembers n of them.
func (g *Grid) Sample(n int64) (*Grid, error) {
	if n < 1 || n > maxSample {
		return nil, fmt.Errorf("sample %d (expected a number of cases from 1 to %d)", n, int64(maxSample))
	}
	h := *g
	h.sample(Sample{Cases: n})
	return &h, nil
}

func (g *Grid) sample(s Sample) {
	if s.Cases >= g.cases {
		return
	}
	var picked []int64
	if s.Share > 0 {
		limit := s.threshold()
		g.eachCase(func(number int64, hash uint64) {
			if hash <= limit {
				picked = append(picked, number)
			}
		})
		if picked == nil {
			picked = []int64{}
		}
	} else {
		low := make(lowest, 0, s.Cases)
		g.eachCase(func(number int64, hash uint64) { low.offer(hashedCase{hash, number}) })
		for _, c := range low {
			picked = append(picked, c.number)
		}
	}
	slices.Sort(picked)
	g.picked, g.cases = picked, int64(len(picked))
}

// eachCase calls f with the number and hash of every case. The hash of a case is made of the hashes of its levels, in any
// order, and the seed.
func (g *Grid) eachCase(f func(number int64, hash uint64)) {
	hashes := make([][]uint64, len(g.outer))
	for d := range g.outer {
		hashes[d] = make([]uint64, g.outer[d].len())
		for k := range hashes[d] {
			hashes[d][k] = g.outer[d].hash(g, int64(k))
		}
	}
	if g.picked != nil {
		for _, c := range g.picked {
			var sum uint64
			rest := c
			for d := len(g.outer) - 1; d >= 0; d-- {
				n := int64(len(hashes[d]))
				sum += hashes[d][rest%n]
				rest /= n
			}
			f(c, scramble(sum))
		}
		return
	}
	// An odometer: the last dimension turns fastest.
	index := make([]int, len(g.outer))
	var sum uint64
	for d := range hashes {
		sum += hashes[d][0]
	}
	for c := range g.cases {
		f(c, scramble(sum))
		for d := len(index) - 1; d >= 0; d-- {
			sum -= hashes[d][index[d]]
			if index[d]++; index[d] < len(hashes[d]) {
				sum += hashes[d][index[d]]
				break
			}
			index[d] = 0
			sum += hashes[d][0]
		}
	}
}

type hashedCase struct {
	hash   uint64
	number int64
}

// lowest keeps the cases with the lowest hashes, the highest of them on top.
type lowest []hashedCase

func (l *lowest) offer(c hashedCase) {
	if len(*l) < cap(*l) {
		heap.Push(l, c)
	} else if h := (*l)[0]; c.hash < h.hash {
		(*l)[0] = c
		heap.Fix(l, 0)
	}
}

func (l lowest) Len() int           { return len(l) }
func (l lowest) Less(i, j int) bool { return l[i].hash > l[j].hash }
func (l lowest) Swap(i, j int)      { l[i], l[j] = l[j], l[i] }
func (l *lowest) Push(x any)        { *l = append(*l, x.(hashedCase)) }
func (l *lowest) Pop() any {
	last := len(*l) - 1
	x := (*l)[last]
	*l = (*l)[:last]
	return x
}
