package scenarios

import (
	"fmt"
	"strings"
)

// Error is a fault in a scenario, with its place.
type Error struct {
	File         string // file name, library name, or the --set it comes from
	Line, Column int    // from 1; 0 where there is no text to point at
	Msg          string
	excerpt      string
}

// Error gives place, message and, on further lines, the text around the place.
func (e *Error) Error() string {
	s := e.File + ": " + e.Msg
	if e.Line > 0 {
		s = fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Column, e.Msg)
	}
	if e.excerpt != "" {
		s += "\n" + e.excerpt
	}
	return s
}

// source is a text that trees were read from.
type source struct {
	name  string
	lines []string
	flag  bool // a --set: the name says it all
}

func newSource(name, text string, flag bool) *source {
	return &source{name, strings.Split(text, "\n"), flag}
}

// place is a position in a source.
type place struct {
	src          *source
	line, column int
}

// errorf makes the fault at this place.
func (p place) errorf(format string, args ...any) error {
	e := &Error{File: p.src.name, Msg: fmt.Sprintf(format, args...)}
	if p.src.flag || p.line < 1 {
		return e
	}
	e.Line, e.Column = p.line, p.column
	e.excerpt = p.excerpt()
	return e
}

// excerpt shows the line before the place, its line, and a caret under the column.
func (p place) excerpt() string {
	if p.line > len(p.src.lines) {
		return ""
	}
	var b strings.Builder
	for n := max(1, p.line-1); n <= p.line; n++ {
		text := strings.TrimRight(p.src.lines[n-1], "\r")
		if n < p.line && strings.TrimSpace(text) == "" {
			continue
		}
		fmt.Fprintf(&b, "%5d | %s\n", n, clip(text))
	}
	line := []rune(p.src.lines[p.line-1])
	indent := make([]rune, 0, p.column)
	for i := 0; i < p.column-1 && i < len(line); i++ {
		if line[i] == '\t' {
			indent = append(indent, '\t')
		} else {
			indent = append(indent, ' ')
		}
	}
	if len(indent) < excerptWidth {
		fmt.Fprintf(&b, "      | %s^", string(indent))
	}
	return strings.TrimRight(b.String(), "\n")
}

// excerptWidth is how much of a line is shown.
const excerptWidth = 160

func clip(s string) string {
	if r := []rune(s); len(r) > excerptWidth {
		return string(r[:excerptWidth]) + "..."
	}
	return s
}
