package fast

import (
	"time"

	"braid/sim"
	"braid/sim/event"
	"braid/sim/policy"
	"braid/sim/tcpmodel"
)

// A prediction runs in two states. Until the server has the request, the object changes nothing for the others: this part
// runs in the state ahead, once for all candidates, in the order in which their requests arrive. From there each runs in a
// copy of its own, scratch.
//
// The order of events at equal times is the order they were set in. What the placement of an object sets comes after all
// that is set already, and before all that the state ahead sets later: sequence numbers are kept free for it.

// placeKeys is how many sequence numbers the placement of an object may take: one for each path.
const placeKeys = sim.MaxInterfaces

// aheadState is the live state as it goes on without the object that is asked about.
type aheadState struct {
	flightsState
	version int64 // of the live state it comes from; -1: none
	turned  bool  // a connection has turned idle
}

// course is how far the watched object's request is at a candidate.
type course struct {
	stage  stage
	at     time.Duration // of what happens next
	key    uint64        // of what happens next
	known  time.Duration // on a new connection: when the name is
	opened time.Duration // on a new connection: when its first handshake was done
	least  time.Duration // on a busy connection: bound of the time from its turning idle to the object's end
}

type stage uint8

const (
	shakes   stage = iota // hands, on a new connection
	requests              // the request is on its way to the server
)

// lookAhead makes the state ahead one of the live state. It follows all that happens on connections to the origin, and of
// the others what can be felt.
func (w *flightsWorld) lookAhead(origin int32) {
	from, to := &w.live, &w.ahead.flightsState
	if w.ahead.version == w.version && to.followed == origin {
		return
	}
	w.ahead.version = w.version
	w.stamp++
	to.followed, to.handled = origin, 0
	to.copyShared(from)
	to.queue.seq += placeKeys
	for _, k := range w.busy {
		w.copyAhead(k)
	}
	for i := from.queue.head; i < len(from.queue.list); i++ {
		e := &from.queue.list[i]
		if k := w.connOf(e.owner); k != none && (from.conns[k].origin == origin || from.felt(k, e.owner)) {
			w.copyAhead(k)
			to.queue.list = append(to.queue.list, *e)
		}
	}
}

// copyAhead copies a connection to the state ahead unless it has it.
func (w *flightsWorld) copyAhead(k int32) {
	if !w.uncopied(k) {
		return
	}
	st := &w.ahead.flightsState
	st.copyConn(&w.live, k)
	st.conns[k].idleSince, st.conns[k].idleSeq = w.live.now, w.live.queue.seq
}

// placeKey is the key of the i-th event the placement of an object sets.
func (w *flightsWorld) placeKey(class event.Class, i uint64) uint64 {
	return uint64(class)<<56 | (w.live.queue.seq + 1 + i)
}

// enter sets the rivals' courses as if the object was placed on each of them; false: the state ahead is past what one of
// them does first.
func (w *flightsWorld) enter(object int32, candidates []policy.Choice) bool {
	st := &w.ahead.flightsState
	w.order.rivals, w.order.heap, w.waiting = w.rivals, w.order.heap[:0], w.waiting[:0]
	for i := range w.rivals {
		r := &w.rivals[i]
		c := &candidates[r.index]
		if c.Conn == policy.New {
			iface := c.Paths.Iface[0]
			r.stage, r.key = shakes, w.placeKey(tcpmodel.ClassHandshake, 0)
			r.known = w.resolved(w.live.now, object, iface, false)
			r.at = w.handshake(r.known, object, iface)
		} else if w.copyAhead(c.Conn); st.conns[c.Conn].head != none {
			r.least = w.earliestBehind(0, object, c.Conn) - slack
			w.waiting = append(w.waiting, int32(i))
			continue
		} else {
			w.sendRequest(object, r, c.Conn)
		}
		if r.at < st.now || r.at == st.now && r.key < st.handled {
			return false
		}
		w.order.push(int32(i))
	}
	return true
}

// sendRequest sets the course of a rival whose connection is idle, or has turned idle in the state ahead.
func (w *flightsWorld) sendRequest(object int32, r *rival, k int32) {
	c := &w.ahead.conns[k]
	sent := c.idleSince
	if w.params.Pipelining {
		sent = max(c.opened, w.live.now) // it was sent when it was placed
	}
	r.stage = requests
	r.at = max(c.idleSince, sent+w.requestTime(object, c.ifaces.Iface[0]))
	r.key = uint64(tcpmodel.ClassTimer)<<56 | (c.idleSeq + 1)
}

// goAhead runs the state ahead up to the given event, or until a connection turns idle for which rivals wait; it says
// whether one has.
func (w *flightsWorld) goAhead(object int32, candidates []policy.Choice, at time.Duration, key uint64) (turned bool) {
	for w.ahead.step(at, key) {
		if !w.ahead.turned {
			continue
		}
		w.ahead.turned = false
		still := w.waiting[:0]
		for _, i := range w.waiting {
			r := &w.rivals[i]
			k := candidates[r.index].Conn
			if w.ahead.conns[k].head != none {
				still = append(still, i)
				continue
			}
			w.sendRequest(object, r, k)
			w.order.push(i)
			turned = true
		}
		if w.waiting = still; turned {
			return true
		}
	}
	return false
}

// connOf returns the connection of an owner of events, none of the client's wake.
func (w *flightsWorld) connOf(owner int32) int32 {
	conns := w.connOwner(0)
	switch {
	case owner < conns:
		return owner / w.n
	case owner < w.wakeOwner():
		return owner - conns
	}
	return none
}
