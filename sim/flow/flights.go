package flow

import (
	"time"

	"braid/sim"
	"braid/sim/tcpmodel"
)

// flights moves bytes as Linux TCP does: in windows of packets, one round trip apart, until a window no longer fits into
// a round trip; from then on the rest flows at the connection's share of the link.
//
// The server's side of a connection is where things happen: a request arrives half a round trip after it was sent, a
// flight joins the queue of the link, and the last byte arrives at the client half a round trip after the link has sent
// it. Two events a flight: the next flight's time, and the flight's leaving the link.
//
//	window w packets, s = packet size / rate
//	flight n starts at t: min(w, what is left) packets join the queue
//	flight n+1 starts at t + RTT + s, with the window grown by what was acknowledged;
//	flight n still in the queue then: the connection is link limited, the rest joins the queue at once
//
// With pipelining the requests of the objects behind the head are on their way already: the server turns to the next one
// when the last byte of the one before has arrived, without another round trip.
type flights struct{}

// serving is what the server does on a single-path connection.
type serving uint8

const (
	idle       serving = iota
	requesting         // the request is on its way, or the server thinks
	sending            // packets are in the queue of the link, or wait for acknowledgements
	arriving           // the last byte has left the link and is on its way to the client
)

type flightsConn struct {
	serving serving
	opened  time.Duration // when its first handshake was done
	multi   multipath
}

type flightsSub struct {
	window  int64 // congestion window, packets
	left    int64 // packets of the object that no flight has taken yet
	limited bool  // link limited: past slow start until an idle restart
	queued  bool  // packets are in the queue of the link
	leaves  float64
	last    time.Duration // when the server last sent a packet
	multi   multipathSub
}

func (m flights) dialled(c *core, k int32, at time.Duration) {
	if c.conns[k].paths.N > 1 {
		m.dialledMulti(c, k, at)
	}
}

func (m flights) established(c *core, k int32) {
	s := c.first(k)
	if c.conns[k].paths.N > 1 {
		m.openMulti(c, s)
	} else {
		c.subs[s].flights = flightsSub{window: int64(c.params.InitialWindow), last: c.now}
	}
	c.conns[k].flights.opened = c.now
	m.request(c, k, c.now)
}

func (m flights) joined(c *core, s int32) { m.joinedMulti(c, s) }

func (m flights) placed(c *core, k, object int32) {
	c.objects[object].placed = c.now
	if c.conns[k].head != object {
		if c.observer != nil {
			c.observer.Phase(object, sim.WaitTurn, c.now)
		}
		return
	}
	if c.subs[c.first(k)].stage == stageOpen {
		m.request(c, k, c.now)
	}
}

// request is the way of the request of the object at the head, which was sent at the given time, now or before: its
// bytes, half a round trip, and the server's own time.
func (m flights) request(c *core, k int32, sent time.Duration) {
	cn := &c.conns[k]
	if cn.head == none {
		return
	}
	net := &c.nets[cn.paths.Iface[0]]
	cn.flights.serving = requesting
	at := sent + c.params.HostTime + tcpmodel.RTTs(float64(c.params.RequestRTTs)/2, net.rtt) + c.page.Objects[cn.head].Server
	if c.params.RequestRTTs > 0 {
		at += tcpmodel.Duration(float64(c.params.Request), net.rate)
	}
	c.queue.Set(c.connOwner(k), max(c.now, at), tcpmodel.ClassTimer)
	if c.observer != nil {
		c.observer.Phase(cn.head, sim.WaitRequest, c.now)
	}
}

// end is an event of the connection: the request has arrived at the server, or the last byte at the client.
func (m flights) end(c *core, k int32) {
	cn := &c.conns[k]
	if cn.flights.serving == requesting {
		cn.flights.serving = sending
		if c.owner != nil {
			c.owner.estimator.begins(c, cn.head)
		}
		if cn.paths.N > 1 {
			m.serveMulti(c, k)
		} else {
			m.serve(c, k)
		}
		return
	}
	m.report(c, k)
	if c.owner != nil && !c.params.Pipelining {
		c.keepHead(k) // what waits behind the head is a claim, for the client to decide again
	}
	ended, next := c.finish(k)
	cn.flights.serving = idle
	if next != none {
		sent := c.now
		if c.params.Pipelining {
			sent = max(cn.flights.opened, c.objects[next].placed)
		}
		m.request(c, k, sent)
	}
	if c.owner != nil {
		c.owner.ended(ended, k)
	}
}

// serve starts the response on a single-path connection.
func (m flights) serve(c *core, k int32) {
	s := c.first(k)
	sf := &c.subs[s]
	f := &sf.flights
	rto := c.nets[sf.iface].rtt + c.params.RTOMargin
	if c.params.IdleRestart {
		var restarted bool
		if f.window, restarted = tcpmodel.IdleWindow(f.window, int64(c.params.InitialWindow), c.now-f.last, rto); restarted {
			f.limited = false
		}
	}
	f.left = tcpmodel.Packets(c.page.Objects[c.conns[k].head].Bytes, c.params.Payload)
	if f.left == 0 {
		m.sent(c, s) // nothing to send: the answer is empty
		return
	}
	m.fly(c, s)
}

// fly starts the next flight.
func (m flights) fly(c *core, s int32) {
	sf := &c.subs[s]
	f := &sf.flights
	packets := f.left
	if !f.limited {
		packets = min(f.window, f.left)
		// What is acknowledged by the time of the next flight.
		f.window = tcpmodel.Grow(f.window, packets)
	}
	f.left -= packets
	m.enqueue(c, s, float64(packets*int64(c.params.Packet)))
	if f.left > 0 {
		net := &c.nets[sf.iface]
		due := c.now + net.rtt + tcpmodel.Duration(float64(c.params.Packet), net.rate)
		c.queue.Set(c.subOwner(s), due, tcpmodel.ClassTimer)
	}
	m.observe(c, s, sim.Link)
}

// timer is the time of the next flight.
func (m flights) timer(c *core, s int32) {
	if c.conns[c.subs[s].conn].paths.N > 1 {
		m.timerMulti(c, s)
		return
	}
	f := &c.subs[s].flights
	if !f.queued {
		m.fly(c, s)
		return
	}
	f.limited = true
	wire := float64(f.left * int64(c.params.Packet))
	f.left = 0
	m.enqueue(c, s, wire)
}

// enqueue puts bytes into the queue of the subflow's link, behind what it has there.
func (flights) enqueue(c *core, s int32, wire float64) {
	sf := &c.subs[s]
	l := &c.links[sf.iface]
	l.serve(c.now)
	if sf.flights.queued {
		sf.flights.leaves += wire
	} else {
		sf.flights.queued = true
		sf.flights.leaves = l.Service + wire
		l.add(s)
	}
	c.rekey(sf.iface)
}

// link takes the flights that have been served off the link.
func (m flights) link(c *core, iface int8) {
	l := &c.links[iface]
	s, leaves := c.nextToLeave(l)
	l.serve(c.now)
	l.Service = max(l.Service, leaves) // the event is the first whole nanosecond at which it has been served
	f := &c.subs[s].flights
	f.queued = false
	f.last = c.now
	l.remove(s)
	c.rekey(iface)
	if c.conns[c.subs[s].conn].paths.N > 1 {
		m.departedMulti(c, s)
		return
	}
	if f.left > 0 {
		m.observe(c, s, sim.SlowStart)
		return
	}
	m.sent(c, s)
}

// nextToLeave returns the queued subflow that the link serves to its end first, and the service at that point.
func (c *core) nextToLeave(l *linkQueue) (s int32, leaves float64) {
	s = l.subs[0]
	leaves = c.subs[s].flights.leaves
	for _, t := range l.subs[1:] {
		if v := c.subs[t].flights.leaves; v < leaves {
			s, leaves = t, v
		}
	}
	return s, leaves
}

// rekey sets the link's next event: the first of its flights to leave.
func (c *core) rekey(iface int8) {
	l := &c.links[iface]
	if len(l.subs) == 0 {
		c.queue.Remove(c.linkOwner(iface))
		return
	}
	_, leaves := c.nextToLeave(l)
	c.queue.Set(c.linkOwner(iface), l.due(leaves), tcpmodel.ClassLink)
}

// sent says that the last byte of the object has left the link: it arrives half a round trip later.
func (m flights) sent(c *core, s int32) {
	sf := &c.subs[s]
	k := sf.conn
	m.left(c, k)
	sf.flights.last = c.now
	c.queue.Set(c.connOwner(k), c.now+tcpmodel.RTTs(0.5, c.nets[sf.iface].rtt), tcpmodel.ClassEnd)
}

// left says that the last byte of the object at the head has left the links.
func (flights) left(c *core, k int32) {
	c.conns[k].flights.serving = arriving
	if c.owner != nil {
		c.owner.estimator.ends(c, k, c.conns[k].head)
	}
}

// observe tells what the object at the head waits for, as seen at the client: half a round trip later. On several paths
// it is half of the smallest round trip, so that nothing is seen after the last byte.
func (flights) observe(c *core, s int32, p sim.Phase) {
	if c.observer == nil {
		return
	}
	cn := &c.conns[c.subs[s].conn]
	rtt := c.nets[cn.paths.Iface[0]].rtt
	for _, iface := range cn.paths.List() {
		rtt = min(rtt, c.nets[iface].rtt)
	}
	c.observer.Phase(cn.head, p, c.now+tcpmodel.RTTs(0.5, rtt))
}

func (flights) carried(c *core, iface int8) float64 {
	c.links[iface].serve(c.now)
	return c.links[iface].carried
}

func (flights) settle(c *core, iface int8) { c.links[iface].serve(c.now) }

func (flights) reshare(c *core, iface int8) {
	c.links[iface].SetRate(c.nets[iface].rate)
	c.rekey(iface)
}

// report accounts the ended object's bytes to the interfaces.
func (m flights) report(c *core, k int32) {
	if c.owner == nil {
		return
	}
	cn := &c.conns[k]
	if cn.paths.N > 1 {
		m.reportMulti(c, k)
		return
	}
	c.owner.delivered(cn.head, cn.paths.Iface[0], c.page.Objects[cn.head].Bytes)
}
