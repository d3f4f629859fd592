package check

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"braid/analysis/measure"
	"braid/scenarios"
)

// Report is how the check of a scenario ended.
type Report struct {
	Name       string // of the scenario, as it was named
	Scenario   *scenarios.Scenario
	Runs       int64
	Failed     int64 // runs
	FailedRuns string
	Lines      []Line    // in the order of Scenario.Expect
	Baseline   *Baseline // nil: there is none
	Took       time.Duration
}

// Line is an expectation and what came of it.
type Line struct {
	Expect     scenarios.Expect
	Runs       int64   // measured
	Value      float64 // simulated, in the unit of the metric's column; NaN: there is none
	Expected   float64 // what it is compared with; NaN where there is no value
	Simulated  string  // the same with its unit, or the simulated order; "-": there is none
	Difference string  // in per cent, or percentage points of a share; "-": there is none
	Fault      error   // why it does not hold, nil: it does
}

// measured fills the line with what was measured.
func (l *Line) measured(m *measure.Measure) {
	l.Runs, l.Value, l.Expected = m.N(), m.Simulated(), m.Expected()
	_, l.Simulated, l.Difference = m.Texts()
	l.Fault = m.Judge()
}

// Fails says whether the line makes the check fail. A published number never does.
func (l *Line) Fails() bool { return l.Fault != nil && !l.Expect.Published }

// Updatable says whether the line fails with a measured value that a new one can take the place of.
func (l *Line) Updatable() bool {
	return l.Fails() && l.Expect.Measured() && !math.IsNaN(l.Value)
}

// Title is what the expectation is about: "policy=eaf page=mix52: load_time_s median".
func (l *Line) Title() string {
	title := measure.What(&l.Expect)
	if over := measure.Over(&l.Expect); over != "" {
		title += ", " + over
	}
	if where := measure.Where(l.Expect.Where); where != "" {
		title = where + ": " + title
	}
	return title
}

// Place is where the expectation stands: "quickstart:26", or the --set it is from.
func (l *Line) Place() string { return placeOf(l.Expect.File, l.Expect.Line) }

func placeOf(file string, line int) string {
	if line == 0 {
		return file
	}
	return fmt.Sprintf("%s:%d", file, line)
}

// Failure is one reason for which a check fails.
type Failure struct {
	Scenario     string
	File         string // of the scenario
	Line, Column int    // 0: none
	Title        string // what was checked
	Text         string // what is wrong with it: what was expected, what was found
}

// String names scenario, place, and old and new value: the file of a scenario is what it was named by.
func (f *Failure) String() string {
	return fmt.Sprintf("%s: %s: %s", placeOf(f.File, f.Line), f.Title, f.Text)
}

// Titles of what is checked beside expectations.
const (
	runsTitle     = "runs"
	baselineTitle = "baseline"
)

// Failures lists why the check fails; nil when it does not.
func (r *Report) Failures() []Failure {
	file, _ := r.Scenario.File()
	var list []Failure
	if r.Failed > 0 {
		list = append(list, Failure{Scenario: r.Name, File: file, Title: runsTitle, Text: r.FailedRuns})
	}
	for i := range r.Lines {
		if l := &r.Lines[i]; l.Fails() {
			e := &l.Expect
			list = append(list, Failure{r.Name, e.File, e.Line, e.Column, l.Title(), l.Fault.Error()})
		}
	}
	if b := r.Baseline; b != nil && b.Fails() {
		list = append(list, Failure{Scenario: r.Name, File: file, Title: baselineTitle + " " + b.File, Text: b.Text()})
	}
	return list
}

// Checks returns how many things were checked: that runs went well, the expectations that are not published, the baseline.
func (r *Report) Checks() int {
	n := 1
	for i := range r.Lines {
		if !r.Lines[i].Expect.Published {
			n++
		}
	}
	if r.Baseline != nil {
		n++
	}
	return n
}

// Summary says how the check ended in a line: "quickstart: 448 runs, 0 failed, 2 of 13 checks fail".
func (r *Report) Summary() string {
	outcome := fmt.Sprintf("%d of %d checks hold", r.Checks(), r.Checks())
	if n := len(r.Failures()); n > 0 {
		outcome = fmt.Sprintf("%d of %d checks fail", n, r.Checks())
	}
	return fmt.Sprintf("%s: %d runs, %d failed, %s", r.Name, r.Runs, r.Failed, outcome)
}

// Error is what a check that fails ends with; nil when none does.
func Error(reports []*Report) error {
	var failures []Failure
	checks := 0
	for _, r := range reports {
		failures = append(failures, r.Failures()...)
		checks += r.Checks()
	}
	if len(failures) == 0 {
		return nil
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%d of %d checks fail", len(failures), checks)
	for i := range failures {
		fmt.Fprintf(&b, "\n  %s", strings.ReplaceAll(failures[i].String(), "\n", "\n  "))
	}
	return errors.New(b.String())
}
