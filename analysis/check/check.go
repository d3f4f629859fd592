package check

import (
	"context"
	"errors"
	"math"
	"time"

	"braid/analysis/dataset"
	"braid/analysis/measure"
	"braid/scenarios"
	"braid/scenarios/result"
	gridrun "braid/scenarios/run"
)

// Check is a scenario ready to be checked.
type Check struct {
	Name     string // as it was named
	Scenario *scenarios.Scenario
	grid     *scenarios.Grid
	schema   result.Schema
}

// New prepares the check of a scenario. An error is a fault of the scenario.
func New(name string, s *scenarios.Scenario) (*Check, error) {
	g, err := s.Grid()
	if err != nil {
		return nil, err
	}
	schema, err := gridrun.Schema(g)
	if err != nil {
		return nil, err
	}
	return &Check{name, s, g, schema}, nil
}

// Runs returns how many runs the check takes.
func (c *Check) Runs() int64 { return c.grid.Len() }

// none stands for a number that does not exist.
const none = "-"

// Options say how a scenario is run.
type Options struct {
	Workers int                  // 0: one for each core
	Done    func(*gridrun.Stats) // called after each row; nil: not called
}

// Run runs the scenario and judges it. An error is what kept it from an end, as a cancel of ctx.
func (c *Check) Run(ctx context.Context, o Options) (*Report, error) {
	begin := time.Now()
	r := &Report{Name: c.Name, Scenario: c.Scenario}
	measures := make([]*measure.Measure, len(c.Scenario.Expect))
	for i, e := range c.Scenario.Expect {
		var err error
		measures[i], err = measure.New(e, c.grid, c.schema)
		r.Lines = append(r.Lines, Line{Expect: e, Value: math.NaN(), Expected: math.NaN(), Simulated: none, Difference: none, Fault: err})
	}
	base := openBaseline(c.Scenario.BaselineFile(), c.schema)
	stats, err := c.rows(ctx, o, measures, base)
	if err = errors.Join(err, base.end()); err != nil {
		return nil, err
	}
	for i, m := range measures {
		if m != nil {
			r.Lines[i].measured(m)
		}
	}
	r.Runs, r.Failed, r.FailedRuns = stats.Runs, stats.Failed, stats.FailureText(c.schema)
	r.Baseline = base.report()
	r.Took = time.Since(begin)
	return r, nil
}

// rows runs the grid and shows every row to the measures and the baseline.
func (c *Check) rows(ctx context.Context, o Options, measures []*measure.Measure, base *baseline) (gridrun.Stats, error) {
	cases := dataset.NewCases(c.schema)
	first := "" // the policy that speed-ups are over
	take := func(of *dataset.Case) {
		if of == nil {
			return
		}
		if first == "" {
			first = of.Policy(0)
		}
		for _, m := range measures {
			if m != nil {
				m.Add(of, first)
			}
		}
	}
	stats, err := c.run(ctx, o, func(row *result.Row) error {
		take(cases.Add(row))
		base.add(row)
		return nil
	})
	take(cases.End())
	return stats, err
}

func (c *Check) run(ctx context.Context, o Options, each func(*result.Row) error) (gridrun.Stats, error) {
	engines, err := scenarios.NewEngines(scenarios.EngineNames[0])
	if err != nil {
		return gridrun.Stats{}, err
	}
	return gridrun.Do(ctx, c.grid, gridrun.Options{Workers: o.Workers, Engine: engines.New, Done: o.Done}, each)
}
