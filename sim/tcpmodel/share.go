package tcpmodel

import "math"

// MaxMin shares a link max-min fairly among flows with demands (water-filling): no flow gets more than it demands, and
// what the others leave is split evenly among the flows that demand more. shares receives one value per demand; both and
// the capacity are in bytes/s. With whole set, every share is a whole number of bytes/s, rounded down, as in the published
// simulator. The time is O(n^2) in the worst case, without memory; n is the number of flows on one access link, rarely
// above 20.
func MaxMin(capacity float64, demands, shares []float64, whole bool) {
	const open = -1
	for i := range shares {
		shares[i] = open
	}
	left, flows := capacity, len(demands)
	for flows > 0 {
		fair := left / float64(flows)
		if whole {
			fair = math.Floor(fair)
		}
		settled := false
		for i, d := range demands {
			if shares[i] == open && d <= fair {
				shares[i] = d
				left -= d
				flows--
				settled = true
			}
		}
		if settled {
			continue
		}
		for i := range shares {
			if shares[i] == open {
				shares[i] = fair
			}
		}
		return
	}
}
