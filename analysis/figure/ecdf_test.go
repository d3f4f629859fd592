package figure

import (
	"math"
	"slices"
	"testing"

	"braid/analysis/stat"

	"gonum.org/v1/plot/plotter"
)

// The steps of the line are those of the distribution: each value, with the share of values up to it.
func TestECDFSteps(t *testing.T) {
	var s stat.Distribution
	for _, v := range []float64{3, 1, 2, 2} {
		s.Add(v)
	}
	want := plotter.XYs{{X: 1, Y: 0}, {X: 1, Y: 0.25}, {X: 2, Y: 0.25}, {X: 2, Y: 0.5}, {X: 2, Y: 0.5}, {X: 2, Y: 0.75}, {X: 3, Y: 0.75}, {X: 3, Y: 1}}
	if got := ecdfSteps(&s); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	// Of many values, each 1/n apart: F(x) = x within a step, and both ends are there.
	s = stat.Distribution{}
	const n = 50_000
	for i := range n {
		s.Add(float64(i+1) / n)
	}
	steps := ecdfSteps(&s)
	if len(steps) > 4*ecdfPoints {
		t.Errorf("%d steps", len(steps))
	}
	for _, p := range steps {
		if math.Abs(p.Y-p.X) > 1.01/ecdfPoints {
			t.Errorf("the share up to %v is %v", p.X, p.Y)
		}
	}
	if first, last := steps[0], steps[len(steps)-1]; first.Y != 0 || last.Y != 1 || math.Abs(last.X-1) > 1e-9 {
		t.Errorf("from %v to %v", first, last)
	}
}
