package fast

import (
	"time"

	"braid/sim"
	"braid/sim/page"
)

// base is what the worlds of both transmissions keep alike: the load, the lists of objects on connections, names that are
// resolved, and the books of predictions.
type base struct {
	engine *Engine
	params *sim.Params
	page   *page.Page
	paths  [sim.MaxInterfaces]path
	n      int32 // paths

	next  []int32         // by object: the one behind it on its connection
	busy  []int32         // connections that carry an object
	names []time.Duration // by host and interface: when the name is resolved; -1: never asked

	copied []uint32 // by connection: the snapshot that copied it last
	stamp  uint32

	// Of the prediction under way.
	watched int32 // the object
	endedAt time.Duration

	version int64 // of the live state: counts everything that changes it
}

func (b *base) reset(e *Engine, s *sim.Spec) {
	b.engine, b.params, b.page = e, &s.Params, s.Page
	b.n = int32(len(s.Interfaces))
	for i := range s.Interfaces {
		b.paths[i] = newPath(b.params, &s.Interfaces[i])
	}
	objects := len(s.Page.Objects)
	b.next = resize(b.next, objects)
	for i := range b.next {
		b.next[i] = none
	}
	b.names = resize(b.names, s.Page.Hosts()*int(b.n))
	for i := range b.names {
		b.names[i] = -1
	}
	b.busy = b.busy[:0]
	b.copied = resize(b.copied, objects)
	clear(b.copied)
	b.stamp = 0
}

// uncopied says whether the snapshot under way has not copied the connection yet, and notes that it does.
func (b *base) uncopied(k int32) bool {
	if b.copied[k] == b.stamp {
		return false
	}
	b.copied[k] = b.stamp
	return true
}

// resolved returns when the name of the object's host is known on the interface; keep says whether the question is real.
func (b *base) resolved(now time.Duration, object int32, iface int8, keep bool) time.Duration {
	dns := b.paths[iface].dns
	if dns == 0 {
		return now
	}
	at := &b.names[b.page.Origins()[b.page.Origin(object)].Index*b.n+int32(iface)]
	switch {
	case *at >= 0:
		return max(now, *at)
	case keep:
		*at = now + dns
	}
	return now + dns
}

// handshake returns when a new connection over the interface, dialled for the object once the name is known, is open.
func (b *base) handshake(known time.Duration, object int32, iface int8) time.Duration {
	ready := known + b.paths[iface].connect
	if o := &b.page.Objects[object]; o.TLS {
		ready += b.paths[iface].tls[o.Secure]
	}
	return ready
}

// opens returns when a connection that is opened for the object now would be open. It asks for no name.
func (b *base) opens(now time.Duration, object int32, iface int8) time.Duration {
	return b.handshake(b.resolved(now, object, iface, false), object, iface)
}
