package scenarios

import (
	"encoding/json"

	"github.com/google/jsonschema-go/jsonschema"

	"braid/sim"
	"braid/sim/policy"
)

// schemaURI names the version of JSON Schema that editors read.
const schemaURI = "https://json-schema.org/draft/2020-12/schema"

// The forms of quantities, as package units reads them.
const (
	numberPattern   = `[0-9]+(\.[0-9]*)?|\.[0-9]+`
	ratePattern     = `^\s*(` + numberPattern + `)\s*(G|M|k)?bit/s\s*$`
	bytesPattern    = `^\s*(` + numberPattern + `)\s*([GMK]i|[GMk])?B\s*$`
	durationPattern = `^\s*((` + numberPattern + `)\s*(ns|us|µs|ms|s|m|h)\s*)+$`
)

// Schema is the JSON Schema of a scenario. It is made from the tables the parser reads. Like every schema it cannot say all
// the parser checks: that names refer to something, that nothing is given twice.
func Schema() *jsonschema.Schema {
	s := mapSchema(scenarioKeys)
	s.Schema = schemaURI
	s.Title = "braid scenario"
	s.AnyOf = []*jsonschema.Schema{{Required: []string{"pages"}}, {Required: []string{"workload"}}}
	return s
}

// SchemaJSON is Schema as indented JSON, with a newline at its end.
func SchemaJSON() ([]byte, error) {
	text, err := json.MarshalIndent(Schema(), "", "  ")
	if err != nil {
		return nil, err
	}
	return append(text, '\n'), nil
}

func mapSchema[T any](keys []key[T]) *jsonschema.Schema {
	s := &jsonschema.Schema{Type: "object", Properties: map[string]*jsonschema.Schema{}, AdditionalProperties: neverSchema()}
	for _, k := range keys {
		v := k.schema()
		v.Description = k.doc
		s.Properties[k.name] = v
		s.PropertyOrder = append(s.PropertyOrder, k.name)
		if k.required {
			s.Required = append(s.Required, k.name)
		}
	}
	return s
}

// expectSchema is one expectation: the keys, and percentiles by name.
func expectSchema() *jsonschema.Schema {
	s := mapSchema(expectKeys)
	v := wantSchema()
	v.Description = "a percentile of the rows"
	s.PatternProperties = map[string]*jsonschema.Schema{percentileName.String(): v}
	return s
}

func textSchema() *jsonschema.Schema { return &jsonschema.Schema{Type: "string"} }

// neverSchema accepts nothing.
func neverSchema() *jsonschema.Schema { return &jsonschema.Schema{Not: &jsonschema.Schema{}} }

func patternSchema(pattern string) *jsonschema.Schema {
	return &jsonschema.Schema{Type: "string", Pattern: pattern}
}

func enumSchema(names ...string) *jsonschema.Schema {
	s := &jsonschema.Schema{Type: "string"}
	for _, n := range names {
		s.Enum = append(s.Enum, n)
	}
	return s
}

func wholeSchema(low float64) *jsonschema.Schema {
	return &jsonschema.Schema{Type: "integer", Minimum: &low}
}

func listSchema(item *jsonschema.Schema, low, high int) *jsonschema.Schema {
	s := &jsonschema.Schema{Type: "array", Items: item}
	if low > 0 {
		s.MinItems = &low
	}
	if high > 0 {
		s.MaxItems = &high
	}
	return s
}

// oneOrMore accepts a value or a list of them: a factor.
func oneOrMore(item *jsonschema.Schema) *jsonschema.Schema {
	return &jsonschema.Schema{AnyOf: []*jsonschema.Schema{item, listSchema(item.CloneSchemas(), 1, 0)}}
}

func quantitySchema(pattern string) func() *jsonschema.Schema {
	return func() *jsonschema.Schema { return oneOrMore(patternSchema(pattern)) }
}

// docSchema is one name with what it means, which editors show beside it.
func docSchema(name, doc string) *jsonschema.Schema {
	var v any = name
	return &jsonschema.Schema{Const: &v, Description: doc}
}

func profileSchema() *jsonschema.Schema {
	s := &jsonschema.Schema{}
	for _, p := range sim.Profiles {
		s.AnyOf = append(s.AnyOf, docSchema(p.Name, p.Doc))
	}
	return s
}

func policySchema() *jsonschema.Schema {
	s := &jsonschema.Schema{}
	for _, e := range policy.Table {
		s.AnyOf = append(s.AnyOf, docSchema(e.Name, e.Doc))
		for _, a := range e.Aliases {
			s.AnyOf = append(s.AnyOf, docSchema(a, e.Name+": "+e.Doc))
		}
	}
	single := patternSchema(interfaceName.String())
	single.Description = "if1, if2, ... or an interface's name: that interface only, over TCP"
	s.AnyOf = append(s.AnyOf, single)
	return s
}

func pageSchema() *jsonschema.Schema {
	s := &jsonschema.Schema{}
	for _, m := range builtinMixes {
		s.AnyOf = append(s.AnyOf, docSchema(m.name, m.doc))
	}
	form := patternSchema(builtinForm.String())
	form.Description = "nNxSk: a 10 KiB document, then N objects of S KiB"
	for _, n := range BuiltinPages() {
		if builtinForm.MatchString(n) {
			form.Examples = append(form.Examples, n)
		}
	}
	file := textSchema()
	file.Description = "a HAR, a page in JSON, or a glob of them, relative to the scenario"
	s.AnyOf = append(s.AnyOf, form, file)
	return s
}

func sampleSchema() *jsonschema.Schema {
	return &jsonschema.Schema{AnyOf: []*jsonschema.Schema{wholeSchema(1), patternSchema(`^[0-9.]+\s*%$`)}}
}

func parametersSchema() *jsonschema.Schema {
	s := &jsonschema.Schema{Type: "object", Properties: map[string]*jsonschema.Schema{}, AdditionalProperties: neverSchema()}
	for _, name := range sim.ParamNames() {
		doc := paramDoc(name)
		v := oneOrMore(paramSchema(doc))
		v.Description = doc.Doc + " (source: " + doc.Source + ")"
		s.Properties[name] = v
		s.PropertyOrder = append(s.PropertyOrder, name)
	}
	return s
}

func paramSchema(doc *sim.ParamDoc) *jsonschema.Schema {
	low, high := doc.Low, doc.High
	switch doc.Kind {
	case sim.IntParam:
		return &jsonschema.Schema{Type: "integer", Minimum: &low, Maximum: &high}
	case sim.FloatParam:
		return &jsonschema.Schema{Type: "number", Minimum: &low, Maximum: &high}
	case sim.BoolParam:
		return &jsonschema.Schema{Type: "boolean"}
	case sim.DurationParam:
		return patternSchema(durationPattern)
	case sim.BytesParam:
		return patternSchema(bytesPattern)
	case sim.RateParam:
		return patternSchema(ratePattern)
	}
	// YAML reads a bare 1.3 as a number.
	s := &jsonschema.Schema{}
	for _, w := range doc.Words {
		s.Enum = append(s.Enum, w)
		if v, err := parseNumber(w); err == nil {
			s.Enum = append(s.Enum, v)
		}
	}
	return s
}
