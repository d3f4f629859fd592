package measure

import (
	"fmt"
	"strings"

	"braid/analysis/stat"
	"braid/scenarios"
)

// Judge returns nil when the expectation holds, or why it does not: no run was measured, several were where one value is
// expected, or the simulated number is another one.
func (m *Measure) Judge() error {
	e := &m.Expect
	switch {
	case m.N() == 0:
		return fmt.Errorf("it matches no run that went well")
	case e.Statistic == scenarios.StatOrder:
		return m.judgeOrder()
	case e.Statistic == scenarios.StatValue && m.N() > 1:
		return fmt.Errorf("%d runs match, and value is of one run (narrow where, or expect their median, mean, min or max)", m.N())
	}
	x, slack := m.Simulated(), m.slack()
	if Below(x, e.Low-slack) || Above(x, e.High+slack) {
		expected, simulated, difference := m.Texts()
		if difference == none {
			return fmt.Errorf("expected %s, simulated %s", expected, simulated)
		}
		return fmt.Errorf("expected %s, simulated %s (%s)", expected, simulated, difference)
	}
	return nil
}

// slack is how far beyond its bounds the number may be because neither end of the comparison is finer: times are written
// in nanoseconds and sizes in bytes, which the median of two need not be, and quantiles of very many values are estimates.
func (m *Measure) slack() float64 {
	slack := 0.0
	if m.Expect.Statistic != scenarios.StatShare {
		slack = m.Expect.Resolution() / 2
	}
	if m.Expect.Statistic == scenarios.StatQuantile && !m.Exact() {
		slack += stat.Accuracy * m.Simulated()
	}
	return slack
}

func (m *Measure) judgeOrder() error {
	order := m.Expect.Order
	for _, name := range order {
		if m.byName[name] == nil {
			return fmt.Errorf("policy %s has no run that went well", name)
		}
	}
	for i := range order[1:] {
		if Above(m.median(order[i]), m.median(order[i+1])) {
			return fmt.Errorf("expected %s, simulated %s", m.Expect.Want, m.medians())
		}
	}
	return nil
}

// medians is the simulated order with its numbers: "eaf 0.9s <= if1 1.5s".
func (m *Measure) medians() string {
	var list []string
	for _, name := range m.ordered() {
		list = append(list, name+" "+Quantity(m.Expect.Metric, m.median(name)))
	}
	return strings.Join(list, " <= ")
}
