package flow

import (
	"time"

	"braid/sim/tcpmodel"
)

// linkQueue is an interface's access link as the transfers on it see it.
//
// The smooth transmission shares it max-min by demand; subs are the subflows that take part. With flights it is a queue
// served in equal shares (processor sharing); subs are the subflows with bytes in the queue. Equal shares need no update
// for each flow: every queued flow has been served the same number of bytes since it joined, so a flow leaves when the
// service the link has given to each reaches the service at its joining plus its bytes.
type linkQueue struct {
	tcpmodel.Queue
	subs    []int32
	carried float64 // bytes the link has carried since the start, where estimates need it
}

func (l *linkQueue) reset(rate float64) {
	*l = linkQueue{subs: l.subs[:0]}
	l.SetRate(rate)
}

func (l *linkQueue) copyFrom(src *linkQueue) {
	subs := append(l.subs[:0], src.subs...)
	*l = *src
	l.subs = subs
}

func (l *linkQueue) add(sub int32) { l.subs = append(l.subs, sub) }

func (l *linkQueue) remove(sub int32) {
	for i, s := range l.subs {
		if s == sub {
			l.subs = append(l.subs[:i], l.subs[i+1:]...)
			return
		}
	}
}

// serve brings the service up to now. Call it before the set of queued flows changes.
func (l *linkQueue) serve(now time.Duration) {
	if len(l.subs) > 0 {
		l.carried += float64(l.PerNanosecond * float64(now-l.At))
	}
	l.Serve(now, len(l.subs))
}

// due returns when a queued flow that leaves at the given service will have been served, if nothing changes.
func (l *linkQueue) due(service float64) time.Duration { return l.Due(service, len(l.subs)) }
