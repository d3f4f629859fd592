package summary

import (
	"strings"
	"unicode/utf8"
)

// gap is what stands between two columns.
const gap = "  "

// grid is text in columns. The heads may be several lines; a head that ends in "…" reaches over the columns after it
// whose head in that line is empty.
type grid struct {
	heads [][]string
	left  int // so many columns, from the first, hold text and are aligned left; the others hold numbers
	rows  [][]string
}

// addColumns adds speed-ups to the rows, which have no cells in these columns yet.
func (g *grid) addColumns(columns [][]float64) {
	for _, values := range columns {
		for i, text := range ratios(values...) {
			g.rows[i] = append(g.rows[i], text)
		}
	}
}

// widths returns how wide each column is.
func (g *grid) widths() []int {
	width := make([]int, len(g.heads[0]))
	for _, lines := range [][][]string{g.heads, g.rows} {
		for _, line := range lines {
			for i, cell := range line {
				if !spans(cell) {
					width[i] = max(width[i], utf8.RuneCountInString(cell))
				}
			}
		}
	}
	return width
}

// width returns the length of the longest line.
func (g *grid) width() int {
	sum := 0
	for i, w := range g.widths() {
		if i > 0 {
			sum += len(gap)
		}
		sum += w
	}
	return sum
}

// lines returns heads and rows as text, without blanks at the ends of lines.
func (g *grid) lines() (heads, rows []string) {
	width := g.widths()
	for _, cells := range g.heads {
		heads = append(heads, g.line(cells, width))
	}
	for _, cells := range g.rows {
		rows = append(rows, g.line(cells, width))
	}
	return heads, rows
}

func spans(cell string) bool { return strings.HasSuffix(cell, "…") }

func (g *grid) line(cells []string, width []int) string {
	var b strings.Builder
	for i := 0; i < len(cells); i++ {
		cell, room := cells[i], width[i]
		if i > 0 {
			b.WriteString(gap)
		}
		if spans(cell) {
			for i+1 < len(cells) && cells[i+1] == "" {
				i++
				room += len(gap) + width[i]
			}
			cell = bracket(strings.TrimSuffix(cell, "…"), room)
		}
		pad := strings.Repeat(" ", max(0, room-utf8.RuneCountInString(cell)))
		if i < g.left {
			b.WriteString(cell + pad)
		} else {
			b.WriteString(pad + cell)
		}
	}
	return strings.TrimRight(b.String(), " ")
}

// bracket centres a head over its columns, with a rule on both sides that shows how far it reaches.
func bracket(head string, room int) string {
	rule := room - utf8.RuneCountInString(head) - 2
	if rule < 2 {
		return head
	}
	return strings.Repeat("-", rule/2) + " " + head + " " + strings.Repeat("-", rule-rule/2)
}
