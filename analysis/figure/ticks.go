package figure

import (
	"math"
	"strconv"

	"gonum.org/v1/plot"
)

// linearTicks marks multiples of 1, 2 or 5 times a power of ten, about so many, each with its number.
type linearTicks int

// Ticks implements plot.Ticker.
func (t linearTicks) Ticks(low, high float64) []plot.Tick {
	step := niceStep((high - low) / float64(t))
	decimals := max(0, int(math.Ceil(-math.Log10(step)-1e-9)))
	var ticks []plot.Tick
	for i := math.Ceil(low/step - 1e-9); i*step <= high+step*1e-9; i++ {
		// Adding 0 makes -0 a 0.
		ticks = append(ticks, plot.Tick{Value: i * step, Label: strconv.FormatFloat(i*step+0, 'f', decimals, 64)})
	}
	return ticks
}

// logTicks marks a logarithmic axis: powers of ten with their numbers, and more numbers the shorter the axis is.
type logTicks struct{}

// Ticks implements plot.Ticker.
func (logTicks) Ticks(low, high float64) []plot.Tick {
	decades := math.Log10(high / low)
	var labelled []float64 // digits
	every := 1             // decades
	switch {
	case decades < 0.65:
		return linearTicks(7).Ticks(low, high)
	case decades < 0.78:
		labelled = []float64{1, 2, 3, 4, 5, 6, 7, 8, 9}
	case decades < 1.3:
		labelled = []float64{1, 2, 3, 5}
	case decades < 2.2:
		labelled = []float64{1, 2, 5}
	default:
		labelled, every = []float64{1}, 1+int(decades/7)
	}
	var ticks []plot.Tick
	for k := math.Floor(math.Log10(low)); k <= math.Log10(high); k++ {
		for digit := 1.0; digit < 10; digit++ {
			v := digit * math.Pow(10, k)
			if v < low*(1-1e-9) || v > high*(1+1e-9) {
				continue
			}
			t := plot.Tick{Value: v}
			for _, d := range labelled {
				if d == digit && int(k)%every == 0 {
					t.Label = short(v)
				}
			}
			ticks = append(ticks, t)
		}
	}
	return ticks
}

// short writes a number with three digits: 0.512, 20, 1500, 1.2e+06.
func short(v float64) string {
	if a := math.Abs(v); a != 0 && (a < 1e-4 || a >= 1e6) {
		return strconv.FormatFloat(v, 'g', 3, 64)
	}
	rounded, _ := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 3, 64), 64)
	return strconv.FormatFloat(rounded, 'f', -1, 64)
}
