package fast

import (
	"errors"
	"fmt"
	"time"

	"braid/sim"
	"braid/sim/client"
	"braid/sim/policy"
)

// ErrUnsupported says that a spec needs the reference engine: it is watched by an observer, or its policies see
// estimates.
var ErrUnsupported = errors.New("not covered by the fast engine")

// Supports says whether the engine covers the spec. What it does not cover runs on package flow with equal results.
func Supports(s *sim.Spec) bool {
	return s.Observer == nil && s.Params.Knowledge == sim.Exact
}

// world is the state of all transfers under one transmission, live and scratch together.
type world interface {
	reset(e *Engine, s *sim.Spec)
	now() time.Duration
	open(origin int32, p policy.Paths) int32
	send(conn, object int32)
	claim(conn, object int32)
	unclaim(conn int32)
	close(conn int32)
	wake(at time.Duration)
	// step handles the next event; false: there is none.
	step() bool
	events() int64
	// predicted is how many events predictions have handled.
	predicted() int64
	end(object int32, c policy.Choice, before time.Duration) (time.Duration, bool)
	first(object int32, candidates []policy.Choice) int
}

// Engine runs page loads like flow.Engine, to the last bit, several times as fast. It implements sim.Engine and, for the
// client, client.Transport. Make it with New. An engine is for one goroutine and allocates nothing once warm.
type Engine struct {
	client  client.Client
	world   world
	flights flightsWorld
	smooth  smoothWorld
	ifaces  []policy.Iface
	names   []string
	result  sim.Result
}

// New returns an engine.
func New() *Engine { return &Engine{} }

// Run simulates one load. Errors: ErrUnsupported, an invalid spec, an unknown policy, or a load that comes to a
// standstill.
func (e *Engine) Run(s *sim.Spec) (*sim.Result, error) {
	if !Supports(s) {
		return nil, ErrUnsupported
	}
	if err := s.Validate(); err != nil {
		return nil, err
	}
	e.names = e.names[:0]
	for i := range s.Interfaces {
		e.names = append(e.names, s.Interfaces[i].Name)
	}
	pol, _, err := policy.Lookup(s.Policy, e.names)
	if err != nil {
		return nil, err
	}
	e.reset(s)
	e.client.Reset(s, pol, e, e)
	e.client.Start()
	for !e.client.Done() {
		if !e.world.step() {
			return nil, fmt.Errorf("standstill at %v: policy %s leaves %d objects without a place", e.world.now(), s.Policy, e.client.Waiting())
		}
		if err := e.client.Fault(); err != nil {
			return nil, err
		}
	}
	e.result.LoadTime = 0
	for _, end := range e.result.End {
		e.result.LoadTime = max(e.result.LoadTime, end)
	}
	e.result.Connections = e.client.Connections()
	e.result.Events = e.world.events()
	e.result.Predictions = e.client.Predictions()
	return &e.result, nil
}

// Steps returns how many events the last run handled, those of its predictions included.
func (e *Engine) Steps() int64 { return e.world.events() + e.world.predicted() }

func (e *Engine) reset(s *sim.Spec) {
	e.world = &e.flights
	if s.Params.Transmission == sim.Smooth {
		e.world = &e.smooth
	}
	e.result.End = resize(e.result.End, len(s.Page.Objects))
	e.result.IfaceBytes = resize(e.result.IfaceBytes, len(s.Interfaces))
	clear(e.result.IfaceBytes)
	e.ifaces = resize(e.ifaces, len(s.Interfaces))
	for i, f := range s.Interfaces {
		e.ifaces[i] = policy.Iface{Name: f.Name, Rate: f.Rate, RTT: f.RTT}
	}
	e.world.reset(e, s)
}

// ended records an object's end and tells the client.
func (e *Engine) ended(object, conn int32, at time.Duration) {
	e.result.End[object] = at
	e.client.Ended(object, conn)
}

// Now implements client.Transport.
func (e *Engine) Now() time.Duration { return e.world.now() }

// Open implements client.Transport.
func (e *Engine) Open(origin int32, p policy.Paths) int32 { return e.world.open(origin, p) }

// Send implements client.Transport.
func (e *Engine) Send(conn, object int32) { e.world.send(conn, object) }

// Claim implements client.Transport.
func (e *Engine) Claim(conn, object int32) { e.world.claim(conn, object) }

// Unclaim implements client.Transport.
func (e *Engine) Unclaim(conn int32) { e.world.unclaim(conn) }

// Close implements client.Transport.
func (e *Engine) Close(conn int32) { e.world.close(conn) }

// Wake implements client.Transport.
func (e *Engine) Wake(at time.Duration) { e.world.wake(at) }

// Ifaces implements client.Network.
func (e *Engine) Ifaces() []policy.Iface { return e.ifaces }

// End implements client.Transport.
func (e *Engine) End(object int32, c policy.Choice, before time.Duration) (time.Duration, bool) {
	return e.world.end(object, c, before)
}

// First implements client.Transport.
func (e *Engine) First(object int32, candidates []policy.Choice) int {
	return e.world.first(object, candidates)
}

// resize returns a slice of length n, with the memory of s where it is large enough. Its values are undefined.
func resize[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}
