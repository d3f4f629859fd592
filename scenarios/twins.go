package scenarios

import (
	"fmt"
	"slices"
	"strings"

	"braid/sim/policy"
)

// Twins tells which runs of a grid cannot differ: those of one policy whose factors differ only in what the policy does
// not read (policy.Reads). A policy that uses one interface does not depend on the others; one that draws no random
// numbers does not depend on the repetition, as nothing else at the flow level is random. A nil Twins says that all runs
// may differ.
//
// What holds for results does not hold for errors: a bandwidth that no run can have fails also the runs of policies that
// would not use it. Grid.Run finds those, for each run by itself.
type Twins struct {
	grid     *Grid
	strides  []int64 // of each outer dimension in a case's number
	policies []twinPolicy
}

// twinPolicy is one kept policy.
type twinPolicy struct {
	distinct int64     // cases that may differ
	first    [][]int64 // by outer dimension and position: the first position that the policy cannot tell from it; nil: all differ
}

// reads says whether a policy's results may depend on the factor.
func (f *factor) reads(r policy.Reads) bool {
	switch {
	case f.iface != none:
		return r.Ifaces&(1<<f.iface) != 0
	case f.random:
		return r.Random
	}
	return true
}

// Twins works out which runs cannot differ. It fails for a policy that does not exist.
func (g *Grid) Twins() (*Twins, error) {
	t := &Twins{grid: g, strides: make([]int64, len(g.outer))}
	stride := int64(1)
	for d := len(g.outer) - 1; d >= 0; d-- {
		t.strides[d] = stride
		stride *= int64(g.outer[d].len())
	}
	names := make([]string, len(g.ifaces))
	for i, f := range g.ifaces {
		names[i] = f.Name
	}
	policies := &g.factors[g.policy.factors[0]]
	for k := range g.policy.len() {
		p, _, err := policy.Lookup(policies.levels[g.policy.level(policies, int64(k))].text, names)
		if err != nil {
			return nil, err
		}
		t.policies = append(t.policies, t.of(p.Reads()))
	}
	return t, nil
}

// of works out the twins of a policy that reads this.
func (t *Twins) of(r policy.Reads) twinPolicy {
	g := t.grid
	p := twinPolicy{distinct: 1}
	all := true
	for d := range g.outer {
		first, distinct := g.firsts(&g.outer[d], r)
		p.first = append(p.first, first)
		p.distinct *= distinct
		all = all && distinct == int64(g.outer[d].len())
	}
	switch {
	case all:
		p.first, p.distinct = nil, g.cases
	case g.picked != nil:
		numbers := make([]int64, len(g.picked))
		for i, c := range g.picked {
			numbers[i] = t.firstCase(&p, c)
		}
		slices.Sort(numbers)
		p.distinct = int64(len(slices.Compact(numbers)))
	}
	return p
}

// firsts returns for each position of a dimension the first one with the same levels of the factors read, and how many of
// these there are; nil when all positions differ.
func (g *Grid) firsts(d *dimension, r policy.Reads) (first []int64, distinct int64) {
	if !slices.ContainsFunc(d.factors, func(i int) bool { return !g.factors[i].reads(r) }) {
		return nil, int64(d.len())
	}
	seen := map[string]int64{}
	first = make([]int64, d.len())
	var key strings.Builder
	for k := range first {
		key.Reset()
		for _, i := range d.factors {
			if f := &g.factors[i]; f.reads(r) {
				fmt.Fprintf(&key, "%q", f.levels[d.level(f, int64(k))].text)
			}
		}
		at, ok := seen[key.String()]
		if !ok {
			at = int64(k)
			seen[key.String()] = at
		}
		first[k] = at
	}
	return first, int64(len(seen))
}

// firstCase returns the number of the first case that the policy cannot tell from the given one, kept by a sample or not.
func (t *Twins) firstCase(p *twinPolicy, number int64) int64 {
	first := int64(0)
	for d, stride := range t.strides {
		at := number / stride
		if p.first[d] != nil {
			at = p.first[d][at]
		}
		first += at * stride
		number %= stride
	}
	return first
}

// Of returns a number that run i shares with those that cannot differ from it, and with no other run of the grid; false:
// run i has none, and the number means nothing.
func (t *Twins) Of(i int64) (class int64, ok bool) {
	if t == nil {
		return 0, false
	}
	policies, profiles := int64(len(t.policies)), int64(t.grid.profile.len())
	p := &t.policies[i%policies]
	if p.first == nil {
		return 0, false
	}
	rest := i % (policies * profiles)
	return t.firstCase(p, t.grid.caseNumber(i/policies/profiles))*policies*profiles + rest, true
}

// Distinct returns how many of the runs may differ.
func (t *Twins) Distinct() int64 {
	sum := int64(0)
	for i := range t.policies {
		sum += t.policies[i].distinct
	}
	return sum * int64(t.grid.profile.len())
}

// Share returns which part of the runs of run i's policy may differ.
func (t *Twins) Share(i int64) float64 {
	if t == nil {
		return 1
	}
	return float64(t.policies[i%int64(len(t.policies))].distinct) / float64(t.grid.cases)
}
