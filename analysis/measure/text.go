package measure

import (
	"maps"
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"

	"braid/scenarios"
)

// none stands for a number that does not exist.
const none = "-"

// Texts returns the expected number as it was written, the simulated one in the same unit, and how far it is off:
// in percentage points for shares, in per cent of the expected number otherwise.
func (m *Measure) Texts() (expected, simulated, difference string) {
	expected = m.Expect.Want
	x := m.Simulated()
	switch {
	case m.Expect.Statistic == scenarios.StatOrder && len(m.byName) > 0:
		return expected, m.Order(), none
	case math.IsNaN(x):
		return expected, none, none
	case m.Expect.Statistic == scenarios.StatShare:
		return expected, Percent(x) + "%", Signed(100*(x-m.Expected())) + " pp"
	case m.Expected() == 0:
		return expected, m.quantity(x), none
	}
	return expected, m.quantity(x), Signed(100*(x/m.Expected()-1)) + " %"
}

// quantity writes a value to four digits in the unit in which the expected one is written.
func (m *Measure) quantity(x float64) string {
	if unit, size := m.Expect.Unit(); unit != "" {
		return digits(x/size) + unit
	}
	return Quantity(m.Expect.Metric, x)
}

// What is the statistic of the metric as text: "speedup share above 1", "load_time_s median".
func (m *Measure) What() string { return What(&m.Expect) }

// What is the statistic of the metric of an expectation as text.
func What(e *scenarios.Expect) string { return e.Metric + " " + e.String() }

// Where is a condition as text, without the factors that are said elsewhere: "policy=eaf profile=linux".
func Where(levels map[string]string, said ...string) string {
	var list []string
	for name, level := range levels {
		if !slices.Contains(said, name) {
			list = append(list, name+"="+level)
		}
	}
	sort.Strings(list)
	return strings.Join(list, " ")
}

// Over is what a speed-up is over as text: "speedup over the fastest of if1, if2"; empty where the expectation names none.
func Over(e *scenarios.Expect) string {
	switch len(e.Over) {
	case 0:
		return ""
	case 1:
		return e.Metric + " over " + e.Over[0]
	}
	return e.Metric + " over the fastest of " + strings.Join(e.Over, ", ")
}

// Common returns the conditions that all expectations share.
func Common(list []scenarios.Expect) map[string]string {
	if len(list) == 0 {
		return nil
	}
	shared := maps.Clone(list[0].Where)
	for _, e := range list[1:] {
		for name, level := range shared {
			if e.Where[name] != level {
				delete(shared, name)
			}
		}
	}
	return shared
}

// Percent writes a share with one decimal, without the sign.
func Percent(share float64) string { return strconv.FormatFloat(100*share, 'f', 1, 64) }

// Signed writes a difference with its sign and one decimal; what rounds to zero has no sign.
func Signed(x float64) string {
	text := strconv.FormatFloat(x, 'f', 1, 64)
	switch {
	case text == "0.0" || text == "-0.0":
		return "0.0"
	case x > 0:
		return "+" + text
	}
	return text
}

// Quantity writes a value of a metric to four digits, and whole from there on, with the unit that the end of its name says.
func Quantity(metric string, x float64) string {
	for _, u := range []struct{ suffix, unit string }{{"_bit_s", "bit/s"}, {"_s", "s"}, {"_bytes", "B"}} {
		if strings.HasSuffix(metric, u.suffix) {
			return digits(x) + u.unit
		}
	}
	return digits(x)
}

// digits writes a number to four digits, and whole from there on.
func digits(x float64) string {
	decimals := 3
	if x != 0 {
		decimals = min(12, max(0, 3-int(math.Floor(math.Log10(math.Abs(x))))))
	}
	return strconv.FormatFloat(x, 'f', decimals, 64)
}
