package figure

import (
	"fmt"
	"math"
	"slices"

	"braid/analysis/dataset"
)

// mostLevels is how many values of a column of numbers stand for themselves; more are binned.
const mostLevels = 24

// bins count cases by the values of a column, and by class. The values of a column of numbers that has more than mostLevels
// are put into bins from 1 to 2, 2 to 5 and 5 to 10 times a power of ten, of which a value belongs to the one it begins.
type bins struct {
	levels *levels
	counts [][]int64       // by level, then class; unused once binned
	binned map[int][]int64 // by bin; nil: not binned
	n      int             // of classes
}

func newBins(c *dataset.Column, classes int) *bins { return &bins{levels: newLevels(c), n: classes} }

// add counts row i of a case.
func (b *bins) add(c *dataset.Case, i, class int) error {
	if b.binned != nil {
		v, ok := b.levels.column.Float(c, i)
		if !ok {
			return nil
		}
		return b.addBinned(v, class, 1)
	}
	level, ok, err := b.levels.of(c, i)
	if !ok || err != nil {
		return err
	}
	for len(b.counts) <= level {
		b.counts = append(b.counts, make([]int64, b.n))
	}
	b.counts[level][class]++
	if b.levels.column.Number && b.levels.len() > mostLevels {
		b.binned = map[int][]int64{}
		for level, counts := range b.counts {
			for class, n := range counts {
				if err := b.addBinned(b.levels.floats[level], class, n); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func (b *bins) addBinned(v float64, class int, n int64) error {
	if v <= 0 {
		return fmt.Errorf("%s has more than %d values, and %v among them: only numbers above 0 can be binned", b.levels.column.Name, mostLevels, v)
	}
	k := binOf(v)
	if b.binned[k] == nil {
		b.binned[k] = make([]int64, b.n)
	}
	b.binned[k][class] += n
	return nil
}

// steps are the begins of the bins in a decade.
var steps = [...]float64{1, 2, 5}

// binOf is the number of a value's bin: 0 from 1 to 2, 1 from 2 to 5, 2 from 5 to 10, 3 from 10 to 20.
func binOf(v float64) int {
	k := len(steps) * int(math.Floor(math.Log10(v)))
	for v >= binBegin(k+1) {
		k++
	}
	for v < binBegin(k) {
		k--
	}
	return k
}

// binBegin is the least value of a bin.
func binBegin(k int) float64 {
	decade := int(math.Floor(float64(k) / float64(len(steps))))
	return steps[k-decade*len(steps)] * math.Pow(10, float64(decade))
}

// table is the counts in the order in which they are drawn.
type table struct {
	counts [][]int64
	names  []string // of the levels; nil: binned
	edges  []string // begins of the bins, and the end of the last
	label  string   // of the axis
}

// table lays the counts out. Bins without cases between others are empty.
func (b *bins) table() table {
	c := b.levels.column
	if b.binned == nil {
		t := table{label: axisLabel(c, b.levels.unit())}
		for _, level := range b.levels.order() {
			t.counts, t.names = append(t.counts, b.counts[level]), append(t.names, b.levels.text(level))
		}
		return t
	}
	var numbers []int
	for k := range b.binned {
		numbers = append(numbers, k)
	}
	first, last := slices.Min(numbers), slices.Max(numbers)
	u := unitFor(c.Unit, binBegin((first+last+1)/2)) // short numbers at both ends
	t := table{label: axisLabel(c, u)}
	for k := first; k <= last+1; k++ {
		t.edges = append(t.edges, short(binBegin(k)/u.in))
		if k <= last {
			counts := b.binned[k]
			if counts == nil {
				counts = make([]int64, b.n)
			}
			t.counts = append(t.counts, counts)
		}
	}
	return t
}
