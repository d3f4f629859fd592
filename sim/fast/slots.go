package fast

import (
	"time"

	"braid/sim/event"
)

// slots is an event queue for few events: a list in no order, of which the next event is found by looking at all. It keeps
// the order of event.Queue (time, class, sequence). Setting and removing take constant time, and a prediction has about
// ten events; a heap is slower up to some sixty.
type slots struct {
	list []slot
	pos  []int32 // place of each owner in list plus 1; 0: no event
	seq  uint64
}

type slot struct {
	at    time.Duration
	key   uint64 // class in the top byte, then the sequence number
	owner int32
}

func (q *slots) reset(owners int) {
	q.list, q.seq = q.list[:0], 0
	q.pos = resize(q.pos, owners)
	clear(q.pos)
}

// Set gives the owner an event, in place of any it had.
func (q *slots) Set(owner int32, at time.Duration, class event.Class) {
	q.seq++
	e := slot{at, uint64(class)<<56 | q.seq, owner}
	if p := q.pos[owner]; p != 0 {
		q.list[p-1] = e
		return
	}
	q.list = append(q.list, e)
	q.pos[owner] = int32(len(q.list))
}

// Remove drops the owner's event, if it has one.
func (q *slots) Remove(owner int32) {
	p := q.pos[owner]
	if p == 0 {
		return
	}
	q.pos[owner] = 0
	last := len(q.list) - 1
	moved := q.list[last]
	q.list = q.list[:last]
	if int(p-1) != last {
		q.list[p-1] = moved
		q.pos[moved.owner] = p
	}
}

// Next returns the owner and time of the first event; ok is false if there is none.
func (q *slots) Next() (owner int32, at time.Duration, ok bool) {
	if len(q.list) == 0 {
		return 0, 0, false
	}
	first := &q.list[0]
	for i := 1; i < len(q.list); i++ {
		if e := &q.list[i]; e.at < first.at || e.at == first.at && e.key < first.key {
			first = e
		}
	}
	return first.owner, first.at, true
}

// At returns the time of the owner's event; ok is false if it has none.
func (q *slots) At(owner int32) (at time.Duration, ok bool) {
	p := q.pos[owner]
	if p == 0 {
		return 0, false
	}
	return q.list[p-1].at, true
}

func (q *slots) copyFrom(src *slots) {
	for i := range q.list {
		q.pos[q.list[i].owner] = 0
	}
	q.list = append(q.list[:0], src.list...)
	for i := range q.list {
		q.pos[q.list[i].owner] = int32(i + 1)
	}
	q.seq = src.seq
}
