package compare

import (
	"fmt"
	"slices"
	"strings"

	"braid/analysis/dataset"
	"braid/scenarios"
)

// levels are the levels that the rows of a set have in one factor, by their bare cells, with one of them as text.
type levels struct {
	cells map[string]bool
	one   string
}

// side is one of the two sets.
type side struct {
	name   string // OLD or NEW
	set    *dataset.Set
	where  []string
	metric dataset.Column
	paired []dataset.Column // factors that pairs agree in, in the same order in both sets
	by     []dataset.Column // some of them
	levels map[string]*levels
	other  []map[string]bool // by paired factor: the cells that the other set has
}

func newSide(name string, set *dataset.Set, o *Options) (*side, error) {
	s := &side{name: name, set: set, where: o.Where}
	var err error
	if s.metric, err = dataset.Lookup(set.Schema, o.Metric, o.Over); err == nil && (s.metric.Factor || !s.metric.Number) {
		err = fmt.Errorf("%s is not a metric with numbers", s.metric.Name)
	}
	if err == nil {
		err = s.readLevels()
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return s, nil
}

// factors are the columns of all factors.
func (s *side) factors() ([]dataset.Column, error) {
	var columns []dataset.Column
	for _, c := range s.set.Schema.Factors {
		column, err := dataset.Lookup(s.set.Schema, c.Name, nil)
		if err != nil {
			return nil, err
		}
		columns = append(columns, column)
	}
	return columns, nil
}

// readLevels finds the levels of all factors in the rows that meet the conditions.
func (s *side) readLevels() error {
	columns, err := s.factors()
	if err != nil {
		return err
	}
	filter, err := dataset.NewFilter(s.set.Schema, s.where)
	if err != nil {
		return err
	}
	s.levels = map[string]*levels{}
	for _, c := range columns {
		s.levels[c.Name] = &levels{cells: map[string]bool{}}
	}
	var cell []byte
	err = s.set.Each(filter, func(c *dataset.Case) error {
		first := true
		for i := range c.Rows {
			if !filter.Keeps(c, i) {
				continue
			}
			for k := range columns {
				column := &columns[k]
				if !first && column.Name != dataset.PolicyColumn {
					continue // the same in the whole case
				}
				var ok bool
				if cell, ok = column.AppendCell(cell[:0], c, i); !ok {
					continue
				}
				if l := s.levels[column.Name]; !l.cells[string(cell)] {
					l.cells[string(cell)] = true
					l.one, _ = column.Text(c, i)
				}
			}
			first = false
		}
		return nil
	})
	return err
}

// Factor is a factor that does not pair rows: one set does not have it, or it is ignored.
type Factor struct {
	Name     string
	Old, New string // its only level in the set; empty: the set does not have the factor
}

// match decides which factors pair the rows of the two sets.
func match(older, newer *side, o *Options) (unpaired []Factor, err error) {
	ignored, err := resolve(older, newer, o.Ignore)
	if err != nil {
		return nil, fmt.Errorf("ignored %w", err)
	}
	for _, name := range namesOf(older, newer) {
		a, b := older.levels[name], newer.levels[name]
		if a == nil || b == nil || slices.Contains(ignored, name) {
			f, err := single(name, older, newer)
			if err != nil {
				return nil, err
			}
			unpaired = append(unpaired, f)
			continue
		}
		if !shared(a, b) {
			return nil, fmt.Errorf("no rows can be paired: OLD and NEW have no level of %s in common (it is %s in OLD, %s in NEW; what has one level in each set can be left out of pairing with --ignore)",
				name, a.describe(), b.describe())
		}
		for _, s := range []*side{older, newer} {
			c, err := dataset.Lookup(s.set.Schema, name, nil)
			if err != nil {
				return nil, err
			}
			s.paired = append(s.paired, c)
		}
		older.other, newer.other = append(older.other, b.cells), append(newer.other, a.cells)
	}
	if len(older.paired) == 0 {
		return nil, fmt.Errorf("no rows can be paired: OLD and NEW have no factor in common")
	}
	return unpaired, group(older, newer, o)
}

// group decides which factors the groups are of.
func group(older, newer *side, o *Options) error {
	by, err := resolve(older, newer, o.By)
	if err != nil {
		return fmt.Errorf("groups by %w", err)
	}
	if o.By == nil {
		by = []string{dataset.PolicyColumn, profileColumn}
	}
	for _, name := range by {
		at := slices.IndexFunc(older.paired, func(c dataset.Column) bool { return c.Name == name })
		switch {
		case at >= 0:
			older.by, newer.by = append(older.by, older.paired[at]), append(newer.by, newer.paired[at])
		case o.By != nil:
			return fmt.Errorf("groups by %s: the sets do not both have it, or it is ignored", name)
		}
	}
	return nil
}

// resolve finds factors by their names in the rows or in scenarios, in either set.
func resolve(older, newer *side, names []string) (found []string, err error) {
	for _, name := range names {
		c, err := dataset.Lookup(older.set.Schema, name, nil)
		if err != nil {
			c, err = dataset.Lookup(newer.set.Schema, name, nil)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if !c.Factor {
			return nil, fmt.Errorf("%s: it is not a factor", name)
		}
		found = append(found, c.Name)
	}
	return found, nil
}

// namesOf are the factors of the sets, those of OLD first.
func namesOf(older, newer *side) (names []string) {
	for _, list := range [][]scenarios.Column{older.set.Schema.Factors, newer.set.Schema.Factors} {
		for _, c := range list {
			if !slices.Contains(names, c.Name) {
				names = append(names, c.Name)
			}
		}
	}
	return names
}

// single is a factor that does not pair rows: it must not vary, or rows would have several partners.
func single(name string, older, newer *side) (f Factor, err error) {
	f.Name = name
	for _, s := range []struct {
		*side
		level *string
	}{{older, &f.Old}, {newer, &f.New}} {
		l := s.levels[name]
		if l == nil {
			continue
		}
		if len(l.cells) > 1 {
			return f, fmt.Errorf("%s is not in both sets, or is ignored, and has %s in %s: a row would have several partners (choose one level with --where)",
				name, l.describe(), s.name)
		}
		*s.level = l.one
	}
	return f, nil
}

// describe writes the only level, or how many there are.
func (l *levels) describe() string {
	switch len(l.cells) {
	case 0:
		return "not known"
	case 1:
		return l.one
	}
	return fmt.Sprintf("%d levels", len(l.cells))
}

func shared(a, b *levels) bool {
	for cell := range a.cells {
		if b.cells[cell] {
			return true
		}
	}
	return false
}

// columnNames joins the names of columns.
func columnNames(columns []dataset.Column) string {
	names := make([]string, len(columns))
	for i, c := range columns {
		names[i] = c.Name
	}
	return strings.Join(names, ", ")
}
