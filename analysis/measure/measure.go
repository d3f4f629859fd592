// Package measure measures what the expectations of a scenario are about: a statistic of a metric over the rows they
// select. The summary of a run prints it beside published numbers, a check judges it.
//
// Rows stream through, a case at a time. Memory does not depend on their number: see stat.Distribution for what that means
// for quantiles. Counts, means and shares are exact.
package measure

import (
	"fmt"
	"math"
	"sort"
	"strings"

	"braid/analysis/dataset"
	"braid/analysis/stat"
	"braid/scenarios"
	"braid/scenarios/result"
)

// Measure is the simulated counterpart of an expectation.
type Measure struct {
	Expect scenarios.Expect
	rows   *scenarios.Filter // Expect.Where on the grid
	metric int               // column; -1: the speed-up
	typ    scenarios.ColumnType
	values stat.Distribution
	sum    float64
	within int64                         // values between the bounds
	byName map[string]*stat.Distribution // of StatOrder: by policy
}

// New returns the measure of an expectation over the rows of a grid. It is an error when no run of the grid has the levels
// that are asked for, as after a change of them, or when the rows have no such metric.
func New(e scenarios.Expect, g *scenarios.Grid, s result.Schema) (*Measure, error) {
	rows, err := g.Match(e.Where)
	if err != nil {
		return nil, fmt.Errorf("it matches no run: %w", err)
	}
	m := &Measure{Expect: e, rows: rows, metric: s.Metric(e.Metric), byName: map[string]*stat.Distribution{}}
	if m.metric >= 0 {
		m.typ = s.Metrics[m.metric].Type
	}
	if e.Metric != scenarios.SpeedUpMetric && (m.metric < 0 || m.typ != scenarios.Float && m.typ != scenarios.Integer) {
		return nil, fmt.Errorf("the results have no metric %s", e.Metric)
	}
	return m, nil
}

// Published returns the measures of the published numbers that are about runs of the grid. One whose levels are not in the
// grid, as after a --set, is left out.
func Published(expect []scenarios.Expect, g *scenarios.Grid, s result.Schema) []*Measure {
	var list []*Measure
	for _, e := range expect {
		if !e.Published {
			continue
		}
		if m, err := New(e, g, s); err == nil {
			list = append(list, m)
		}
	}
	return list
}

// Add takes in a case. Unless the expectation names others, its speed-ups are over the baseline.
func (m *Measure) Add(c *dataset.Case, baseline string) {
	over := m.Expect.Over
	if len(over) == 0 {
		over = []string{baseline}
	}
	for i := range c.Rows {
		r := &c.Rows[i]
		if r.Error != "" || len(r.Factors) == 0 || !m.rows.Keeps(r.Factors) {
			continue
		}
		x, ok := m.value(c, i, over)
		if !ok {
			continue
		}
		m.values.Add(x)
		m.sum += x
		if Above(x, m.Expect.Bounds[0]) && Below(x, m.Expect.Bounds[1]) {
			m.within++
		}
		if m.Expect.Statistic == scenarios.StatOrder {
			name := c.Policy(i)
			if m.byName[name] == nil {
				m.byName[name] = new(stat.Distribution)
			}
			m.byName[name].Add(x)
		}
	}
}

func (m *Measure) value(c *dataset.Case, i int, over []string) (float64, bool) {
	switch {
	case m.metric < 0:
		return c.SpeedUp(i, over)
	case m.typ == scenarios.Integer:
		return float64(c.Rows[i].Metrics[m.metric].Integer), true
	}
	return c.Rows[i].Metrics[m.metric].Float, true
}

// N returns how many runs were measured.
func (m *Measure) N() int64 { return m.values.N() }

// Exact says whether the simulated number is exact.
func (m *Measure) Exact() bool { return m.values.Exact() }

// Simulated returns the statistic over the runs; NaN when there are none, or when the statistic is an order.
func (m *Measure) Simulated() float64 {
	n := float64(m.values.N())
	switch m.Expect.Statistic {
	case scenarios.StatMean:
		return m.sum / n
	case scenarios.StatShare:
		return float64(m.within) / n
	case scenarios.StatQuantile:
		return m.values.Quantile(m.Expect.Quantile)
	case scenarios.StatValue:
		if m.values.N() == 1 {
			return m.values.Quantile(0)
		}
	}
	return math.NaN()
}

// Expected returns the number that the simulated one is compared with: of a range its nearest end, or the simulated
// number itself where it lies within; of a bound the bound; of a number with a tolerance the number.
func (m *Measure) Expected() float64 {
	low, high, x := m.Expect.Low, m.Expect.High, m.Simulated()
	switch {
	case m.Expect.Statistic == scenarios.StatOrder:
		return math.NaN()
	case math.IsInf(high, 1):
		return low
	case math.IsInf(low, -1):
		return high
	case strings.Contains(m.Expect.Want, ".."):
		return min(max(x, low), high)
	default:
		return (low + high) / 2
	}
}

// Order returns the policies of StatOrder by their simulated medians, the least first.
func (m *Measure) Order() string { return strings.Join(m.ordered(), " <= ") }

func (m *Measure) ordered() []string {
	names := make([]string, 0, len(m.byName))
	for _, name := range m.Expect.Order {
		if m.byName[name] != nil {
			names = append(names, name)
		}
	}
	sort.SliceStable(names, func(i, j int) bool { return m.median(names[i]) < m.median(names[j]) })
	return names
}

func (m *Measure) median(policy string) float64 { return m.byName[policy].Quantile(0.5) }
