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
	for _, pivot := range []float64{math.Inf(1), 1, 2} {
		s := ecdfSample{pivot: pivot}
		for _, v := range []float64{3, 1, 2, 2} {
			s.add(v)
		}
		// Steps of no width do not matter.
		got := slices.CompactFunc(s.steps(), func(a, b plotter.XY) bool { return a == b })
		if pivot == 2 {
			want := plotter.XYs{{X: 1, Y: 0}, {X: 1, Y: 0.25}, {X: 2, Y: 0.25}, {X: 2, Y: 0.75}, {X: 3, Y: 0.75}, {X: 3, Y: 1}}
			if !slices.Equal(got, want) {
				t.Errorf("%v, want %v", got, want)
			}
			continue
		}
		want := plotter.XYs{{X: 1, Y: 0}, {X: 1, Y: 0.25}, {X: 2, Y: 0.25}, {X: 2, Y: 0.5}, {X: 2, Y: 0.75}, {X: 3, Y: 0.75}, {X: 3, Y: 1}}
		if !slices.Equal(got, want) {
			t.Errorf("%v, want %v", got, want)
		}
	}
}

// Of many values, each 1/n apart: F(x) = x within a step, and both ends are there; more than are kept exactly, too.
func TestECDFOfMany(t *testing.T) {
	for _, n := range []int{50_000, 3 * stat.ExactValues} {
		s := ecdfSample{pivot: math.Inf(1)}
		for i := range n {
			s.add(float64(i+1) / float64(n))
		}
		steps := s.steps()
		if len(steps) > 4*ecdfPoints {
			t.Errorf("%d steps", len(steps))
		}
		for _, p := range steps {
			if math.Abs(p.Y-p.X) > 1.01/ecdfPoints+stat.Accuracy {
				t.Errorf("the share up to %v is %v", p.X, p.Y)
			}
		}
		if first, last := steps[0], steps[len(steps)-1]; first.Y != 0 || last.Y != 1 || math.Abs(last.X-1) > 1.001*stat.Accuracy {
			t.Errorf("from %v to %v", first, last)
		}
	}
}

// However many there are, the share up to exactly the pivot is exact, and just below it that of what is below.
func TestECDFAtPivot(t *testing.T) {
	s := ecdfSample{pivot: 1}
	const n = 4 * stat.ExactValues
	for i := range n {
		switch i % 4 {
		case 0:
			s.add(0.9999)
		case 1:
			s.add(1.0001)
		default:
			s.add(1)
		}
	}
	low, high := sharesWithin(s.steps(), limits{1, 5})
	if low != 0.75 || high != 1 {
		t.Errorf("shares from %v to %v, want 0.75 to 1", low, high)
	}
}

func TestThin(t *testing.T) {
	var line plotter.XYs
	for i := range 100_001 {
		line = append(line, plotter.XY{X: float64(i) / 1e5, Y: math.Floor(float64(i)/5e4) / 2})
	}
	got := thin(slices.Clone(line), 1, 1)
	if len(got) > 2*2000 || got[0] != line[0] || got[len(got)-1] != line[len(line)-1] {
		t.Errorf("%d points from %v to %v", len(got), got[0], got[len(got)-1])
	}
	if !slices.Contains(got, plotter.XY{X: 0.5, Y: 0.5}) {
		t.Error("a step is lost")
	}
}
