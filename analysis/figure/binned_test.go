package figure

import (
	"math"
	"testing"
)

// A bin begins with 1, 2 or 5 times a power of ten, which belongs to it.
func TestBins(t *testing.T) {
	for _, c := range []struct{ v, begin, end float64 }{
		{1, 1, 2}, {1.999, 1, 2}, {2, 2, 5}, {5, 5, 10}, {9.999, 5, 10}, {10, 10, 20}, {1000, 1000, 2000}, {0.3, 0.2, 0.5}, {0.001, 0.001, 0.002}, {1e9, 1e9, 2e9},
	} {
		k := binOf(c.v)
		if math.Abs(binBegin(k)-c.begin) > 1e-12*c.begin || math.Abs(binBegin(k+1)-c.end) > 1e-12*c.end {
			t.Errorf("%v is in the bin from %v to %v, want %v to %v", c.v, binBegin(k), binBegin(k+1), c.begin, c.end)
		}
	}
}

func TestClasses(t *testing.T) {
	for v, want := range map[float64]string{0.5: "below 1", 1: "equal 1", 1.5: "1 to 2", 2: "1 to 2", 2.1: "2 to 5", 5: "2 to 5", 7: "above 5"} {
		if got := defaultClasses.names(unit{"", 1})[defaultClasses.of(v)]; got != want {
			t.Errorf("%v is %s, want %s", v, got, want)
		}
	}
}
