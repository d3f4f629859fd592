package scenarios

import (
	"fmt"

	"braid/sim"
	"braid/sim/rng"
)

// ColumnType is the type of a result column.
type ColumnType uint8

// Column types.
const (
	Text ColumnType = iota
	Float
	Integer
	Bool
)

// Column is one factor (or metric) as a typed column of the results, with its unit in the name ("wifi_rtt_s").
type Column struct {
	Name string
	Type ColumnType
}

// Value is one cell. The field that counts is given by the column's type.
type Value struct {
	Text    string
	Float   float64
	Integer int64
	Bool    bool
}

// Run is one run of a grid. Everything in it is a pure function of the factor values, the repetition and the seed.
type Run struct {
	Index      int64 // position in the grid
	Repetition int   // from 0
	Seed       uint64
	Factors    []Value // one for each of Grid.Columns
	Spec       sim.Spec
}

// Grid is every run of a scenario, computed one at a time from its index; nothing is listed.
//
// A case is one combination of everything but profile and policy: page, networks, parameters, repetition. The runs of a
// case are consecutive, the policies of one profile next to each other, in the scenario's order:
//
//	index = (case*profiles + profile)*policies + policy
//
// so the runs to be paired with each other are indexes [k*Policies(), (k+1)*Policies()). Pages vary slowest.
//
// A Grid does not change once made and is safe for concurrent use.
type Grid struct {
	seed     uint64
	factors  []factor
	columns  []Column
	outer    []dimension // of a case, slowest first
	profile  dimension
	policy   dimension
	profiles []sim.Params
	ifaces   []sim.Interface // names; rates and the rest are set by factors
	cases    int64           // number of cases
	picked   []int64         // the cases a sample kept, ascending; nil: all
}

// Len returns the number of runs.
func (g *Grid) Len() int64 {
	return g.cases * int64(g.profile.len()) * int64(g.policy.len())
}

// Policies returns the number of policies: the runs [k*Policies(), (k+1)*Policies()) differ in nothing but the policy.
func (g *Grid) Policies() int { return g.policy.len() }

// Cases returns the number of cases.
func (g *Grid) Cases() int64 { return g.cases }

// Columns returns the columns of the factors: page; bandwidth and RTT of every interface (and name resolution and queue
// where the scenario gives them); the parameters the scenario sets; seed; repetition; profile; policy. The slice must not
// be changed.
func (g *Grid) Columns() []Column { return g.columns }

// Run computes run i, from 0. It reuses the slices of r, and the page is shared with other runs. An error is a page that
// cannot be read any more or parameters no run can have; it concerns this run only. Afterwards r.Factors is filled even
// then. An index out of range is a programming error and panics.
func (g *Grid) Run(i int64, r *Run) error {
	if i < 0 || i >= g.Len() {
		panic(fmt.Sprintf("scenarios: run %d of %d", i, g.Len()))
	}
	r.Index, r.Seed = i, g.seed
	if len(r.Factors) != len(g.factors) {
		r.Factors = make([]Value, len(g.factors))
	}
	spec := &r.Spec
	spec.Interfaces = append(spec.Interfaces[:0], g.ifaces...)
	spec.Page, spec.Observer = nil, nil

	q, p := int64(g.policy.len()), int64(g.profile.len())
	var failed error
	set := func(d *dimension, k int64) {
		for _, f := range d.factors {
			fa := &g.factors[f]
			l := d.level(fa, k)
			r.Factors[f] = fa.levels[l].value
			if err := fa.apply(r, l); err != nil && failed == nil {
				failed = err
			}
		}
	}
	// The profile comes first: parameters change its values.
	set(&g.profile, i/q%p)
	set(&g.policy, i%q)
	rest := g.caseNumber(i / q / p)
	for d := len(g.outer) - 1; d >= 0; d-- {
		n := int64(g.outer[d].len())
		set(&g.outer[d], rest%n)
		rest /= n
	}
	if failed != nil {
		return failed
	}
	spec.Key = rng.Key{Seed: g.seed, Repetition: uint64(r.Repetition), Item: spec.Page.Name}
	return spec.Validate()
}

// caseNumber turns the position of a case among those kept into its number among all.
func (g *Grid) caseNumber(i int64) int64 {
	if g.picked != nil {
		return g.picked[i]
	}
	return i
}

// factor returns the index of the factor of that name or column name, or -1.
func (g *Grid) factor(name string) int {
	for i := range g.factors {
		if g.factors[i].name == name || g.factors[i].column.Name == name {
			return i
		}
	}
	return -1
}

// zippable lists the factors that may vary together.
func (g *Grid) zippable() []string {
	var names []string
	for i := range g.factors {
		switch n := g.factors[i].name; n {
		case "policy", "profile", "repetition", "seed":
		default:
			names = append(names, n)
		}
	}
	return names
}
