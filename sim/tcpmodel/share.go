package tcpmodel

import (
	"math"
	"time"
)

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

// Queue is a link served in equal shares (processor sharing), as numbers: what each queued flow has been given since the
// start, and the speed in both directions, so that no step divides by the rate.
type Queue struct {
	PerNanosecond float64       // rate, bytes/ns
	Nanoseconds   float64       // for a byte
	Service       float64       // bytes given to each queued flow since the start
	At            time.Duration // of the last change of Service
}

// SetRate sets the rate, bytes/s.
func (q *Queue) SetRate(rate float64) {
	q.PerNanosecond, q.Nanoseconds = rate/1e9, 1e9/rate
}

// Serve brings the service up to now, with n flows queued since the last change.
func (q *Queue) Serve(now time.Duration, n int) {
	if n > 0 {
		q.Service += float64(q.PerNanosecond / float64(n) * float64(now-q.At))
	}
	q.At = now
}

// Due returns the first nanosecond at which each of n flows will have been given the service, if nothing changes.
func (q *Queue) Due(service float64, n int) time.Duration {
	return q.At + time.Duration(min(longest, math.Ceil(max(0, service-q.Service)*float64(n)*q.Nanoseconds)))
}
