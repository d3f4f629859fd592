package fast

import (
	"time"

	"braid/sim"
	"braid/sim/policy"
)

// An object that Multipath TCP binds to the first subflow at once and whole goes over that path as over plain TCP, but for
// acknowledgements, which open the window part by part. Bounds are those of one path then.

// unsplit says that the object would be bound whole to the first subflow of an idle connection, if it were requested now or
// later: nothing is outstanding there, so that it drains first, and there is room for all of it.
func (st *flightsState) unsplit(k, object int32) bool {
	p := st.w.params
	first := k * st.w.n
	snd := &st.senders[first]
	if !st.subs[first].open || snd.bound > 0 || snd.flying > 0 {
		return false
	}
	allowed := st.limit(k) - (st.data[k].next - st.unacknowledged(k))
	return st.w.page.Objects[object].Bytes <= min(burst(p, snd.buffer), allowed)
}

// unsplitNew says the same of a new connection.
func (w *flightsWorld) unsplitNew(object int32) bool {
	p := w.params
	buffer := int64(p.InitialWindow * p.SendBuffer)
	return w.page.Objects[object].Bytes <= min(burst(p, buffer), buffer, int64(p.EarlyLimit))
}

// burst is how many bytes are bound to a subflow at once that has so much room in its send buffer.
func burst(p *sim.Params, room int64) int64 {
	return min(max(room, int64(p.BindStop)), int64(p.BindMax))
}

// wholly says whether a candidate is a Multipath TCP connection, new or idle, that would carry the object unsplit.
func (w *flightsWorld) wholly(object int32, c *policy.Choice) bool {
	if c.Conn == policy.New {
		return c.Paths.N > 1 && w.unsplitNew(object)
	}
	conn := &w.live.conns[c.Conn]
	return conn.n > 1 && conn.head == none && w.live.unsplit(c.Conn, object)
}

// latestUnsplit is an upper bound of when packets that are sent unsplit from the given time on have arrived. Every packet
// beyond the first window waits for the acknowledgement of one at least a window before it, an RTT after that has left;
// what is in the queue meanwhile is counted once.
func (w *flightsWorld) latestUnsplit(at time.Duration, packets int64, iface int8, window, flows int64) time.Duration {
	a := &w.paths[iface]
	// After slow start the window is at least the initial one, and so many parts may be outstanding.
	least := min(window, int64(w.params.InitialWindow), maxParts)
	for sent := window; sent < packets; sent += least {
		at += a.next
	}
	return at + time.Duration(float64(packets*int64(w.params.Packet)*flows)*a.perByte) + a.half
}
