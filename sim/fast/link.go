package fast

import (
	"math"
	"time"

	"braid/sim/tcpmodel"
)

// link is an access link served in equal shares. Its next event, the first of its flights to leave, is kept here.
type link struct {
	tcpmodel.Queue
	queued []queuedFlight // by leaves, of equal ones by joining
	joined uint32
	due    time.Duration // when the first of queued leaves; never if there is none
	order  uint64        // of events of links at equal times
}

// queuedFlight is a subflow with bytes in the link's queue.
type queuedFlight struct {
	leaves float64 // service of the link at which its oldest flight has left
	joined uint32
	sub    int32
}

const never = time.Duration(math.MaxInt64)

func (l *link) reset(rate float64) {
	*l = link{queued: l.queued[:0], due: never}
	l.SetRate(rate)
}

func (l *link) copyFrom(src *link) {
	queued := append(l.queued[:0], src.queued...)
	*l = *src
	l.queued = queued
}

func (l *link) serve(now time.Duration) { l.Serve(now, len(l.queued)) }

// of returns the place of a queued subflow.
func (l *link) of(s int32) int {
	i := 0
	for l.queued[i].sub != s {
		i++
	}
	return i
}

// join puts a subflow that is not queued into the queue.
func (l *link) join(s int32, leaves float64) {
	l.joined++
	l.queued = append(l.queued, queuedFlight{})
	l.settle(len(l.queued)-1, queuedFlight{leaves, l.joined, s})
}

// settle moves the gap at i to where f belongs, towards the front, and puts it there.
func (l *link) settle(i int, f queuedFlight) {
	for ; i > 0 && (f.leaves < l.queued[i-1].leaves || f.leaves == l.queued[i-1].leaves && f.joined < l.queued[i-1].joined); i-- {
		l.queued[i] = l.queued[i-1]
	}
	l.queued[i] = f
}

// extend adds bytes behind those the subflow has in the queue.
func (l *link) extend(s int32, wire float64) {
	i := l.of(s)
	f := l.queued[i]
	f.leaves += wire
	l.shift(i)
	l.queued = l.queued[:len(l.queued)+1]
	l.settle(len(l.queued)-1, f)
}

// shift closes the gap at i.
func (l *link) shift(i int) {
	q := l.queued
	for ; i < len(q)-1; i++ {
		q[i] = q[i+1]
	}
	l.queued = q[:len(q)-1]
}
