package scenarios

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/google/jsonschema-go/jsonschema"
)

func resolved(t testing.TB) *jsonschema.Resolved {
	t.Helper()
	r, err := Schema().Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// generic turns YAML into what a schema is asked of.
func generic(t testing.TB, text []byte) any {
	t.Helper()
	data, err := yaml.YAMLToJSON(text)
	if err != nil {
		t.Fatal(err)
	}
	var v any
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatal(err)
	}
	return v
}

func TestCommittedSchemaIsTheOneOfTheProgram(t *testing.T) {
	want, err := SchemaJSON()
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("library/scenario.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != string(want) {
		t.Error("library/scenario.schema.json differs from the schema (run: go run ./cmd/braid schema > scenarios/library/scenario.schema.json)")
	}
}

func TestLibraryFitsItsSchema(t *testing.T) {
	r := resolved(t)
	for _, name := range Library() {
		text, _ := libraryFile(name)
		if err := r.Validate(generic(t, text)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		first, _, _ := strings.Cut(string(text), "\n")
		up := strings.Repeat("../", strings.Count(name, "/"))
		if want := "# yaml-language-server: $schema=" + up + schemaFile; first != want {
			t.Errorf("%s begins with %q, want %q", name, first, want)
		}
	}
}

// Schema and parser agree on what they both can see.
func TestSchemaAndParserAgree(t *testing.T) {
	r := resolved(t)
	for _, c := range []struct {
		old, new string
		ok       bool
	}{
		{"mix28", "mix28", true},
		{"[mix28]", "mix28", true},
		{"[mix28]", "[]", false},
		{"name: base", "nome: base", false},
		{"name: base", "profile: [linux, dtsimulator]\nname: base", true},
		{"name: base", "profile: linus\nname: base", false},
		{"6Mbit/s", "[6Mbit/s, 1.6Gbit/s, 512000bit/s]", true},
		{"6Mbit/s", "6Mbps", false},
		{"6Mbit/s", "6", false},
		{"20ms", "20", false},
		{"20ms", "1m30s", true},
		{"rtt: 20ms", "rtt: 20ms, queue: 60kB, dns: [10ms, 20ms]", true},
		{"rtt: 20ms", "rtt: 20ms, queue: 60kb", false},
		{"rtt: 20ms", "rtt: 20ms, loss: 1%", false},
		{", rtt: 20ms", "", false},
		{"name: base", "kind: flows\nname: base", false},
		{"name: base", "deps: initiator\nname: base", true},
		{"name: base", "sample: 100%\nname: base", true},
		{"name: base", "sample: 0\nname: base", false},
		{"name: base", "parameters: {tls: 1.3, pipelining: true, max_per_host: [6, 17], rto_margin: 200ms, join_rtts: 1.5, initial_rate: 1Mbit/s, bind_max: 64KiB, knowledge: estimated}\nname: base", true},
		{"name: base", "parameters: {max_per_host: 0}\nname: base", false},
		{"name: base", "parameters: {tls: 1.4}\nname: base", false},
		{"name: base", "parameters: {nothing: 1}\nname: base", false},
		{"name: base", "zip: [[wifi.rtt, lte.rtt]]\nname: base", true},
		{"name: base", "zip: [[wifi.rtt]]\nname: base", false},
		{"pages: [mix28]", "workload: {like: alexa-2015, pages: 2, crawls: 2, first: 3}", true},
		{"pages: [mix28]", "workload: {like: alexa-2015}", false},
		{"pages: [mix28]\n", "", false},
		{"name: base", "expect: [{where: {policy: eaf}, metric: load_time_s, p95: 1s +-2%}]\nname: base", true},
		{"name: base", "expect: [{metric: speedup, share_above: {bound: 1, want: 42%}, published: true, source: x}]\nname: base", true},
		{"name: base", "expect: [{metric: speedup, share_above: {want: 42%}}]\nname: base", false},
		{"name: base", "expect: [{metric: speedup, mediam: 1}]\nname: base", false},
		{"name: base", "expect: [{median: 1}]\nname: base", false},
		{"name: base", "seed: -1\nname: base", false},
		{"name: base", "repetitions: 0\nname: base", false},
	} {
		text := []byte(strings.Replace(base, c.old, c.new, 1))
		s, parsed := Parse(text, "testdata/base.yaml")
		if parsed == nil {
			_, parsed = s.Grid()
		}
		valid := r.Validate(generic(t, text))
		if (parsed == nil) != c.ok || (valid == nil) != c.ok {
			t.Errorf("%s: want ok %v\nparser: %v\nschema: %v", c.new, c.ok, parsed, valid)
		}
	}
}

func TestSchemaListsWhatThereIs(t *testing.T) {
	text, err := SchemaJSON()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"linux", "dtsimulator", "eaf-mptcp", "round-robin", "mix52", "n64x1024k", "max_per_host", "initial_rate", "alexa-2015", "share_between"} {
		if !strings.Contains(string(text), fmt.Sprintf("%q", name)) {
			t.Errorf("the schema does not name %s", name)
		}
	}
}
