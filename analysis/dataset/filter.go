package dataset

import (
	"fmt"
	"math"
	"path"
	"strings"

	"braid/scenarios/result"
)

// Filter is conditions on factors.
type Filter struct {
	conditions []condition
}

// condition is the levels one factor may have.
type condition struct {
	written string
	column  Column
	levels  []string
	met     []bool // by level: some row has it
}

// NewFilter reads conditions such as "policy=eaf,if1", "wifi.rtt=50ms", "wifi_rtt_s=0.05" and "page=n2x*": a factor, and the
// levels to keep, several apart by commas.
func NewFilter(s result.Schema, where []string) (*Filter, error) {
	f := &Filter{}
	for _, w := range where {
		name, text, ok := strings.Cut(w, "=")
		if !ok {
			return nil, fmt.Errorf("condition %q is not like factor=level", w)
		}
		c, err := Lookup(s, strings.TrimSpace(name), nil)
		if err != nil {
			return nil, fmt.Errorf("condition %q: %w", w, err)
		}
		if !c.Factor {
			return nil, fmt.Errorf("condition %q: %s is not a factor", w, c.Name)
		}
		levels := strings.Split(text, ",")
		for i := range levels {
			levels[i] = strings.TrimSpace(levels[i])
		}
		f.conditions = append(f.conditions, condition{w, c, levels, make([]bool, len(levels))})
	}
	return f, nil
}

// Keeps says whether row i of a case meets all conditions.
func (f *Filter) Keeps(c *Case, i int) bool {
	for k := range f.conditions {
		if !f.conditions[k].keeps(c, i) {
			return false
		}
	}
	return true
}

func (f *condition) keeps(c *Case, i int) bool {
	kept := false
	for l, level := range f.levels {
		if f.column.is(c, i, level) {
			f.met[l], kept = true, true
		}
	}
	return kept
}

// Unmet returns an error that names levels which no row had; to be called after the last row.
func (f *Filter) Unmet() error {
	for _, c := range f.conditions {
		for l, met := range c.met {
			if !met {
				return fmt.Errorf("condition %q: no row has %s = %s", c.written, c.column.Name, c.levels[l])
			}
		}
	}
	return nil
}

// is says whether the value in row i is the level as written: a text or a pattern, a quantity with its unit, or the bare
// number in the column.
func (c *Column) is(of *Case, i int, level string) bool {
	if !c.Number {
		text, ok := c.Text(of, i)
		if !ok || text == level {
			return ok
		}
		matched, err := path.Match(level, text)
		return matched && err == nil
	}
	have, ok := c.Float(of, i)
	if !ok {
		return false
	}
	want, err := c.Parse(level)
	if err != nil {
		return false
	}
	return math.Abs(want-have) <= 1e-9*math.Abs(have)
}
