package figure

import (
	"strings"
	"testing"

	"braid/scenarios"
	"braid/scenarios/result"
	gridrun "braid/scenarios/run"
)

const twoNetworks = `
name: two networks
pages: [n4x10k]
policies: [if1, eaf]
interfaces:
  - {name: wifi, bandwidth: [2Mbit/s, 6Mbit/s], rtt: 20ms}
  - {name: lte, bandwidth: 8Mbit/s, rtt: 50ms}
`

// results runs a scenario into the folder results.
func results(t *testing.T, scenario string) {
	t.Helper()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(t.TempDir())
	s, err := scenarios.Parse([]byte(scenario), "two.yaml")
	must(err)
	grid, err := s.Grid()
	must(err)
	schema, err := gridrun.Schema(grid)
	must(err)
	m := result.NewManifest(schema)
	m.Seed = s.Seed
	m.Scenario = result.ScenarioIdentity{Name: s.Name, File: s.InputName(), SHA256: s.Digest(), Text: string(s.Canonical())}
	m.Plan(result.JSONLines, result.Shard{}, grid.Len(), 0, grid.Len())
	out, err := result.OpenDir("results", m, schema)
	must(err)
	engines, err := scenarios.NewEngines("auto")
	must(err)
	_, err = gridrun.Do(t.Context(), grid, gridrun.Options{Engine: engines.New, Journal: out.Journal()}, out.Write)
	must(err)
	must(out.Commit())
}

// The loads of one case are simulated again from the manifest.
func TestRepeatedWaterfall(t *testing.T) {
	results(t, twoNetworks)
	one := int64(1)
	for name, q := range map[string]Request{
		"waterfall_run":  {Run: &one},
		"waterfall_case": {Where: []string{"wifi.bandwidth=6Mbit/s"}, Width: "double"},
	} {
		q.Results = "results"
		f, _ := chartOf(t, "waterfall", q)
		compare(t, drawn(t, f, "png"), name)
	}
	nine := int64(9)
	for _, c := range []struct {
		q    Request
		want string
	}{
		{Request{}, "results: 2 cases meet the conditions, and a waterfall is of one (--run N takes one, or --where a level of: wifi_bandwidth_bit_s)"},
		{Request{Run: &nine}, "results: no run 9 that meets the conditions"},
		{Request{Run: &one, Width: "triple"}, `unknown width "triple"`},
		{Request{By: []string{"page"}}, "waterfall takes no --by (it takes --run, --pages, --where, --width, --title)"},
	} {
		c.q.Results = "results"
		k, err := FindKind("waterfall")
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := k.Draw(&c.q); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want %q", err, c.want)
		}
	}
}
