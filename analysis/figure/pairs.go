package figure

import (
	"errors"
	"fmt"
	"iter"
	"slices"

	"braid/analysis/dataset"
)

// other is a row of the results that others are paired with.
type other struct {
	run     int64
	value   float64
	has     bool
	factors []string // of the columns that both have, as text
}

// eachPair calls visit with the rows that are drawn, and the metric in them and in the rows of the same run in the other
// results. Rows without a partner, or of which one failed, are left out. Both results must be in the order of their runs.
func (d *data) eachPair(metric *dataset.Column, visit func(c *dataset.Case, i int, x, y float64) error) error {
	set, err := dataset.Open(d.With)
	if err != nil {
		return err
	}
	theirs, err := dataset.Lookup(set.Schema, metric.Name, d.over)
	if err != nil {
		return fmt.Errorf("%s: %w", d.With, err)
	}
	common, err := commonFactors(d.set, set)
	if err != nil {
		return err
	}
	var failure error
	next, stop := iter.Pull(others(set, &theirs, common, &failure))
	defer stop()
	var o other
	more, last := true, int64(-1)
	differ := map[string]bool{}
	alone := 0
	o.run = -1
	err = d.each(func(c *dataset.Case, i int) error {
		r := &c.Rows[i]
		if r.Run <= last {
			return fmt.Errorf("%s: run %d comes after run %d: pairs need the order of the grid (braid merge joins shards)", d.set.Path, r.Run, last)
		}
		last = r.Run
		for more && o.run < r.Run {
			if o, more = next(); failure != nil {
				return failure
			}
		}
		x, ok := metric.Float(c, i)
		if !more || o.run != r.Run || !ok || !o.has {
			alone++
			return nil
		}
		for k := range common {
			mine, _ := common[k].mine.Text(c, i)
			if mine == o.factors[k] {
				continue
			}
			if name := common[k].mine.Name; name == "page" || name == dataset.PolicyColumn {
				return fmt.Errorf("run %d has %s %s in %s and %s in %s: these are not the same grid", r.Run, name, mine, d.set.Path, o.factors[k], d.With)
			}
			differ[common[k].mine.Name] = true
		}
		return visit(c, i, x, o.value)
	})
	if err != nil {
		return err
	}
	if alone > 0 {
		d.notes = append(d.notes, fmt.Sprintf("%d runs have no partner in %s, and are left out", alone, d.With))
	}
	for _, f := range common {
		if differ[f.mine.Name] {
			d.notes = append(d.notes, fmt.Sprintf("the runs of a pair differ in %s", f.mine.Name))
		}
	}
	return nil
}

// factorPair is a factor that both results have.
type factorPair struct{ mine, theirs dataset.Column }

func commonFactors(a, b *dataset.Set) (list []factorPair, err error) {
	for _, f := range a.Schema.Factors {
		if b.Schema.Factor(f.Name) < 0 {
			continue
		}
		var p factorPair
		if p.mine, err = dataset.Lookup(a.Schema, f.Name, nil); err != nil {
			return nil, err
		}
		if p.theirs, err = dataset.Lookup(b.Schema, f.Name, nil); err != nil {
			return nil, err
		}
		list = append(list, p)
	}
	if !slices.ContainsFunc(list, func(p factorPair) bool { return p.mine.Name == dataset.PolicyColumn || p.mine.Name == "page" }) {
		return nil, fmt.Errorf("%s and %s have no factor page or policy in common: their runs cannot be paired", a.Path, b.Path)
	}
	return list, nil
}

// errEnough ends reading before the last row.
var errEnough = errors.New("enough")

// others reads the rows of the other results. What keeps it from it is put into failure.
func others(set *dataset.Set, metric *dataset.Column, common []factorPair, failure *error) iter.Seq[other] {
	return func(yield func(other) bool) {
		last := int64(-1)
		err := set.Each(nil, func(c *dataset.Case) error {
			for i := range c.Rows {
				o := other{run: c.Rows[i].Run}
				if o.run <= last {
					return fmt.Errorf("run %d comes after run %d: pairs need the order of the grid (braid merge joins shards)", o.run, last)
				}
				last = o.run
				o.value, o.has = metric.Float(c, i)
				for k := range common {
					text, _ := common[k].theirs.Text(c, i)
					o.factors = append(o.factors, text)
				}
				if !yield(o) {
					return errEnough
				}
			}
			return nil
		})
		if err != nil && !errors.Is(err, errEnough) {
			*failure = err
		}
	}
}
