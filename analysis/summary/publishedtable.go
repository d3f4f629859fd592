package summary

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"braid/analysis/measure"
	"braid/scenarios"
)

// published prints published and simulated numbers beside each other. What all are about stands in the first line; what
// some are about in a line above them. The policy has a column where there is room for it.
func (p *printer) published(s *Summary) {
	var expect []scenarios.Expect
	for _, m := range s.published {
		expect = append(expect, m.Expect)
	}
	shared := measure.Common(expect)
	title := "published numbers"
	if text := measure.Where(shared); text != "" {
		title += ", with " + text
	}
	p.printf("%s\n", wrap(title, width))
	said := slices.Collect(maps.Keys(shared))
	sources := s.sources()
	// One condition is said by the shared ones, not by a column.
	_, all := shared[policyFactor]
	t, labels := s.publishedTable(sources, append(said, policyFactor), !all)
	if t.width() > width {
		t, labels = s.publishedTable(sources, said, false)
	}
	if t.width() > width {
		p.publishedText(s, sources, said)
	} else {
		heads, rows := t.lines()
		p.printf("%s\n", strings.Join(heads, "\n"))
		for i, row := range rows {
			if i == 0 && labels[i] != "" || i > 0 && labels[i] != labels[i-1] {
				p.printf("%s\n", wrap(labels[i], width))
			}
			p.printf("%s\n", row)
		}
	}
	for i, source := range sources {
		mark := fmt.Sprintf("[%d] ", i+1)
		p.printf("%s\n", indent(mark, len(mark), source))
	}
}

// publishedTable has a row for each published number, and the label that stands above the row: the conditions but those
// said elsewhere, and what a speed-up is over. Rows of one label follow each other, those without one come first.
func (s *Summary) publishedTable(sources, said []string, policies bool) (*grid, []string) {
	t := &grid{left: 1, heads: [][]string{{"", "published", "simulated", "difference", ""}}}
	if policies {
		t = &grid{left: 2, heads: [][]string{{"policy", "", "published", "simulated", "difference", ""}}}
	}
	order := []string{""}
	byLabel := map[string][][]string{}
	for _, m := range s.published {
		published, simulated, difference := m.Texts()
		cells := []string{m.What(), published, simulated, difference, mark(m, sources)}
		if policies {
			cells = append([]string{dash(m.Expect.Where[policyFactor])}, cells...)
		}
		above := label(m, said)
		if !slices.Contains(order, above) {
			order = append(order, above)
		}
		byLabel[above] = append(byLabel[above], cells)
	}
	var labels []string
	for _, label := range order {
		for _, cells := range byLabel[label] {
			t.rows, labels = append(t.rows, cells), append(labels, label)
		}
	}
	return t, labels
}

// publishedText is for numbers that no table has room for, such as orders of many policies.
func (p *printer) publishedText(s *Summary, sources, said []string) {
	last := ""
	for _, m := range s.published {
		if above := label(m, said); above != last {
			p.printf("%s\n", wrap(above, width))
			last = above
		}
		published, simulated, difference := m.Texts()
		p.printf("%s\n", indent("", 2, fmt.Sprintf("%s: published %s, simulated %s, difference %s %s", m.What(), published, simulated, difference, mark(m, sources))))
	}
}

// label is what stands above published numbers: "page=mix52, speedup over if1".
func label(m *measure.Measure, said []string) string {
	conditions, over := measure.Where(m.Expect.Where, said...), measure.Over(&m.Expect)
	switch {
	case over == "":
		return conditions
	case conditions == "":
		return over
	}
	return conditions + ", " + over
}

// mark is the number of the source, empty where there is none.
func mark(m *measure.Measure, sources []string) string {
	if i := slices.Index(sources, m.Expect.Source); i >= 0 {
		return fmt.Sprintf("[%d]", i+1)
	}
	return ""
}

// sources lists the different sources of published numbers.
func (s *Summary) sources() []string {
	var list []string
	for _, m := range s.published {
		if m.Expect.Source != "" && !slices.Contains(list, m.Expect.Source) {
			list = append(list, m.Expect.Source)
		}
	}
	return list
}
