package fast

import (
	"math"
	"slices"
	"time"

	"braid/sim/policy"
)

// hopeless says that the watched object, whose request has just arrived at the server, cannot end before the given time:
// by then its paths cannot carry it.
func (w *flightsWorld) hopeless(object int32, r *rival, choice *policy.Choice, before time.Duration) bool {
	if before == never {
		return false
	}
	st := &w.ahead.flightsState
	before += slack
	ifaces, multipath := choice.Paths.List(), choice.Paths.N > 1
	if k := choice.Conn; k != policy.New {
		ifaces, multipath = st.conns[k].ifaces.List(), st.conns[k].n > 1
	}
	whole := float64(w.packets[object])
	if a := &w.paths[ifaces[0]]; !multipath && len(st.links[ifaces[0]].queued) == 0 {
		// The queue is empty: what is known beyond the bounds asked first is the time.
		return st.now+time.Duration(whole*float64(w.params.Packet)*a.perByte)+a.half >= before
	}
	if multipath {
		whole = float64(w.page.Objects[object].Bytes) / float64(w.params.MPTCPPayload)
		if choice.Conn == policy.New && w.unsplitNew(object) || choice.Conn != policy.New && st.unsplit(choice.Conn, object) {
			whole = float64(w.multipathPackets[object])
			ifaces = ifaces[:1]
		}
	}
	sum := 1e-3 // packets; far above what rounding can add up to
	for i, iface := range ifaces {
		a := &w.paths[iface]
		c := carriage{iface: iface, since: st.now, until: before - a.half, window: int64(w.params.InitialWindow), flight: a.next}
		if multipath {
			c.flight = a.rtt // the first packet's acknowledgement opens the window again
		}
		if choice.Conn == policy.New {
			if i > 0 {
				c.since = max(st.now, r.known+w.joinTime(ifaces[0], iface))
			}
		} else if !w.existing(&c, choice.Conn*w.n+int32(i), multipath) {
			continue
		}
		sum += w.carries(&c)
	}
	return sum < whole
}

// carriage is the question how much of the watched object one path can carry.
type carriage struct {
	iface        int8
	since, until time.Duration // from the first packet to the last on the link
	window       int64         // packets
	flight       time.Duration // the least time in which the window doubles
}

// existing fills in what is known of a subflow of an open connection; false: it will not carry anything.
func (w *flightsWorld) existing(c *carriage, s int32, multipath bool) bool {
	st := &w.ahead.flightsState
	sub := &st.subs[s]
	if !sub.open {
		at, ok := st.queue.of(s)
		c.since = max(st.now, at)
		return ok
	}
	window, again := w.restarted(sub, st.now)
	switch {
	case multipath:
		// What is still outstanding opens the window when it is acknowledged.
		window += st.senders[s].packets
	case sub.limited && !again:
		window = math.MaxInt32
	}
	c.window = window
	return true
}

// carries is an upper bound of the packets that the path carries: no more than windows that double allow, and no more than
// the link has room for. What is queued there gets as much as the object, or all it has, before the object is through.
func (w *flightsWorld) carries(c *carriage) float64 {
	if c.until <= c.since {
		return 0
	}
	l := &w.ahead.links[c.iface]
	packet := float64(w.params.Packet)
	room := float64(c.until-c.since) * l.PerNanosecond
	if n := len(l.queued); c.since == w.ahead.now && n > 0 {
		service := l.Service + float64(l.PerNanosecond/float64(n)*float64(w.ahead.now-l.At))
		rest := w.rests[:0]
		for i := range l.queued {
			rest = append(rest, max(0, w.ahead.lastLeaves(l.queued[i].sub, l)-service))
		}
		slices.Sort(rest)
		w.rests = rest
		for _, b := range rest {
			share := room / float64(n+1)
			if b >= share {
				room = share
				break
			}
			room -= b
			n--
		}
	}
	most := room / packet
	doublings := int64((c.until - c.since) / c.flight)
	if doublings < 16 {
		most = min(most, float64(c.window*(2<<doublings-1)))
	}
	return most
}
