package flow

import (
	"math"
	"slices"
	"time"

	"braid/sim"
	"braid/sim/tcpmodel"
)

// smooth moves bytes at rates, as the published data transfer simulator does: a connection demands cwnd/RTT in slow
// start and what is outstanding divided by the RTT past it, and the link is shared max-min by demand. Rates, demands and
// delivered bytes are whole numbers. Each event is handled alone: count what was delivered, set the demand, share.
//
// The rules were measured on the published simulator; see the package documentation for how close they come.
type smooth struct{}

type smoothConn struct {
	outstanding float64       // bytes not delivered, of all objects on the connection
	rate        float64       // sum of the subflows' shares, bytes/s
	counted     time.Duration // when delivered bytes were last counted
}

type smoothSub struct {
	slow      bool    // in slow start
	demand    float64 // bytes/s, set by evaluate
	share     float64 // bytes/s, set by share
	delivered float64 // bytes, all since the start
	got       float64 // bytes of the object at the connection's head
}

func (smooth) dialled(*core, int32, time.Duration) {}

func (m smooth) established(c *core, k int32) {
	s := c.first(k)
	m.begin(c, s)
	if c.owner != nil && c.conns[k].head != none {
		c.owner.estimator.begins(c, c.conns[k].head)
	}
	// Further subflows start when the first one's handshake is done.
	for i := 1; i < int(c.conns[k].paths.N); i++ {
		t := s + int32(i)
		c.join(t, c.now+tcpmodel.RTTs(float64(c.params.HandshakeRTTs), c.nets[c.subs[t].iface].rtt))
	}
}

func (m smooth) joined(c *core, s int32) {
	m.begin(c, s)
}

// begin puts a subflow whose handshake is done into slow start. On an idle connection it neither demands nor has a timer.
func (m smooth) begin(c *core, s int32) {
	sf := &c.subs[s]
	sf.smooth = smoothSub{slow: true}
	if c.conns[sf.conn].head != none {
		m.evaluate(c, s)
		c.links[sf.iface].add(s)
		m.share(c, sf.iface)
	}
}

func (m smooth) placed(c *core, k, object int32) {
	cn := &c.conns[k]
	idle := cn.head == object
	if !idle && !c.params.Pipelining {
		return // in a prediction: it waits for the connection
	}
	m.count(c, k)
	cn.smooth.outstanding += c.objects[object].left
	if idle {
		m.headBegins(c, k)
	} else if c.observer != nil {
		c.observer.Phase(object, sim.WaitTurn, c.now)
	}
	first, n := c.first(k), int32(cn.paths.N)
	for s := first; s < first+n; s++ {
		if c.subs[s].stage == stageOpen {
			m.evaluate(c, s)
			if idle {
				c.links[c.subs[s].iface].add(s)
			}
		}
	}
	m.shareAll(c, k)
}

func (m smooth) timer(c *core, s int32) {
	m.count(c, c.subs[s].conn)
	m.evaluate(c, s)
	m.share(c, c.subs[s].iface)
}

func (smooth) link(*core, int8) {}

// end is the completion of the object at the connection's head.
func (m smooth) end(c *core, k int32) {
	cn := &c.conns[k]
	last := c.objects[cn.head].left
	if cn.paths.N == 1 {
		// One path: what was left came over it, to the byte.
		sf := &c.subs[c.first(k)].smooth
		sf.delivered += last
		sf.got += last
		c.links[cn.paths.Iface[0]].carried += last
		cn.smooth.outstanding -= last
		cn.smooth.counted = c.now
	} else {
		m.count(c, k)
		cn.smooth.outstanding -= c.objects[cn.head].left
	}
	m.report(c, k)
	if c.owner != nil {
		c.owner.estimator.ends(c, k, cn.head)
	}
	if c.owner != nil && !c.params.Pipelining {
		c.keepHead(k) // what waits behind the head is a claim, for the client to decide again
	}
	ended, next := c.finish(k)
	if next != none && !c.params.Pipelining {
		cn.smooth.outstanding += c.objects[next].left // a claim that comes true in a prediction
	}
	first, n := c.first(k), int32(cn.paths.N)
	for s := first; s < first+n; s++ {
		if c.subs[s].stage != stageOpen {
			continue
		}
		m.evaluate(c, s)
		if next == none {
			c.links[c.subs[s].iface].remove(s)
			c.queue.Remove(c.subOwner(s))
			c.subs[s].smooth.share = 0
		}
	}
	if next == none {
		cn.smooth.outstanding, cn.smooth.rate = 0, 0
	} else {
		m.headBegins(c, k)
	}
	m.shareAll(c, k)
	if c.owner != nil {
		c.owner.ended(ended, k)
	}
}

// headBegins starts the account of the object at the head.
func (smooth) headBegins(c *core, k int32) {
	subs := c.subflows(k)
	for i := range subs {
		subs[i].smooth.got = 0
	}
	if c.owner != nil && subs[0].stage == stageOpen {
		c.owner.estimator.begins(c, c.conns[k].head)
	}
}

// evaluate sets the subflow's demand and, in slow start, its timer.
func (m smooth) evaluate(c *core, s int32) {
	sf := &c.subs[s]
	if !sf.smooth.slow {
		sf.smooth.demand = m.steady(c, sf.conn)
		return
	}
	sf.smooth.demand = m.window(c, s)
	c.queue.Set(c.subOwner(s), c.now+c.nets[sf.iface].rtt, tcpmodel.ClassTimer)
}

// window is the rate of the subflow's congestion window, whole bytes/s.
func (m smooth) window(c *core, s int32) float64 {
	sf := &c.subs[s]
	cwnd := float64(c.params.InitialWindow*c.params.Payload) + sf.smooth.delivered + m.uncounted(c, s)
	return math.Floor(cwnd / tcpmodel.Seconds(c.nets[sf.iface].rtt))
}

// steady is the demand past slow start: what is outstanding within one RTT of the first path, at least 1 byte/s.
func (m smooth) steady(c *core, k int32) float64 {
	rtt := c.nets[c.conns[k].paths.Iface[0]].rtt
	outstanding := c.conns[k].smooth.outstanding
	for i := range int32(c.conns[k].paths.N) {
		outstanding -= m.uncounted(c, c.first(k)+i)
	}
	return max(1, math.Floor(outstanding/tcpmodel.Seconds(rtt)))
}

// uncounted returns what the subflow delivered since its connection was last counted.
func (smooth) uncounted(c *core, s int32) float64 {
	sf := &c.subs[s]
	return math.Floor(sf.smooth.share * tcpmodel.Seconds(c.now-c.conns[sf.conn].smooth.counted))
}

// count adds up what the connection delivered since it was last counted.
func (smooth) count(c *core, k int32) {
	cn := &c.conns[k].smooth
	dt := tcpmodel.Seconds(c.now - cn.counted)
	cn.counted = c.now
	head := c.conns[k].head
	if dt == 0 || cn.rate == 0 || head == none {
		return
	}
	total := 0.0
	subs := c.subflows(k)
	for i := range subs {
		sf := &subs[i].smooth
		d := math.Floor(sf.share * dt)
		sf.delivered += d
		sf.got += d
		c.links[subs[i].iface].carried += d
		total += d
	}
	o := &c.objects[head]
	total = min(total, o.left)
	o.left -= total
	cn.outstanding -= total
}

// shareAll shares every interface the connection has an open subflow on.
func (m smooth) shareAll(c *core, k int32) {
	first, n := c.first(k), int32(c.conns[k].paths.N)
	for s := first; s < first+n; s++ {
		if c.subs[s].stage == stageOpen {
			m.share(c, c.subs[s].iface)
		}
	}
	m.schedule(c, k)
}

// share splits the interface among the subflows on it. A subflow whose share changed counts what it delivered before;
// one in slow start whose window is worth more than its share leaves slow start, and its new demand counts from the next
// sharing on.
func (m smooth) share(c *core, iface int8) {
	l := &c.links[iface]
	n := len(l.subs)
	c.demands, c.shares = resize(c.demands, n), resize(c.shares, n)
	for i, s := range l.subs {
		c.demands[i] = c.subs[s].smooth.demand
	}
	tcpmodel.MaxMin(math.Floor(c.nets[iface].rate), c.demands, c.shares, true)
	for i, s := range l.subs {
		sf := &c.subs[s]
		// At least 1 byte/s: a share that rounds down to nothing would never end.
		if share := max(1, c.shares[i]); share != sf.smooth.share {
			m.count(c, sf.conn)
			sf.smooth.share = share
			if sf.smooth.slow {
				c.queue.Set(c.subOwner(s), c.now+c.nets[iface].rtt, tcpmodel.ClassTimer)
			}
			m.schedule(c, sf.conn)
		}
		if sf.smooth.slow && m.window(c, s) > sf.smooth.share {
			sf.smooth.slow = false
			sf.smooth.demand = max(sf.smooth.demand, m.steady(c, sf.conn))
			c.queue.Remove(c.subOwner(s))
		}
		if c.observer != nil {
			m.observe(c, sf.conn)
		}
	}
}

// schedule sets the completion of the object at the connection's head.
func (smooth) schedule(c *core, k int32) {
	cn := &c.conns[k]
	subs := c.subflows(k)
	cn.smooth.rate = 0
	for i := range subs {
		cn.smooth.rate += subs[i].smooth.share
	}
	if cn.head == none || subs[0].stage != stageOpen {
		return
	}
	left := c.objects[cn.head].left
	if left > 0 && cn.smooth.rate == 0 {
		c.queue.Remove(c.connOwner(k))
		return
	}
	c.queue.Set(c.connOwner(k), cn.smooth.counted+tcpmodel.Duration(left, cn.smooth.rate), tcpmodel.ClassEnd)
}

// observe tells what limits the object at the connection's head.
func (smooth) observe(c *core, k int32) {
	phase := sim.Window
	for _, sf := range c.subflows(k) {
		if sf.stage != stageOpen {
			continue
		}
		if sf.smooth.share < sf.smooth.demand {
			phase = sim.Link
			break
		}
		if sf.smooth.slow {
			phase = sim.SlowStart
		}
	}
	if head := c.conns[k].head; head != none {
		c.observer.Phase(head, phase, c.now)
	}
}

func (m smooth) carried(c *core, iface int8) float64 {
	sum := c.links[iface].carried
	for _, s := range c.links[iface].subs {
		sum += m.uncounted(c, s)
	}
	return sum
}

func (m smooth) settle(c *core, iface int8) {
	for _, s := range c.links[iface].subs {
		m.count(c, c.subs[s].conn)
	}
}

func (m smooth) reshare(c *core, iface int8) { m.share(c, iface) }

// report accounts the ended object's bytes to the interfaces. What the whole numbers of the shares lost goes to the
// subflow that carried most.
func (smooth) report(c *core, k int32) {
	if c.owner == nil {
		return
	}
	head := c.conns[k].head
	subs := c.subflows(k)
	left := c.page.Objects[head].Bytes
	most := slices.MaxFunc(subs, func(a, b sub) int { return int(min(max(a.smooth.got-b.smooth.got, -1), 1)) })
	for i := range subs {
		if b := int64(subs[i].smooth.got); subs[i].iface != most.iface && b > 0 {
			c.owner.delivered(head, subs[i].iface, b)
			left -= b
		}
	}
	c.owner.delivered(head, most.iface, left)
}
