package scenarios

import (
	"math"
	"regexp"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// expectKeys are the keys of an expectation. Beside these, pNN is the NNth percentile.
var expectKeys = append([]key[Expect]{
	{"where", "the rows it is about: factors and levels, like {policy: eaf, page: mix52}", false, whereSchema, decodeWhere},
	{"metric", "a metric of the results (load_time_s, connections, <interface>_bytes, events, predictions), or speedup", true, func() *jsonschema.Schema { return patternSchema(metricPattern()) }, decodeMetric},
	{"over", "the policy a speed-up is over; of several, the fastest in each case", false, func() *jsonschema.Schema { return oneOrMore(textSchema()) }, decodeOver},
	{"published", "true: a number from a paper, printed beside the simulated one, and not judged", false, func() *jsonschema.Schema { return &jsonschema.Schema{Type: "boolean"} }, decodePublished},
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

var percentileName = regexp.MustCompile(`^[pq]([0-9]{1,2}(\.[0-9]+)?|100)$`)

func decodeExpect(s *Scenario, t *tree, to *Scenario) error {
	to.Expect = nil
	if t.kind != list {
		return t.at.errorf("expect is %s (expected a list, like - {where: {policy: eaf}, metric: load_time_s, median: 0.91s +-2%%})", t.kind)
	}
	for _, item := range t.list {
		e := Expect{File: item.at.src.name, Line: item.at.line, Column: item.at.column}
		if item.at.src.flag {
			e.Line, e.Column = 0, 0 // there is no file to point into
		}
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
				return item.at.errorf("expectation has no \"metric\" (expected one of: %s)", enumerate(metricNames(s.writtenInterfaces())))
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

func decodeOver(s *Scenario, t *tree, to *Expect) error {
	if to.Metric != SpeedUpMetric {
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
