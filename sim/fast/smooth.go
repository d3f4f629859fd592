package fast

import (
	"math"
	"time"

	"braid/sim"
	"braid/sim/policy"
	"braid/sim/tcpmodel"
)

// smoothWorld is the smooth transmission on flat arrays: see package flow for what it models.
type smoothWorld struct {
	base
	cwnd  float64   // initial window, bytes
	bytes []float64 // by object
	multi []int32   // open connections over several paths

	behind int32 // the object that the watched one is queued behind, none if none

	live, scratch smoothState

	demands, shares []float64 // scratch memory of share

	rivals []rival
	order  []int32 // of rivals, by their lower bounds
	asked  asked[idleSmooth]
}

// smoothState is what a prediction copies.
type smoothState struct {
	w     *smoothWorld
	live  bool
	now   time.Duration
	count int64
	queue slots
	conns []smoothConn
	subs  []smoothSub
	links [sim.MaxInterfaces][]int32 // subflows that take part
}

type smoothConn struct {
	outstanding float64
	rate        float64
	left        float64 // of the object at the head
	counted     time.Duration
	head, tail  int32
	origin      int32
	n           int8
	dialled     bool
	ifaces      policy.Paths
}

type smoothSub struct {
	demand, share, delivered, got float64
	conn                          int32
	iface                         int8
	open, slow                    bool
}

func (w *smoothWorld) reset(e *Engine, s *sim.Spec) {
	w.base.reset(e, s)
	w.cwnd = float64(w.params.InitialWindow * w.params.Payload)
	objects := len(s.Page.Objects)
	w.bytes = resize(w.bytes, objects)
	for i := range s.Page.Objects {
		w.bytes[i] = float64(s.Page.Objects[i].Bytes)
	}
	w.multi = w.multi[:0]
	for _, st := range []*smoothState{&w.live, &w.scratch} {
		st.w, st.now, st.count = w, 0, 0
		st.conns, st.subs = st.conns[:0], st.subs[:0]
		st.queue.reset(objects*int(w.n) + objects + 1)
		for i := range w.n {
			st.links[i] = st.links[i][:0]
		}
	}
	w.live.live = true
}

func (w *smoothWorld) now() time.Duration { return w.live.now }
func (w *smoothWorld) events() int64      { return w.live.count }
func (w *smoothWorld) predicted() int64   { return w.scratch.count }

func (w *smoothWorld) step() bool {
	w.version++
	return w.live.step()
}

// Owners of events: subflows, connections, and the client's wake.
func (w *smoothWorld) connOwner(k int32) int32 { return int32(len(w.bytes))*w.n + k }
func (w *smoothWorld) wakeOwner() int32        { return int32(len(w.bytes)) * (w.n + 1) }

func (w *smoothWorld) wake(at time.Duration) { w.live.queue.Set(w.wakeOwner(), at, tcpmodel.ClassWake) }

func (w *smoothWorld) open(origin int32, p policy.Paths) int32 {
	w.version++
	k := w.live.open(origin, p)
	if p.N > 1 {
		w.multi = append(w.multi, k)
	}
	return k
}

func (w *smoothWorld) send(k, object int32) {
	w.version++
	if w.live.conns[k].head == none {
		w.busy = append(w.busy, k)
	}
	w.claim(k, object)
	w.live.placed(k, object)
}

func (w *smoothWorld) claim(k, object int32) {
	w.version++
	c := &w.live.conns[k]
	w.next[object] = none
	if c.head == none {
		c.head, c.left = object, w.bytes[object]
	} else {
		w.next[c.tail] = object
	}
	c.tail = object
}

func (w *smoothWorld) unclaim(k int32) {
	w.version++
	c := &w.live.conns[k]
	if c.head != none {
		w.next[c.head] = none
		c.tail = c.head
	}
}

func (w *smoothWorld) close(k int32) {
	w.version++
	w.live.queue.Remove(w.connOwner(k))
	for s := k * w.n; s < (k+1)*w.n; s++ {
		w.live.subs[s].open = false
		w.live.queue.Remove(s)
	}
	w.multi = without(w.multi, k)
}

// without removes the value from a list whose order does not matter.
func without(list []int32, v int32) []int32 {
	for i, x := range list {
		if x == v {
			last := len(list) - 1
			list[i] = list[last]
			return list[:last]
		}
	}
	return list
}

func (st *smoothState) open(origin int32, p policy.Paths) int32 {
	k := int32(len(st.conns))
	st.conns = append(st.conns, smoothConn{head: none, tail: none, origin: origin, n: p.N, ifaces: p})
	for i := range st.w.n {
		st.subs = append(st.subs, smoothSub{conn: k, iface: p.Iface[i]})
	}
	return k
}

// subflows returns the connection's first subflow and the one past its last.
func (st *smoothState) subflows(k int32) (first, past int32) {
	first = k * st.w.n
	return first, first + int32(st.conns[k].n)
}

// placed puts the object, which the connection's list already holds, to work.
func (st *smoothState) placed(k, object int32) {
	c := &st.conns[k]
	if !c.dialled {
		c.dialled = true
		iface := c.ifaces.Iface[0]
		known := st.w.resolved(st.now, object, iface, st.live)
		st.queue.Set(k*st.w.n, st.w.handshake(known, object, iface), tcpmodel.ClassHandshake)
	}
	fresh := c.head == object
	if !fresh && !st.w.params.Pipelining {
		return // in a prediction: it waits for the connection
	}
	st.count1(k)
	c.outstanding += st.w.bytes[object]
	first, past := st.subflows(k)
	if fresh {
		for s := first; s < past; s++ {
			st.subs[s].got = 0
		}
	}
	for s := first; s < past; s++ {
		if st.subs[s].open {
			st.evaluate(s)
			if fresh {
				st.links[st.subs[s].iface] = append(st.links[st.subs[s].iface], s)
			}
		}
	}
	st.shareAll(k)
}

func (st *smoothState) step() bool {
	owner, at, ok := st.queue.Next()
	if ok {
		st.handle(owner, at)
	}
	return ok
}

func (st *smoothState) handle(owner int32, at time.Duration) {
	st.queue.Remove(owner)
	st.now = at
	st.count++
	w := st.w
	subs := int32(len(w.bytes)) * w.n
	switch {
	case owner == w.wakeOwner():
		w.engine.client.Woken()
	case owner >= subs:
		st.ends(owner - subs)
	case !st.subs[owner].open:
		st.opened(owner)
	default:
		// A slow-start timer.
		st.count1(st.subs[owner].conn)
		st.evaluate(owner)
		st.share(st.subs[owner].iface)
	}
}

// opened is the end of a subflow's handshake.
func (st *smoothState) opened(s int32) {
	sub := &st.subs[s]
	*sub = smoothSub{conn: sub.conn, iface: sub.iface, open: true, slow: true}
	k := sub.conn
	c := &st.conns[k]
	if c.head != none {
		st.evaluate(s)
		st.links[sub.iface] = append(st.links[sub.iface], s)
		st.share(sub.iface)
	}
	if first, past := st.subflows(k); s == first {
		for t := first + 1; t < past; t++ {
			st.queue.Set(t, st.now+tcpmodel.RTTs(float64(st.w.params.HandshakeRTTs), st.w.paths[st.subs[t].iface].rtt), tcpmodel.ClassHandshake)
		}
	}
}

// nextOf returns the object behind the given one on its connection.
func (w *smoothWorld) nextOf(object int32, live bool) int32 {
	if !live && object == w.behind {
		return w.watched
	}
	return w.next[object]
}

// ends is the completion of the object at the connection's head.
func (st *smoothState) ends(k int32) {
	w, c := st.w, &st.conns[k]
	first, past := st.subflows(k)
	if c.n == 1 {
		sub := &st.subs[first]
		sub.delivered += c.left
		sub.got += c.left
		c.outstanding -= c.left
		c.counted = st.now
	} else {
		st.count1(k)
		c.outstanding -= c.left
	}
	if st.live {
		w.deliver(k)
		if !w.params.Pipelining {
			w.unclaim(k)
		}
	}
	ended := c.head
	c.head = w.nextOf(ended, st.live)
	if c.head == none {
		c.tail = none
	} else {
		c.left = w.bytes[c.head]
		if !w.params.Pipelining {
			c.outstanding += c.left // a claim that comes true in a prediction
		}
	}
	for s := first; s < past; s++ {
		sub := &st.subs[s]
		if !sub.open {
			continue
		}
		st.evaluate(s)
		if c.head == none {
			l := st.links[sub.iface]
			for i, t := range l {
				if t == s {
					st.links[sub.iface] = append(l[:i], l[i+1:]...)
					break
				}
			}
			st.queue.Remove(s)
			sub.share = 0
		}
	}
	if c.head == none {
		c.outstanding, c.rate = 0, 0
	} else {
		for s := first; s < past; s++ {
			st.subs[s].got = 0
		}
	}
	st.shareAll(k)
	if st.live {
		if c.head == none {
			w.busy = without(w.busy, k)
		}
		w.engine.ended(ended, k, st.now)
	} else if ended == w.watched {
		w.endedAt = st.now
	}
}

func (st *smoothState) evaluate(s int32) {
	sub := &st.subs[s]
	if !sub.slow {
		sub.demand = st.steady(sub.conn)
		return
	}
	sub.demand = st.window(s)
	st.queue.Set(s, st.now+st.w.paths[sub.iface].rtt, tcpmodel.ClassTimer)
}

func (st *smoothState) window(s int32) float64 {
	sub := &st.subs[s]
	cwnd := st.w.cwnd + sub.delivered + st.uncounted(s)
	return math.Floor(cwnd / st.w.paths[sub.iface].rttSeconds)
}

func (st *smoothState) steady(k int32) float64 {
	c := &st.conns[k]
	outstanding := c.outstanding
	for s, past := st.subflows(k); s < past; s++ {
		outstanding -= st.uncounted(s)
	}
	return max(1, math.Floor(outstanding/st.w.paths[c.ifaces.Iface[0]].rttSeconds))
}

func (st *smoothState) uncounted(s int32) float64 {
	sub := &st.subs[s]
	return math.Floor(sub.share * tcpmodel.Seconds(st.now-st.conns[sub.conn].counted))
}

// count1 adds up what the connection delivered since it was last counted.
func (st *smoothState) count1(k int32) {
	c := &st.conns[k]
	dt := tcpmodel.Seconds(st.now - c.counted)
	c.counted = st.now
	if dt == 0 || c.rate == 0 || c.head == none {
		return
	}
	total := 0.0
	for s, past := st.subflows(k); s < past; s++ {
		sub := &st.subs[s]
		d := math.Floor(sub.share * dt)
		sub.delivered += d
		sub.got += d
		total += d
	}
	total = min(total, c.left)
	c.left -= total
	c.outstanding -= total
}

func (st *smoothState) shareAll(k int32) {
	for s, past := st.subflows(k); s < past; s++ {
		if st.subs[s].open {
			st.share(st.subs[s].iface)
		}
	}
	st.schedule(k)
}

func (st *smoothState) share(iface int8) {
	w, l := st.w, st.links[iface]
	n := len(l)
	w.demands, w.shares = resize(w.demands, n), resize(w.shares, n)
	for i, s := range l {
		w.demands[i] = st.subs[s].demand
	}
	tcpmodel.MaxMin(math.Floor(w.paths[iface].rate), w.demands, w.shares, true)
	for i, s := range l {
		sub := &st.subs[s]
		if share := max(1, w.shares[i]); share != sub.share {
			st.count1(sub.conn)
			sub.share = share
			if sub.slow {
				st.queue.Set(s, st.now+w.paths[iface].rtt, tcpmodel.ClassTimer)
			}
			st.schedule(sub.conn)
		}
		if sub.slow && st.window(s) > sub.share {
			sub.slow = false
			sub.demand = max(sub.demand, st.steady(sub.conn))
			st.queue.Remove(s)
		}
	}
}

func (st *smoothState) schedule(k int32) {
	c := &st.conns[k]
	c.rate = 0
	first, past := st.subflows(k)
	for s := first; s < past; s++ {
		c.rate += st.subs[s].share
	}
	if c.head == none || !st.subs[first].open {
		return
	}
	if c.left > 0 && c.rate == 0 {
		st.queue.Remove(st.w.connOwner(k))
		return
	}
	st.queue.Set(st.w.connOwner(k), c.counted+tcpmodel.Duration(c.left, c.rate), tcpmodel.ClassEnd)
}

// deliver accounts the bytes of the object at the head to the interfaces, as package flow does.
func (w *smoothWorld) deliver(k int32) {
	st := &w.live
	c := &st.conns[k]
	left := w.page.Objects[c.head].Bytes
	first, past := st.subflows(k)
	most := first
	for s := first + 1; s < past; s++ {
		if st.subs[s].got > st.subs[most].got {
			most = s
		}
	}
	for s := first; s < past; s++ {
		if b := int64(st.subs[s].got); s != most && b > 0 {
			w.engine.result.IfaceBytes[st.subs[s].iface] += b
			left -= b
		}
	}
	w.engine.result.IfaceBytes[st.subs[most].iface] += left
}
