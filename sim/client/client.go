// Package client is the browser: it releases objects when what they wait for has ended, keeps connection pools with
// their limits and idle timeouts, and asks a policy where each object goes. It has no clock and no network; both come
// from a Transport, so that the same client runs over every engine.
//
// Two ways to wait. With pipelining, an object goes onto a connection at once, behind what is there (RFC 9112, section
// 9.3.2). Without, a connection carries one object at a time: a policy may choose to wait for a busy connection, then the
// object only claims it. Claims count in predictions, so that the next object in line sees them, but bind nothing: whenever
// a connection of the host turns idle, its waiting objects are decided again, in page order.
package client

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"braid/sim"
	"braid/sim/page"
	"braid/sim/policy"
)

// Transport is what moves bytes. Its methods are called from within the client's own, never the other way round.
type Transport interface {
	Now() time.Duration
	// Open opens a connection to the origin over the paths and returns its index: 0, 1, 2, ... in order of opening.
	Open(origin int32, p policy.Paths) int32
	// Send puts the object on the connection: it is requested at once, or behind the objects already there.
	Send(conn, object int32)
	// Claim tells predictions that the object waits for the connection; Unclaim takes all claims on it back.
	Claim(conn, object int32)
	Unclaim(conn int32)
	// Close closes an idle connection.
	Close(conn int32)
	// Wake asks for a call of Woken at the time, in place of any asked for before.
	Wake(at time.Duration)
	// End predicts when the object ends if it goes to c; false: not before the bound. Nothing new is enabled meanwhile.
	End(object int32, c policy.Choice, before time.Duration) (time.Duration, bool)
	// First returns what policy.Compare gives of predicted ends: the index of the candidate at which the object ends first.
	First(object int32, candidates []policy.Choice) int
}

// Network is what the client's policies may know of the interfaces: exact values, or a client's estimates.
type Network interface {
	Ifaces() []policy.Iface
}

const none int32 = -1

type connection struct {
	origin int32
	host   int32
	paths  policy.Paths
	load   int32 // objects on it
	idle   time.Duration
}

type wake struct {
	at     time.Duration
	object int32
}

// Client loads one page. Reset it for each load; it allocates nothing once warm.
type Client struct {
	params    *sim.Params
	page      *page.Page
	policy    policy.Policy
	transport Transport
	network   Network
	observer  sim.Observer
	name      string
	ifaces    int
	reads     uint32 // interfaces the policy may use
	fault     error
	rand      *rand.Rand // generator, if the policy draws
	generator rand.Rand  // over source
	source    rand.PCG

	waiting []int32 // enabled objects without a place, in the order they are tried
	claim   []int32 // by object: the connection it claims, or none
	turn    []int32 // by object: its turn, or none
	turns   int32
	wakes   []wake // think times running, the latest first
	conns   []connection
	open    []int32 // open connections, the oldest first
	busy    int     // connections with a load
	byHost  []int32 // of these, by host
	ended   int

	view        view
	predictions int64
}

// Reset prepares the client for one load of the page.
func (c *Client) Reset(s *sim.Spec, pol policy.Policy, t Transport, n Network) {
	objects := len(s.Page.Objects)
	c.params, c.page, c.policy, c.transport, c.network, c.observer = &s.Params, s.Page, pol, t, n, s.Observer
	c.rand = nil
	if pol.Reads().Random {
		c.source.Seed(s.Key.Seeds("policy/" + s.Policy))
		c.generator = *rand.New(&c.source)
		c.rand = &c.generator
	}
	c.waiting, c.wakes, c.conns, c.open = c.waiting[:0], c.wakes[:0], c.conns[:0], c.open[:0]
	c.claim = fill(c.claim, objects, none)
	c.turn = fill(c.turn, objects, none)
	c.byHost = fill(c.byHost, s.Page.Hosts(), 0)
	c.turns, c.busy, c.ended, c.predictions = 0, 0, 0, 0
	c.name, c.ifaces, c.reads, c.fault = s.Policy, len(s.Interfaces), pol.Reads().Ifaces, nil
	c.view.client = c
}

func fill(s []int32, n int, v int32) []int32 {
	s = slices.Grow(s[:0], n)[:n]
	for i := range s {
		s[i] = v
	}
	return s
}

// Done says whether every object has ended, or the policy did what it must not.
func (c *Client) Done() bool { return c.ended == len(c.page.Objects) || c.fault != nil }

// Fault returns an error when the policy asked for an interface that is not there, or that it does not declare to read
// (policy.Reads): runs that cannot differ by what is declared are computed once, so the others would get wrong results.
func (c *Client) Fault() error { return c.fault }

// allowed says whether a policy may ask for a choice, and keeps the fault if it may not. Open connections were asked for
// before.
func (c *Client) allowed(choice policy.Choice) bool {
	if choice.Conn != policy.New {
		return true
	}
	for _, i := range choice.Paths.List() {
		switch {
		case i < 0 || int(i) >= c.ifaces:
			c.fault = fmt.Errorf("policy %s chose interface %d of %d", c.name, i+1, c.ifaces)
			return false
		case c.reads&(1<<i) == 0:
			c.fault = fmt.Errorf("policy %s chose interface %d, which its Reads does not name", c.name, i+1)
			return false
		}
	}
	return true
}

// Predictions returns how many candidates the policy compared with the best so far.
func (c *Client) Predictions() int64 { return c.predictions }

// Connections returns how many connections were opened.
func (c *Client) Connections() int { return len(c.conns) }

// Waiting returns the number of enabled objects that have no place.
func (c *Client) Waiting() int { return len(c.waiting) }

// Start enables the objects that wait for none.
func (c *Client) Start() {
	if c.observer != nil {
		for i := range c.page.Objects {
			c.observer.Phase(int32(i), sim.WaitParent, 0)
		}
	}
	c.release(c.page.Roots())
}

// Ended says that the object's last byte has arrived over the connection.
func (c *Client) Ended(object, conn int32) {
	c.ended++
	k := &c.conns[conn]
	k.load--
	if k.load == 0 {
		c.busy--
		c.byHost[k.host]--
		k.idle = c.transport.Now()
		if !c.params.Persistent {
			c.close(conn, k.idle)
		}
		c.turnedIdle(k.host)
	}
	c.release(c.page.Children(object))
}

// Woken says that the time of the last Wake has come.
func (c *Client) Woken() {
	now := c.transport.Now()
	for n := len(c.wakes); n > 0 && c.wakes[n-1].at <= now; n = len(c.wakes) {
		object := c.wakes[n-1].object
		c.wakes = c.wakes[:n-1]
		c.enable(object)
	}
	c.setWake()
}

// release enables the objects, each after its think time.
func (c *Client) release(objects []int32) {
	for _, i := range objects {
		think := c.page.Objects[i].Think
		if think == 0 {
			c.enable(i)
			continue
		}
		w := wake{c.transport.Now() + think, i}
		// The latest first. Of equal times the one released first is woken first, so it comes last.
		at, _ := slices.BinarySearchFunc(c.wakes, w.at, func(old wake, at time.Duration) int {
			if old.at > at {
				return -1
			}
			return 1
		})
		c.wakes = slices.Insert(c.wakes, at, w)
		c.setWake()
	}
}

func (c *Client) setWake() {
	if n := len(c.wakes); n > 0 {
		c.transport.Wake(c.wakes[n-1].at)
	}
}

// enable makes the object a candidate and tries to place it. With pipelining every waiting object is tried; without,
// the others keep their claims.
func (c *Client) enable(object int32) {
	if c.observer != nil {
		c.observer.Phase(object, sim.WaitConnection, c.transport.Now())
	}
	if c.params.Pipelining {
		c.waiting = append(c.waiting, object)
		c.pass(func(int32) bool { return true })
		return
	}
	at, _ := slices.BinarySearch(c.waiting, object)
	c.waiting = slices.Insert(c.waiting, at, object)
	c.pass(func(i int32) bool { return i == object })
}

// turnedIdle tries the objects a connection of the host that turned idle may carry, and those of other hosts that wait
// for a free slot.
func (c *Client) turnedIdle(host int32) {
	if c.params.Pipelining {
		c.pass(func(int32) bool { return true })
		return
	}
	for _, i := range c.waiting {
		if k := c.claim[i]; k != none && c.hostOf(i) == host {
			c.transport.Unclaim(k)
			c.claim[i] = none
		}
	}
	c.pass(func(i int32) bool { return c.claim[i] == none })
}

func (c *Client) hostOf(object int32) int32 {
	return c.page.Origins()[c.page.Origin(object)].Index
}

// pass tries to place the waiting objects that try says yes to. Nothing is placed while all connections are busy (with
// pipelining this is looked at once, when the pass begins, as in the published simulator); an object is passed over while
// its host has as many busy connections as it may have.
func (c *Client) pass(try func(object int32) bool) {
	if c.busy >= c.params.MaxConnections {
		return
	}
	left := c.waiting[:0]
	for _, i := range c.waiting {
		if !try(i) || !c.place(i) {
			left = append(left, i)
		}
	}
	c.waiting = left
}

// place asks the policy for a place and puts the object there; false: it goes on waiting.
func (c *Client) place(object int32) bool {
	host := c.hostOf(object)
	if int(c.byHost[host]) >= c.params.MaxPerHost || !c.params.Pipelining && c.busy >= c.params.MaxConnections {
		return false
	}
	if c.turn[object] == none {
		c.turn[object] = c.turns
		c.turns++
	}
	c.expire()
	c.view.look(object, host)
	choice, ok := c.policy.Place(&c.view)
	if !ok || c.fault != nil || !c.allowed(choice) {
		return false
	}
	choice = c.view.resolve(choice)
	if choice.Conn != policy.New && !c.params.Pipelining && c.conns[choice.Conn].load > 0 {
		c.claim[object] = choice.Conn
		c.transport.Claim(choice.Conn, object)
		return false
	}
	c.makeRoom(choice.Conn, host)
	conn := choice.Conn
	if conn == policy.New {
		conn = c.transport.Open(c.page.Origin(object), choice.Paths)
		c.conns = append(c.conns, connection{origin: c.page.Origin(object), host: host, paths: choice.Paths})
		c.open = append(c.open, conn)
	}
	k := &c.conns[conn]
	if k.load == 0 {
		c.busy++
		c.byHost[host]++
	}
	k.load++
	if c.observer != nil {
		c.observer.Assigned(object, conn, c.transport.Now())
	}
	c.transport.Send(conn, object)
	return true
}

// expire closes the connections that were idle for longer than the timeout.
func (c *Client) expire() {
	now := c.transport.Now()
	for i := 0; i < len(c.open); i++ {
		k := &c.conns[c.open[i]]
		if k.load == 0 && now-k.idle >= c.params.IdleTimeout {
			c.close(c.open[i], k.idle+c.params.IdleTimeout)
			i--
		}
	}
}

// makeRoom closes the connection that has been idle for longest, unless it is the chosen one, when the limit in all is
// reached; and, where idle connections count for the host, the host's longest idle one before a new one is opened.
func (c *Client) makeRoom(chosen, host int32) {
	if len(c.open) >= c.params.MaxConnections {
		if k := c.longestIdle(none); k != none && k != chosen {
			c.close(k, c.transport.Now())
		}
	}
	if c.params.IdleCountsForHost && chosen == policy.New && c.openTo(host) >= c.params.MaxPerHost {
		if k := c.longestIdle(host); k != none {
			c.close(k, c.transport.Now())
		}
	}
}

// longestIdle returns the open connection to the host (none: to any) that has been idle for longest.
func (c *Client) longestIdle(host int32) int32 {
	longest := none
	for _, i := range c.open {
		k := &c.conns[i]
		if k.load == 0 && (host == none || k.host == host) && (longest == none || k.idle < c.conns[longest].idle) {
			longest = i
		}
	}
	return longest
}

func (c *Client) openTo(host int32) (n int) {
	for _, i := range c.open {
		if c.conns[i].host == host {
			n++
		}
	}
	return n
}

func (c *Client) close(conn int32, at time.Duration) {
	i := slices.Index(c.open, conn)
	c.open = slices.Delete(c.open, i, i+1)
	c.transport.Close(conn)
	if c.observer != nil {
		c.observer.Closed(conn, at)
	}
}
