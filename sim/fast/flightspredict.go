package fast

import (
	"time"

	"braid/sim/policy"
)

// end predicts. It answers without running where a bound or an equal candidate shows that the candidate cannot win.
func (w *flightsWorld) end(object int32, c policy.Choice, before time.Duration) (time.Duration, bool) {
	if w.earliest(object, c) >= before || w.known(object, c) {
		return 0, false
	}
	w.watch(object, c.Conn)
	st := &w.scratch
	k := c.Conn
	if k == policy.New {
		k = st.open(w.page.Origin(object), c.Paths)
	}
	conn := &st.conns[k]
	if conn.head == none {
		conn.head = object
	}
	conn.tail = object
	st.placed(k, object)
	for w.endedAt < 0 {
		if !st.step(before) {
			return 0, false
		}
	}
	return w.endedAt, w.endedAt < before
}

// watch begins a prediction for the object at the candidate: it copies what the prediction can touch, which is the
// connections that carry an object, and the candidate.
func (w *flightsWorld) watch(object, candidate int32) {
	from, to := &w.live, &w.scratch
	w.watched, w.behind, w.endedAt = object, none, -1
	to.now = from.now
	to.conns = resize(to.conns, len(from.conns))
	to.subs = resize(to.subs, len(from.subs))
	to.copyData(&from.multipathState)
	w.stamp++
	if candidate != policy.New {
		w.behind = from.conns[candidate].tail
		w.copyConn(candidate)
	}
	for _, k := range w.busy {
		w.copyConn(k)
	}
	to.queue.reset()
	to.queue.seq = from.queue.seq
	for i := from.queue.head; i < len(from.queue.list); i++ {
		if e := &from.queue.list[i]; w.matters(e.owner, candidate) {
			to.queue.list = append(to.queue.list, *e)
		}
	}
	for i := range w.n {
		to.links[i].copyFrom(&from.links[i])
	}
}

// matters says whether the owner's event can change when the watched object ends. The wake cannot, as nothing new is
// enabled; nor can what happens on a connection that is idle and not the candidate, or that has sent its last object.
func (w *flightsWorld) matters(owner, candidate int32) bool {
	st := &w.live
	switch {
	case owner == w.wakeOwner():
		return false
	case owner >= w.connOwner(0):
		k := owner - w.connOwner(0)
		return st.conns[k].serving != arriving || w.nextOf(st.conns[k].head, false) != none
	}
	k := st.subs[owner].conn
	return st.conns[k].head != none || k == candidate
}

func (w *flightsWorld) copyConn(k int32) {
	if !w.uncopied(k) {
		return
	}
	from, to := &w.live, &w.scratch
	to.conns[k] = from.conns[k]
	s := k * w.n
	if from.conns[k].n == 1 {
		to.subs[s] = from.subs[s]
		return
	}
	copy(to.subs[s:s+w.n], from.subs[s:s+w.n])
	to.copyMultipath(&from.multipathState, k, s, w.n)
}
