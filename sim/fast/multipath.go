package fast

import (
	"math"
	"time"

	"braid/sim/tcpmodel"
)

// maxParts bounds the parts of flights a subflow has outstanding, as in package flow.
const maxParts = 32

type part struct {
	leaves  float64
	bytes   int64
	packets int64
	round   int64
	sent    time.Duration
	acked   time.Duration
}

// parts is a ring of outstanding parts: first to onLink have left, onLink to end are in the queue.
type parts struct {
	first, onLink, end uint32
	ring               [maxParts]part
}

func (p *parts) at(i uint32) *part { return &p.ring[i%maxParts] }

type chunk struct {
	start int64
	bytes int64
	next  int32
}

// multipathState is the data level and the senders of Multipath TCP connections: see package flow. Connections and
// subflows over one path have no entry of meaning.
type multipathState struct {
	data    []multipathData // by connection
	senders []sender        // by subflow
	rings   []parts         // by subflow
	chunks  []chunk
	free    int32
}

type multipathData struct {
	unbound, next, pending int64
	arrives                time.Duration
	grown                  bool
}

type sender struct {
	bound, flying, packets, buffer, round, got int64
	srtt                                       time.Duration
	oldest, newest                             int32
}

func (m *multipathState) resetMultipath() {
	m.data, m.senders, m.rings = m.data[:0], m.senders[:0], m.rings[:0]
	m.chunks, m.free = m.chunks[:0], none
}

// grown returns s with at least n entries; new ones are undefined.
func grown[T any](s []T, n int) []T {
	if n <= cap(s) {
		return s[:max(n, len(s))]
	}
	t := make([]T, n, 2*n)
	copy(t, s)
	return t
}

func (st *flightsState) openMultipath(k int32) {
	st.data = grown(st.data, int(k)+1)
	st.data[k] = multipathData{}
	n := int((k + 1) * st.w.n)
	st.senders, st.rings = grown(st.senders, n), grown(st.rings, n)
	for s := k * st.w.n; int(s) < n; s++ {
		st.senders[s] = sender{oldest: none, newest: none}
		st.rings[s].first, st.rings[s].onLink, st.rings[s].end = 0, 0, 0
	}
}

// copyData copies what all Multipath TCP connections share.
func (m *multipathState) copyData(src *multipathState) {
	if len(src.data) == 0 { // no Multipath TCP in this load so far
		m.chunks, m.free = m.chunks[:0], none
		return
	}
	m.chunks, m.free = append(m.chunks[:0], src.chunks...), src.free
	m.data, m.senders, m.rings = grown(m.data, len(src.data)), grown(m.senders, len(src.senders)), grown(m.rings, len(src.rings))
}

// copyMultipath copies what a Multipath TCP connection has beyond TCP.
func (st *flightsState) copyMultipath(src *flightsState, k int32) {
	st.data[k] = src.data[k]
	n := st.w.n
	s := k * n
	copy(st.senders[s:s+n], src.senders[s:s+n])
	for i := s; i < s+n; i++ {
		from, to := &src.rings[i], &st.rings[i]
		// From the start, so that what is touched stays close together.
		to.first, to.onLink, to.end = 0, from.onLink-from.first, from.end-from.first
		for j := range to.end {
			to.ring[j] = *from.at(from.first + j)
		}
	}
}

func (st *flightsState) dialMultipath(k int32, at time.Duration) {
	c := &st.conns[k]
	for i := int32(1); i < int32(c.n); i++ {
		st.queue.add(k*st.w.n+i, at+st.w.joinTime(c.ifaces.Iface[0], c.ifaces.Iface[i]), tcpmodel.ClassHandshake)
	}
}

// joinTime is the time from the dialling of a connection on the first path until a further one has joined.
func (w *flightsWorld) joinTime(first, further int8) time.Duration {
	return tcpmodel.RTTs(w.params.AnnounceRTTs, w.paths[first].rtt) + tcpmodel.RTTs(w.params.JoinRTTs, w.paths[further].rtt)
}

func (st *flightsState) openedMultipath(s int32) {
	p := st.w.params
	st.senders[s] = sender{
		buffer: int64(p.InitialWindow * p.SendBuffer),
		round:  1, srtt: st.w.paths[st.subs[s].iface].rtt, oldest: none, newest: none,
	}
	r := &st.rings[s]
	r.first, r.onLink, r.end = 0, 0, 0
}

func (st *flightsState) serveMultipath(k int32) {
	c, d := &st.conns[k], &st.data[k]
	bytes := st.w.page.Objects[c.head].Bytes
	d.unbound, d.pending, d.arrives = bytes, bytes, 0
	first := k * st.w.n
	for s := first; s < first+int32(c.n); s++ {
		sub := &st.subs[s]
		if !sub.open {
			continue
		}
		st.senders[s].got = 0
		window, again := st.w.restarted(sub, st.now)
		sub.window = window
		if again {
			sub.past = false
		}
	}
	if bytes == 0 {
		st.sent(first)
		return
	}
	st.bind(k)
}

func (st *flightsState) bind(k int32) {
	p, d := st.w.params, &st.data[k]
	for d.unbound > 0 {
		allowed := st.limit(k) - (d.next - st.unacknowledged(k))
		if allowed <= 0 {
			return
		}
		s, ok := st.shortestDrain(k)
		if !ok {
			return
		}
		snd := &st.senders[s]
		room := snd.buffer - snd.bound - snd.flying
		if room <= 0 {
			return
		}
		n := min(burst(p, room), allowed, d.unbound)
		st.bindChunk(s, chunk{start: d.next, bytes: n, next: none})
		d.next += n
		d.unbound -= n
		snd.bound += n
		st.sendParts(s)
	}
}

func (st *flightsState) shortestDrain(k int32) (best int32, ok bool) {
	p := st.w.params
	shortest := math.Inf(1)
	first := k * st.w.n
	for s := first; s < first+int32(st.conns[k].n); s++ {
		sub := &st.subs[s]
		if !sub.open {
			continue
		}
		snd := &st.senders[s]
		if snd.bound+snd.flying == 0 {
			if shortest > 0 {
				best, shortest, ok = s, 0, true
			}
			continue
		}
		pacing := p.PacingSlowStart
		if sub.past {
			pacing = p.PacingAvoidance
		}
		rate := pacing * float64(sub.window*int64(p.MPTCPPayload)) / tcpmodel.Seconds(snd.srtt)
		if drain := float64(snd.bound+snd.flying) / rate; drain < shortest {
			best, shortest, ok = s, drain, true
		}
	}
	return best, ok
}

func (st *flightsState) limit(k int32) int64 {
	sum := int64(0)
	first := k * st.w.n
	for s := first; s < first+int32(st.conns[k].n); s++ {
		if st.subs[s].open {
			sum += st.senders[s].buffer
		}
	}
	if !st.data[k].grown {
		sum = min(sum, int64(st.w.params.EarlyLimit))
	}
	return sum
}

func (st *flightsState) unacknowledged(k int32) int64 {
	una := st.data[k].next
	first := k * st.w.n
	for s := first; s < first+int32(st.conns[k].n); s++ {
		if st.subs[s].open && st.senders[s].oldest != none {
			una = min(una, st.chunks[st.senders[s].oldest].start)
		}
	}
	return una
}

func (st *flightsState) bindChunk(s int32, ch chunk) {
	i := st.free
	if i != none {
		st.free = st.chunks[i].next
		st.chunks[i] = ch
	} else {
		i = int32(len(st.chunks))
		st.chunks = append(st.chunks, ch)
	}
	snd := &st.senders[s]
	if snd.oldest == none {
		snd.oldest = i
	} else {
		st.chunks[snd.newest].next = i
	}
	snd.newest = i
}

func (st *flightsState) acknowledge(s int32, bytes int64) {
	snd := &st.senders[s]
	for bytes > 0 {
		i := snd.oldest
		ch := &st.chunks[i]
		n := min(bytes, ch.bytes)
		ch.start += n
		ch.bytes -= n
		bytes -= n
		if ch.bytes == 0 {
			snd.oldest = ch.next
			ch.next = st.free
			st.free = i
			if snd.oldest == none {
				snd.newest = none
			}
		}
	}
}

func (st *flightsState) sendParts(s int32) {
	p := st.w.params
	sub, snd, r := &st.subs[s], &st.senders[s], &st.rings[s]
	payload := int64(p.MPTCPPayload)
	if snd.bound == 0 || snd.packets >= sub.window || r.end-r.first >= maxParts {
		return
	}
	size := (sub.window + int64(p.FlightParts) - 1) / int64(p.FlightParts)
	l := &st.links[sub.iface]
	l.serve(st.now)
	leaves := l.Service
	if sub.queued {
		leaves = r.at(r.end - 1).leaves
	}
	for snd.bound > 0 && snd.packets < sub.window && r.end-r.first < maxParts {
		packets := min(sub.window-snd.packets, size)
		bytes := packets * payload
		if bytes > snd.bound {
			bytes = snd.bound
			packets = tcpmodel.Packets(bytes, p.MPTCPPayload)
		}
		snd.bound -= bytes
		snd.flying += bytes
		snd.packets += packets
		snd.got += bytes
		leaves += float64(packets * int64(p.Packet))
		if !sub.queued {
			sub.queued = true
			l.join(s, leaves)
		}
		pt := r.at(r.end)
		pt.leaves, pt.bytes, pt.packets, pt.round, pt.sent = leaves, bytes, packets, snd.round, st.now
		r.end++
	}
	st.rekey(l)
}

func (st *flightsState) departed(s int32) {
	p := st.w.params
	sub, r := &st.subs[s], &st.rings[s]
	k := sub.conn
	d := &st.data[k]
	a, l := &st.w.paths[sub.iface], &st.links[sub.iface]
	pt := r.at(r.onLink)
	r.onLink++
	if r.onLink != r.end {
		sub.queued = true
		l.join(s, r.at(r.onLink).leaves)
	}
	st.rekey(l)
	if st.heeded(s) {
		ahead := tcpmodel.Duration(float64((pt.packets-1)*int64(p.Packet)), a.rate)
		pt.acked = max(st.now, st.now+a.rtt-ahead)
		if r.onLink-1 == r.first {
			st.queue.add(s, pt.acked, tcpmodel.ClassTimer)
		}
	}
	d.pending -= pt.bytes
	d.arrives = max(d.arrives, st.now+a.half)
	if d.pending == 0 {
		st.arrives(k, d.arrives)
	}
}

// heeded says whether acknowledgements of the subflow can still change what is sent. In a prediction they cannot once
// everything is handed out and on its way, unless another object follows.
func (st *flightsState) heeded(s int32) bool {
	k := st.subs[s].conn
	c := &st.conns[k]
	return st.live || c.origin == st.followed || c.serving < sending || st.data[k].unbound > 0 || st.senders[s].bound > 0 ||
		c.head != st.w.watched && st.w.next[c.head] != none
}

func (st *flightsState) acknowledged(s int32) {
	if !st.heeded(s) {
		return
	}
	p := st.w.params
	sub, snd, r := &st.subs[s], &st.senders[s], &st.rings[s]
	k := sub.conn
	pt := *r.at(r.first)
	r.first++
	if r.first == r.end {
		r.first, r.onLink, r.end = 0, 0, 0
	}
	if r.first != r.onLink {
		st.queue.add(s, max(st.now, r.at(r.first).acked), tcpmodel.ClassTimer)
	}
	st.grow(s, &pt)
	snd.flying -= pt.bytes
	snd.packets -= pt.packets
	snd.srtt = st.now - pt.sent
	st.acknowledge(s, pt.bytes)
	if pt.round == snd.round {
		snd.round++
	}
	if s == k*st.w.n && pt.round >= int64(p.EarlyFlights) {
		st.data[k].grown = true
	}
	st.sendParts(s)
	if snd.packets < sub.window {
		snd.buffer = max(snd.buffer, sub.window*int64(p.SendBuffer))
	}
	if st.conns[k].serving == sending {
		st.bind(k)
	}
}

func (st *flightsState) grow(s int32, pt *part) {
	p := st.w.params
	sub, snd := &st.subs[s], &st.senders[s]
	if sub.past || 2*snd.packets < sub.window {
		return
	}
	sub.window += pt.packets
	if exit := st.w.paths[sub.iface].exit; sub.window >= exit {
		sub.window = max(exit, int64(p.InitialWindow))
		sub.past = true
	}
}

func (w *flightsWorld) deliverMultipath(k int32) {
	st := &w.live
	for s := k * w.n; s < k*w.n+int32(st.conns[k].n); s++ {
		if b := st.senders[s].got; b > 0 && st.subs[s].open {
			w.engine.result.IfaceBytes[st.subs[s].iface] += b
		}
	}
}
