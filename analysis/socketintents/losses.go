package socketintents

import (
	"fmt"
	"time"

	"braid/scenarios"
	"braid/sim"
	"braid/sim/flow"
)

// Case is one case of a grid in which a policy loses.
type Case struct {
	Run  *scenarios.Run // page, networks, parameters; valid until the next call
	Loss *Loss
}

// Losses goes through the cases of the grid, whatever its policies, and calls each with those in which the statement's
// policy is slower. A case is run by the engine for grids; only losses are repeated by the reference engine, and a load time
// that differs between the two is an error. It returns how many cases there are, all profiles counted.
func (s *Statement) Losses(g *scenarios.Grid, each func(Case) error) (cases int64, err error) {
	engines, err := scenarios.NewEngines("auto")
	if err != nil {
		return 0, err
	}
	quick, reference := engines.New(), flow.New()
	var r scenarios.Run
	policies := int64(g.Policies())
	for ; cases*policies < g.Len(); cases++ {
		if err := g.Run(cases*policies, &r); err != nil {
			return cases, err
		}
		load, than, err := s.loadTimes(quick, r.Spec)
		if err != nil {
			return cases, err
		}
		if load <= than {
			continue
		}
		l, err := s.Check(reference, &r.Spec)
		if err != nil {
			return cases, err
		}
		if l == nil || l.Load != load || l.Than != than {
			return cases, fmt.Errorf("page %s: %s and %s took %v and %v, but not when repeated with the reference engine",
				r.Spec.Page.Name, s.Policy, s.Over, load, than)
		}
		if err := each(Case{&r, l}); err != nil {
			return cases, err
		}
	}
	return cases, nil
}

// loadTimes runs a case under both policies.
func (s *Statement) loadTimes(e sim.Engine, spec sim.Spec) (load, than time.Duration, err error) {
	for _, side := range []struct {
		policy string
		to     *time.Duration
	}{{s.Policy, &load}, {s.Over, &than}} {
		spec.Policy = side.policy
		res, err := e.Run(&spec)
		if err != nil {
			return 0, 0, fmt.Errorf("page %s, policy %s: %w", spec.Page.Name, side.policy, err)
		}
		*side.to = res.LoadTime
	}
	return load, than, nil
}
