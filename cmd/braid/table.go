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

// write prints the heads, then the rows, two blanks between columns and none at the end of a line.
func (t *table) write(w io.Writer) {
	heads := make([]string, len(t.columns))
	width := make([]int, len(t.columns))
	for i, c := range t.columns {
		heads[i] = c.head
	}
	all := append([][]string{heads}, t.rows...)
	for _, row := range all {
		for i, cell := range row {
			width[i] = max(width[i], utf8.RuneCountInString(cell))
		}
	}
	for _, row := range all {
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
