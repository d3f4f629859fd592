package summary

import (
	"fmt"
	"io"
	"strconv"

	"braid/analysis/measure"
	"braid/analysis/stat"
)

// Print writes the summary as text for a terminal of 80 columns: a table for each profile, the published numbers, and
// what the numbers say in a sentence or two.
func (s *Summary) Print(w io.Writer) error {
	var runs, failed int64
	for _, g := range s.groups {
		runs, failed = runs+g.Runs, failed+g.Failed
	}
	p := printer{w: w}
	distinct := ""
	if s.planned == 0 && s.distinct > 0 && s.distinct < runs {
		distinct = fmt.Sprintf(" (%d distinct)", s.distinct)
	}
	p.printf("%s: %s%s, %d failed\n", s.name, plural(runs, "run"), distinct, failed)
	if s.planned > 0 {
		p.printf("\n%s\n", wrap(fmt.Sprintf("These are %d of %d runs, which do not stand for all of them: nothing is concluded from them.", runs, s.planned), width))
	}
	for _, profile := range s.Profiles() {
		p.printf("\n")
		if profile != "" {
			p.printf("profile %s\n", profile)
		}
		p.table(s.table(profile))
		if t := s.pageTable(profile); t != nil && s.planned == 0 {
			p.printf("\n")
			p.table(t)
		}
	}
	if s.planned > 0 {
		return p.err
	}
	if len(s.published) > 0 {
		p.printf("\n")
		p.published(s)
	}
	if !s.exact() {
		p.printf("\n%s\n", wrap(fmt.Sprintf("Medians and percentiles over more than %d values are within %g %%; the rest is exact.", stat.ExactValues, 100*stat.Accuracy), width))
	}
	for i, line := range s.Lessons() {
		if i == 0 {
			p.printf("\n")
		}
		p.printf("%s\n", wrap(line, width))
	}
	return p.err
}

// printer remembers the first error.
type printer struct {
	w   io.Writer
	err error
}

func (p *printer) printf(format string, args ...any) {
	if p.err == nil {
		_, p.err = fmt.Fprintf(p.w, format, args...)
	}
}

func (p *printer) table(g *grid) {
	heads, rows := g.lines()
	for _, line := range append(heads, rows...) {
		p.printf("%s\n", line)
	}
}

// table is the rows of one profile.
func (s *Summary) table(profile string) *grid {
	unit := timeUnit(s.groups)
	t := &grid{left: 1, heads: [][]string{
		{"", "", "", "load time", "speed-up over " + s.baseline + ", paired…", "", "", "", ""},
		{"policy", "runs", "failed", "median", "above 1", "below 1", "p5", "median", "p95"},
		{"", "", "", unit.name, "%", "%", "", "", ""},
	}}
	columns := make([][]float64, 3)
	for _, g := range s.groups {
		if g.Profile != profile {
			continue
		}
		row := []string{g.Policy, strconv.FormatInt(g.Runs, 10), strconv.FormatInt(g.Failed, 10), unit.format(g.LoadTime.Quantile(0.5))}
		above, below, quantiles := "-", "-", []float64{nan, nan, nan}
		if g.SpeedUp.N() > 0 {
			above, below = measure.Percent(g.Above()), measure.Percent(g.Below())
			quantiles = []float64{g.SpeedUp.Quantile(0.05), g.SpeedUp.Quantile(0.5), g.SpeedUp.Quantile(0.95)}
		}
		for i, q := range quantiles {
			columns[i] = append(columns[i], q)
		}
		t.rows = append(t.rows, append(row, above, below))
	}
	t.addColumns(columns)
	return t
}
