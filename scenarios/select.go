package scenarios

import (
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
// commas. Policies go by an interface's name or an alias too ("wifi", "rr"). A name or level that is not in the grid is an error that lists what there is.
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
		if !found && assignment.MatchString(want) {
			return nil, fmt.Errorf("%s has no level %q (it looks like a second condition; give each its own --where)", f.name, want)
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

// Levels returns the levels of a factor that some run of the grid has, as text and in their order, or nil if there is no
// such factor.
func (g *Grid) Levels(name string) []string {
	i := g.factor(name)
	if i < 0 {
		return nil
	}
	f := &g.factors[i]
	present := make([]bool, len(f.levels))
	mark := func(d *dimension) {
		for k := range d.len() {
			present[d.level(f, int64(k))] = true
		}
	}
	switch {
	case slices.Contains(g.policy.factors, i):
		mark(&g.policy)
	case slices.Contains(g.profile.factors, i):
		mark(&g.profile)
	case g.picked != nil:
		for _, c := range g.picked {
			present[g.levelOf(c, i)] = true
		}
	default:
		for d := range g.outer {
			if slices.Contains(g.outer[d].factors, i) {
				mark(&g.outer[d])
			}
		}
	}
	var texts []string
	for l, ok := range present {
		if ok {
			texts = append(texts, f.levels[l].text)
		}
	}
	return texts
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
