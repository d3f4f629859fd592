package fast

import (
	"time"

	"braid/sim/event"
)

// agenda is an event queue for few events: a list in the order of event.Queue (time, class, sequence), of which the first
// is taken. New events are mostly late ones and find their place from the end. A prediction has about ten events.
type agenda struct {
	list []entry
	head int // of list: the next event; those before it are past
	seq  uint64
}

type entry struct {
	at    time.Duration
	key   uint64 // class in the top byte, then the sequence number
	owner int32
}

func (a *agenda) reset() { a.list, a.head, a.seq = a.list[:0], 0, 0 }

// key returns the next sequence number below the class.
func (a *agenda) key(class event.Class) uint64 {
	a.seq++
	return uint64(class)<<56 | a.seq
}

// add gives an owner that has no event one.
func (a *agenda) add(owner int32, at time.Duration, class event.Class) {
	a.put(entry{at, a.key(class), owner})
}

// put adds the event of an owner that has none.
func (a *agenda) put(e entry) {
	if len(a.list) == cap(a.list) && a.head > 0 {
		a.list = a.list[:copy(a.list, a.list[a.head:])]
		a.head = 0
	}
	a.list = append(a.list, e)
	i := len(a.list) - 1
	for ; i > a.head && (e.at < a.list[i-1].at || e.at == a.list[i-1].at && e.key < a.list[i-1].key); i-- {
		a.list[i] = a.list[i-1]
	}
	a.list[i] = e
}

// remove drops the owner's event, if it has one.
func (a *agenda) remove(owner int32) {
	for i := a.head; i < len(a.list); i++ {
		if a.list[i].owner == owner {
			a.list = append(a.list[:i], a.list[i+1:]...)
			return
		}
	}
}

// of returns the time of the owner's event; ok is false if it has none.
func (a *agenda) of(owner int32) (at time.Duration, ok bool) {
	for i := a.head; i < len(a.list); i++ {
		if a.list[i].owner == owner {
			return a.list[i].at, true
		}
	}
	return 0, false
}
