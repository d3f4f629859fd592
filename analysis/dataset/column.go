package dataset

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"braid/scenarios"
	"braid/scenarios/result"
	"braid/sim/units"
)

// quantity is what the end of a column's name says of its unit.
type quantity struct {
	suffix string
	unit   string                        // on an axis
	parse  func(string) (float64, error) // text with a unit, to the column's unit
	text   func(float64) string          // the value with a unit, short
}

var quantities = []quantity{
	{"_bit_s", "bit/s",
		func(s string) (float64, error) { r, err := units.ParseRate(s); return r.BitPerSecond(), err },
		func(v float64) string { return units.Rate(v / 8).String() }},
	{"_bytes", "bytes",
		func(s string) (float64, error) { b, err := units.ParseBytes(s); return float64(b), err },
		func(v float64) string { return units.Bytes(math.Round(v)).String() }},
	{"_s", "s",
		func(s string) (float64, error) { d, err := units.ParseDuration(s); return d.Seconds(), err },
		func(v float64) string { return time.Duration(math.Round(v * 1e9)).String() }},
	{"_w", "W", number.parse, func(v float64) string { return number.text(v) + "W" }},
	{"_j", "J", number.parse, func(v float64) string { return number.text(v) + "J" }},
}

// number is the quantity of columns without a unit.
var number = quantity{
	parse: func(s string) (float64, error) { return strconv.ParseFloat(s, 64) },
	text:  func(v float64) string { return strconv.FormatFloat(v, 'g', 6, 64) },
}

func quantityOf(column string) quantity {
	for _, q := range quantities {
		if strings.HasSuffix(column, q.suffix) {
			return q
		}
	}
	return number
}

// Named is a column of numbers of some other table than rows: of what its name says.
func Named(name string) Column {
	q := quantityOf(name)
	return Column{Name: name, Unit: q.unit, Number: true, typ: scenarios.Float, index: -1, quantity: q}
}

// Column is a factor or metric of the rows, or the speed-up.
type Column struct {
	Name   string // as in the rows: wifi_rtt_s
	Unit   string // of numbers: "s", "bit/s", "bytes", or empty
	Factor bool
	Number bool // its values are numbers
	over   []string
	typ    scenarios.ColumnType
	index  int   // in Schema.Factors or Schema.Metrics; -1: derived
	sum    []int // of PageBytes: the metrics it is the sum of
	quantity
}

// Metrics that no row has as a column.
const (
	// SpeedUp is the load time of the fastest of some policies over a row's own.
	SpeedUp = scenarios.SpeedUpMetric
	// PageBytes is what was loaded over all interfaces: the bytes of the page's objects.
	PageBytes = "page_bytes"
)

// Lookup finds a column by its name in the rows (wifi_rtt_s), or as scenarios call factors (wifi.rtt). over are the
// policies that a speed-up is over. An unknown name is an error that lists what there is.
func Lookup(s result.Schema, name string, over []string) (Column, error) {
	if name == SpeedUp {
		return Column{Name: SpeedUp, Number: true, over: over, typ: scenarios.Float, index: -1, quantity: number}, nil
	}
	if name == PageBytes && s.Metric(PageBytes) < 0 && s.Factor(PageBytes) < 0 {
		if sum := interfaceBytes(s); len(sum) > 0 {
			return Column{Name: PageBytes, Unit: "bytes", Number: true, typ: scenarios.Integer, index: -1, sum: sum, quantity: quantityOf(PageBytes)}, nil
		}
	}
	var names []string
	for _, list := range []struct {
		columns []scenarios.Column
		factor  bool
	}{{s.Factors, true}, {s.Metrics, false}} {
		for i, c := range list.columns {
			q := quantityOf(c.Name)
			if c.Name == name || list.factor && strings.TrimSuffix(c.Name, q.suffix) == strings.ReplaceAll(name, ".", "_") {
				return Column{Name: c.Name, Unit: q.unit, Factor: list.factor, Number: c.Type == scenarios.Float || c.Type == scenarios.Integer,
					typ: c.Type, index: i, quantity: q}, nil
			}
			names = append(names, c.Name)
		}
	}
	return Column{}, fmt.Errorf("unknown column %q%s", name, scenarios.DidYouMean(name, "columns", append(names, derivedNames(s)...)))
}

// derivedNames are the metrics that are no column, as far as the rows have what they need.
func derivedNames(s result.Schema) []string {
	if len(interfaceBytes(s)) == 0 {
		return []string{SpeedUp}
	}
	return []string{SpeedUp, PageBytes}
}

// interfaceBytes returns the metrics that are bytes of an interface: those of a name which has an RTT among the factors.
func interfaceBytes(s result.Schema) (metrics []int) {
	for i, m := range s.Metrics {
		name, ok := strings.CutSuffix(m.Name, "_bytes")
		if ok && (m.Type == scenarios.Integer || m.Type == scenarios.Float) && s.Factor(name+"_rtt_s") >= 0 {
			metrics = append(metrics, i)
		}
	}
	return metrics
}

// value returns the cell of a row; false where the run has none: its factors are not known, or it failed.
func (c *Column) value(r *result.Row) (scenarios.Value, bool) {
	cells := r.Metrics
	if c.Factor {
		cells = r.Factors
	} else if r.Error != "" {
		return scenarios.Value{}, false
	}
	if c.index < 0 || c.index >= len(cells) {
		return scenarios.Value{}, false
	}
	return cells[c.index], true
}

// Float returns the number in row i of a case, in the unit of the column; false where the run has none.
func (c *Column) Float(of *Case, i int) (float64, bool) {
	if c.Name == SpeedUp {
		return of.SpeedUp(i, c.over)
	}
	if c.sum != nil {
		return c.total(&of.Rows[i])
	}
	v, ok := c.value(&of.Rows[i])
	switch {
	case !ok || !c.Number:
		return 0, false
	case c.typ == scenarios.Integer:
		return float64(v.Integer), true
	}
	return v.Float, true
}

// total is the sum of the metrics a column is the sum of; false where the run has none.
func (c *Column) total(r *result.Row) (sum float64, ok bool) {
	if r.Error != "" {
		return 0, false
	}
	for _, i := range c.sum {
		if i >= len(r.Metrics) {
			return 0, false
		}
		// One of them is 0: the other is the column's type.
		sum += float64(r.Metrics[i].Integer) + r.Metrics[i].Float
	}
	return sum, true
}

// Parse reads a number as it is written on the command line: with its unit, or bare, in the unit of the column.
func (c *Column) Parse(text string) (float64, error) {
	v, err := c.parse(text)
	if err == nil {
		return v, nil
	}
	if bare, errBare := number.parse(text); errBare == nil {
		return bare, nil
	}
	return 0, err
}

// Text returns the value in row i of a case as text, with its unit; false where the run has none.
func (c *Column) Text(of *Case, i int) (string, bool) {
	if c.Number {
		x, ok := c.Float(of, i)
		return c.text(x), ok
	}
	v, ok := c.value(&of.Rows[i])
	if c.typ == scenarios.Bool {
		return strconv.FormatBool(v.Bool), ok
	}
	return v.Text, ok
}

// Label names the column for people: "wifi rtt (s)", "speed-up over if1".
func (c *Column) Label() string {
	if c.Unit == "" {
		return c.Title()
	}
	return c.Title() + " (" + c.Unit + ")"
}

// Title names the column without its unit: "wifi rtt".
func (c *Column) Title() string {
	switch c.Name {
	case SpeedUp:
		return "speed-up over " + strings.Join(c.over, ", ")
	case PageBytes:
		return "page size"
	}
	return strings.ReplaceAll(strings.TrimSuffix(c.Name, c.suffix), "_", " ")
}
