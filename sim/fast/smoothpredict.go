package fast

import (
	"cmp"
	"math"
	"slices"
	"time"

	"braid/sim/policy"
	"braid/sim/tcpmodel"
)

// first compares the candidates, those with the lowest bounds of their ends first.
func (w *smoothWorld) first(object int32, candidates []policy.Choice) int {
	w.rivals, w.asked = w.rivals[:0], w.asked[:0]
	for i := range candidates {
		if c := &candidates[i]; !w.known(c) {
			w.rivals = append(w.rivals, rival{index: i, lower: w.earliest(object, c), end: never})
		}
	}
	if len(w.rivals) == 1 {
		return w.rivals[0].index
	}
	w.order = w.order[:0]
	for i := range w.rivals {
		w.order = append(w.order, int32(i))
	}
	slices.SortFunc(w.order, func(a, b int32) int { return cmp.Compare(w.rivals[a].lower, w.rivals[b].lower) })
	before := never
	for _, i := range w.order {
		r := &w.rivals[i]
		if r.lower >= before {
			break
		}
		if end, ok := w.end(object, candidates[r.index], before); ok {
			r.end = end
			before = min(before, end+margin(len(candidates)))
		}
	}
	return first(w.rivals)
}

// end predicts the end at one candidate.
func (w *smoothWorld) end(object int32, c policy.Choice, before time.Duration) (time.Duration, bool) {
	st := &w.scratch
	w.snapshot(c.Conn)
	w.watched, w.behind, w.endedAt = object, none, -1
	k := c.Conn
	if k == policy.New {
		k = st.open(w.page.Origin(object), c.Paths)
	}
	conn := &st.conns[k]
	if conn.head == none {
		conn.head, conn.left = object, w.bytes[object]
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

func (w *smoothWorld) snapshot(candidate int32) {
	from, to := &w.live, &w.scratch
	to.now = from.now
	to.queue.copyFrom(&from.queue)
	to.queue.Remove(w.wakeOwner())
	to.conns = resize(to.conns, len(from.conns))
	to.subs = resize(to.subs, len(from.subs))
	w.stamp++
	if candidate != policy.New {
		w.copyConn(candidate)
	}
	for _, k := range w.busy {
		w.copyConn(k)
	}
	for _, k := range w.multi {
		w.copyConn(k) // a join may be under way
	}
	for i := range w.n {
		to.links[i] = append(to.links[i][:0], from.links[i]...)
	}
}

func (w *smoothWorld) copyConn(k int32) {
	if !w.uncopied(k) {
		return
	}
	from, to := &w.live, &w.scratch
	to.conns[k] = from.conns[k]
	s := k * w.n
	copy(to.subs[s:s+int32(from.conns[k].n)], from.subs[s:])
}

// earliest is a lower bound of the object's end at the candidate: handshake, then what is in front of it and itself at
// the full rates of the interfaces; past slow start a lone object takes at least what its demand gives.
func (w *smoothWorld) earliest(object int32, c *policy.Choice) time.Duration {
	st := &w.live
	if c.Conn == policy.New {
		iface := c.Paths.Iface[0]
		open := w.opens(st.now, object, iface)
		rate := 0.0
		for _, i := range c.Paths.List() {
			rate += w.paths[i].rate
		}
		return open + time.Duration(w.bytes[object]/rate*1e9) - slack
	}
	k := c.Conn
	conn := &st.conns[k]
	first, past := st.subflows(k)
	at := st.now
	if !st.subs[first].open {
		at, _ = st.queue.At(first)
	}
	rate, ahead, steady := 0.0, conn.outstanding, true
	for s := first; s < past; s++ {
		rate += w.paths[st.subs[s].iface].rate
		ahead -= float64(st.subs[s].share * tcpmodel.Seconds(st.now-conn.counted)) // not rounded down: what is left over counts
		steady = steady && st.subs[s].open && !st.subs[s].slow
	}
	own := w.bytes[object] / rate
	if steady {
		// When it is alone its subflows demand what is left over the RTT, each.
		demand := max(1, math.Floor(w.bytes[object]/w.paths[conn.ifaces.Iface[0]].rttSeconds))
		own = max(own, w.bytes[object]/(demand*float64(past-first)))
	}
	return at + time.Duration((max(0, ahead)/rate+own)*1e9) - slack
}

// idleSmooth is the state of an idle connection over one path, as far as a prediction depends on it.
type idleSmooth struct {
	iface     int8
	slow      bool
	delivered float64
}

// known says whether an equal candidate was asked about before.
func (w *smoothWorld) known(c *policy.Choice) bool {
	state, ok := w.idleState(c)
	return ok && w.asked.before(state)
}

// idleState returns the state of a candidate that is an idle connection over one path.
func (w *smoothWorld) idleState(c *policy.Choice) (state idleSmooth, ok bool) {
	if c.Conn == policy.New {
		return state, false
	}
	conn := &w.live.conns[c.Conn]
	if conn.head != none || conn.n > 1 {
		return state, false
	}
	sub := &w.live.subs[c.Conn*w.n]
	state = idleSmooth{sub.iface, sub.slow, sub.delivered}
	if !state.slow {
		state.delivered = 0 // past slow start the window is not looked at
	}
	return state, true
}
