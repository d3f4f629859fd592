package scenarios

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"braid/sim/policy"
	"braid/sim/units"
)

// Expect is one line of what the results should be: a statistic of a metric over the rows that Where selects lies from Low
// to High. It is read here and judged in analysis/check.
type Expect struct {
	Where     map[string]string // factor or column to levels, as Grid.Match reads them; empty: every row
	Metric    string            // a column of the results, or "speedup"
	Over      []string          // of a speed-up: the policies it is over, the fastest of them in each case; empty: the scenario's first
	Statistic Statistic
	Quantile  float64    // of StatQuantile, from 0 to 1
	Bounds    [2]float64 // of the shares: above Bounds[0], below Bounds[1]; -Inf and +Inf where only one counts
	Order     []string   // of StatOrder: policies whose medians do not fall, from the first to the last

	Want      string  // as written
	Low, High float64 // both allowed, in the unit of the metric's column (seconds, bytes, bit/s; shares from 0 to 1)

	Published bool   // a number from a paper: always printed, never a failure
	Source    string // where the number is from
	File      string // place in the scenario
	Line      int
	Column    int
}

// Statistic is what is made of the metric of the selected rows.
type Statistic uint8

// Statistics.
const (
	StatValue    Statistic = iota // the metric of the only row
	StatMean                      // arithmetic mean
	StatQuantile                  // quantile: median, min, max, p5, p95, ...
	StatShare                     // share of the rows strictly between the bounds
	StatOrder                     // medians of several policies
)

// expectKeys are the keys of an expectation. Beside these, pNN is the NNth percentile.
var expectKeys = append([]key[Expect]{
	{"where", "the rows it is about: factors and levels, like {policy: eaf, page: mix52}", false, whereSchema, decodeWhere},
	{"metric", "a column of the results, like load_time_s, or speedup", true, func() *jsonschema.Schema { return patternSchema(metricName.String()) }, decodeMetric},
	{"over", "the policy a speed-up is over; of several, the fastest in each case", false, func() *jsonschema.Schema { return oneOrMore(textSchema()) }, decodeOver},
	{"published", "true: a number from a paper, printed beside the simulated one, never a failure", false, func() *jsonschema.Schema { return &jsonschema.Schema{Type: "boolean"} }, decodePublished},
	{"source", "where the number is from", false, textSchema, func(s *Scenario, t *tree, to *Expect) error { return decodeText(t, "source", &to.Source) }},
}, statisticKeys...)

// statisticKeys are the statistics by name; an expectation has one of them.
var statisticKeys = []key[Expect]{
	{"value", "the metric of the only row, like 0.91s +-2%", false, wantSchema, statistic(StatValue, 0)},
	{"mean", "the mean of the rows", false, wantSchema, statistic(StatMean, 0)},
	{"median", "the median of the rows, like 0.91s +-2%, 0.9s..1s, >= 1.2", false, wantSchema, statistic(StatQuantile, 0.5)},
	{"min", "the least of the rows", false, wantSchema, statistic(StatQuantile, 0)},
	{"max", "the greatest of the rows", false, wantSchema, statistic(StatQuantile, 1)},
	{"share_above", "the share of rows above a bound, like {bound: 1, want: 42%}", false, boundSchema("bound"), share("bound", "")},
	{"share_below", "the share of rows below a bound", false, boundSchema("bound"), share("", "bound")},
	{"share_between", "the share of rows between two bounds, like {above: 1, below: 2, want: 23%}", false, boundSchema("above", "below"), share("above", "below")},
	{"order", "policies by their medians, like eaf <= if1", false, textSchema, decodeOrder},
}

var (
	metricName     = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_.-]*$`)
	percentileName = regexp.MustCompile(`^[pq]([0-9]{1,2}(\.[0-9]+)?|100)$`)
)

func decodeExpect(s *Scenario, t *tree, to *Scenario) error {
	to.Expect = nil
	if t.kind != list {
		return t.at.errorf("expect is %s (expected a list, like - {where: {policy: eaf}, metric: load_time_s, median: 0.91s +-2%%})", t.kind)
	}
	for _, item := range t.list {
		e := Expect{File: item.at.src.name, Line: item.at.line, Column: item.at.column}
		keys := expectKeys
		names := keyNames(statisticKeys)
		for _, k := range item.keys {
			if m := percentileName.FindStringSubmatch(k.name); m != nil {
				q, err := parseNumber(m[1])
				if err != nil {
					return k.at.errorf("%v", err)
				}
				keys = append(keys[:len(keys):len(keys)], key[Expect]{name: k.name, decode: statistic(StatQuantile, q/100)})
				names = append(names, k.name)
			}
		}
		// The metric says how values are read, so it is read first.
		if item.kind == mapping {
			m := item.get("metric")
			if m == nil {
				return item.at.errorf("expectation has no \"metric\" (a column of the results, like load_time_s, or speedup)")
			}
			if err := decodeMetric(s, m, &e); err != nil {
				return err
			}
		}
		if err := decodeMap(s, item, "expectation", keys, &e); err != nil {
			return err
		}
		var given []string
		for _, n := range names {
			if item.get(n) != nil {
				given = append(given, n)
			}
		}
		if len(given) != 1 {
			return item.at.errorf("an expectation has one statistic, this one has %d (statistics: %s, p5, p95, ...)", len(given), enumerate(keyNames(statisticKeys)))
		}
		to.Expect = append(to.Expect, e)
	}
	return nil
}

func decodeWhere(s *Scenario, t *tree, to *Expect) error {
	if t.kind != mapping {
		return t.at.errorf("where is %s (expected a map, like {policy: eaf, page: mix52})", t.kind)
	}
	to.Where = map[string]string{}
	for _, k := range t.keys {
		var levels []string
		err := eachScalar(k.value, k.name, func(item *tree) error {
			levels = append(levels, item.text)
			return nil
		})
		if err != nil {
			return err
		}
		to.Where[k.name] = strings.Join(levels, ",")
	}
	return nil
}

func decodeMetric(s *Scenario, t *tree, to *Expect) error {
	if t.kind != scalar || !metricName.MatchString(t.text) {
		return t.at.errorf("metric %q is not the name of a column, like load_time_s", t.text)
	}
	to.Metric = t.text
	return nil
}

func decodeOver(s *Scenario, t *tree, to *Expect) error {
	if to.Metric != "speedup" {
		return t.at.errorf("over goes with metric: speedup only")
	}
	return eachScalar(t, "over", func(item *tree) error {
		to.Over = append(to.Over, item.text)
		return nil
	})
}

func decodePublished(s *Scenario, t *tree, to *Expect) error {
	if t.kind != scalar || t.text != "true" && t.text != "false" {
		return t.at.errorf("published %q is neither true nor false", t.text)
	}
	to.Published = t.text == "true"
	return nil
}

// statistic reads "want" of a statistic in the metric's unit.
func statistic(kind Statistic, quantile float64) func(*Scenario, *tree, *Expect) error {
	return func(s *Scenario, t *tree, to *Expect) error {
		to.Statistic, to.Quantile = kind, quantile
		return decodeWant(t, metricParser(to.Metric), to)
	}
}

// metricParser reads values of a metric by the unit at the end of its name.
func metricParser(metric string) func(string) (float64, error) {
	for _, u := range []unit{rateUnit, timeUnit, bytesUnit} {
		if strings.HasSuffix(metric, u.suffix) {
			return u.parse
		}
	}
	return parseNumber
}

func parseShare(text string) (float64, error) {
	v, err := units.ParseShare(text)
	return float64(v), err
}

// decodeWant reads "0.91s", "0.91s +-2%", "0.91s +-10ms", "0.9s..1s", ">= 1.2" or "<= 2". Without a tolerance the value is
// exact.
func decodeWant(t *tree, parse func(string) (float64, error), to *Expect) error {
	if t.kind != scalar {
		return t.at.errorf("expected a value with its tolerance, like 0.91s +-2%%, not %s", t.kind)
	}
	to.Want = strings.TrimSpace(t.text)
	low, high, err := parseWant(to.Want, parse)
	if err != nil {
		return t.at.errorf("%v", err)
	}
	to.Low, to.High = low, high
	return nil
}

func parseWant(text string, parse func(string) (float64, error)) (low, high float64, err error) {
	if rest, ok := strings.CutPrefix(text, ">="); ok {
		low, err = parse(strings.TrimSpace(rest))
		return low, math.Inf(1), err
	}
	if rest, ok := strings.CutPrefix(text, "<="); ok {
		high, err = parse(strings.TrimSpace(rest))
		return math.Inf(-1), high, err
	}
	if a, b, ok := strings.Cut(text, ".."); ok {
		if low, err = parse(strings.TrimSpace(a)); err == nil {
			high, err = parse(strings.TrimSpace(b))
		}
		if err == nil && low > high {
			err = fmt.Errorf("range %q ends below its start", text)
		}
		return low, high, err
	}
	value, tolerance, ok := strings.Cut(strings.Replace(text, "±", "+-", 1), "+-")
	v, err := parse(strings.TrimSpace(value))
	if err != nil || !ok {
		return v, v, err
	}
	tolerance = strings.TrimSpace(tolerance)
	// Of a share, "+-2%" would be two things; it means percentage points, the unit of the value.
	if strings.HasSuffix(tolerance, "%") && !strings.HasSuffix(strings.TrimSpace(value), "%") {
		share, err := units.ParseShare(tolerance)
		width := math.Abs(float64(v * float64(share)))
		return v - width, v + width, err
	}
	width, err := parse(tolerance)
	return v - width, v + width, err
}

// share reads the bounds and the share wanted. above and below name the keys of the bounds, "" for none.
func share(above, below string) func(*Scenario, *tree, *Expect) error {
	return func(s *Scenario, t *tree, to *Expect) error {
		to.Statistic = StatShare
		to.Bounds = [2]float64{math.Inf(-1), math.Inf(1)}
		bound := func(name string, i int) key[Expect] {
			return key[Expect]{name: name, doc: "a value of the metric", required: true, decode: func(s *Scenario, t *tree, to *Expect) error {
				v, err := metricParser(to.Metric)(t.text)
				if err != nil || t.kind != scalar {
					return t.at.errorf("%s %q is not a value of %s", name, t.text, to.Metric)
				}
				to.Bounds[i] = v
				return nil
			}}
		}
		keys := []key[Expect]{{name: "want", doc: "the share expected, like 42% +-2%", required: true, decode: func(s *Scenario, t *tree, to *Expect) error {
			return decodeWant(t, parseShare, to)
		}}}
		if above != "" {
			keys = append(keys, bound(above, 0))
		}
		if below != "" {
			keys = append(keys, bound(below, 1))
		}
		if err := decodeMap(s, t, "share", keys, to); err != nil {
			return err
		}
		if to.Bounds[0] >= to.Bounds[1] {
			return t.at.errorf("no value is above %v and below %v", to.Bounds[0], to.Bounds[1])
		}
		return nil
	}
}

func decodeOrder(s *Scenario, t *tree, to *Expect) error {
	if t.kind != scalar {
		return t.at.errorf("order is %s (expected policies, like eaf <= if1)", t.kind)
	}
	to.Statistic, to.Want = StatOrder, t.text
	for part := range strings.SplitSeq(t.text, "<=") {
		to.Order = append(to.Order, strings.TrimSpace(part))
	}
	if len(to.Order) < 2 {
		return t.at.errorf("order %q does not compare policies (write it like eaf <= if1)", t.text)
	}
	return nil
}

// checkExpect finds factors and policies that expectations name and the scenario does not have. Levels are not checked: a
// --set may have taken them away, which is for the check to say.
func (s *Scenario) checkExpect() error {
	names := s.factorNames()
	ifaces := s.interfaceNames()
	canonical := func(at place, list []string) error {
		for i, name := range list {
			if strings.ContainsAny(name, "*?[") {
				continue // a pattern, for Grid.Match
			}
			_, c, err := policy.Lookup(name, ifaces)
			if err != nil {
				return at.errorf("unknown policy %q%s", name, DidYouMean(name, "policies", append(policy.Names(ifaces), ifaces...)))
			}
			list[i] = c
		}
		return nil
	}
	for i := range s.Expect {
		e := &s.Expect[i]
		item := s.root.get("expect").list[i]
		if where := item.get("where"); where != nil {
			for _, k := range where.keys {
				known := false
				for _, n := range names {
					known = known || n == k.name
				}
				if !known {
					return k.at.errorf("unknown factor %q%s", k.name, DidYouMean(k.name, "factors", names))
				}
				if k.name == "policy" {
					list := strings.Split(e.Where[k.name], ",")
					if err := canonical(k.value.at, list); err != nil {
						return err
					}
					e.Where[k.name] = strings.Join(list, ",")
				}
			}
		}
		if e.Order != nil {
			if err := canonical(item.get("order").at, e.Order); err != nil {
				return err
			}
		}
		if e.Over != nil {
			if err := canonical(item.get("over").at, e.Over); err != nil {
				return err
			}
		}
	}
	return nil
}

// factorNames lists the names of factors and of their columns.
func (s *Scenario) factorNames() []string {
	names := []string{"page"}
	add := func(f factor) {
		names = append(names, f.name)
		if f.column.Name != f.name {
			names = append(names, f.column.Name)
		}
	}
	for i := range s.Interfaces {
		for _, f := range interfaceFactors(i, &s.Interfaces[i]) {
			add(f)
		}
	}
	for i := range s.Parameters {
		add(parameterFactor(&s.Parameters[i]))
	}
	return append(names, "seed", "repetition", "profile", "policy")
}

func whereSchema() *jsonschema.Schema {
	level := &jsonschema.Schema{Types: []string{"string", "number", "boolean"}}
	return &jsonschema.Schema{Type: "object", AdditionalProperties: oneOrMore(level)}
}

// wantSchema accepts a bare number, for metrics without a unit, or text.
func wantSchema() *jsonschema.Schema {
	return &jsonschema.Schema{Types: []string{"string", "number"}}
}

func boundSchema(bounds ...string) func() *jsonschema.Schema {
	return func() *jsonschema.Schema {
		s := &jsonschema.Schema{Type: "object", Properties: map[string]*jsonschema.Schema{}, AdditionalProperties: neverSchema()}
		for _, b := range append(bounds, "want") {
			s.Properties[b] = wantSchema()
			s.Required = append(s.Required, b)
			s.PropertyOrder = append(s.PropertyOrder, b)
		}
		return s
	}
}

// String is the statistic as printed: "median", "p95", "share above 1".
func (e *Expect) String() string {
	number := func(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
	switch e.Statistic {
	case StatMean:
		return "mean"
	case StatQuantile:
		if name, ok := map[float64]string{0: "min", 0.5: "median", 1: "max"}[e.Quantile]; ok {
			return name
		}
		return "p" + number(100*e.Quantile)
	case StatShare:
		switch {
		case math.IsInf(e.Bounds[1], 1):
			return "share above " + number(e.Bounds[0])
		case math.IsInf(e.Bounds[0], -1):
			return "share below " + number(e.Bounds[1])
		}
		return "share from " + number(e.Bounds[0]) + " to " + number(e.Bounds[1])
	case StatOrder:
		return "order"
	}
	return "value"
}
