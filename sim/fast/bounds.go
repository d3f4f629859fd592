package fast

import (
	"math"
	"time"

	"braid/sim/policy"
	"braid/sim/tcpmodel"
)

// Most candidates cannot be first, and cheap arguments show it without running anything. Each bound's argument stands with
// it; TestBounds holds them to full predictions.
//
// A lower bound: an object cannot end before its handshake and request are over, and not before the link has carried
// it, and what goes before it on its connection, at its full rate. The bounds below leave a margin for rounding, so that
// they never exceed what a run would give.
//
// An upper bound: a link that serves its flows in equal shares gives each at least one part in as many as there can be; no
// prediction has more of them than there are busy connections now. A candidate whose lower bound is above another's upper
// bound is out, and where only one is left nothing is run.
//
// An equal candidate: of two idle connections in the same state the second ends when the first does.

// slack is the margin of the bounds: far above what rounding can add up to, far below what matters.
const slack = time.Microsecond

// earliest is a lower bound of the object's end at the candidate.
func (w *flightsWorld) earliest(object int32, c *policy.Choice) time.Duration {
	if c.Conn == policy.New {
		iface := c.Paths.Iface[0]
		open := w.opens(w.live.now, object, iface)
		packets := w.packets[object]
		if c.Paths.N > 1 {
			if !w.wholly(object, c) {
				return w.earliestMultipath(open, object, c.Paths.List()) - slack
			}
			packets = w.multipathPackets[object]
		}
		return w.earliestFrom(open, object, packets, iface, int64(w.params.InitialWindow)) - slack
	}
	k := c.Conn
	conn := &w.live.conns[k]
	at := w.live.now
	if conn.head != none {
		at = w.headEnds(k)
		for o := w.next[conn.head]; o != none; o = w.next[o] {
			at = w.earliestBehind(at, o, k)
		}
		return w.earliestBehind(at, object, k) - slack
	}
	sub := &w.live.subs[k*w.n]
	if conn.n == 1 {
		window := int64(math.MaxInt64)
		arrives := at + w.requestTime(object, sub.iface)
		if win, again := w.restarted(sub, arrives); again || !sub.limited {
			window = win
		}
		return w.earliestFrom(at, object, w.packets[object], sub.iface, window) - slack
	} else if w.wholly(object, c) {
		window, _ := w.restarted(sub, at+w.requestTime(object, sub.iface))
		return w.earliestFrom(at, object, w.multipathPackets[object], sub.iface, window) - slack
	}
	return w.earliestOn(at, object, k) - slack
}

// earliestBehind is earliestOn for an object behind another that ends at the given time: with pipelining its request has
// arrived by then.
func (w *flightsWorld) earliestBehind(at time.Duration, object, k int32) time.Duration {
	end := w.earliestOn(at, object, k)
	if w.params.Pipelining {
		end -= w.requestTime(object, w.live.conns[k].ifaces.Iface[0])
	}
	return end
}

// earliestOn is a lower bound of the object's end if it is requested on the connection at the given time.
func (w *flightsWorld) earliestOn(at time.Duration, object, k int32) time.Duration {
	conn := &w.live.conns[k]
	if conn.n > 1 {
		return w.earliestMultipath(at, object, conn.ifaces.List())
	}
	return w.earliestFrom(at, object, w.packets[object], conn.ifaces.Iface[0], math.MaxInt64)
}

// earliestFrom is a lower bound on one path with the given window: what is beyond the first flight starts one flight
// later, and none of it leaves faster than the link.
func (w *flightsWorld) earliestFrom(at time.Duration, object int32, packets int64, iface int8, window int64) time.Duration {
	a := &w.paths[iface]
	at += w.requestTime(object, iface)
	wire := float64(w.params.Packet) * a.perByte
	leaves := at + time.Duration(float64(packets)*wire)
	if packets > window {
		leaves = max(leaves, at+a.next+time.Duration(float64(packets-window)*wire))
	}
	return leaves + a.half
}

// earliestMultipath is a lower bound over several paths: all of them at full rate from the request's arrival on.
func (w *flightsWorld) earliestMultipath(at time.Duration, object int32, ifaces []int8) time.Duration {
	at += w.requestTime(object, ifaces[0])
	rate, half := 0.0, w.paths[ifaces[0]].half
	for _, i := range ifaces {
		rate += w.paths[i].rate
		half = min(half, w.paths[i].half)
	}
	return at + time.Duration(float64(w.multipathPackets[object]*int64(w.params.Packet))/rate*1e9) + half
}

// headEnds is a lower bound of the end of the object at the connection's head.
func (w *flightsWorld) headEnds(k int32) time.Duration {
	st := &w.live
	conn := &st.conns[k]
	s := k * w.n
	switch conn.serving {
	case dialling:
		at, _ := st.queue.of(s)
		return w.earliestOn(at, conn.head, k)
	case requesting:
		at, _ := st.queue.of(w.connOwner(k))
		// The request is over: take back what earliestOn adds for it.
		return w.earliestOn(at, conn.head, k) - w.paths[conn.ifaces.Iface[0]].request - w.page.Objects[conn.head].Server
	case arriving:
		at, _ := st.queue.of(w.connOwner(k))
		return at
	}
	if conn.n > 1 {
		return w.pendingEnds(k)
	}
	sub := &st.subs[s]
	a := &w.paths[sub.iface]
	at := st.now
	if sub.queued {
		at = w.leavesQueue(s)
	} else if due, ok := st.queue.of(s); ok {
		at = due
	}
	return at + time.Duration(float64(sub.left*int64(w.params.Packet))*a.perByte) + a.half
}

// leavesQueue is a lower bound of when the subflow's queued bytes leave the link: by then equal shares have given every
// other flow that is queued now the smaller of the two remainders.
func (w *flightsWorld) leavesQueue(s int32) time.Duration {
	l := &w.live.links[w.live.subs[s].iface]
	leaves := w.live.lastLeaves(s, l)
	bytes := 0.0
	for i := range l.queued {
		bytes += min(w.live.lastLeaves(l.queued[i].sub, l), leaves) - l.Service
	}
	return l.At + time.Duration(max(0, bytes)*l.Nanoseconds)
}

// lastLeaves returns the service at which everything the queued subflow has in the queue has left.
func (st *flightsState) lastLeaves(s int32, l *link) float64 {
	if st.conns[st.subs[s].conn].n > 1 {
		r := &st.rings[s]
		return r.at(r.end - 1).leaves
	}
	return l.queued[l.of(s)].leaves
}

// pendingEnds is a lower bound of when the rest of a Multipath TCP transfer has come: not before all paths at full rate
// have carried it, nor before what is queued now has left.
func (w *flightsWorld) pendingEnds(k int32) time.Duration {
	st := &w.live
	rate, half := 0.0, time.Duration(math.MaxInt64)
	since, queued := st.now, time.Duration(0)
	first := k * w.n
	bytes := float64(st.data[k].unbound)
	for i, iface := range st.conns[k].ifaces.List() {
		a, l := &w.paths[iface], &st.links[iface]
		rate += a.rate
		half = min(half, a.half)
		s := first + int32(i)
		bytes += float64(st.senders[s].bound)
		if st.subs[s].queued {
			// Of the part that is leaving some may have been carried before the link's last change, and some since.
			since = min(since, l.At)
			bytes += max(0, st.lastLeaves(s, l)-l.Service)
			queued = max(queued, w.leavesQueue(s)+a.half)
		}
	}
	return max(queued, since+time.Duration(bytes/rate*1e9)+half)
}

// latest is an upper bound of the object's end at a candidate; false: none is known.
func (w *flightsWorld) latest(object int32, c *policy.Choice) (time.Duration, bool) {
	st := &w.live
	if c.Conn == policy.New {
		iface := c.Paths.Iface[0]
		if c.Paths.N > 1 {
			if !w.wholly(object, c) {
				return 0, false
			}
			at := w.opens(st.now, object, iface) + w.requestTime(object, iface)
			return w.latestUnsplit(at, w.multipathPackets[object], iface, int64(w.params.InitialWindow), w.flows(iface)+1), true
		}
		return w.latestFrom(w.opens(st.now, object, iface), object, iface, int64(w.params.InitialWindow), false, w.flows(iface)+1), true
	}
	conn, sub := &st.conns[c.Conn], &st.subs[c.Conn*w.n]
	if conn.n > 1 {
		if !w.wholly(object, c) {
			return 0, false
		}
		arrives := st.now + w.requestTime(object, sub.iface)
		window, _ := w.restarted(sub, arrives)
		return w.latestUnsplit(arrives, w.multipathPackets[object], sub.iface, window, w.flows(sub.iface)+1), true
	}
	if conn.head == none {
		arrives := st.now + w.requestTime(object, sub.iface)
		window, again := w.restarted(sub, arrives)
		return w.latestFrom(st.now, object, sub.iface, window, sub.limited && !again, w.flows(sub.iface)+1), true
	}
	if w.next[conn.head] != none || conn.serving == dialling {
		return 0, false
	}
	// Its window by then is at least what it is after every idle time.
	flows := w.flows(sub.iface)
	at := w.headEndsBy(c.Conn, flows)
	return w.latestFrom(at, object, sub.iface, min(sub.window, int64(w.params.InitialWindow)), false, flows), true
}

// flows is how many busy connections there are that can have bytes in the interface's queue.
func (w *flightsWorld) flows(iface int8) (n int64) {
	for _, k := range w.busy {
		for _, i := range w.live.conns[k].ifaces.List() {
			if i == iface {
				n++
			}
		}
	}
	return n
}

// latestFrom is an upper bound of the end of an object that is requested at the given time, with the given window, while
// the link has at most the given number of flows.
func (w *flightsWorld) latestFrom(at time.Duration, object int32, iface int8, window int64, limited bool, flows int64) time.Duration {
	at += w.requestTime(object, iface)
	return w.transferredBy(at, w.packets[object], iface, window, limited, flows)
}

// transferredBy is an upper bound of when packets that are sent from the given time on have arrived: all flights there can
// be start on time, and everything is sent after the last of them.
func (w *flightsWorld) transferredBy(at time.Duration, packets int64, iface int8, window int64, limited bool, flows int64) time.Duration {
	a := &w.paths[iface]
	if !limited {
		for sent := window; sent < packets; sent += window {
			window = tcpmodel.Grow(window, window)
			at += a.next
		}
	}
	return at + time.Duration(float64(packets*int64(w.params.Packet)*flows)*a.perByte) + a.half
}

// headEndsBy is an upper bound of the end of the object at the head of a single-path connection that is not dialling.
func (w *flightsWorld) headEndsBy(k int32, flows int64) time.Duration {
	st := &w.live
	conn, sub := &st.conns[k], &st.subs[k*w.n]
	if conn.serving != sending {
		at, _ := st.queue.of(w.connOwner(k))
		if conn.serving == arriving {
			return at
		}
		window, again := w.restarted(sub, at)
		return w.transferredBy(at, w.packets[conn.head], sub.iface, window, sub.limited && !again, flows)
	}
	a := &w.paths[sub.iface]
	at := st.now
	if sub.queued {
		l := &st.links[sub.iface]
		at = l.At + time.Duration((l.queued[l.of(k*w.n)].leaves-l.Service)*float64(flows)*a.perByte)
	}
	if sub.left == 0 {
		return at + a.half
	}
	due, _ := st.queue.of(k * w.n)
	return w.transferredBy(max(at, due), sub.left, sub.iface, sub.window, false, flows)
}

// idleFlights is the state of an idle connection, as far as a prediction depends on it.
type idleFlights struct {
	first     int64 // packets of the first flight
	iface     int8
	multipath bool
	past      bool
}

// known says whether an equal candidate was asked about before.
func (w *flightsWorld) known(object int32, c *policy.Choice) bool {
	state, ok := w.idleState(object, c)
	return ok && w.asked.before(state)
}

// idleState returns the state of a candidate that is an idle connection and would carry the object over one path. Over
// TCP, a first flight that takes everything is the same whatever window allows it; Multipath TCP divides the window in parts.
func (w *flightsWorld) idleState(object int32, c *policy.Choice) (state idleFlights, ok bool) {
	if c.Conn == policy.New {
		return state, false
	}
	conn, sub := &w.live.conns[c.Conn], &w.live.subs[c.Conn*w.n]
	if conn.head != none || conn.n > 1 && !w.wholly(object, c) {
		return state, false
	}
	window, again := w.restarted(sub, w.live.now+w.requestTime(object, sub.iface))
	if conn.n > 1 {
		return idleFlights{window, sub.iface, true, sub.past && !again}, true
	}
	state = idleFlights{first: w.packets[object], iface: sub.iface}
	if again || !sub.limited {
		state.first = min(state.first, window)
	}
	return state, true
}
