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
	subs    []int32
	service float64       // bytes given to each queued flow since the start
	at      time.Duration // of the last change of service
	carried float64       // bytes the link has carried since the start
}

func (l *linkQueue) reset() {
	l.subs, l.service, l.at, l.carried = l.subs[:0], 0, 0, 0
}

func (l *linkQueue) copyFrom(src *linkQueue) {
	l.subs = append(l.subs[:0], src.subs...)
	l.service, l.at, l.carried = src.service, src.at, src.carried
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
func (l *linkQueue) serve(now time.Duration, rate float64) {
	if n := len(l.subs); n > 0 && now > l.at {
		dt := (now - l.at).Seconds()
		l.service += float64(rate / float64(n) * dt)
		l.carried += float64(rate * dt)
	}
	l.at = now
}

// due returns when a queued flow that leaves at the given service will have been served, if nothing changes.
func (l *linkQueue) due(service, rate float64) time.Duration {
	return l.at + tcpmodel.Duration(service-l.service, rate/float64(len(l.subs)))
}
