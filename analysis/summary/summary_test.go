package summary

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"braid/analysis/measure"
	"braid/analysis/stat"
	"braid/scenarios"
	"braid/scenarios/result"
)

// schema has the columns of a grid over two pages, profiles and policies.
func schema(t testing.TB) result.Schema {
	t.Helper()
	s, err := result.NewSchema([]scenarios.Column{{Name: "page"}, {Name: "profile"}, {Name: "policy"}}, result.PageLoad([]string{"wifi"}))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func row(page, profile, policy string, load float64) *result.Row {
	r := &result.Row{Factors: []scenarios.Value{{Text: page}, {Text: profile}, {Text: policy}}}
	if load == 0 {
		r.Error = "failed"
		return r
	}
	r.Metrics = []scenarios.Value{{Float: load}, {Integer: 3}, {Integer: 1000}, {Integer: 10}, {Integer: 0}}
	return r
}

// fill adds cases of three policies: load times in seconds, 0 for a run that failed.
func fill(s *Summary, profile string, cases ...[3]float64) {
	for i, c := range cases {
		for k, policy := range []string{"if1", "if2", "eaf"} {
			s.Add(row(fmt.Sprint("page", i), profile, policy, c[k]))
		}
	}
}

// Five cases. if2 over if1: 1/2 = 0.5, 2/1 = 2, 3/4 = 0.75, -, 1/1 = 1; eaf over if1: 1, 4, 1.5, -, 1/(1+1e-12) = 1.
// The fourth case has no run under if1 that went well, and eaf failed in it.
var fiveCases = [][3]float64{{1, 2, 1}, {2, 1, 0.5}, {3, 4, 2}, {0, 5, 0}, {1, 1, 1 + 1e-12}}

func TestGroupsByHand(t *testing.T) {
	s := New("by hand", schema(t), nil)
	fill(s, "linux", fiveCases...)
	s.End()
	if len(s.Groups()) != 3 || s.Baseline() != "if1" {
		t.Fatalf("%d groups over %s", len(s.Groups()), s.Baseline())
	}
	for i, want := range []struct {
		policy       string
		runs, failed int64
		median       float64
		pairs        int64
		above, below float64
		p5, p50, p95 float64
		mean         float64
	}{
		// 1 1 2 3: (1+2)/2.
		{"if1", 5, 1, 1.5, 0, math.NaN(), math.NaN(), math.NaN(), math.NaN(), math.NaN(), math.NaN()},
		// 1 1 2 4 5: 2. Speed-ups 0.5 0.75 1 2: rank 0.15: 0.5 + 0.15*0.25; rank 1.5: (0.75+1)/2; rank 2.85: 1 + 0.85*1; (0.75)^(1/4).
		{"if2", 5, 0, 2, 4, 0.25, 0.5, 0.5375, 0.875, 1.85, math.Pow(0.75, 0.25)},
		// 0.5 1 1 2: 1. Speed-ups 1-1e-12 1 1.5 4: rank 0.15: 1; rank 1.5: 1.25; rank 2.85: 1.5 + 0.85*2.5; 6^(1/4).
		{"eaf", 5, 1, 1, 4, 0.5, 0, 1, 1.25, 3.625, math.Pow(6, 0.25)},
	} {
		g := s.Groups()[i]
		if g.Policy != want.policy || g.Profile != "linux" || g.Runs != want.runs || g.Failed != want.failed || g.SpeedUp.N() != want.pairs {
			t.Errorf("%s: %+v", want.policy, g)
		}
		for _, n := range []struct {
			name      string
			got, want float64
		}{
			{"median load time", g.LoadTime.Quantile(0.5), want.median},
			{"above 1", g.Above(), want.above}, {"below 1", g.Below(), want.below},
			{"p5", g.SpeedUp.Quantile(0.05), want.p5}, {"median", g.SpeedUp.Quantile(0.5), want.p50}, {"p95", g.SpeedUp.Quantile(0.95), want.p95},
			{"geometric mean", g.Mean(), want.mean},
		} {
			if math.Abs(n.got-n.want) > 1e-9 || math.IsNaN(n.got) != math.IsNaN(n.want) {
				t.Errorf("%s: %s is %v, want %v", want.policy, n.name, n.got, n.want)
			}
		}
	}
}

// Rows of one case are those that differ in the policy alone: neither another profile nor another page is compared.
func TestPairsAreOfOneCase(t *testing.T) {
	s := New("", schema(t), nil)
	s.Add(row("a", "linux", "if1", 8))
	s.Add(row("a", "dtsimulator", "eaf", 4)) // no if1 in its case
	s.Add(row("b", "dtsimulator", "if1", 2))
	s.Add(row("b", "dtsimulator", "eaf", 1))
	s.End()
	for _, g := range s.Groups() {
		want := int64(0)
		if g.Policy == "eaf" {
			want = 1
		}
		if g.SpeedUp.N() != want {
			t.Errorf("%s %s: %d pairs, want %d", g.Profile, g.Policy, g.SpeedUp.N(), want)
		}
	}
	if got := s.Groups()[1].SpeedUp.Quantile(0.5); got != 2 {
		t.Errorf("speed-up %v, want 2/1", got)
	}
}

// A run whose factors are not known counts as failed, and in no pair.
func TestRowsWithoutFactors(t *testing.T) {
	s := New("", schema(t), nil)
	s.Add(row("a", "linux", "if1", 1))
	s.Add(&result.Row{Error: "panic"})
	s.Add(&result.Row{Error: "panic"})
	s.End()
	g := s.Groups()[1]
	if g.Policy != unknown || g.Runs != 2 || g.Failed != 2 {
		t.Errorf("%+v", g)
	}
}

func TestPrint(t *testing.T) {
	s := New("by hand", schema(t), nil)
	fill(s, "linux", fiveCases...)
	s.End()
	want := `by hand: 15 runs, 2 failed

profile linux
                      load time  ---- speed-up over if1, paired -----
policy  runs  failed     median  above 1  below 1    p5  median   p95
                              s        %        %
if1        5       1      1.500        -        -     -       -     -
if2        5       0      2.000     25.0     50.0  0.54    0.88  1.85
eaf        5       1      1.000     50.0      0.0  1.00    1.25  3.62

        median speed-up over if1 by page
policy  page0  page1  page2  page4
if2      0.50   2.00   0.75   1.00
eaf      1.00   4.00   1.50   1.00

eaf gains most often: faster than if1 in 50.0 % of 4 loads, slower in 0.0 %; in
the best twentieth at least 3.62 times as fast.
if2 loses most often: slower than if1 in 50.0 % of 4 loads, faster in 25.0 %; in
the worst twentieth at most 0.54 times as fast.
`
	if got := printed(t, s); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func printed(t *testing.T, s *Summary) string {
	t.Helper()
	var b bytes.Buffer
	if err := s.Print(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestLessonsFollowTheNumbers(t *testing.T) {
	for _, c := range []struct {
		name  string
		cases [][3]float64
		want  []string
	}{
		{"nothing to compare", [][3]float64{{1, 0, 0}}, nil},
		{"nothing gains", [][3]float64{{1, 2, 1}, {1, 3, 1}}, []string{"No policy is faster than if1 in any of 2 loads.", "if2 loses most often: slower than if1 in 100.0 % of 2 loads"}},
		{"all gain", [][3]float64{{2, 1, 0.5}}, []string{"eaf gains most often"}},
		{"the other one", [][3]float64{{2, 0.5, 1}}, []string{"if2 gains most often: faster than if1 in 100.0 % of 1 load, slower in 0.0 %; in the best twentieth at least 4.00 times"}},
		{"all lose", [][3]float64{{1, 2, 3}}, []string{"No policy is faster", "eaf loses most often"}},
		// if2 is ten times as fast twice and ten times as slow twice: a mean of 1 would hide it. eaf gains less, but never loses.
		{"a mean of one", [][3]float64{{10, 1, 9}, {10, 1, 9}, {1, 10, 1}, {1, 10, 1}},
			[]string{"eaf gains most often: faster than if1 in 50.0 % of 4 loads, slower in 0.0 %", "if2 loses most often: slower than if1 in 50.0 % of 4 loads, faster in 50.0 %; in the worst twentieth at most 0.10 times"}},
		{"faster once", [][3]float64{{1, 2, 1}, {1, 2, 1}, {2, 1, 2}}, []string{"if2 gains most often: faster than if1 in 33.3 % of 3 loads, slower in 66.7 %"}},
	} {
		s := New("", schema(t), nil)
		fill(s, "linux", c.cases...)
		s.End()
		got := s.Lessons()
		if len(got) != len(c.want) {
			t.Errorf("%s: %q", c.name, got)
			continue
		}
		for i := range got {
			if !strings.HasPrefix(got[i], c.want[i]) {
				t.Errorf("%s: %q, want %q", c.name, got[i], c.want[i])
			}
		}
	}
}

// Beyond the exact values the table says how accurate it is.
func TestPrintSaysItsAccuracy(t *testing.T) {
	s := New("", schema(t), nil)
	r := row("a", "linux", "if1", 1)
	for i := range stat.ExactValues + 1 {
		r.Metrics[0].Float = 1 + float64(i)
		s.Add(r)
	}
	s.End()
	if got := printed(t, s); !strings.Contains(got, "over more than 100000 values are within 0.1 %") {
		t.Error(got)
	}
}

func TestTimeUnit(t *testing.T) {
	for load, want := range map[float64]string{12.3456: "12.346 s", 0.5: "500.0 ms", 0.0123456: "12.346 ms"} {
		var g Group
		g.LoadTime.Add(load)
		u := timeUnit([]*Group{&g})
		if got := u.format(load) + " " + u.name; got != want {
			t.Errorf("%v s: %q, want %q", load, got, want)
		}
	}
}

const publishedScenario = `
name: published
pages: [n2x1k, n4x1k]
policies: [if1, if2, eaf]
profile: [linux, dtsimulator]
interfaces:
  - {name: wifi, bandwidth: 6Mbit/s, rtt: 20ms}
  - {name: lte, bandwidth: 6Mbit/s, rtt: 20ms}
expect:
  - {where: {policy: eaf, profile: linux}, metric: speedup, share_above: {bound: 1, want: 42%}, published: true, source: paper A}
  - {where: {policy: eaf, profile: linux}, metric: speedup, share_between: {above: 1, below: 3, want: ">= 20%"}, published: true, source: paper A}
  - {where: {policy: "if2,eaf", profile: linux}, metric: speedup, share_below: {bound: 1, want: 1.5%}, published: true, source: paper B}
  - {where: {policy: eaf, profile: linux}, metric: speedup, over: [if1, if2], min: 0.5, published: true, source: paper B}
  - {where: {policy: if1, profile: linux}, metric: load_time_s, median: 1.25s +-2%, published: true}
  - {where: {policy: if1, profile: linux}, metric: connections, mean: 2, published: true}
  - {where: {profile: linux}, metric: load_time_s, order: eaf <= if1 <= if2, published: true}
  - {where: {policy: if1}, metric: load_time_s, median: 1s}
`

// published makes the summary of the scenario above with load times by hand: if1 1 and 2 s, if2 2 and 1 s, eaf 1 and
// 0.5 s under linux; twice that under dtsimulator.
func published(t *testing.T) *Summary {
	t.Helper()
	return summarize(t, publishedScenario)
}

func summarize(t *testing.T, text string) *Summary {
	t.Helper()
	path := filepath.Join(t.TempDir(), "published.yaml")
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	scenario, err := scenarios.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	g, err := scenario.Grid()
	if err != nil {
		t.Fatal(err)
	}
	columns, err := result.NewSchema(g.Columns(), result.PageLoad([]string{"wifi", "lte"}))
	if err != nil {
		t.Fatal(err)
	}
	s := New(scenario.Name, columns, measure.Published(scenario.Expect, g, columns))
	var r scenarios.Run
	for i := range g.Len() {
		if err := g.Run(i, &r); err != nil {
			t.Fatal(err)
		}
		load := map[string][]float64{"if1": {1, 2}, "if2": {2, 1}, "eaf": {1, 0.5}}[r.Spec.Policy][i/6]
		if r.Spec.Params.Profile == "dtsimulator" {
			load *= 2
		}
		s.Add(&result.Row{Run: i, Factors: r.Factors, Metrics: []scenarios.Value{{Float: load}, {Integer: 1 + i}, {}, {}, {}, {}}})
	}
	s.End()
	return s
}

// Under linux, eaf over if1 is 1/1 = 1 and 2/0.5 = 4; if2 over if1 is 0.5 and 2. Above 1: one of two. Between 1 and 3: none.
// Below 1 of if2 and eaf: one of four. eaf over the better of if1 and if2: 1/1 and 1/0.5, at least 1, twice the 0.5.
// if1: (1+2)/2 = 1.5 s, 20 % above 1.25 s. Connections of runs 0 and 6: (1+7)/2 = 4.
// Medians: eaf 0.75, if1 1.5, if2 1.5 s.
func TestPublished(t *testing.T) {
	want := `published numbers, with profile=linux
                                   published          simulated  difference
load_time_s order          eaf <= if1 <= if2  eaf <= if1 <= if2           -
policy=eaf
speedup share above 1                    42%              50.0%     +8.0 pp  [1]
speedup share from 1 to 3             >= 20%               0.0%    -20.0 pp  [1]
policy=if2,eaf
speedup share below 1                   1.5%              25.0%    +23.5 pp  [2]
policy=eaf, speedup over the fastest of if1, if2
speedup min                              0.5              1.000    +100.0 %  [2]
policy=if1
load_time_s median                1.25s +-2%             1.500s     +20.0 %
connections mean                           2              4.000    +100.0 %
[1] paper A
[2] paper B
`
	got := printed(t, published(t))
	got = got[strings.Index(got, "published numbers"):]
	if squeeze(got[:strings.Index(got, "\n\n")+1]) != squeeze(want) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	for line := range strings.Lines(got) {
		if n := utf8.RuneCountInString(strings.TrimRight(line, "\n")); n > width || strings.HasSuffix(line, " \n") {
			t.Errorf("%d columns, or blanks at the end: %q", n, line)
		}
	}
}

// The policy has a column where there is room; numbers too wide for any table are told in lines; nothing is wider than a
// terminal.
func TestPublishedFitsTheTerminal(t *testing.T) {
	for _, c := range []struct {
		name, old, new string
		want           []string
	}{
		{"column of policies", "  - {where: {profile: linux}, metric: load_time_s, order: eaf <= if1 <= if2, published: true}\n", "",
			[]string{"\npolicy ", "\neaf      speedup share above 1", "\nspeedup over the fastest of if1, if2\neaf      speedup min"}},
		{"too wide for a table", "order: eaf <= if1 <= if2", "order: eaf <= if1 <= if2 <= eaf <= if1 <= if2",
			[]string{"\n  load_time_s order: published", "\npolicy=eaf\n  speedup share above 1: published 42%, simulated 50.0%, difference +8.0 pp [1]\n"}},
	} {
		text := strings.Replace(publishedScenario, c.old, c.new, 1)
		if text == publishedScenario {
			t.Fatal(c.name)
		}
		got := printed(t, summarize(t, text))
		for _, want := range c.want {
			if !strings.Contains(got, want) {
				t.Errorf("%s: no %q in\n%s", c.name, want, got)
			}
		}
		for line := range strings.Lines(got) {
			if n := utf8.RuneCountInString(strings.TrimRight(line, "\n")); n > width {
				t.Errorf("%s: %d columns: %q", c.name, n, line)
			}
		}
	}
}

// An incomplete run is neither compared with published numbers nor concluded from, and says so.
func TestIncomplete(t *testing.T) {
	s := published(t)
	s.Incomplete(1000)
	got := printed(t, s)
	if !strings.HasPrefix(got, "published: 12 runs, 0 failed\n\nThese are 12 of 1000 runs, which do not stand for all of them: nothing is\nconcluded from them.\n") {
		t.Error(got)
	}
	for _, never := range []string{"paper", "gains", "by page"} {
		if strings.Contains(got, never) {
			t.Errorf("%q in\n%s", never, got)
		}
	}
	var b bytes.Buffer
	if err := s.JSON(&b); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(b.String(), `"kind":"published"`) || strings.Count(b.String(), `"complete":false`) != 6 {
		t.Error(b.String())
	}
}

func TestTableOfPagesOnlyWhereItFits(t *testing.T) {
	for _, c := range []struct {
		pages int
		name  string
		want  bool
	}{{1, "page", false}, {2, "page", true}, {maxPages, "page", true}, {maxPages + 1, "page", false}, {3, strings.Repeat("long", 7), false}} {
		s := New("", schema(t), nil)
		for i := range c.pages {
			s.Add(row(fmt.Sprint(c.name, i), "linux", "if1", 1))
			s.Add(row(fmt.Sprint(c.name, i), "linux", "eaf", 1))
		}
		s.End()
		if got := strings.Contains(printed(t, s), "by page"); got != c.want {
			t.Errorf("%d pages called %s0, ...: table %v", c.pages, c.name, got)
		}
	}
}

func TestNumbersOfAColumnHaveTheSameDecimals(t *testing.T) {
	for _, c := range []struct {
		values []float64
		want   string
	}{
		{[]float64{0.1, 0.11, 0.62}, "0.10 0.11 0.62"},
		{[]float64{0.057, 0.11, nan, 1}, "0.057 0.110 - 1.000"},
		{[]float64{0.0012, 1}, "0.0012 1.0000"},
		{[]float64{15.96, 2}, "15.96 2.00"},
	} {
		if got := strings.Join(ratios(c.values...), " "); got != c.want {
			t.Errorf("%v: %s, want %s", c.values, got, c.want)
		}
	}
}

func TestIntro(t *testing.T) {
	s, err := scenarios.Parse([]byte(`
name: intro
description: >
  One line that is so long that it does not fit a terminal of eighty columns and is wrapped there.
pages: [n2x1k, n4x1k, mix52]
policies: [wifi, eaf]
interfaces:
  - {name: wifi, bandwidth: [2Mbit/s, 20Mbit/s], rtt: [20ms, 50ms]}
  - {name: if2, bandwidth: 5Mbit/s, rtt: 50ms, dns: 15ms}
`), "intro.yaml")
	if err != nil {
		t.Fatal(err)
	}
	g, err := s.Grid()
	if err != nil {
		t.Fatal(err)
	}
	if g, err = g.Where("wifi.rtt=50ms", "page=n*"); err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := Intro(&b, s, g); err != nil {
		t.Fatal(err)
	}
	want := `intro
One line that is so long that it does not fit a terminal of eighty columns and
is wrapped there.

pages  n2x1k, n4x1k
if1    wifi: 2Mbit/s, 20Mbit/s; RTT 50ms
if2    5Mbit/s; RTT 50ms; DNS 15ms

`
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
	if err := Intro(fullDisk{}, s, g); !errors.Is(err, errFull) {
		t.Error(err)
	}
}

// squeeze makes runs of blanks one: how wide columns are is not what the test is about.
func squeeze(s string) string {
	var b strings.Builder
	for line := range strings.Lines(s) {
		b.WriteString(strings.Join(strings.Fields(line), " ") + "\n")
	}
	return b.String()
}

func TestJSON(t *testing.T) {
	var b bytes.Buffer
	if err := published(t).JSON(&b); err != nil {
		t.Fatal(err)
	}
	var lines []map[string]any
	for line := range strings.Lines(b.String()) {
		var object map[string]any
		if err := json.Unmarshal([]byte(line), &object); err != nil {
			t.Fatal(err)
		}
		lines = append(lines, object)
	}
	if len(lines) != 6+7 {
		t.Fatalf("%d lines, want 3 policies under 2 profiles and 7 published numbers", len(lines))
	}
	for name, want := range map[string]any{
		"kind": "policy", "scenario": "published", "profile": "linux", "policy": "eaf", "runs": 2.0, "failed": 0.0, "load_time_median_s": 0.75,
		"speedup_over": "if1", "speedup_pairs": 2.0, "speedup_share_above_1": 0.5, "speedup_share_below_1": 0.0, "speedup_median": 2.5, "quantiles_within": 0.0,
	} {
		if got := lines[2][name]; got != want {
			t.Errorf("%s is %v, want %v", name, got, want)
		}
	}
	if v, ok := lines[0]["speedup_median"]; !ok || v != nil {
		t.Errorf("the first policy's speed-up is %v, want null", v)
	}
	for name, want := range map[string]any{"kind": "published", "metric": "speedup", "statistic": "share above 1", "published": 0.42, "simulated": 0.5, "source": "paper A"} {
		if got := lines[6][name]; got != want {
			t.Errorf("%s is %v, want %v", name, got, want)
		}
	}
}

type fullDisk struct{}

var errFull = errors.New("no space left")

func (fullDisk) Write([]byte) (int, error) { return 0, errFull }

func TestErrorsOfTheWriterAreReturned(t *testing.T) {
	s := published(t)
	if err := s.Print(fullDisk{}); !errors.Is(err, errFull) {
		t.Errorf("Print: %v", err)
	}
	if err := s.JSON(fullDisk{}); !errors.Is(err, errFull) {
		t.Errorf("JSON: %v", err)
	}
}

func BenchmarkAdd(b *testing.B) {
	s := New("", schema(b), nil)
	rows := []*result.Row{row("a", "linux", "if1", 1), row("a", "linux", "if2", 2), row("a", "linux", "eaf", 3)}
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		r := rows[n%3]
		r.Factors[0].Text = []string{"a", "b"}[n/3%2]
		s.Add(r)
		n++
	}
}
