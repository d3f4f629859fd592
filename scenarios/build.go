package scenarios

import (
	"strconv"

	"braid/sim"
)

// maxLevels bounds the levels of one factor, maxSample the cases of a sample (both are kept in memory), maxRuns the length
// of a grid (2^53: an index is exact as a float64 too).
const (
	maxLevels = 1_000_000
	maxSample = 100_000_000
	maxRuns   = 1 << 53
)

// Grid opens the pages and returns the runs. Faults of pages, globs that match nothing, values given twice and groups of
// zip that do not fit are errors with their place.
func (s *Scenario) Grid() (*Grid, error) {
	items, _, err := s.pageItems()
	if err != nil {
		return nil, err
	}
	g := &Grid{seed: s.Seed}
	for _, f := range s.Interfaces {
		g.ifaces = append(g.ifaces, sim.Interface{Name: f.Name})
	}
	for _, name := range s.Profiles {
		params, err := sim.NewParams(name)
		if err != nil {
			return nil, err
		}
		g.profiles = append(g.profiles, params)
	}
	g.factors = append(g.factors, pageFactor(items, s.Seed))
	for i := range s.Interfaces {
		g.factors = append(g.factors, interfaceFactors(i, &s.Interfaces[i])...)
	}
	for i := range s.Parameters {
		g.factors = append(g.factors, parameterFactor(&s.Parameters[i]))
	}
	g.factors = append(g.factors, factorOf("seed", wholeUnit, []uint64{s.Seed}, uintText,
		func(v uint64) Value { return Value{Integer: int64(v)} }, func(*Run, int) error { return nil }))
	repetitions := make([]int, s.Repetitions)
	for i := range repetitions {
		repetitions[i] = i
	}
	g.factors = append(g.factors, factorOf("repetition", wholeUnit, repetitions, strconv.Itoa,
		func(v int) Value { return Value{Integer: int64(v)} }, func(r *Run, k int) error { r.Repetition = k; return nil }))
	g.factors[len(g.factors)-1].random = true
	g.factors = append(g.factors, factorOf("profile", noUnit, s.Profiles, sameText, textValue,
		func(r *Run, k int) error { r.Spec.Params = g.profiles[k]; return nil }))
	g.factors = append(g.factors, policyFactor(s.Policies, s.interfaceNames()))
	for i := range g.factors {
		g.columns = append(g.columns, g.factors[i].column)
	}
	if err := s.arrange(g); err != nil {
		return nil, err
	}
	if s.Sample != (Sample{}) {
		if err := g.sample(s.Sample); err != nil {
			return nil, s.root.get("sample").at.errorf("%v", err)
		}
	}
	return g, nil
}
