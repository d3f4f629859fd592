package measure

import "math"

// Noise is how far a number must be from another one, as a share of it, to count as above or below it: more than rounding
// of load times to nanoseconds and seconds can cause, less than anything that means something.
const Noise = 1e-9

// Above says whether x is above the bound by more than Noise.
func Above(x, bound float64) bool {
	if math.IsInf(bound, 0) {
		return x > bound
	}
	return x-bound > Noise*math.Abs(bound)
}

// Below says whether x is below the bound by more than Noise.
func Below(x, bound float64) bool { return Above(-x, -bound) }
