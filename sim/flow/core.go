package flow

import (
	"time"

	"braid/sim"
	"braid/sim/event"
	"braid/sim/link"
	"braid/sim/page"
	"braid/sim/policy"
	"braid/sim/tcpmodel"
)

// none marks an absent object, connection or subflow.
const none int32 = -1

// stage is how far a subflow is.
type stage uint8

const (
	stageNone      stage = iota // not started
	stageHandshake              // names, handshake and TLS are running
	stageOpen                   // it may carry data
	stageClosed
)

// conn is one connection. A connection carries a list of objects, linked through object.next: the head is being
// transferred, the others wait behind it.
type conn struct {
	origin     int32
	head, tail int32
	paths      policy.Paths

	smooth  smoothConn
	flights flightsConn
}

// sub is one subflow: a TCP connection, or one path of a Multipath TCP connection.
type sub struct {
	stage stage
	iface int8
	conn  int32

	smooth  smoothSub
	flights flightsSub
}

// object is the state of one transfer.
type object struct {
	next   int32         // the object behind it on its connection
	placed time.Duration // when it was put on its connection
	end    time.Duration // when its last byte arrived; -1: not yet
	left   float64       // payload bytes not delivered (smooth) or not handed to a subflow (flights)
}

// network is one interface as this core believes it to be.
type network struct {
	rate float64 // bytes/s
	rtt  time.Duration
	dns  time.Duration
}

// core is the state of all transfers and the rules that move it. The engine has two: the live one, and the scratch
// that predictions run on. Everything is held by value and by index, so that a prediction copies a few slices.
type core struct {
	params   *sim.Params
	page     *page.Page
	model    transmission
	owner    *Engine // nil in a prediction: nothing is reported to the client
	observer sim.Observer
	paths    int // interfaces of the device, the stride of subs
	nets     [sim.MaxInterfaces]network

	now     time.Duration
	queue   event.Queue
	conns   []conn
	subs    []sub // paths for each connection, in the order of its Paths
	objects []object
	links   [sim.MaxInterfaces]linkQueue
	alive   []int32         // open connections, the oldest first
	names   []time.Duration // by host and interface: when the name is resolved; -1: never asked
	events  int64

	parts     []parts // by subflow, of Multipath TCP connections with flights
	chunks    []chunk // bound to subflows, linked; the others are free
	freeChunk int32

	demands, shares []float64 // scratch memory of share
}

// process returns the interface's link process. At this level links are constant.
func process(f *sim.Interface) link.Constant { return link.Constant{Rate: f.Rate, RTT: f.RTT} }

// transmission moves bytes over established connections. The two of them share everything else.
type transmission interface {
	// dialled says that the first subflow's handshake begins at the given time.
	dialled(c *core, conn int32, at time.Duration)
	// established says that the first subflow's handshake is done.
	established(c *core, conn int32)
	// joined says that a further subflow may carry data.
	joined(c *core, sub int32)
	// placed says that the object was put on the connection, behind those already there.
	placed(c *core, conn, object int32)
	// timer, link and end are the events of a subflow, an interface and a connection.
	timer(c *core, sub int32)
	link(c *core, iface int8)
	end(c *core, conn int32)
	// carried returns the bytes the interface has carried since the start.
	carried(c *core, iface int8) float64
	// settle and reshare bring the interface's transfers up to now before its rate changes, and split the new rate.
	settle(c *core, iface int8)
	reshare(c *core, iface int8)
}

// reset prepares the core for a load of the spec.
func (c *core) reset(s *sim.Spec) {
	n, paths := len(s.Page.Objects), len(s.Interfaces)
	c.params, c.page, c.paths = &s.Params, s.Page, paths
	c.owner, c.observer = nil, nil
	c.model = flights{}
	if s.Params.Transmission == sim.Smooth {
		c.model = smooth{}
	}
	for i, f := range s.Interfaces {
		state := process(&f).At(0)
		c.nets[i] = network{rate: float64(state.Rate), rtt: state.RTT, dns: f.DNS}
		c.links[i].reset(float64(state.Rate))
	}
	c.now, c.events = 0, 0
	// An object opens at most one connection.
	c.queue.Reset(n*paths + n + paths + 1)
	c.conns, c.alive = c.conns[:0], c.alive[:0]
	c.subs, c.parts, c.chunks, c.freeChunk = c.subs[:0], c.parts[:0], c.chunks[:0], none
	c.objects = resize(c.objects, n)
	for i := range c.objects {
		c.objects[i] = object{next: none, end: -1, left: float64(s.Page.Objects[i].Bytes)}
	}
	c.names = resize(c.names, s.Page.Hosts()*paths)
	for i := range c.names {
		c.names[i] = -1
	}
}

// copyFrom makes c the state of src. The cost grows with the open connections and the page, not with what was closed.
func (c *core) copyFrom(src *core) {
	c.now, c.events = src.now, 0
	c.queue.CopyFrom(&src.queue)
	c.queue.Remove(c.wakeOwner())
	c.alive = append(c.alive[:0], src.alive...)
	c.conns = resize(c.conns, len(src.conns))
	c.subs = resize(c.subs, len(src.subs))
	for _, k := range src.alive {
		c.conns[k] = src.conns[k]
		first := int(k) * c.paths
		copy(c.subs[first:first+c.paths], src.subs[first:])
		if src.conns[k].paths.N > 1 && first < len(src.parts) {
			c.copyParts(src, first)
		}
	}
	c.chunks, c.freeChunk = append(c.chunks[:0], src.chunks...), src.freeChunk
	copy(c.objects, src.objects)
	copy(c.names, src.names)
	for i := range c.paths {
		c.links[i].copyFrom(&src.links[i])
	}
}

// copyParts copies the outstanding parts of a connection's subflows, the first of which is given.
func (c *core) copyParts(src *core, first int) {
	last := min(first+c.paths, len(src.parts))
	for len(c.parts) < last {
		c.parts = append(c.parts, parts{})
	}
	for s := first; s < last; s++ {
		from, to := &src.parts[s], &c.parts[s]
		to.first, to.onLink, to.end = from.first, from.onLink, from.end
		for i := from.first; i != from.end; i++ {
			*to.at(i) = *from.at(i)
		}
	}
}

// Owners of events: subflows, connections, interfaces, and the client's wake.
func (c *core) subOwner(sub int32) int32   { return sub }
func (c *core) connOwner(conn int32) int32 { return int32(len(c.objects)*c.paths) + conn }
func (c *core) linkOwner(iface int8) int32 {
	return int32(len(c.objects)*c.paths+len(c.objects)) + int32(iface)
}
func (c *core) wakeOwner() int32 { return c.linkOwner(int8(c.paths)) }

// step handles the next event; false: there is none.
func (c *core) step() bool {
	owner, at, ok := c.queue.Next()
	if !ok {
		return false
	}
	c.queue.Remove(owner)
	c.now = at
	c.events++
	subs := int32(len(c.objects) * c.paths)
	conns := subs + int32(len(c.objects))
	switch {
	case owner < subs:
		if c.subs[owner].stage == stageHandshake {
			c.handshakeDone(owner)
		} else {
			c.model.timer(c, owner)
		}
	case owner < conns:
		c.model.end(c, owner-subs)
	case owner < conns+int32(c.paths):
		c.model.link(c, int8(owner-conns))
	default:
		c.owner.client.Woken()
	}
	return true
}

// first returns the connection's first subflow; the others follow it.
func (c *core) first(conn int32) int32 { return conn * int32(c.paths) }

// subflows returns the connection's subflows.
func (c *core) subflows(conn int32) []sub {
	first := c.first(conn)
	return c.subs[first : first+int32(c.conns[conn].paths.N)]
}

// open starts a connection over the paths, the handshake on the first.
func (c *core) open(origin int32, p policy.Paths) int32 {
	k := int32(len(c.conns))
	c.conns = append(c.conns, conn{origin: origin, head: none, tail: none, paths: p})
	for i := range c.paths {
		s := sub{stage: stageNone, conn: k}
		if i < int(p.N) {
			s.iface = p.Iface[i]
		}
		c.subs = append(c.subs, s)
	}
	c.alive = append(c.alive, k)
	if c.observer != nil {
		c.observer.Opened(k, origin, c.conns[k].paths.List(), c.now)
	}
	return k
}

// dial starts the first handshake for the object that opens the connection: name resolution, TCP, TLS.
func (c *core) dial(k, object int32) {
	cn := &c.conns[k]
	s := c.first(k)
	sf := &c.subs[s]
	sf.stage = stageHandshake
	resolved := c.resolve(cn.origin, sf.iface)
	tcp := resolved + tcpmodel.RTTs(float64(c.params.HandshakeRTTs), c.nets[sf.iface].rtt)
	if c.params.HandshakeRTTs > 0 {
		tcp += tcpmodel.Duration(float64(2*c.params.SYN), c.nets[sf.iface].rate)
	}
	ready := tcp
	if c.page.Origins()[cn.origin].TLS {
		v := c.params.TLS
		if r := c.page.Objects[object].Secure; r != page.TLSUnknown && c.params.TLSFromRecording {
			v = r
		}
		ready += tcpmodel.RTTs(float64(tcpmodel.TLSRoundTrips(v)), c.nets[sf.iface].rtt)
	}
	c.queue.Set(c.subOwner(s), ready, tcpmodel.ClassHandshake)
	c.model.dialled(c, k, resolved)
	if c.observer != nil {
		c.observer.Phase(object, sim.WaitDNS, c.now)
		c.observer.Phase(object, sim.WaitHandshake, resolved)
		c.observer.Phase(object, sim.WaitTLS, tcp)
	}
}

// resolve returns when the origin's name is known on the interface; the first to ask waits, the others with it.
func (c *core) resolve(origin int32, iface int8) time.Duration {
	if c.nets[iface].dns == 0 {
		return c.now
	}
	at := &c.names[int(c.page.Origins()[origin].Index)*c.paths+int(iface)]
	if *at < 0 {
		*at = c.now + c.nets[iface].dns
	}
	return max(c.now, *at)
}

// join starts a further subflow's handshake, which takes until ready.
func (c *core) join(s int32, ready time.Duration) {
	c.subs[s].stage = stageHandshake
	c.queue.Set(c.subOwner(s), ready, tcpmodel.ClassHandshake)
}

func (c *core) handshakeDone(s int32) {
	sf := &c.subs[s]
	sf.stage = stageOpen
	if c.observer != nil {
		c.observer.Established(sf.conn, sf.iface, c.now)
	}
	if c.owner != nil {
		// A handshake of several round trips tells the RTT by each of them.
		c.owner.estimator.connected(sf.iface, c.nets[sf.iface].rtt+tcpmodel.Duration(float64(2*c.params.SYN), c.nets[sf.iface].rate))
	}
	if s == c.first(sf.conn) {
		c.model.established(c, sf.conn)
	} else {
		c.model.joined(c, s)
	}
}

// send puts the object on the connection and dials it if it is new.
func (c *core) send(k, object int32) {
	c.append(k, object)
	if c.subs[c.first(k)].stage == stageNone {
		c.dial(k, object)
	}
	c.model.placed(c, k, object)
}

// append links the object behind the others on the connection.
func (c *core) append(k, object int32) {
	cn := &c.conns[k]
	c.objects[object].next = none
	if cn.head == none {
		cn.head = object
	} else {
		c.objects[cn.tail].next = object
	}
	cn.tail = object
}

// keepHead drops the objects behind the head.
func (c *core) keepHead(k int32) {
	cn := &c.conns[k]
	if cn.head != none {
		c.objects[cn.head].next = none
		cn.tail = cn.head
	}
}

// finish takes the head off the connection: its last byte has arrived. It returns the next object, or none.
func (c *core) finish(k int32) (ended, next int32) {
	cn := &c.conns[k]
	ended = cn.head
	o := &c.objects[ended]
	o.end, o.left = c.now, 0
	cn.head, o.next = o.next, none
	if cn.head == none {
		cn.tail = none
	}
	if c.observer != nil {
		c.observer.Phase(ended, sim.Done, c.now)
	}
	return ended, cn.head
}

// close ends an idle connection.
func (c *core) close(k int32) {
	c.queue.Remove(c.connOwner(k))
	first := c.first(k)
	for i := range int32(c.paths) {
		c.subs[first+i].stage = stageClosed
		c.queue.Remove(c.subOwner(first + i))
	}
	for i, a := range c.alive {
		if a == k {
			c.alive = append(c.alive[:i], c.alive[i+1:]...)
			return
		}
	}
}
