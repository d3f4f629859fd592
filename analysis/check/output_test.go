package check

import (
	"encoding/json"
	"encoding/xml"
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"braid/scenarios"
)

// nasty is a name with what XML, Markdown and workflow commands give a meaning to.
const nasty = "a<b>&\"c\"\n% d:e, |`*_[x]"

// nastyReports are the reports of a scenario of the library that fails in every way, and of one that holds.
func nastyReports(t *testing.T) []*Report {
	t.Helper()
	s, err := scenarios.Load("quickstart")
	if err != nil {
		t.Fatal(err)
	}
	expect := func(line int, published bool) scenarios.Expect {
		return scenarios.Expect{Where: map[string]string{"page": nasty}, Metric: "load_time_s", Statistic: scenarios.StatQuantile, Quantile: 0.5,
			Want: "1s +-2%", Low: 0.98, High: 1.02, File: "quickstart", Line: line, Column: 5, Published: published, Source: nasty}
	}
	bad := &Report{
		Name: "quick\nstart", Scenario: s, Runs: 10, Failed: 1, FailedRuns: "1 of 10 runs failed\n  run 3 (page=" + nasty + "): " + nasty, Took: 1500 * time.Millisecond,
		Lines: []Line{
			{Expect: expect(7, false), Runs: 3, Value: 2, Expected: 1, Simulated: "2.000s", Difference: "+100.0 %", Fault: errors.New("expected 1s +-2%, simulated 2.000s (+100.0 %): " + nasty)},
			{Expect: expect(8, true), Runs: 3, Value: 2, Expected: 1, Simulated: "2.000s", Difference: "+100.0 %", Fault: errors.New("published")},
			{Expect: expect(9, false), Runs: 3, Value: 1, Expected: 1, Simulated: "1.000s", Difference: "0.0 %"},
			{Expect: expect(10, true), Value: math.NaN(), Expected: math.NaN(), Simulated: none, Difference: none, Fault: errors.New("it matches no run")},
		},
		Baseline: &Baseline{File: nasty, Changed: 2, Rows: 1, Changes: []Change{
			{Run: 4, Factors: "page=" + nasty, Column: "load_time_s", Old: "1", New: "2", Relative: 1},
			{Run: 5, Factors: "page=" + nasty, Column: "error", Old: "no error", New: "x", Relative: math.Inf(1)},
		}},
	}
	return []*Report{bad, {Name: "good", Scenario: s, Runs: 5, Took: 500 * time.Millisecond}}
}

func written(t *testing.T, write func(w *strings.Builder) error) string {
	t.Helper()
	var b strings.Builder
	if err := write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// What is written is XML that reads back with every character, and its counts are those of its elements.
func TestJUnit(t *testing.T) {
	text := written(t, func(w *strings.Builder) error { return JUnit(w, nastyReports(t)) })
	if !strings.HasPrefix(text, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites ") {
		t.Error(text)
	}
	var got junitSuites
	if err := xml.Unmarshal([]byte(text), &got); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if got.Tests != 7 || got.Failures != 3 || got.Errors != 0 || got.Skipped != 2 || got.Time != "2.000" || len(got.Suites) != 2 {
		t.Errorf("%+v", got)
	}
	for _, s := range got.Suites {
		failures, skipped := 0, 0
		for _, c := range s.Cases {
			if c.Class != s.Name || c.File != "scenarios/library/quickstart.yaml" {
				t.Errorf("%+v", c)
			}
			if c.Failure != nil {
				failures++
			}
			if c.Skipped != nil {
				skipped++
			}
		}
		if len(s.Cases) != s.Tests || failures != s.Failures || skipped != s.Skipped {
			t.Errorf("%s: %d tests, %d failures, %d skipped, but its counts are %+v", s.Name, len(s.Cases), failures, skipped, s.junitCounts)
		}
	}
	s := got.Suites[0]
	if s.Name != "quick\nstart" || s.Time != "1.500" {
		t.Errorf("%q, %s s", s.Name, s.Time)
	}
	if c := s.Cases[1]; c.Name != "page="+nasty+": load_time_s median" || c.Line != 7 || c.Failure == nil || !strings.HasSuffix(c.Failure.Message, nasty) || !strings.HasPrefix(c.Failure.Text, "quickstart:7: expected 1s") {
		t.Errorf("%+v", c)
	}
	if c := s.Cases[2]; c.Skipped == nil || c.Skipped.Message != "published 1s +-2%, simulated 2.000s, difference +100.0 % ("+nasty+")" {
		t.Errorf("%+v", c)
	}
	if c := s.Cases[4]; c.Skipped == nil || c.Skipped.Message != "published 1s +-2%: it matches no run ("+nasty+")" {
		t.Errorf("%+v", c)
	}
	if c := s.Cases[5]; c.Name != "baseline "+nasty || c.Failure == nil || !strings.Contains(c.Failure.Text, "load_time_s from 1 to 2 (+100 %)") {
		t.Errorf("%+v", c)
	}
}

// Every row of a table is one line with as many cells as its head, and no text is read as markup.
func TestMarkdown(t *testing.T) {
	text := written(t, func(w *strings.Builder) error { return Markdown(w, nastyReports(t)) })
	if !strings.HasPrefix(text, "### braid check: 3 of 5 checks fail\n\n| scenario | place | check | what is wrong |\n|---|---|---|---|\n") {
		t.Error(text)
	}
	for _, want := range []string{
		"page=a&lt;b&gt;&amp;\"c\"<br>% d:e, \\|\\`\\*\\_\\[x\\]: load\\_time\\_s median",
		"| quick<br>start | scenarios/library/quickstart.yaml:7 | ",
		"\n| good | 5 | 0 | 1 | 0 | 0.5 |\n",
		"<details>", "</details>",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	cells, tables := 0, 0
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "|") {
			cells = 0
			continue
		}
		n := strings.Count(strings.ReplaceAll(line, `\|`, ""), "|")
		if cells == 0 {
			cells = n
			tables++
		}
		if n != cells || !strings.HasSuffix(line, "|\n") {
			t.Errorf("%d bars, want %d: %s", n, cells, line)
		}
	}
	if tables != 3 {
		t.Errorf("%d tables, want failures, scenarios, published numbers", tables)
	}
	good := written(t, func(w *strings.Builder) error { return Markdown(w, nastyReports(t)[1:]) })
	if !strings.HasPrefix(good, "### braid check: 1 of 1 checks hold\n") || strings.Contains(good, "what is wrong") || strings.Contains(good, "details") {
		t.Error(good)
	}
}

// A command is one line; characters that end it or a property are escaped as GitHub's toolkit does.
func TestAnnotations(t *testing.T) {
	text := written(t, func(w *strings.Builder) error { return Annotations(w, nastyReports(t)) })
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	if len(lines) != 3 {
		t.Fatalf("%d lines, want a failed run, an expectation and a baseline\n%s", len(lines), text)
	}
	escaped := `a<b>&"c"%0A%25 d:e, |` + "`*_[x]"
	if want := "::error file=scenarios/library/quickstart.yaml,title=braid check quick%0Astart::runs: 1 of 10 runs failed%0A  run 3 (page=" + escaped + "): " + escaped; lines[0] != want {
		t.Errorf("got\n%s\nwant\n%s", lines[0], want)
	}
	if want := "::error file=scenarios/library/quickstart.yaml,line=7,col=5,title=braid check quick%0Astart::page=" + escaped + ": load_time_s median: expected 1s +-2%25, simulated 2.000s (+100.0 %25): " + escaped; lines[1] != want {
		t.Errorf("got\n%s\nwant\n%s", lines[1], want)
	}
	if got := githubProperty.Replace("c:\\a,b%\r\n"); got != "c%3A\\a%2Cb%25%0D%0A" {
		t.Error(got)
	}
}

func TestJSON(t *testing.T) {
	text := written(t, func(w *strings.Builder) error { return JSON(w, nastyReports(t)) })
	var lines []map[string]any
	for line := range strings.Lines(text) {
		var object map[string]any
		if err := json.Unmarshal([]byte(line), &object); err != nil {
			t.Fatal(err)
		}
		lines = append(lines, object)
	}
	if len(lines) != 1+4+1+1 {
		t.Fatalf("%d lines", len(lines))
	}
	for i, want := range []map[string]any{
		{"kind": "check", "scenario": "quick\nstart", "holds": false, "runs": 10.0, "failed": 1.0, "checks": 4.0, "failing": 3.0},
		{"kind": "expectation", "line": 7.0, "expected": 1.0, "simulated": 2.0, "holds": false, "want": "1s +-2%", "statistic": "median"},
		{"kind": "published", "holds": false, "source": nasty},
		{"kind": "expectation", "line": 9.0, "holds": true},
		{"kind": "published", "simulated": nil, "expected": nil, "fault": "it matches no run"},
		{"kind": "baseline", "file": nasty, "holds": false, "changed": 2.0, "rows": 1.0},
		{"kind": "check", "scenario": "good", "holds": true, "checks": 1.0},
	} {
		for name, value := range want {
			if got := lines[i][name]; got != value {
				t.Errorf("line %d: %s is %v, want %v", i, name, got, value)
			}
		}
	}
	if changes := lines[5]["changes"].([]any); len(changes) != 2 || changes[1].(map[string]any)["relative"] != nil {
		t.Errorf("%v", changes)
	}
}

type fullDisk struct{}

var errFull = errors.New("no space left")

func (fullDisk) Write([]byte) (int, error) { return 0, errFull }

func TestErrorsOfTheWriterAreReturned(t *testing.T) {
	r := nastyReports(t)
	for name, err := range map[string]error{"JUnit": JUnit(fullDisk{}, r), "Markdown": Markdown(fullDisk{}, r), "annotations": Annotations(fullDisk{}, r), "JSON": JSON(fullDisk{}, r)} {
		if !errors.Is(err, errFull) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
