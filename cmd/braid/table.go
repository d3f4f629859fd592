package main

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// table is text in columns. Numbers end at the right of their column, text begins at its left.
type table struct {
	columns []column
	rows    [][]string
}

// column is the head of a column and how it is aligned.
type column struct {
	head string
	text bool
}

// add adds a row; it must have a cell for each column.
func (t *table) add(cells ...string) { t.rows = append(t.rows, cells) }

// widths are the widths of the columns, their heads included.
func (t *table) widths() []int {
	widths := make([]int, len(t.columns))
	for i, c := range t.columns {
		widths[i] = utf8.RuneCountInString(c.head)
		for _, row := range t.rows {
			widths[i] = max(widths[i], utf8.RuneCountInString(row[i]))
		}
	}
	return widths
}

// width is where a further column would begin.
func (t *table) width() (width int) {
	for _, w := range t.widths() {
		width += w + 2
	}
	return width
}

// write prints the heads, then the rows, two blanks between columns and none at the end of a line.
func (t *table) write(w io.Writer) {
	heads := make([]string, len(t.columns))
	width := t.widths()
	for i, c := range t.columns {
		heads[i] = c.head
	}
	for _, row := range append([][]string{heads}, t.rows...) {
		var line strings.Builder
		for i, cell := range row {
			pad := strings.Repeat(" ", width[i]-utf8.RuneCountInString(cell))
			if t.columns[i].text {
				line.WriteString(cell + pad)
			} else {
				line.WriteString(pad + cell)
			}
			line.WriteString("  ")
		}
		fmt.Fprintln(w, strings.TrimRight(line.String(), " "))
	}
}
