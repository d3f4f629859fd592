package flow

import (
	"math"
	"time"

	"braid/sim"
	"braid/sim/tcpmodel"
)

// A Multipath TCP connection of the flights transmission follows the kernel's default scheduler (net/mptcp/protocol.c,
// mptcp_subflow_get_send): data are bound to a subflow before they are sent and cannot move. The server binds a chunk to the
// subflow with the shortest drain time whatever its congestion window, as long as that subflow's send buffer has room. A
// subflow that has just joined has nothing queued and wins the next chunk; that is why Multipath TCP can be slower
// than its better path.
//
// Every subflow sends its window in parts of a flight, so that bytes freed by acknowledgements go out within the
// round trip. An object's end is the latest of its subflows' last bytes. Losses are not modelled here.

// maxParts bounds the parts of flights a subflow has outstanding.
const maxParts = 32

// part is a piece of a flight: sent at once, acknowledged at once.
type part struct {
	leaves  float64 // service of the link at which it has left
	bytes   int64   // payload
	packets int64
	round   int64         // flight it belongs to, from 1
	sent    time.Duration // joined the queue
	acked   time.Duration // its acknowledgement arrives; set when it has left
}

// parts is a ring of outstanding parts, oldest first: those before onLink have left and wait for their acknowledgement.
type parts struct {
	ring          [maxParts]part
	first, onLink uint32
	end           uint32
}

func (p *parts) at(i uint32) *part { return &p.ring[i%maxParts] }

// chunk is a run of data bound to a subflow, in the order of binding.
type chunk struct {
	start int64 // data sequence number
	bytes int64 // not yet acknowledged
	next  int32 // in the list of its subflow, or of free chunks
}

// multipath is the data level of a connection.
type multipath struct {
	unbound int64         // bytes of the object no subflow has
	next    int64         // data sequence number of the next byte to bind
	grown   bool          // the receive buffer has grown
	arrives time.Duration // the latest arrival of what has left the links
	pending int64         // bytes of the object that have not left a link
}

// multipathSub is the sending side of a subflow.
type multipathSub struct {
	bound       int64 // bytes bound and not sent
	flying      int64 // bytes sent and not acknowledged
	packets     int64 // the same in packets
	buffer      int64 // send buffer, bytes
	round       int64
	srtt        time.Duration
	past        bool // past slow start
	got         int64
	oldest, new int32 // chunks bound to it, none if there are none
}

func (flights) dialledMulti(c *core, k int32, at time.Duration) {
	cn := &c.conns[k]
	start := at + tcpmodel.RTTs(c.params.AnnounceRTTs, c.nets[cn.paths.Iface[0]].rtt)
	for i := 1; i < int(cn.paths.N); i++ {
		s := c.first(k) + int32(i)
		c.join(s, start+tcpmodel.RTTs(c.params.JoinRTTs, c.nets[c.subs[s].iface].rtt))
	}
}

func (m flights) joinedMulti(c *core, s int32) {
	m.openMulti(c, s)
	if c.conns[c.subs[s].conn].flights.serving == sending {
		m.bind(c, c.subs[s].conn)
	}
}

// openMulti gives a subflow its initial window and buffers.
func (flights) openMulti(c *core, s int32) {
	sf := &c.subs[s]
	sf.flights.window, sf.flights.last = int64(c.params.InitialWindow), c.now
	sf.flights.multi = multipathSub{
		buffer: int64(c.params.InitialWindow * c.params.SendBuffer),
		round:  1, srtt: c.nets[sf.iface].rtt, oldest: none, new: none,
	}
	for int(s) >= len(c.parts) {
		c.parts = append(c.parts, parts{})
	}
	p := &c.parts[s]
	p.first, p.onLink, p.end = 0, 0, 0
}

// serveMulti starts the response.
func (m flights) serveMulti(c *core, k int32) {
	cn := &c.conns[k]
	mp := &cn.flights.multi
	bytes := c.page.Objects[cn.head].Bytes
	mp.unbound, mp.pending, mp.arrives = bytes, bytes, 0
	first := c.first(k)
	for s := first; s < first+int32(cn.paths.N); s++ {
		sf := &c.subs[s]
		sf.flights.multi.got = 0
		if sf.stage != stageOpen || !c.params.IdleRestart {
			continue
		}
		var restarted bool
		rto := c.nets[sf.iface].rtt + c.params.RTOMargin
		if sf.flights.window, restarted = tcpmodel.IdleWindow(sf.flights.window, int64(c.params.InitialWindow), c.now-sf.flights.last, rto); restarted {
			sf.flights.multi.past = false
		}
	}
	if bytes == 0 {
		m.sent(c, first)
		return
	}
	m.observe(c, first, sim.SlowStart)
	m.bind(c, k)
}

// bind hands data to subflows while the scheduler finds one with room, and sends what the windows allow.
func (m flights) bind(c *core, k int32) {
	mp := &c.conns[k].flights.multi
	for mp.unbound > 0 {
		s, ok := m.shortestDrain(c, k)
		if !ok {
			return
		}
		ms := &c.subs[s].flights.multi
		room := ms.buffer - ms.bound - ms.flying
		allowed := m.limit(c, k) - (mp.next - m.unacknowledged(c, k))
		if room <= 0 || allowed <= 0 {
			return
		}
		// A burst goes on to its full size only while the buffer has room.
		burst := min(max(room, int64(c.params.BindStop)), int64(c.params.BindMax))
		n := min(burst, allowed, mp.unbound)
		m.append(c, s, chunk{start: mp.next, bytes: n, next: none})
		mp.next += n
		mp.unbound -= n
		ms.bound += n
		m.send(c, s)
	}
}

// shortestDrain returns the open subflow that would be done first with what it has.
func (flights) shortestDrain(c *core, k int32) (best int32, ok bool) {
	shortest := math.Inf(1)
	first := c.first(k)
	for s := first; s < first+int32(c.conns[k].paths.N); s++ {
		sf := &c.subs[s]
		if sf.stage != stageOpen {
			continue
		}
		ms := &sf.flights.multi
		pacing := c.params.PacingSlowStart
		if ms.past {
			pacing = c.params.PacingAvoidance
		}
		rate := pacing * float64(sf.flights.window*int64(c.params.MPTCPPayload)) / tcpmodel.Seconds(ms.srtt)
		if drain := float64(ms.bound+ms.flying) / rate; drain < shortest {
			best, shortest, ok = s, drain, true
		}
	}
	return best, ok
}

// limit is how many bytes may be bound and not acknowledged in order.
func (flights) limit(c *core, k int32) int64 {
	sum := int64(0)
	for _, sf := range c.subflows(k) {
		if sf.stage == stageOpen {
			sum += sf.flights.multi.buffer
		}
	}
	if !c.conns[k].flights.multi.grown {
		sum = min(sum, int64(c.params.EarlyLimit))
	}
	return sum
}

// unacknowledged returns the first data sequence number that is not acknowledged in order.
func (flights) unacknowledged(c *core, k int32) int64 {
	una := c.conns[k].flights.multi.next
	for _, sf := range c.subflows(k) {
		if sf.stage == stageOpen && sf.flights.multi.oldest != none {
			una = min(una, c.chunks[sf.flights.multi.oldest].start)
		}
	}
	return una
}

// append binds the chunk to the subflow.
func (flights) append(c *core, s int32, ch chunk) {
	i := c.freeChunk
	if i != none {
		c.freeChunk = c.chunks[i].next
		c.chunks[i] = ch
	} else {
		i = int32(len(c.chunks))
		c.chunks = append(c.chunks, ch)
	}
	ms := &c.subs[s].flights.multi
	if ms.oldest == none {
		ms.oldest = i
	} else {
		c.chunks[ms.new].next = i
	}
	ms.new = i
}

// acknowledge takes acknowledged bytes off the subflow's chunks.
func (flights) acknowledge(c *core, s int32, bytes int64) {
	ms := &c.subs[s].flights.multi
	for bytes > 0 {
		ch := &c.chunks[ms.oldest]
		n := min(bytes, ch.bytes)
		ch.start += n
		ch.bytes -= n
		bytes -= n
		if ch.bytes == 0 {
			i := ms.oldest
			ms.oldest = ch.next
			ch.next = c.freeChunk
			c.freeChunk = i
			if ms.oldest == none {
				ms.new = none
			}
		}
	}
}

// send puts bound bytes into the link's queue as far as the window allows. A whole window goes out in parts.
func (m flights) send(c *core, s int32) {
	sf := &c.subs[s]
	ms := &sf.flights.multi
	p := &c.parts[s]
	size := (sf.flights.window + int64(c.params.FlightParts) - 1) / int64(c.params.FlightParts)
	payload := int64(c.params.MPTCPPayload)
	for ms.bound > 0 && ms.packets < sf.flights.window && p.end-p.first < maxParts {
		packets := min(sf.flights.window-ms.packets, size)
		bytes := min(ms.bound, packets*payload)
		packets = tcpmodel.Packets(bytes, int(payload))
		ms.bound -= bytes
		ms.flying += bytes
		ms.packets += packets
		ms.got += bytes
		wire := float64(packets * int64(c.params.Packet))
		l := &c.links[sf.iface]
		l.serve(c.now)
		leaves := l.Service + wire
		if sf.flights.queued {
			leaves = p.at(p.end-1).leaves + wire
		} else {
			sf.flights.queued, sf.flights.leaves = true, leaves
			l.add(s)
		}
		*p.at(p.end) = part{leaves: leaves, bytes: bytes, packets: packets, round: ms.round, sent: c.now}
		p.end++
		c.rekey(sf.iface)
	}
	if sf.flights.queued {
		m.observe(c, c.first(sf.conn), sim.Link)
	}
}

// departedMulti says that the oldest part on the link has left it.
func (m flights) departedMulti(c *core, s int32) {
	sf := &c.subs[s]
	k := sf.conn
	mp := &c.conns[k].flights.multi
	p := &c.parts[s]
	net := &c.nets[sf.iface]
	pt := p.at(p.onLink)
	p.onLink++
	if p.onLink != p.end {
		sf.flights.queued, sf.flights.leaves = true, p.at(p.onLink).leaves
		c.links[sf.iface].add(s)
		c.rekey(sf.iface)
	}
	// The first packet of the part is acknowledged one round trip after it left: as a flight starts one round trip and
	// one packet after the one before.
	ahead := tcpmodel.Duration(float64((pt.packets-1)*int64(c.params.Packet)), net.rate)
	pt.acked = max(c.now, c.now+net.rtt-ahead)
	if p.onLink-1 == p.first {
		c.queue.Set(c.subOwner(s), pt.acked, tcpmodel.ClassTimer)
	}
	mp.pending -= pt.bytes
	mp.arrives = max(mp.arrives, c.now+tcpmodel.RTTs(0.5, net.rtt))
	if mp.pending == 0 {
		m.left(c, k)
		c.queue.Set(c.connOwner(k), mp.arrives, tcpmodel.ClassEnd)
	} else if !m.anyQueued(c, k) {
		m.observe(c, c.first(k), sim.SlowStart)
	}
}

func (flights) anyQueued(c *core, k int32) bool {
	for _, sf := range c.subflows(k) {
		if sf.flights.queued {
			return true
		}
	}
	return false
}

// timerMulti is the acknowledgement of the subflow's oldest part.
func (m flights) timerMulti(c *core, s int32) {
	sf := &c.subs[s]
	ms := &sf.flights.multi
	k := sf.conn
	p := &c.parts[s]
	pt := *p.at(p.first)
	p.first++
	if p.first != p.onLink {
		c.queue.Set(c.subOwner(s), max(c.now, p.at(p.first).acked), tcpmodel.ClassTimer)
	}
	m.grow(c, s, pt)
	ms.flying -= pt.bytes
	ms.packets -= pt.packets
	ms.srtt = c.now - pt.sent
	m.acknowledge(c, s, pt.bytes)
	if pt.round == ms.round {
		ms.round++
	}
	if s == c.first(k) && pt.round >= int64(c.params.EarlyFlights) {
		c.conns[k].flights.multi.grown = true
	}
	m.send(c, s)
	// Linux tcp_should_expand_sndbuf: a filled window does not expand the buffer.
	if ms.packets < sf.flights.window {
		ms.buffer = max(ms.buffer, sf.flights.window*int64(c.params.SendBuffer))
	}
	if c.conns[k].flights.serving == sending {
		m.bind(c, k)
	}
}

// grow lets the window grow by an acknowledged part while in slow start and at least half used; slow start ends at a
// multiple of the bandwidth-delay product.
func (flights) grow(c *core, s int32, pt part) {
	sf := &c.subs[s]
	ms := &sf.flights.multi
	if ms.past || 2*ms.packets < sf.flights.window {
		return
	}
	sf.flights.window += pt.packets
	net := &c.nets[sf.iface]
	bdp := net.rate * tcpmodel.Seconds(net.rtt) / float64(c.params.Packet) // packets
	if exit := int64(c.params.ExitBDP * bdp); sf.flights.window >= exit {
		sf.flights.window = max(exit, int64(c.params.InitialWindow))
		ms.past = true
	}
}

// reportMulti accounts the object's bytes to the interfaces.
func (flights) reportMulti(c *core, k int32) {
	head := c.conns[k].head
	for _, sf := range c.subflows(k) {
		if b := sf.flights.multi.got; b > 0 && sf.stage == stageOpen {
			c.owner.delivered(head, sf.iface, b)
		}
	}
}
