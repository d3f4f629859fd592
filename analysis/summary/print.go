package summary

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"braid/analysis/stat"
	"braid/scenarios"
)

// Print writes the summary as text for a terminal of 80 columns: a table for each profile, the published numbers, and
// what the numbers say in a sentence or two.
func (s *Summary) Print(w io.Writer) error {
	var runs, failed int64
	for _, g := range s.groups {
		runs, failed = runs+g.Runs, failed+g.Failed
	}
	p := printer{w: w}
	p.printf("%s: %s, %d failed\n", s.name, plural(runs, "run"), failed)
	for _, profile := range s.Profiles() {
		p.printf("\n")
		if profile != "" {
			p.printf("profile %s\n", profile)
		}
		p.table(s.table(profile))
	}
	if len(s.published) > 0 {
		shared := common(s.published)
		p.printf("\n%s\n", strings.TrimSpace("published numbers "+where(shared, nil)))
		p.table(s.publishedTable(shared))
		for i, source := range s.sources() {
			p.printf("[%d] %s\n", i+1, source)
		}
	}
	if !s.exact() {
		p.printf("\nMedians and percentiles over more than %d values are within %g %%; the rest is exact.\n", stat.ExactValues, 100*stat.Accuracy)
	}
	for i, line := range s.Lessons() {
		if i == 0 {
			p.printf("\n")
		}
		p.printf("%s\n", wrap(line, 80))
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
	if p.err == nil {
		p.err = g.print(p.w)
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
	for _, g := range s.groups {
		if g.Profile != profile {
			continue
		}
		row := []string{g.Policy, strconv.FormatInt(g.Runs, 10), strconv.FormatInt(g.Failed, 10), unit.format(g.LoadTime.Quantile(0.5))}
		if g.SpeedUp.N() == 0 {
			row = append(row, "-", "-", "-", "-", "-")
		} else {
			row = append(row, percent(g.Above()), percent(g.Below()), ratio(g.SpeedUp.Quantile(0.05)), ratio(g.SpeedUp.Quantile(0.5)), ratio(g.SpeedUp.Quantile(0.95)))
		}
		t.rows = append(t.rows, row)
	}
	return t
}

// publishedTable puts published and simulated numbers beside each other. What all are about stands above it.
func (s *Summary) publishedTable(shared map[string]string) *grid {
	t := &grid{left: 2, heads: [][]string{{"runs with", "what", "published", "simulated", "difference", ""}}}
	sources := s.sources()
	for _, m := range s.published {
		published, simulated, difference := m.texts()
		mark := ""
		for i, source := range sources {
			if source == m.Expect.Source {
				mark = fmt.Sprintf("[%d]", i+1)
			}
		}
		t.rows = append(t.rows, []string{where(m.Expect.Where, shared), m.what(), published, simulated, difference, mark})
	}
	return t
}

// sources lists the different sources of published numbers.
func (s *Summary) sources() []string {
	var list []string
	seen := map[string]bool{"": true}
	for _, m := range s.published {
		if !seen[m.Expect.Source] {
			seen[m.Expect.Source] = true
			list = append(list, m.Expect.Source)
		}
	}
	return list
}

// texts returns the published number as it was written, the simulated one in the same unit, and how far it is off:
// in percentage points for shares, in per cent of the published number otherwise.
func (m *Measure) texts() (published, simulated, difference string) {
	published = m.Expect.Want
	switch m.Expect.Statistic {
	case scenarios.StatOrder:
		return published, dash(m.Order()), dash("")
	case scenarios.StatShare:
		if m.N() == 0 {
			return published, dash(""), dash("")
		}
		return published, percent(m.Simulated()) + "%", fmt.Sprintf("%+.1f pp", 100*(m.Simulated()-m.Value()))
	}
	x := m.Simulated()
	if math.IsNaN(x) {
		return published, dash(""), dash("")
	}
	return published, quantity(m.Expect.Metric, x), fmt.Sprintf("%+.1f %%", 100*(x/m.Value()-1))
}
