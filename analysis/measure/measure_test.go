package measure

import (
	"math"
	"strings"
	"testing"

	"braid/analysis/dataset"
	"braid/scenarios"
	"braid/scenarios/result"
)

func TestNoise(t *testing.T) {
	for _, c := range []struct {
		x, bound     float64
		above, below bool
	}{
		{1, 1, false, false},
		{1 + 1e-10, 1, false, false},
		{1 - 1e-10, 1, false, false},
		{1 + 1e-8, 1, true, false},
		{1 - 1e-8, 1, false, true},
		{5 + 1e-9, 5, false, false},
		{3, math.Inf(-1), true, false},
		{3, math.Inf(1), false, true},
		{0, 0, false, false},
	} {
		if Above(c.x, c.bound) != c.above || Below(c.x, c.bound) != c.below {
			t.Errorf("%v against %v: above %v, below %v", c.x, c.bound, Above(c.x, c.bound), Below(c.x, c.bound))
		}
	}
}

func TestNumbersAsText(t *testing.T) {
	for x, want := range map[float64]string{-0.04: "0.0", 0.04: "0.0", 0.06: "+0.1", -0.06: "-0.1", 12: "+12.0"} {
		if got := Signed(x); got != want {
			t.Errorf("%v: %s, want %s", x, got, want)
		}
	}
	for x, want := range map[float64]string{0.68941: "0.6894s", 1.5: "1.500s", 0: "0.000s", 12345678: "12345678s", 0.05505: "0.05505s"} {
		if got := Quantity("load_time_s", x); got != want {
			t.Errorf("%v: %s, want %s", x, got, want)
		}
	}
}

// scenario has two pages, two profiles and three policies.
const scenario = `
name: measured
pages: [n2x1k, n4x1k]
policies: [if1, if2, eaf]
profile: [linux, dtsimulator]
interfaces:
  - {name: wifi, bandwidth: 6Mbit/s, rtt: 20ms}
  - {name: lte, bandwidth: 6Mbit/s, rtt: 20ms}
expect:
  - `

// loads are load times by hand, in seconds, of n2x1k and n4x1k under linux; twice that under dtsimulator.
var loads = map[string][2]float64{"if1": {1, 2}, "if2": {2, 1}, "eaf": {1, 0.5}}

// grid returns the scenario with one expectation, its grid and the columns of its rows.
func grid(t *testing.T, expect string) (*scenarios.Scenario, *scenarios.Grid, result.Schema) {
	t.Helper()
	s, err := scenarios.Parse([]byte(scenario+expect+"\n"), "measured.yaml")
	if err != nil {
		t.Fatal(err)
	}
	g, err := s.Grid()
	if err != nil {
		t.Fatal(err)
	}
	columns, err := result.NewSchema(g.Columns(), result.PageLoad([]string{"wifi", "lte"}))
	if err != nil {
		t.Fatal(err)
	}
	return s, g, columns
}

// measured measures an expectation over loads. The runs of failing, a policy, fail.
func measured(t *testing.T, expect, failing string) *Measure {
	t.Helper()
	s, g, columns := grid(t, expect)
	m, err := New(s.Expect[0], g, columns)
	if err != nil {
		t.Fatal(err)
	}
	cases := dataset.NewCases(columns)
	var r scenarios.Run
	for i := range g.Len() {
		if err := g.Run(i, &r); err != nil {
			t.Fatal(err)
		}
		load := loads[r.Spec.Policy][i/6]
		if r.Spec.Params.Profile == "dtsimulator" {
			load *= 2
		}
		row := &result.Row{Run: i, Factors: r.Factors, Metrics: []scenarios.Value{{Float: load}, {Integer: 1 + i}, {}, {}, {}, {}}}
		if r.Spec.Policy == failing {
			row = &result.Row{Run: i, Factors: r.Factors, Error: "failed"}
		}
		if c := cases.Add(row); c != nil {
			m.Add(c, "if1")
		}
	}
	m.Add(cases.End(), "if1")
	return m
}

// Under linux eaf takes 1 and 0.5 s (median 0.75), if1 1 and 2 s, if2 2 and 1 s (medians 1.5). eaf over if1 is 1 and 4; over
// the better of if1 and if2 1 and 2.
func TestJudge(t *testing.T) {
	for _, c := range []struct {
		expect string
		want   string // of the error; empty: it holds
	}{
		{"{where: {policy: eaf, profile: linux}, metric: load_time_s, median: 0.75s}", ""},
		{"{where: {policy: eaf, profile: linux}, metric: load_time_s, median: 0.76s +-2%}", ""},
		{"{where: {policy: eaf, profile: linux}, metric: load_time_s, median: 0.8s +-2%}", "expected 0.8s +-2%, simulated 0.7500s (-6.2 %)"},
		{"{where: {policy: eaf, profile: linux}, metric: load_time_s, median: 749999998ns}", "expected 749999998ns, simulated 750000000ns (0.0 %)"},
		{"{where: {policy: eaf, profile: linux}, metric: load_time_s, median: 800ms +-2%}", "expected 800ms +-2%, simulated 750.0ms (-6.2 %)"},
		{"{where: {policy: eaf, profile: linux}, metric: load_time_s, mean: 0.7s..0.8s}", ""},
		{"{where: {policy: eaf, profile: linux}, metric: load_time_s, mean: 0.8s..0.9s}", "expected 0.8s..0.9s, simulated 0.7500s (-6.2 %)"},
		{"{where: {policy: eaf, profile: linux}, metric: load_time_s, max: <= 1s}", ""},
		{"{where: {policy: eaf, profile: linux}, metric: load_time_s, max: <= 0.5s}", "expected <= 0.5s, simulated 1.000s (+100.0 %)"},
		{"{where: {policy: eaf, profile: linux, page: n4x1k}, metric: load_time_s, value: 500ms}", ""},
		{"{where: {policy: eaf, profile: linux}, metric: load_time_s, value: 500ms}", "2 runs match, and value is of one run"},
		{"{where: {policy: eaf, profile: linux}, metric: speedup, share_above: {bound: 1, want: 50%}}", ""},
		{"{where: {policy: eaf, profile: linux}, metric: speedup, share_above: {bound: 1, want: 42% +-5%}}", "expected 42% +-5%, simulated 50.0% (+8.0 pp)"},
		{"{where: {policy: eaf, profile: linux}, metric: speedup, over: [if1, if2], max: 2}", ""},
		{"{where: {policy: [if1, if2]}, metric: speedup, share_below: {bound: 1, want: 0%}}", "expected 0%, simulated 25.0% (+25.0 pp)"}, // if2 in two of eight
		{"{where: {policy: if1, profile: linux}, metric: connections, mean: 4}", ""},                                                     // runs 0 and 6
		{"{where: {policy: if1, profile: linux}, metric: predictions, mean: 0}", ""},
		{"{where: {policy: if1, profile: linux}, metric: connections, mean: 0}", "expected 0, simulated 4.000"},
		{"{where: {profile: linux}, metric: load_time_s, order: eaf <= if1 <= if2}", ""}, // equal medians in any order
		{"{where: {profile: linux}, metric: load_time_s, order: eaf <= if2 <= if1}", ""},
		{"{where: {profile: linux}, metric: load_time_s, order: if1 <= eaf}", "expected if1 <= eaf, simulated eaf 0.7500s <= if1 1.500s"},
		{"{where: {profile: linux, policy: eaf}, metric: load_time_s, order: eaf <= if1}", "policy if1 has no run that went well"},
	} {
		err := measured(t, c.expect, "").Judge()
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%s: %v", c.expect, err)
		case c.want != "" && (err == nil || !strings.HasPrefix(err.Error(), c.want)):
			t.Errorf("%s: %v, want %q", c.expect, err, c.want)
		}
	}
}

// Nothing measured is a failure, never "no difference".
func TestNothingMeasured(t *testing.T) {
	for _, expect := range []string{
		"{where: {policy: eaf}, metric: load_time_s, median: <= 100s}",
		"{where: {policy: if1}, metric: speedup, over: eaf, share_above: {bound: 1, want: 0%}}",
	} {
		m := measured(t, expect, "eaf")
		if err := m.Judge(); err == nil || !strings.Contains(err.Error(), "no run that went well") {
			t.Errorf("%s: %v", expect, err)
		}
		if _, simulated, difference := m.Texts(); simulated != none || difference != none || !math.IsNaN(m.Simulated()) {
			t.Errorf("%s: simulated %s, difference %s", expect, simulated, difference)
		}
	}
	s, g, columns := grid(t, "{where: {policy: eaf}, metric: wifi_bytes, median: 1kB}")
	g, err := g.Where("policy=if1")
	if err != nil {
		t.Fatal(err)
	}
	// A part of a grid knows all its levels.
	if _, err := New(s.Expect[0], g, columns); err != nil {
		t.Error(err)
	}
	without := columns
	without.Metrics = without.Metrics[:2]
	if _, err := New(s.Expect[0], g, without); err == nil || err.Error() != "the results have no metric wifi_bytes" {
		t.Errorf("a missing metric: %v", err)
	}
}

// A published number whose runs are not in the grid is left out; an expectation about them is an error.
func TestLevelsThatAreNotThere(t *testing.T) {
	s, _, columns := grid(t, "{where: {policy: eaf, profile: linux}, metric: speedup, median: 1, published: true}")
	s, err := s.Set("profile=dtsimulator")
	if err != nil {
		t.Fatal(err)
	}
	g, err := s.Grid()
	if err != nil {
		t.Fatal(err)
	}
	if got := Published(s.Expect, g, columns); len(got) != 0 {
		t.Errorf("%d published numbers about linux", len(got))
	}
	if _, err := New(s.Expect[0], g, columns); err == nil || !strings.HasPrefix(err.Error(), `it matches no run: profile has no level "linux"`) {
		t.Errorf("%v", err)
	}
}

func TestConditionsAsText(t *testing.T) {
	a := scenarios.Expect{Where: map[string]string{"policy": "eaf", "profile": "linux", "page": "mix52"}}
	b := scenarios.Expect{Where: map[string]string{"policy": "if1", "profile": "linux"}, Metric: "speedup", Over: []string{"if1", "if2"}}
	if got := Where(Common([]scenarios.Expect{a, b})); got != "profile=linux" {
		t.Errorf("common to both: %q", got)
	}
	if got := Where(a.Where, "profile"); got != "page=mix52 policy=eaf" {
		t.Errorf("%q", got)
	}
	if got := Over(&b); got != "speedup over the fastest of if1, if2" || Over(&a) != "" {
		t.Errorf("%q", got)
	}
	if Common(nil) != nil {
		t.Error("nothing is common to nothing")
	}
}
