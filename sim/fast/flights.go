package fast

import (
	"time"

	"braid/sim"
	"braid/sim/page"
	"braid/sim/policy"
	"braid/sim/tcpmodel"
)

// none marks an absent object, connection or subflow.
const none int32 = -1

// serving is what the server does on a connection.
type serving uint8

const (
	idle serving = iota
	dialling
	requesting
	sending
	arriving
)

// path holds what a load needs to know of one interface, worked out once.
type path struct {
	rate       float64 // bytes/s
	perByte    float64 // ns on the link for a byte
	rtt        time.Duration
	rttSeconds float64
	half       time.Duration // RTT/2
	dns        time.Duration
	connect    time.Duration    // TCP handshake
	tls        [4]time.Duration // by page.TLSVersion; TLSUnknown as the profile says
	request    time.Duration    // from sending a request to its arrival at the server
	next       time.Duration    // from one flight to the next
	rto        time.Duration
	exit       int64 // window at which an MPTCP subflow leaves slow start, packets
}

// flightsWorld is the flights transmission on flat arrays: see package flow for what it models. Connections are indexed
// as the client numbers them, subflows by connection*paths + place. One connection over one path has one event at a time.
type flightsWorld struct {
	base
	packets []int64 // by object, on a single path

	multipathPackets []int64 // by object, of Multipath TCP

	placed []time.Duration // by object: when it was put on its connection

	live, scratch flightsState
	ahead         aheadState

	rivals     []rival
	order      order           // of rivals on their way
	waiting    []int32         // rivals whose connection is busy
	candidates []policy.Choice // of end
	rests      []float64       // scratch memory of carries
	asked      asked[idleFlights]
}

// flightsState is what a prediction copies.
type flightsState struct {
	w     *flightsWorld
	live  bool
	now   time.Duration
	count int64
	queue agenda

	handled  uint64 // key of the last event
	followed int32  // in a prediction: origin of the connections on which all is followed
	conns    []flightsConn
	subs     []flightsSub
	links    [sim.MaxInterfaces]link
	multipathState
}

type flightsConn struct {
	opened     time.Duration // when its first handshake was done
	idleSince  time.Duration // in a prediction
	idleSeq    uint64        // the last sequence number then
	head, tail int32
	origin     int32
	serving    serving
	n          int8 // paths
	ifaces     policy.Paths
}

type flightsSub struct {
	last    time.Duration // when the server last sent a packet
	window  int64         // packets
	left    int64         // packets no flight has taken yet
	conn    int32
	iface   int8
	open    bool
	limited bool
	queued  bool
	past    bool // multipath: past slow start
}

func (w *flightsWorld) reset(e *Engine, s *sim.Spec) {
	w.base.reset(e, s)
	objects := len(s.Page.Objects)
	w.packets, w.multipathPackets, w.placed = resize(w.packets, objects), resize(w.multipathPackets, objects), resize(w.placed, objects)
	for i := range s.Page.Objects {
		w.packets[i] = tcpmodel.Packets(s.Page.Objects[i].Bytes, w.params.Payload)
		w.multipathPackets[i] = tcpmodel.Packets(s.Page.Objects[i].Bytes, w.params.MPTCPPayload)
	}
	w.ahead.version = -1
	for _, st := range []*flightsState{&w.live, &w.scratch, &w.ahead.flightsState} {
		st.w, st.now, st.count, st.followed = w, 0, 0, none
		st.conns, st.subs = st.conns[:0], st.subs[:0]
		st.queue.reset()
		for i := range w.n {
			st.links[i].reset(w.paths[i].rate)
		}
		st.resetMultipath()
	}
	w.live.live = true
}

// newPath works out the constants of one interface.
func newPath(p *sim.Params, f *sim.Interface) path {
	rate := float64(f.Rate)
	a := path{rate: rate, perByte: 1e9 / rate, rtt: f.RTT, rttSeconds: tcpmodel.Seconds(f.RTT), dns: f.DNS, half: tcpmodel.RTTs(0.5, f.RTT)}
	a.connect = tcpmodel.RTTs(float64(p.HandshakeRTTs), f.RTT)
	if p.HandshakeRTTs > 0 {
		a.connect += tcpmodel.Duration(float64(2*p.SYN), rate)
	}
	for v := range a.tls {
		version := page.TLSVersion(v)
		if version == page.TLSUnknown || !p.TLSFromRecording {
			version = p.TLS
		}
		a.tls[v] = tcpmodel.RTTs(float64(tcpmodel.TLSRoundTrips(version)), f.RTT)
	}
	a.request = p.HostTime + tcpmodel.RTTs(float64(p.RequestRTTs)/2, f.RTT)
	if p.RequestRTTs > 0 {
		a.request += tcpmodel.Duration(float64(p.Request), rate)
	}
	a.next = f.RTT + tcpmodel.Duration(float64(p.Packet), rate)
	a.rto = f.RTT + p.RTOMargin
	bdp := rate * a.rttSeconds / float64(p.Packet) // packets
	a.exit = int64(p.ExitBDP * bdp)
	return a
}

func (w *flightsWorld) now() time.Duration { return w.live.now }
func (w *flightsWorld) events() int64      { return w.live.count }
func (w *flightsWorld) predicted() int64   { return w.ahead.count + w.scratch.count }
func (w *flightsWorld) step() bool {
	w.version++
	return w.live.step(never, 0)
}

// Owners of events: subflows, connections, and the client's wake. An object opens at most one connection. Links keep their
// events themselves.
func (w *flightsWorld) connOwner(k int32) int32 { return int32(len(w.packets))*w.n + k }
func (w *flightsWorld) wakeOwner() int32        { return int32(len(w.packets)) * (w.n + 1) }

func (w *flightsWorld) wake(at time.Duration) {
	w.live.queue.remove(w.wakeOwner())
	w.live.queue.add(w.wakeOwner(), at, tcpmodel.ClassWake)
}

func (w *flightsWorld) open(origin int32, p policy.Paths) int32 {
	w.version++
	return w.live.open(origin, p)
}

func (w *flightsWorld) send(k, object int32) {
	if w.live.conns[k].head == none {
		w.busy = append(w.busy, k)
	}
	w.claim(k, object)
	w.placed[object] = w.live.now
	w.live.placed(k, object)
}

func (w *flightsWorld) claim(k, object int32) {
	w.version++
	if ahead := &w.ahead; ahead.version == w.version-1 && ahead.followed == w.live.conns[k].origin && ahead.conns[k].head != none {
		ahead.version++ // there, what the object waits for is still under way
	}
	c := &w.live.conns[k]
	w.next[object] = none
	if c.head == none {
		c.head = object
	} else {
		w.next[c.tail] = object
	}
	c.tail = object
}

func (w *flightsWorld) unclaim(k int32) {
	w.version++
	c := &w.live.conns[k]
	if c.head != none {
		w.next[c.head] = none
		c.tail = c.head
	}
}

func (w *flightsWorld) close(k int32) {
	w.version++
	q := &w.live.queue
	q.remove(w.connOwner(k))
	for s := k * w.n; s < (k+1)*w.n; s++ {
		w.live.subs[s].open = false
		q.remove(s)
	}
}

func (st *flightsState) open(origin int32, p policy.Paths) int32 {
	k := int32(len(st.conns))
	st.conns = append(st.conns, flightsConn{head: none, tail: none, origin: origin, n: p.N, ifaces: p})
	for i := range st.w.n {
		st.subs = append(st.subs, flightsSub{conn: k, iface: p.Iface[i]})
	}
	if p.N > 1 {
		st.openMultipath(k)
	}
	return k
}

// placed starts what the object needs if it is at the head.
func (st *flightsState) placed(k, object int32) {
	c := &st.conns[k]
	if c.head != object {
		return
	}
	if c.serving == idle && !st.subs[k*st.w.n].open {
		st.dial(k, object)
	} else if st.subs[k*st.w.n].open {
		st.request(k, st.now)
	}
}

func (st *flightsState) dial(k, object int32) {
	c := &st.conns[k]
	c.serving = dialling
	iface := c.ifaces.Iface[0]
	known := st.w.resolved(st.now, object, iface, st.live)
	st.queue.add(k*st.w.n, st.w.handshake(known, object, iface), tcpmodel.ClassHandshake)
	if c.n > 1 {
		st.dialMultipath(k, known)
	}
}

// request is the way of the request of the object at the head, sent at the given time.
func (st *flightsState) request(k int32, sent time.Duration) {
	c := &st.conns[k]
	if c.head == none {
		c.serving = idle
		return
	}
	c.serving = requesting
	at := sent + st.w.requestTime(c.head, c.ifaces.Iface[0])
	st.queue.add(st.w.connOwner(k), max(st.now, at), tcpmodel.ClassTimer)
}

// requestTime is the time from sending the request of the object to the beginning of the response.
func (w *flightsWorld) requestTime(object int32, iface int8) time.Duration {
	return w.paths[iface].request + w.page.Objects[object].Server
}

// step handles the next event, if it comes before the one of the given time and key; false: there is none.
func (st *flightsState) step(before time.Duration, key uint64) bool {
	at, order, iface := never, uint64(0), int8(-1)
	for i := range st.w.n {
		if l := &st.links[i]; l.due < at || l.due == at && l.order < order {
			at, order, iface = l.due, l.order, int8(i)
		}
	}
	owner := none
	q := &st.queue
	if q.head < len(q.list) {
		if e := &q.list[q.head]; e.at < at || e.at == at && e.key < order {
			at, order, owner = e.at, e.key, e.owner
		}
	}
	if at > before || at == before && order >= key {
		return false
	}
	st.now, st.handled = at, order
	st.count++
	if owner == none {
		st.leave(iface)
		return true
	}
	q.head++
	st.handle(owner)
	return true
}

// handle handles the owner's event.
func (st *flightsState) handle(owner int32) {
	w := st.w
	conns := w.connOwner(0)
	switch {
	case owner == w.wakeOwner():
		w.engine.client.Woken()
	case owner >= conns:
		st.connEvent(owner - conns)
	case !st.subs[owner].open:
		st.opened(owner)
	case st.conns[st.subs[owner].conn].n > 1:
		st.acknowledged(owner)
	default:
		st.nextFlight(owner)
	}
}

// opened is the end of a subflow's handshake.
func (st *flightsState) opened(s int32) {
	st.establish(s, st.now)
	sub := &st.subs[s]
	c := &st.conns[sub.conn]
	if s == sub.conn*st.w.n {
		c.opened = st.now
		st.request(sub.conn, st.now)
	} else if c.serving == sending {
		st.bind(sub.conn)
	}
}

// establish makes a subflow one whose handshake was done at the given time.
func (st *flightsState) establish(s int32, at time.Duration) {
	sub := &st.subs[s]
	sub.open = true
	sub.window, sub.last = int64(st.w.params.InitialWindow), at
	if st.conns[sub.conn].n > 1 {
		st.openedMultipath(s)
	}
}

// connEvent is a request's arrival at the server, or the last byte's at the client.
func (st *flightsState) connEvent(k int32) {
	c := &st.conns[k]
	if c.serving == requesting {
		c.serving = sending
		if c.n > 1 {
			st.serveMultipath(k)
		} else {
			st.serve(k)
		}
		return
	}
	w := st.w
	if st.live {
		w.deliver(k)
		if !w.params.Pipelining {
			w.unclaim(k)
		}
	}
	ended := c.head
	c.head = w.next[ended]
	if c.head == none {
		c.tail = none
	}
	if !st.live && c.head == none {
		c.idleSince, c.idleSeq = st.now, st.queue.seq
		st.queue.seq++
		w.ahead.turned = true
	}
	sent := st.now
	if w.params.Pipelining && c.head != none {
		sent = max(c.opened, w.placed[c.head])
	}
	st.request(k, sent)
	if st.live {
		if c.head == none {
			w.busy = without(w.busy, k)
		}
		w.engine.ended(ended, k, st.now)
	}
}

// deliver accounts the bytes of the object at the head to the interfaces.
func (w *flightsWorld) deliver(k int32) {
	c := &w.live.conns[k]
	if c.n > 1 {
		w.deliverMultipath(k)
		return
	}
	w.engine.result.IfaceBytes[c.ifaces.Iface[0]] += w.page.Objects[c.head].Bytes
}

// restarted is the subflow's window, and whether it is back in slow start, when the server begins a response now.
func (w *flightsWorld) restarted(sub *flightsSub, now time.Duration) (int64, bool) {
	if !w.params.IdleRestart {
		return sub.window, false
	}
	return tcpmodel.IdleWindow(sub.window, int64(w.params.InitialWindow), now-sub.last, w.paths[sub.iface].rto)
}

func (st *flightsState) serve(k int32) {
	s := k * st.w.n
	sub := &st.subs[s]
	window, again := st.w.restarted(sub, st.now)
	sub.window = window
	if again {
		sub.limited = false
	}
	sub.left = st.w.packets[st.conns[k].head]
	if sub.left == 0 {
		st.sent(s)
		return
	}
	st.fly(s)
}

// fly starts the next flight and sets the timer of the one after it, if there is one.
func (st *flightsState) fly(s int32) {
	sub := &st.subs[s]
	packets := sub.left
	if !sub.limited {
		packets = min(sub.window, sub.left)
		sub.window = tcpmodel.Grow(sub.window, packets)
	}
	sub.left -= packets
	st.enqueue(s, float64(packets*int64(st.w.params.Packet)))
	if sub.left > 0 {
		st.queue.add(s, st.now+st.w.paths[sub.iface].next, tcpmodel.ClassTimer)
	}
}

// nextFlight is the time of the next flight.
func (st *flightsState) nextFlight(s int32) {
	sub := &st.subs[s]
	if !sub.queued {
		st.fly(s)
		return
	}
	sub.limited = true
	wire := float64(sub.left * int64(st.w.params.Packet))
	sub.left = 0
	st.enqueue(s, wire)
}

func (st *flightsState) enqueue(s int32, wire float64) {
	sub := &st.subs[s]
	l := &st.links[sub.iface]
	l.serve(st.now)
	if sub.queued {
		l.extend(s, wire)
	} else {
		sub.queued = true
		l.join(s, l.Service+wire)
	}
	st.rekey(l)
}

// leave takes the flight that the link has served off it.
func (st *flightsState) leave(iface int8) {
	l := &st.links[iface]
	s, leaves := l.queued[0].sub, l.queued[0].leaves
	l.serve(st.now)
	if l.Service < leaves {
		l.Service = leaves
	}
	sub := &st.subs[s]
	sub.queued = false
	sub.last = st.now
	l.shift(0)
	if st.conns[sub.conn].n > 1 {
		st.departed(s)
		return
	}
	st.rekey(l)
	if sub.left == 0 {
		st.sent(s)
	}
}

// rekey sets the link's next event: the first of its flights to leave, of equal ones the first to have joined.
func (st *flightsState) rekey(l *link) {
	if len(l.queued) == 0 {
		l.due = never
		return
	}
	l.due, l.order = l.Due(l.queued[0].leaves, len(l.queued)), st.queue.key(tcpmodel.ClassLink)
}

// sent says that the last byte has left the link.
func (st *flightsState) sent(s int32) {
	sub := &st.subs[s]
	sub.last = st.now
	st.arrives(sub.conn, st.now+st.w.paths[sub.iface].half)
}

// arrives says when the last byte comes. A prediction is over when it is the watched object's, and has no use for the
// arrival of an object with nothing behind it.
func (st *flightsState) arrives(k int32, at time.Duration) {
	c := &st.conns[k]
	c.serving = arriving
	if !st.live {
		if c.head == st.w.watched {
			st.w.endedAt = at
			return
		}
		if c.origin != st.followed && st.w.next[c.head] == none {
			return
		}
	}
	st.queue.add(st.w.connOwner(k), at, tcpmodel.ClassEnd)
}
