package summary

import (
	"maps"
	"math"
	"slices"
	"sort"
	"strings"

	"braid/analysis/dataset"
	"braid/analysis/stat"
	"braid/scenarios"
	"braid/scenarios/result"
)

// Published is a published number with the rows it is about.
type Published struct {
	Expect scenarios.Expect
	Rows   *scenarios.Filter // Expect.Where on the grid
}

// Select returns the published numbers of a scenario that are about runs of the grid. One whose levels are not in the
// grid, as after a --set, is left out.
func Select(expect []scenarios.Expect, g *scenarios.Grid) []Published {
	var list []Published
	for _, e := range expect {
		if !e.Published {
			continue
		}
		if rows, err := g.Match(e.Where); err == nil {
			list = append(list, Published{e, rows})
		}
	}
	return list
}

// Measure is the simulated counterpart of a published number.
type Measure struct {
	Published
	metric int // column; -1: the speed-up
	typ    scenarios.ColumnType
	values stat.Distribution
	sum    float64
	within int64                         // values between the bounds
	byName map[string]*stat.Distribution // of StatOrder: by policy
}

func newMeasure(p Published, s result.Schema) *Measure {
	m := &Measure{Published: p, metric: s.Metric(p.Expect.Metric), byName: map[string]*stat.Distribution{}}
	if m.metric >= 0 {
		m.typ = s.Metrics[m.metric].Type
	}
	return m
}

// add takes in a case. Unless the expectation names others, its speed-ups are over the baseline.
func (m *Measure) add(c *dataset.Case, baseline string) {
	over := m.Expect.Over
	if len(over) == 0 {
		over = []string{baseline}
	}
	for i := range c.Rows {
		r := &c.Rows[i]
		if r.Error != "" || len(r.Factors) == 0 || !m.Rows.Keeps(r.Factors) {
			continue
		}
		x, ok := m.value(c, i, over)
		if !ok {
			continue
		}
		m.values.Add(x)
		m.sum += x
		if above(x, m.Expect.Bounds[0]) && below(x, m.Expect.Bounds[1]) {
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
	case m.Expect.Metric == scenarios.SpeedUpMetric:
		return c.SpeedUp(i, over)
	case m.metric < 0:
		return 0, false
	case m.typ == scenarios.Integer:
		return float64(c.Rows[i].Metrics[m.metric].Integer), true
	}
	return c.Rows[i].Metrics[m.metric].Float, m.typ == scenarios.Float
}

// N returns how many runs were measured.
func (m *Measure) N() int64 { return m.values.N() }

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

// Value returns the published number that a simulated one is compared with: of a range its nearest end, or the simulated
// number itself where it lies within; of a number with a tolerance the number.
func (m *Measure) Value() float64 {
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
func (m *Measure) Order() string {
	names := make([]string, 0, len(m.byName))
	for _, name := range m.Expect.Order {
		if m.byName[name] != nil {
			names = append(names, name)
		}
	}
	sort.SliceStable(names, func(i, j int) bool { return m.byName[names[i]].Quantile(0.5) < m.byName[names[j]].Quantile(0.5) })
	return strings.Join(names, " <= ")
}

func (m *Measure) exact() bool { return m.values.Exact() }

// where is the condition as text, without the factors that are said elsewhere: "policy=eaf profile=linux".
func where(levels map[string]string, said ...string) string {
	var list []string
	for name, level := range levels {
		if !slices.Contains(said, name) {
			list = append(list, name+"="+level)
		}
	}
	sort.Strings(list)
	return strings.Join(list, " ")
}

// common returns the conditions that all published numbers share.
func common(list []*Measure) map[string]string {
	shared := maps.Clone(list[0].Expect.Where)
	for _, m := range list[1:] {
		for name, level := range shared {
			if m.Expect.Where[name] != level {
				delete(shared, name)
			}
		}
	}
	return shared
}

// what is the statistic of the metric as text: "speedup share above 1", "load_time_s median".
func (m *Measure) what() string { return m.Expect.Metric + " " + m.Expect.String() }
