package figure

import (
	"fmt"
	"slices"
	"strings"

	"braid/analysis/dataset"
)

// levels are the values that a column has.
type levels struct {
	column  *dataset.Column
	byText  map[string]int
	byFloat map[float64]int
	texts   []string
	floats  []float64
}

func newLevels(c *dataset.Column) *levels {
	return &levels{column: c, byText: map[string]int{}, byFloat: map[float64]int{}}
}

// of returns the level of row i of a case, by order of appearance; false where the row has none. More than most levels are
// an error.
func (l *levels) of(c *dataset.Case, i int) (level int, ok bool, err error) {
	if l.column.Number {
		v, ok := l.column.Float(c, i)
		if !ok {
			return 0, false, nil
		}
		return position(l.byFloat, &l.floats, v), true, l.few()
	}
	text, ok := l.column.Text(c, i)
	if !ok {
		return 0, false, nil
	}
	return position(l.byText, &l.texts, text), true, l.few()
}

// position returns the place of a value in the list, to which it is added if it is new.
func position[V comparable](places map[V]int, list *[]V, v V) int {
	at, known := places[v]
	if !known {
		at = len(*list)
		places[v], *list = at, append(*list, v)
	}
	return at
}

func (l *levels) len() int { return max(len(l.texts), len(l.floats)) }

func (l *levels) few() error {
	if l.len() <= most {
		return nil
	}
	return fmt.Errorf("%s has more than %d levels, too many to tell apart (keep some with --where %s=..., or name another column with --by)",
		l.column.Name, most, l.column.Name)
}

// order lists the levels as they are drawn: numbers ascending, texts as they appeared.
func (l *levels) order() []int {
	list := make([]int, l.len())
	for i := range list {
		list[i] = i
	}
	if l.column.Number {
		slices.SortFunc(list, func(a, b int) int {
			if l.floats[a] < l.floats[b] {
				return -1
			}
			return 1
		})
	}
	return list
}

// unit is the unit that numbers are shown in.
func (l *levels) unit() unit {
	if !l.column.Number {
		return unit{"", 1}
	}
	return unitFor(l.column.Unit, slices.Max(l.floats))
}

// text writes a level without its unit.
func (l *levels) text(level int) string {
	if !l.column.Number {
		return printable(l.texts[level])
	}
	return short(l.floats[level] / l.unit().in)
}

// groups are combinations of levels.
type groups struct {
	columns []*levels
	index   map[string]int
	members [][]int // levels of each group
}

func newGroups(by []*dataset.Column) *groups {
	g := &groups{index: map[string]int{}}
	for _, c := range by {
		g.columns = append(g.columns, newLevels(c))
	}
	return g
}

// of returns the group of row i of a case, by order of appearance; false where the row is in none.
func (g *groups) of(c *dataset.Case, i int) (group int, ok bool, err error) {
	var key [8]byte
	for k, l := range g.columns {
		level, ok, err := l.of(c, i)
		if !ok || err != nil {
			return 0, false, err
		}
		key[k] = byte(level)
	}
	group, known := g.index[string(key[:])]
	if known {
		return group, true, nil
	}
	group = len(g.members)
	member := make([]int, len(g.columns))
	for k := range member {
		member[k] = int(key[k])
	}
	g.index[string(key[:])], g.members = group, append(g.members, member)
	return group, true, nil
}

// order lists the groups by their levels, the first column first.
func (g *groups) order() []int {
	rank := make([][]int, len(g.columns))
	for k, l := range g.columns {
		rank[k] = make([]int, l.len())
		for at, level := range l.order() {
			rank[k][level] = at
		}
	}
	list := make([]int, len(g.members))
	for i := range list {
		list[i] = i
	}
	slices.SortFunc(list, func(a, b int) int {
		for k := range g.columns {
			if d := rank[k][g.members[a][k]] - rank[k][g.members[b][k]]; d != 0 {
				return d
			}
		}
		return 0
	})
	return list
}

// text names a group: "eaf", "eaf, linux", "20 ms".
func (g *groups) text(group int) string {
	parts := make([]string, len(g.columns))
	for k, l := range g.columns {
		parts[k] = l.text(g.members[group][k])
		if u := l.unit().name; u != "" {
			parts[k] += " " + u
		}
		if l.column.Number {
			parts[k] = titleOf(l.column) + " " + parts[k]
		}
	}
	return strings.Join(parts, ", ")
}

// look is the number of the colour and line of a group, which comes at-th. A policy looks alike in all figures of the same
// results, whichever rows are drawn.
func (d *data) look(g *groups, group, at int) int {
	if len(g.columns) == 1 && g.columns[0].column.Name == dataset.PolicyColumn {
		return slices.Index(d.policies, g.columns[0].texts[g.members[group][0]])
	}
	return at
}
