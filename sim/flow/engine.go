package flow

import (
	"fmt"
	"time"

	"braid/sim"
	"braid/sim/client"
	"braid/sim/policy"
	"braid/sim/tcpmodel"
)

// Engine is the flow-level reference engine. It implements sim.Engine and, for the client, client.Transport. The zero
// value is not usable; call New. An engine is for one goroutine and allocates nothing once warm.
type Engine struct {
	client    client.Client
	live      core // what happens
	scratch   core // what would happen: the state of a prediction
	estimator estimator
	ifaces    []policy.Iface
	result    sim.Result
}

// New returns an engine.
func New() *Engine { return &Engine{} }

// Run simulates one load. Errors: an invalid spec, an unknown policy, or a load that comes to a standstill (an object
// the policy never places).
func (e *Engine) Run(s *sim.Spec) (*sim.Result, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	names := make([]string, len(s.Interfaces))
	for i := range names {
		names[i] = s.Interfaces[i].Name
	}
	pol, _, err := policy.Lookup(s.Policy, names)
	if err != nil {
		return nil, err
	}
	e.reset(s)
	e.client.Reset(s, pol, e, e)
	e.client.Start()
	for !e.client.Done() {
		if !e.live.step() {
			return nil, fmt.Errorf("standstill at %v: policy %s leaves %d objects without a place", e.live.now, s.Policy, e.client.Waiting())
		}
		if err := e.client.Fault(); err != nil {
			return nil, err
		}
	}
	e.result.LoadTime = 0
	for i := range e.live.objects {
		e.result.End[i] = e.live.objects[i].end
		e.result.LoadTime = max(e.result.LoadTime, e.live.objects[i].end)
	}
	e.result.Connections = e.client.Connections()
	e.result.Events = e.live.events
	e.result.Predictions = e.client.Predictions()
	return &e.result, nil
}

func (e *Engine) reset(s *sim.Spec) {
	n := len(s.Page.Objects)
	e.live.reset(s)
	e.live.owner = e
	e.live.observer = s.Observer
	e.scratch.reset(s)
	e.result.End = resize(e.result.End, n)
	e.result.IfaceBytes = resize(e.result.IfaceBytes, len(s.Interfaces))
	clear(e.result.IfaceBytes)
	e.ifaces = resize(e.ifaces, len(s.Interfaces))
	for i, f := range s.Interfaces {
		e.ifaces[i] = policy.Iface{Name: f.Name, Rate: f.Rate, RTT: f.RTT}
	}
	e.estimator.reset(s)
}

// resize returns a slice of length n, with the memory of s where it is large enough. Its values are undefined.
func resize[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}

// Now implements client.Transport.
func (e *Engine) Now() time.Duration { return e.live.now }

// Open implements client.Transport.
func (e *Engine) Open(origin int32, p policy.Paths) int32 { return e.live.open(origin, p) }

// Send implements client.Transport.
func (e *Engine) Send(conn, object int32) { e.live.send(conn, object) }

// Claim implements client.Transport: the object queues on the connection in predictions.
func (e *Engine) Claim(conn, object int32) { e.live.append(conn, object) }

// Unclaim implements client.Transport.
func (e *Engine) Unclaim(conn int32) { e.live.keepHead(conn) }

// Close implements client.Transport.
func (e *Engine) Close(conn int32) { e.live.close(conn) }

// Wake implements client.Transport.
func (e *Engine) Wake(at time.Duration) { e.live.queue.Set(e.live.wakeOwner(), at, tcpmodel.ClassWake) }

// Ifaces implements client.Network.
func (e *Engine) Ifaces() []policy.Iface {
	if e.estimator.enabled() {
		e.estimator.fill(e.ifaces)
	}
	return e.ifaces
}

// End implements client.Transport: it copies the state, puts the object where the choice says, and runs on without
// enabling anything new until that object ends or the bound is reached.
func (e *Engine) End(object int32, c policy.Choice, before time.Duration) (time.Duration, bool) {
	p := &e.scratch
	p.nets = e.live.nets
	p.copyFrom(&e.live)
	if e.estimator.enabled() {
		e.estimator.apply(p)
	}
	conn := c.Conn
	if conn == policy.New {
		conn = p.open(p.page.Origin(object), c.Paths)
	}
	p.send(conn, object)
	for p.objects[object].end < 0 {
		if _, at, ok := p.queue.Next(); !ok || at >= before {
			return 0, false
		}
		p.step()
	}
	end := p.objects[object].end
	return end, end < before
}

// First implements client.Transport. The reference engine predicts every end.
func (e *Engine) First(object int32, candidates []policy.Choice) int {
	return policy.Compare(candidates, func(c policy.Choice, before time.Duration) (time.Duration, bool) {
		return e.End(object, c, before)
	})
}

// ended tells the client that an object's last byte has arrived.
func (e *Engine) ended(object, conn int32) {
	e.client.Ended(object, conn)
}

// delivered counts an object's bytes by interface, once, at its end.
func (e *Engine) delivered(object int32, iface int8, bytes int64) {
	e.result.IfaceBytes[iface] += bytes
	if o := e.live.observer; o != nil {
		o.Delivered(object, iface, bytes)
	}
}
