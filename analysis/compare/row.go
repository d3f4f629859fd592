package compare

import (
	"errors"
	"iter"

	"braid/analysis/dataset"
)

// row is one row of a set, valid until the next one.
type row struct {
	run    int64
	key    []byte // the cells of the paired factors
	value  float64
	ok     bool   // the row has a value: false where the run failed
	lone   string // a level that the other set does not have: there is no partner
	lost   bool   // its factors are not known
	of     *dataset.Case
	within int // of
}

// endOfCell stands between the cells of a key.
const endOfCell = 0

// rows are the rows that meet the conditions, in their order.
func (s *side) rows() iter.Seq2[*row, error] {
	return func(yield func(*row, error) bool) {
		filter, err := dataset.NewFilter(s.set.Schema, s.where)
		if err != nil {
			yield(nil, err)
			return
		}
		stopped := errors.New("stopped")
		k := keys{side: s}
		err = s.set.Each(filter, func(c *dataset.Case) error {
			k.begin()
			for i := range c.Rows {
				if filter.Keeps(c, i) && !yield(k.row(c, i), nil) {
					return stopped
				}
			}
			return nil
		})
		if err != nil && !errors.Is(err, stopped) {
			yield(nil, err)
		}
	}
}

// keys makes the keys of rows. What is the same in a whole case is made once.
type keys struct {
	*side
	now    row
	begun  bool // the cells of the case are there
	common []byte
	lone   string // of the case
	lost   bool
}

func (k *keys) begin() { k.begun = false }

func (k *keys) row(c *dataset.Case, i int) *row {
	if !k.begun {
		k.begun, k.common, k.lone, k.lost = true, k.common[:0], "", false
		for p := range k.paired {
			if k.paired[p].Name != dataset.PolicyColumn {
				k.common = k.cell(k.common, p, c, i, &k.lone, &k.lost)
			}
		}
	}
	r := &k.now
	*r = row{run: c.Rows[i].Run, key: append(r.key[:0], k.common...), lone: k.lone, lost: k.lost, of: c, within: i}
	for p := range k.paired {
		if k.paired[p].Name == dataset.PolicyColumn {
			r.key = k.cell(r.key, p, c, i, &r.lone, &r.lost)
		}
	}
	r.value, r.ok = k.metric.Float(c, i)
	return r
}

// cell appends the cell of a paired factor to a key.
func (k *keys) cell(key []byte, p int, c *dataset.Case, i int, lone *string, lost *bool) []byte {
	column := &k.paired[p]
	begin := len(key)
	key, ok := column.AppendCell(key, c, i)
	switch {
	case !ok:
		*lost = true
	case *lone == "" && !k.other[p][string(key[begin:])]:
		text, _ := column.Text(c, i)
		*lone = column.Name + "=" + text
	}
	return append(key, endOfCell)
}
