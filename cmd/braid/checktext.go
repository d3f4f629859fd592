package main

import (
	"fmt"
	"io"
	"maps"
	"slices"

	"braid/analysis/check"
	"braid/analysis/measure"
	"braid/scenarios"
)

// printCheck prints how the check of a scenario ended: what was expected and simulated, then the published numbers. What
// all expectations of a table are about stands above it.
func printCheck(w io.Writer, r *check.Report) {
	fmt.Fprintln(w, r.Summary())
	var judged, published []*check.Line
	for i := range r.Lines {
		l := &r.Lines[i]
		if l.Expect.Published {
			published = append(published, l)
		} else {
			judged = append(judged, l)
		}
	}
	printLines(w, "expected", judged)
	printLines(w, "published", published)
	if b := r.Baseline; b != nil {
		text := "the rows are those of it"
		if b.Fails() {
			text = b.Text()
		}
		fmt.Fprintf(w, "baseline %s: %s\n", b.File, text)
	}
}

func printLines(w io.Writer, kind string, lines []*check.Line) {
	if len(lines) == 0 {
		return
	}
	var expect []scenarios.Expect
	for _, l := range lines {
		expect = append(expect, l.Expect)
	}
	shared := measure.Common(expect)
	if text := measure.Where(shared); text != "" {
		fmt.Fprintf(w, "%s, with %s\n", kind, text)
	}
	said := slices.Collect(maps.Keys(shared))
	t := table{columns: []column{{"line", false}, {"", true}, {"where", true}, {"", true}, {kind, false}, {"simulated", false}, {"difference", false}}}
	for _, l := range lines {
		verdict := "ok"
		switch {
		case l.Fails():
			verdict = "FAIL"
		case l.Expect.Published:
			verdict = ""
		}
		what := measure.What(&l.Expect)
		if over := measure.Over(&l.Expect); over != "" {
			what = over + " " + l.Expect.String()
		}
		simulated := l.Simulated
		if l.Expect.Statistic == scenarios.StatOrder && l.Fault == nil {
			simulated = "in order"
		}
		line := fmt.Sprint(l.Expect.Line)
		if l.Expect.Line == 0 {
			line = "--set"
		}
		t.add(line, verdict, measure.Where(l.Expect.Where, said...), what, l.Expect.Want, simulated, l.Difference)
	}
	t.write(w)
}
