package scenarios

import (
	"math"
	"strconv"
)

// Expect is one line of what the results should be: a statistic of a metric over the rows that Where selects lies from Low
// to High. It is read and validated here, measured in analysis/measure, and judged in analysis/check. Published ones are
// printed beside what was simulated, and not judged.
type Expect struct {
	Where     map[string]string // factor or column to levels, as Grid.Match reads them; empty: every row
	Metric    string            // one of Metrics, or SpeedUpMetric
	Over      []string          // of a speed-up: the policies it is over, the fastest of them in each case; empty: the scenario's first
	Statistic Statistic
	Quantile  float64    // of StatQuantile, from 0 to 1
	Bounds    [2]float64 // of the shares: above Bounds[0], below Bounds[1]; -Inf and +Inf where only one counts
	Order     []string   // of StatOrder: policies whose medians do not fall, from the first to the last

	Want      string  // as written
	Low, High float64 // both allowed, in the unit of the metric's column (seconds, bytes, bit/s; shares from 0 to 1)

	Published bool   // a number from a paper: printed beside the simulated one
	Source    string // where the number is from
	File      string // place in the scenario
	Line      int
	Column    int

	wanted place // of Want
}

// Statistic is what is made of the metric of the selected rows.
type Statistic uint8

// Statistics.
const (
	StatValue    Statistic = iota // the metric of the only row
	StatMean                      // arithmetic mean
	StatQuantile                  // quantile: median, min, max, p5, p95, ...
	StatShare                     // share of the rows strictly between the bounds
	StatOrder                     // medians of several policies
)

// String is the statistic as printed: "median", "p95", "share above 1".
func (e *Expect) String() string {
	number := func(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
	switch e.Statistic {
	case StatMean:
		return "mean"
	case StatQuantile:
		if name, ok := map[float64]string{0: "min", 0.5: "median", 1: "max"}[e.Quantile]; ok {
			return name
		}
		return "p" + number(100*e.Quantile)
	case StatShare:
		switch {
		case math.IsInf(e.Bounds[1], 1):
			return "share above " + number(e.Bounds[0])
		case math.IsInf(e.Bounds[0], -1):
			return "share below " + number(e.Bounds[1])
		}
		return "share from " + number(e.Bounds[0]) + " to " + number(e.Bounds[1])
	case StatOrder:
		return "order"
	}
	return "value"
}
