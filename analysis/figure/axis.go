package figure

import (
	"math"
	"strconv"
	"time"

	"gonum.org/v1/plot"
)

// axis is a time axis from 0. It implements plot.Ticker.
type axis struct {
	unit string
	ns   float64 // nanoseconds in one unit
	max  float64 // end of the axis, in units
}

// Ticks of a time axis: about this many.
const timeTicks = 10

// timeAxis reaches a little beyond last, in seconds from 2 s on, below in milliseconds.
func timeAxis(last time.Duration) axis {
	a := axis{unit: "ms", ns: float64(time.Millisecond)}
	if last >= 2*time.Second {
		a = axis{unit: "s", ns: float64(time.Second)}
	}
	a.max = max(a.of(last), 1e-3) * 1.02
	return a
}

// text writes a time in the unit of the axis, with its name: "578.9 ms", "2.10 s".
func (a axis) text(d time.Duration) string {
	decimals := 1
	if a.unit == "s" {
		decimals = 2
	}
	return strconv.FormatFloat(a.of(d), 'f', decimals, 64) + " " + a.unit
}

// of is the time in units of the axis.
func (a axis) of(d time.Duration) float64 { return float64(d) / a.ns }

// Ticks implements plot.Ticker.
func (a axis) Ticks(low, high float64) []plot.Tick { return linearTicks(timeTicks).Ticks(low, high) }

// niceStep is the smallest of 1, 2 and 5 times a power of ten that is at least least.
func niceStep(least float64) float64 {
	power := math.Pow(10, math.Floor(math.Log10(least)))
	for _, m := range []float64{1, 2, 5} {
		if m*power >= least {
			return m * power
		}
	}
	return 10 * power
}
