package figure

import (
	"math"
	"testing"

	"braid/analysis/stat"
)

// A sample's statistics are those of the statistics package.
func TestSample(t *testing.T) {
	values := []float64{1.2, 2.4, 1.3, 1.3, 0, 1.0, 1.8, 0.8, 4.6, 1.4}
	var s sample
	for _, v := range values {
		s.add(v)
	}
	mean, i := s.summarize("mean")
	if want := stat.MeanInterval(values, 0.95); math.Abs(mean-1.58) > 1e-12 || math.Abs(i.Low-want.Low) > 1e-9 || math.Abs(i.High-want.High) > 1e-9 {
		t.Errorf("mean %v %v, want 1.58 %v", mean, i, want)
	}
	median, i := s.summarize("median")
	if want := stat.MedianInterval(values, 0.95); median != 1.3 || i != want {
		t.Errorf("median %v %v, want 1.3 %v", median, i, want)
	}
}
