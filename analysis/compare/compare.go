package compare

import (
	"errors"
	"fmt"
	"math"

	"braid/analysis/dataset"
)

const profileColumn = "profile"

// Options say what is compared.
type Options struct {
	Metric string   // as in the rows, or dataset.SpeedUp
	Over   []string // policies that the metric dataset.SpeedUp is over; nil: that of OLD's first row
	Where  []string // conditions on the rows of both sets; see dataset.NewFilter
	By     []string // factors that groups are of; nil: policy and profile, as far as both sets have them
	Ignore []string // factors that pairs may differ in
}

// Comparison is two sets of results held against each other.
type Comparison struct {
	Metric           dataset.Column
	By               []string // factors that the groups are of
	Paired           string   // factors that pairs agree in, apart by commas
	Unpaired         []Factor // the others
	Groups           []*Group // those that have pairs, in the order of their first one
	OnlyOld, OnlyNew Only
}

// New compares two sets of results. Without a single pair it is an error.
func New(older, newer *dataset.Set, o Options) (*Comparison, error) {
	if o.Metric == dataset.SpeedUp && o.Over == nil {
		baseline, err := older.Baseline()
		if err != nil {
			return nil, err
		}
		o.Over = []string{baseline}
	}
	a, err := newSide("OLD", older, &o)
	if err != nil {
		return nil, err
	}
	b, err := newSide("NEW", newer, &o)
	if err != nil {
		return nil, err
	}
	c := &Comparison{Metric: a.metric}
	if c.Unpaired, err = match(a, b, &o); err != nil {
		return nil, err
	}
	c.Paired = columnNames(a.paired)
	for _, column := range a.by {
		c.By = append(c.By, column.Name)
	}
	if err := c.pair(a, b); err != nil {
		return nil, err
	}
	return c, nil
}

// pair fills the groups.
func (c *Comparison) pair(older, newer *side) (err error) {
	groups := map[string]*Group{}
	var key []byte
	c.OnlyOld, c.OnlyNew, err = pairs(older, newer, MaxWaiting, func(of *side, r *row, was, is waiter) error {
		key = key[:0]
		for i := range of.by {
			key, _ = of.by[i].AppendCell(key, r.of, r.within) // it is there: the row has a key
			key = append(key, endOfCell)
		}
		g := groups[string(key)]
		if g == nil {
			g = &Group{}
			for i := range of.by {
				text, _ := of.by[i].Text(r.of, r.within)
				g.Levels = append(g.Levels, text)
			}
			groups[string(key)] = g
			c.Groups = append(c.Groups, g)
		}
		return g.add(was, is)
	})
	if err != nil {
		return err
	}
	if len(c.Groups) == 0 {
		return errors.New("no rows can be paired: no row of NEW has the factors of one of OLD")
	}
	return errors.Join(c.OnlyOld.describe(older.set), c.OnlyNew.describe(newer.set))
}

// Pairs counts the pairs that have the metric in both rows, and those of them that differ.
func (c *Comparison) Pairs() (n, differ int64) {
	for _, g := range c.Groups {
		n += g.Pairs()
		differ += g.Up + g.Down
	}
	return n, differ
}

// Means are the geometric means over the groups: of the medians of the metric in OLD and in NEW, and of the median changes of
// a pair. Groups without pairs do not count; NaN where a group has a 0 or comes from one, or there is none.
func (c *Comparison) Means() (older, newer, change float64) {
	n := 0.0
	for _, g := range c.Groups {
		if g.Pairs() == 0 {
			continue
		}
		median, _ := g.Change()
		older += math.Log(g.Old.Quantile(0.5))
		newer += math.Log(g.New.Quantile(0.5))
		change += math.Log(median)
		n++
	}
	mean := func(sum float64) float64 {
		if n == 0 || math.IsInf(sum, 0) {
			return math.NaN()
		}
		return math.Exp(sum / n)
	}
	return mean(older), mean(newer), mean(change)
}

// Describe names the levels of a group: "policy=eaf, profile=linux".
func (c *Comparison) Describe(g *Group) string {
	text := ""
	for i, name := range c.By {
		if i > 0 {
			text += ", "
		}
		text += fmt.Sprintf("%s=%s", name, g.Levels[i])
	}
	return text
}
