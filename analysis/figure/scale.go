package figure

import (
	"fmt"
	"math"

	"braid/analysis/dataset"

	"gonum.org/v1/plot"
)

// scale maps numbers of a column to places on an axis: into a unit, and to their logarithm where the axis is logarithmic.
// It implements plot.Ticker. (The library's own logarithmic axis leaves room for its label where it is not.)
type scale struct {
	unit unit
	log  bool
}

// logFrom is the spread from which an axis is logarithmic where a figure leaves the choice open.
const logFrom = 20

// newScale is the scale for a column whose numbers have these ends.
func newScale(c *dataset.Column, ends limits) scale {
	return scale{unitFor(c.Unit, ends.high), spread(ends.low, ends.high) >= logFrom}
}

// spread is how many times the least of positive numbers fits in the greatest; 0 where not all are positive.
func spread(least, greatest float64) float64 {
	if least <= 0 || math.IsInf(greatest, 0) {
		return 0
	}
	return greatest / least
}

// of is the place of a number of the column.
func (s scale) of(v float64) float64 {
	if s.log {
		return math.Log10(v / s.unit.in)
	}
	return v / s.unit.in
}

// set gives the axis these ends, in numbers of the column.
func (s scale) set(a *plot.Axis, ends limits) error {
	if s.log && ends.low <= 0 {
		return fmt.Errorf("a logarithmic axis cannot begin at %v (give a range above 0)", ends.low)
	}
	a.Min, a.Max, a.Tick.Marker = s.of(ends.low), s.of(ends.high), s
	return nil
}

// Ticks implements plot.Ticker.
func (s scale) Ticks(low, high float64) []plot.Tick {
	if !s.log {
		return linearTicks(5).Ticks(low, high)
	}
	ticks := logTicks{}.Ticks(math.Pow(10, low), math.Pow(10, high))
	for i := range ticks {
		ticks[i].Value = math.Log10(ticks[i].Value)
	}
	return ticks
}

// widen adds a share of the length of the axis at both ends of a range.
func (s scale) widen(l limits, share float64) limits {
	if s.log {
		f := math.Pow(l.high/l.low, share)
		if f == 1 {
			f = 1.1
		}
		return limits{l.low / f, l.high * f}
	}
	d := (l.high - l.low) * share
	if d == 0 {
		d = max(math.Abs(l.low)*0.1, 1e-9)
	}
	return limits{l.low - d, l.high + d}
}
