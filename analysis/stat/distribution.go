package stat

import (
	"fmt"
	"math"
	"slices"

	"github.com/DataDog/sketches-go/ddsketch"
)

const (
	// ExactValues is how many values a Distribution keeps as they are: 800 kB. More would be more exact answers for
	// longer, and as much more memory for each group of a table.
	ExactValues = 100_000
	// Accuracy is the relative error of a quantile once there are more than ExactValues values: below what a table of
	// three or four digits shows. A tenth of it would cost ten times the memory (about 10 kB for each decade of values).
	Accuracy = 0.001
)

// Distribution describes a stream of numbers in bounded memory. Quantiles are exact up to ExactValues values;
// beyond, they are those of a DDSketch (Masson, Rim, Lee: "DDSketch", VLDB 2019), off by at most the share Accuracy of
// the order statistic they stand for. The order of the values does not matter. The zero value is empty.
type Distribution struct {
	n      int64
	sorted bool
	exact  []float64
	sketch *ddsketch.DDSketch // nil: exact holds all values
}

// Add takes in one value. It panics when the value is NaN or infinite.
func (d *Distribution) Add(x float64) {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		panic(fmt.Sprintf("stat: %v is not a finite number", x))
	}
	d.n++
	if d.sketch == nil && len(d.exact) < ExactValues {
		d.exact, d.sorted = append(d.exact, x), false
		return
	}
	if d.sketch == nil {
		d.toSketch()
	}
	d.addToSketch(x)
}

func (d *Distribution) toSketch() {
	var err error
	if d.sketch, err = ddsketch.LogUnboundedDenseDDSketch(Accuracy); err != nil {
		panic(err) // the accuracy is a constant
	}
	for _, x := range d.exact {
		d.addToSketch(x)
	}
	d.exact = nil
}

func (d *Distribution) addToSketch(x float64) {
	if err := d.sketch.Add(x); err != nil {
		panic(err) // only for values Add refuses already
	}
}

// N returns the number of values.
func (d *Distribution) N() int64 { return d.n }

// Exact says whether quantiles are exact.
func (d *Distribution) Exact() bool { return d.sketch == nil }

// Quantile returns the p-quantile; NaN when there are no values. See the function Quantile for the definition.
func (d *Distribution) Quantile(p float64) float64 {
	if d.sketch == nil {
		if !d.sorted {
			slices.Sort(d.exact)
			d.sorted = true
		}
		return Quantile(p, d.exact)
	}
	x, err := d.sketch.GetValueAtQuantile(p)
	if err != nil {
		panic(err) // p is not in [0, 1]
	}
	return x
}
