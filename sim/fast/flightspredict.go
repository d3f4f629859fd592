package fast

import (
	"time"

	"braid/sim/policy"
	"braid/sim/tcpmodel"
)

// end predicts the end at one candidate.
func (w *flightsWorld) end(object int32, c policy.Choice, before time.Duration) (time.Duration, bool) {
	w.candidates = append(w.candidates[:0], c)
	w.rivals = append(w.rivals[:0], rival{lower: w.earliest(object, &c), end: never})
	w.race(object, w.candidates, before, 0)
	end := w.rivals[0].end
	return end, end < before
}

// first compares the candidates.
func (w *flightsWorld) first(object int32, candidates []policy.Choice) int {
	apart := margin(len(candidates))
	before := never // what does not end before is out
	w.rivals, w.asked = w.rivals[:0], w.asked[:0]
	for i := range candidates {
		c := &candidates[i]
		lower := w.earliest(object, c)
		if lower >= before || w.known(object, c) {
			continue
		}
		w.rivals = append(w.rivals, rival{index: i, lower: lower, end: never})
		if at, ok := w.latest(object, c); ok {
			before = min(before, at+slack+apart)
		}
	}
	left := w.rivals[:0]
	for i := range w.rivals {
		if w.rivals[i].lower < before {
			left = append(left, w.rivals[i])
		}
	}
	w.rivals = left
	if len(left) > 1 {
		w.race(object, candidates, before, apart)
	}
	return first(w.rivals)
}

// race predicts the ends of those rivals that end before the bound and not so much apart from the first.
func (w *flightsWorld) race(object int32, candidates []policy.Choice, before, apart time.Duration) {
	w.watched = object
	w.lookAhead(w.page.Origin(object))
	if !w.enter(object, candidates) {
		w.ahead.version = -1
		w.lookAhead(w.page.Origin(object))
		w.enter(object, candidates)
	}
	for {
		next, until := w.nextRival(before)
		if next == nil && until < 0 {
			return
		}
		if next == nil {
			if !w.goAhead(object, candidates, until, 0) {
				w.waiting = w.waiting[:0] // it is too late for them
			}
			continue
		}
		if w.goAhead(object, candidates, next.at, next.key) {
			continue // another may be next
		}
		w.ahead.now, w.ahead.handled = next.at, next.key
		w.ahead.count++
		choice := &candidates[next.index]
		if next.stage == shakes {
			next.stage, next.opened = requests, next.at
			next.at += w.requestTime(object, choice.Paths.Iface[0])
			next.key = w.ahead.queue.key(tcpmodel.ClassTimer)
			w.order.fix()
			continue
		}
		w.order.pop()
		if w.hopeless(object, next, choice, before) {
			continue
		}
		if end := w.run(w.fork(object, next, choice), before); end < before {
			next.end = end
			before = min(before, end+apart)
		}
	}
}

// nextRival returns the rival whose request is the next to go on, nil if none is on its way, and how long it is worth to wait
// for a connection to turn idle; negative: not at all. It leaves out those that end too late.
func (w *flightsWorld) nextRival(before time.Duration) (next *rival, until time.Duration) {
	for len(w.order.heap) > 0 {
		if next = &w.rivals[w.order.heap[0]]; next.lower < before {
			break
		}
		next = nil
		w.order.pop()
	}
	until = -1
	for _, i := range w.waiting {
		switch r := &w.rivals[i]; {
		case r.lower >= before:
		case before == never:
			until = never
		case w.ahead.now < before-r.least:
			until = max(until, before-r.least)
		}
	}
	return next, until
}

// run goes on in scratch from the arrival of the request at the server, and returns the watched object's end, or never if
// it is not before the bound.
func (w *flightsWorld) run(k int32, before time.Duration) time.Duration {
	st := &w.scratch
	w.endedAt = -1
	if st.conns[k].n > 1 {
		st.serveMultipath(k)
	} else {
		st.serve(k)
	}
	for w.endedAt < 0 {
		if !st.step(before, 0) {
			return never
		}
	}
	return w.endedAt
}

// fork copies to scratch what the watched object, whose request has arrived, can feel from now on, and returns its
// connection.
func (w *flightsWorld) fork(object int32, r *rival, choice *policy.Choice) (k int32) {
	from, to := &w.ahead.flightsState, &w.scratch
	to.copyShared(from)
	for _, b := range w.busy {
		if from.conns[b].head != none {
			to.copyConn(from, b)
		}
	}
	for i := from.queue.head; i < len(from.queue.list); i++ {
		e := &from.queue.list[i]
		if k := w.connOf(e.owner); k == choice.Conn || from.felt(k, e.owner) {
			to.queue.list = append(to.queue.list, *e)
		}
	}
	if k = choice.Conn; k != policy.New {
		to.copyConn(from, k)
	} else {
		k = to.open(w.page.Origin(object), choice.Paths)
		to.conns[k].opened = r.opened
		to.establish(k*w.n, r.opened)
		for i := int32(1); i < int32(choice.Paths.N); i++ {
			e := entry{r.known + w.joinTime(choice.Paths.Iface[0], choice.Paths.Iface[i]), w.placeKey(tcpmodel.ClassHandshake, uint64(i)), k*w.n + i}
			if e.at < r.at || e.at == r.at && e.key < r.key {
				to.establish(e.owner, e.at)
			} else {
				to.queue.put(e)
			}
		}
	}
	to.conns[k].head, to.conns[k].serving = object, sending
	return k
}

// felt says whether an owner's event on the connection can change when objects on other connections end. It cannot if the
// connection is idle, or has sent its last object.
func (st *flightsState) felt(k, owner int32) bool {
	c := &st.conns[k]
	if owner < st.w.connOwner(0) {
		return c.head != none
	}
	return c.serving != arriving || st.w.next[c.head] != none
}

// copyShared copies everything but connections and their events.
func (st *flightsState) copyShared(src *flightsState) {
	st.now = src.now
	st.conns = resize(st.conns, len(src.conns))
	st.subs = resize(st.subs, len(src.subs))
	st.copyData(&src.multipathState)
	st.queue.reset()
	st.queue.seq = src.queue.seq
	for i := range st.w.n {
		st.links[i].copyFrom(&src.links[i])
	}
}

func (st *flightsState) copyConn(src *flightsState, k int32) {
	st.conns[k] = src.conns[k]
	n := st.w.n
	s := k * n
	if src.conns[k].n == 1 {
		st.subs[s] = src.subs[s]
		return
	}
	copy(st.subs[s:s+n], src.subs[s:s+n])
	st.copyMultipath(src, k)
}
