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
	st := &w.scratch
	w.snapshot(c.Conn)
	w.watched, w.behind, w.endedAt = object, none, -1
	k := c.Conn
	if k == policy.New {
		k = st.open(w.page.Origin(object), c.Paths)
	}
	conn := &st.conns[k]
	if conn.head == none {
		conn.head = object
	} else {
		w.behind = conn.tail
	}
	conn.tail = object
	st.placed(k, object)
	for w.endedAt < 0 {
		owner, at, ok := st.queue.Next()
		if !ok || at >= before {
			return 0, false
		}
		st.handle(owner, at)
	}
	return w.endedAt, w.endedAt < before
}

// snapshot copies what a prediction can touch: connections that carry an object or have an event, and the candidate.
func (w *flightsWorld) snapshot(candidate int32) {
	from, to := &w.live, &w.scratch
	to.now, to.count = from.now, 0
	to.queue.copyFrom(&from.queue)
	to.queue.Remove(w.linkOwner(int8(w.n)))
	to.conns = resize(to.conns, len(from.conns))
	to.subs = resize(to.subs, len(from.subs))
	to.copyData(&from.multipathState)
	w.stamp++
	if candidate != policy.New {
		w.copyConn(candidate)
	}
	for _, k := range w.busy {
		w.copyConn(k)
	}
	w.copyAcknowledging()
	for i := range w.n {
		to.links[i].copyFrom(&from.links[i])
	}
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
