package flow_test

import (
	"fmt"
	"math"
	"slices"
	"sort"
	"testing"
	"time"

	"pgregory.net/rapid"

	"braid/sim"
	"braid/sim/flow"
	"braid/sim/page"
)

// The naive model is a second reading of the model's rules, for single-path TCP in both profiles. It is written to be
// obvious: plain lists, no queue of events. At every step it asks everything that can happen next when that would be,
// computed from scratch, moves the clock to the earliest answer and lets that one thing happen. To predict it copies the
// whole world. It shares no code with the engine, the client or the policies; only what a run is (package sim) is common.
//
// Times are whole nanoseconds, as the model asks. At equal times completions come first, then timers, handshakes,
// departures from a link and think times; of the same kind, what was arranged first.

// kinds of things that happen, in the order of equal times
const (
	completion = iota
	timer
	handshake
	departure
	thought
)

const never = time.Duration(-1)

// alarm is when something happens to a connection, and how many alarms were arranged before it.
type alarm struct {
	at    time.Duration
	stamp int
}

type naiveObject struct {
	bytes float64 // not delivered
	end   time.Duration
	claim int           // connection it hopes for, without pipelining; -1: none
	turn  int           // of the round robin; -1: none yet
	given time.Duration // when it was put on its connection
}

type naiveConn struct {
	host  string
	tls   bool
	iface int
	queue []int         // objects: the first is being transferred
	open  bool          // not closed
	ready bool          // handshake done
	since time.Duration // when the handshake was done
	idle  time.Duration

	handshake, timer, completion alarm

	// smooth transmission
	slow          bool
	demand, share float64 // bytes/s
	delivered     float64 // bytes since the start
	counted       time.Duration

	// flights
	window, unsent int
	limited        bool
	onLink         float64 // bytes in the link's queue
	joined         int     // stamp of joining it
	serving        bool    // the request has arrived
	sent           time.Duration
}

type thinking struct {
	object int
	at     time.Duration
}

type naiveWorld struct {
	spec    *sim.Spec
	live    bool // false in a prediction: nothing is enabled or placed
	now     time.Duration
	objects []naiveObject
	conns   []naiveConn
	waiting []int
	thinks  []thinking // in the order of release
	turns   int
	stamps  int
}

func newNaive(s *sim.Spec) *naiveWorld {
	w := &naiveWorld{spec: s, live: true}
	for _, o := range s.Page.Objects {
		w.objects = append(w.objects, naiveObject{bytes: float64(o.Bytes), end: never, claim: -1, turn: -1})
	}
	return w
}

func (w *naiveWorld) clone() *naiveWorld {
	c := *w
	c.live = false
	c.objects = slices.Clone(w.objects)
	c.conns = slices.Clone(w.conns)
	for i := range c.conns {
		c.conns[i].queue = slices.Clone(w.conns[i].queue)
	}
	c.waiting, c.thinks = slices.Clone(w.waiting), nil
	return &c
}

// run loads the page and returns the end of every object.
func (w *naiveWorld) run() []time.Duration {
	w.release(-1)
	var ends []time.Duration
	for w.step() {
	}
	for _, o := range w.objects {
		ends = append(ends, o.end)
	}
	return ends
}

// step lets the next thing happen; false: nothing is left to happen.
func (w *naiveWorld) step() bool {
	type thing struct {
		alarm
		kind, index int
	}
	var next *thing
	consider := func(t thing) {
		if t.at < 0 {
			return
		}
		if next == nil || t.at < next.at || t.at == next.at && (t.kind < next.kind || t.kind == next.kind && t.stamp < next.stamp) {
			next = &t
		}
	}
	for k := range w.conns {
		c := &w.conns[k]
		consider(thing{c.handshake, handshake, k})
		consider(thing{c.timer, timer, k})
		consider(thing{c.completion, completion, k})
		if c.onLink > 0 {
			consider(thing{alarm{w.now + w.timeFor(c.onLink, w.equalShare(c.iface)), c.joined}, departure, k})
		}
	}
	for i, t := range w.thinks {
		consider(thing{alarm{t.at, i}, thought, i})
	}
	if next == nil {
		return false
	}
	for k := range w.conns {
		if c := &w.conns[k]; c.onLink > 0 {
			c.onLink -= float64(w.equalShare(c.iface) * seconds(next.at-w.now))
			if c.onLink < 1e-6 {
				c.onLink = math.SmallestNonzeroFloat64 // equal flights leave at the same instant, one after the other
			}
		}
	}
	w.now = next.at
	switch next.kind {
	case completion:
		w.conns[next.index].completion.at = never
		w.completed(next.index)
	case timer:
		w.conns[next.index].timer.at = never
		w.timerFired(next.index)
	case handshake:
		w.conns[next.index].handshake.at = never
		w.conns[next.index].ready = true
		w.established(next.index)
	case departure:
		w.departed(next.index)
	case thought:
		object := w.thinks[next.index].object
		w.thinks = slices.Delete(w.thinks, next.index, next.index+1)
		w.enable(object)
	}
	return true
}

func (w *naiveWorld) smooth() bool { return w.spec.Params.Transmission == sim.Smooth }

func (w *naiveWorld) after(d time.Duration) alarm {
	w.stamps++
	return alarm{w.now + d, w.stamps}
}

func (w *naiveWorld) rtt(c *naiveConn) time.Duration { return w.spec.Interfaces[c.iface].RTT }
func (w *naiveWorld) rate(c *naiveConn) float64      { return float64(w.spec.Interfaces[c.iface].Rate) }

// timeFor is the first whole nanosecond at which the bytes have passed.
func (w *naiveWorld) timeFor(bytes, rate float64) time.Duration {
	return time.Duration(math.Ceil(bytes / rate * 1e9))
}

// seconds is rounded once: a floor may hang on the last bit.
func seconds(d time.Duration) float64 { return float64(d) / 1e9 }

func halfOf(d time.Duration) time.Duration { return (d + 1) / 2 }

// Browser.

// release enables what waits for the object, after its think time.
func (w *naiveWorld) release(parent int) {
	for i, o := range w.spec.Page.Objects {
		switch {
		case int(o.After) != parent:
		case o.Think > 0:
			w.thinks = append(w.thinks, thinking{i, w.now + o.Think})
		default:
			w.enable(i)
		}
	}
}

func (w *naiveWorld) enable(object int) {
	w.waiting = append(w.waiting, object)
	if w.spec.Params.Pipelining {
		w.pass(w.waiting)
		return
	}
	sort.Ints(w.waiting)
	w.pass([]int{object})
}

// turnedIdle decides again what hopes for a connection of the host, and tries what has no hope yet.
func (w *naiveWorld) turnedIdle(host string) {
	if w.spec.Params.Pipelining {
		w.pass(w.waiting)
		return
	}
	var undecided []int
	for _, i := range w.waiting {
		o := &w.objects[i]
		if o.claim >= 0 && w.spec.Page.Objects[i].Host == host {
			c := &w.conns[o.claim]
			c.queue = slices.DeleteFunc(c.queue, func(q int) bool { return q == i })
			o.claim = -1
		}
		if o.claim < 0 {
			undecided = append(undecided, i)
		}
	}
	w.pass(undecided)
}

// busy counts the connections that carry an object, to the host or ("") to any.
func (w *naiveWorld) busy(host string) (n int) {
	for k := range w.conns {
		if c := &w.conns[k]; len(c.queue) > 0 && (host == "" || c.host == host) {
			n++
		}
	}
	return n
}

func (w *naiveWorld) pass(objects []int) {
	p := &w.spec.Params
	if w.busy("") >= p.MaxConnections {
		return
	}
	for _, i := range slices.Clone(objects) {
		o := &w.spec.Page.Objects[i]
		if w.busy(o.Host) >= p.MaxPerHost || !p.Pipelining && w.busy("") >= p.MaxConnections {
			continue
		}
		w.place(i)
	}
}

// place takes the best of the candidates: of the reuses the first with the earliest end, and a new connection only if it
// is earlier by more than 1 ns than those before it.
func (w *naiveWorld) place(object int) {
	p, o := &w.spec.Params, &w.spec.Page.Objects[object]
	for k := range w.conns {
		if c := &w.conns[k]; c.open && len(c.queue) == 0 && w.now-c.idle >= p.IdleTimeout {
			c.open = false
		}
	}
	type candidate struct{ conn, iface int } // conn -1: a new one
	var candidates []candidate
	for _, iface := range w.ifaces(object) {
		if !p.Pipelining {
			for k := range w.conns { // an idle connection can carry the object at once
				if c := &w.conns[k]; c.open && len(c.queue) == 0 && c.host == o.Host && c.tls == o.TLS && c.iface == iface {
					candidates = append(candidates, candidate{k, iface})
				}
			}
		}
		for k := range w.conns {
			if c := &w.conns[k]; c.open && (p.Pipelining || len(c.queue) > 0) && c.host == o.Host && c.tls == o.TLS && c.iface == iface {
				candidates = append(candidates, candidate{k, iface})
			}
		}
		candidates = append(candidates, candidate{-1, iface})
	}
	best, earliest := candidates[0], time.Duration(0)
	for i, c := range candidates {
		if len(candidates) == 1 {
			break
		}
		ahead := w.clone()
		ahead.put(object, c.conn, c.iface)
		for ahead.objects[object].end < 0 && ahead.step() {
		}
		if end := ahead.objects[object].end; i == 0 || end < earliest-1 {
			best, earliest = c, end
		}
	}
	if best.conn >= 0 && !p.Pipelining && len(w.conns[best.conn].queue) > 0 {
		w.objects[object].claim = best.conn
		w.conns[best.conn].queue = append(w.conns[best.conn].queue, object)
		return
	}
	w.makeRoom(best.conn, o.Host)
	w.waiting = slices.DeleteFunc(w.waiting, func(q int) bool { return q == object })
	w.put(object, best.conn, best.iface)
}

// ifaces lists the interfaces the policy considers for the object, in order.
func (w *naiveWorld) ifaces(object int) []int {
	n := len(w.spec.Interfaces)
	switch w.spec.Policy {
	case "if1":
		return []int{0}
	case "if2":
		return []int{1}
	case "round-robin":
		o := &w.objects[object]
		if o.turn < 0 {
			o.turn = w.turns
			w.turns++
		}
		return []int{o.turn % n}
	default: // eaf
		all := make([]int, n)
		for i := range all {
			all[i] = i
		}
		return all
	}
}

// makeRoom closes the connection idle for longest where a limit asks for it.
func (w *naiveWorld) makeRoom(chosen int, host string) {
	p := &w.spec.Params
	longest := func(host string) (open, idlest int) {
		idlest = -1
		for k := range w.conns {
			c := &w.conns[k]
			if !c.open || host != "" && c.host != host {
				continue
			}
			open++
			if len(c.queue) == 0 && (idlest < 0 || c.idle < w.conns[idlest].idle) {
				idlest = k
			}
		}
		return open, idlest
	}
	if open, idlest := longest(""); open >= p.MaxConnections && idlest >= 0 && idlest != chosen {
		w.conns[idlest].open = false
	}
	if open, idlest := longest(host); p.IdleCountsForHost && chosen < 0 && open >= p.MaxPerHost && idlest >= 0 {
		w.conns[idlest].open = false
	}
}

// put puts the object on the connection, a new one for -1.
func (w *naiveWorld) put(object, conn, iface int) {
	o, p := &w.spec.Page.Objects[object], &w.spec.Params
	if conn < 0 {
		conn = len(w.conns)
		w.conns = append(w.conns, naiveConn{host: o.Host, tls: o.TLS, iface: iface, open: true,
			handshake: alarm{never, 0}, timer: alarm{never, 0}, completion: alarm{never, 0}})
		c := &w.conns[conn]
		trips := p.HandshakeRTTs
		if o.TLS {
			version := p.TLS
			if p.TLSFromRecording && o.Secure != page.TLSUnknown {
				version = o.Secure
			}
			trips += map[page.TLSVersion]int{page.TLS12: 2, page.TLS13: 1, page.TLSResumed: 0}[version]
		}
		c.handshake = w.after(time.Duration(trips)*w.rtt(c) + w.timeFor(float64(2*p.SYN), w.rate(c)))
	}
	c := &w.conns[conn]
	c.queue = append(c.queue, object)
	w.objects[object].given = w.now
	switch {
	case !c.ready || len(c.queue) > 1 && !p.Pipelining:
	case w.smooth():
		w.count(conn)
		w.evaluate(conn)
		w.share(c.iface)
	case len(c.queue) == 1:
		w.request(conn, w.now)
	}
}

// established says that the handshake is done.
func (w *naiveWorld) established(k int) {
	c := &w.conns[k]
	if w.smooth() {
		c.slow, c.counted = true, w.now
		w.evaluate(k)
		w.share(c.iface)
		return
	}
	c.window, c.sent, c.since = w.spec.Params.InitialWindow, w.now, w.now
	w.request(k, w.now)
}

// completed says that the object at the head has arrived in full.
func (w *naiveWorld) completed(k int) {
	c := &w.conns[k]
	p := &w.spec.Params
	head := c.queue[0]
	o := &w.objects[head]
	if !p.Pipelining && w.live {
		c.queue = c.queue[:1] // the rest are claims, to be decided again
		for _, i := range w.waiting {
			if w.objects[i].claim == k {
				w.objects[i].claim = -1
			}
		}
	}
	c.queue = slices.Delete(c.queue, 0, 1)
	o.end = w.now
	if w.smooth() {
		c.delivered += o.bytes
		c.counted = w.now
		o.bytes = 0
		if len(c.queue) > 0 {
			w.evaluate(k)
		} else {
			c.share, c.timer.at = 0, never
		}
		w.share(c.iface)
	} else if len(c.queue) > 0 {
		asked := w.now
		if p.Pipelining { // its request went out long before
			asked = max(c.since, w.objects[c.queue[0]].given)
		}
		w.request(k, asked)
	}
	if !w.live {
		return
	}
	if len(c.queue) == 0 {
		c.idle = w.now
		w.turnedIdle(c.host)
	}
	w.release(head)
}

func (w *naiveWorld) timerFired(k int) {
	if w.smooth() {
		w.count(k)
		w.evaluate(k)
		w.share(w.conns[k].iface)
		return
	}
	if !w.conns[k].serving {
		w.serve(k)
	} else {
		w.flightDue(k)
	}
}

// Smooth transmission: rates, demands and bytes are whole.

// flowed is what came since the connection was last counted.
func (w *naiveWorld) flowed(c *naiveConn) float64 {
	return math.Floor(c.share * seconds(w.now-c.counted))
}

func (w *naiveWorld) count(k int) {
	c := &w.conns[k]
	if len(c.queue) > 0 {
		o := &w.objects[c.queue[0]]
		n := min(w.flowed(c), o.bytes)
		c.delivered += n
		o.bytes -= n
	}
	c.counted = w.now
}

func (w *naiveWorld) windowRate(c *naiveConn) float64 {
	p := &w.spec.Params
	return math.Floor((float64(p.InitialWindow*p.Payload) + c.delivered + w.flowed(c)) / seconds(w.rtt(c)))
}

func (w *naiveWorld) outstandingRate(c *naiveConn) float64 {
	bytes := -w.flowed(c)
	for n, i := range c.queue {
		if n == 0 || w.spec.Params.Pipelining { // behind the head there are claims only
			bytes += w.objects[i].bytes
		}
	}
	return max(1, math.Floor(bytes/seconds(w.rtt(c))))
}

func (w *naiveWorld) evaluate(k int) {
	c := &w.conns[k]
	if c.slow {
		c.demand, c.timer = w.windowRate(c), w.after(w.rtt(c))
	} else {
		c.demand = w.outstandingRate(c)
	}
}

// share fills the interface like water: the smallest demands first, each gets at most an equal part of what is left.
func (w *naiveWorld) share(iface int) {
	var flows []int
	for k := range w.conns {
		if c := &w.conns[k]; c.iface == iface && c.ready && len(c.queue) > 0 {
			flows = append(flows, k)
		}
	}
	left := math.Floor(float64(w.spec.Interfaces[iface].Rate))
	byDemand := slices.Clone(flows)
	sort.SliceStable(byDemand, func(i, j int) bool { return w.conns[byDemand[i]].demand < w.conns[byDemand[j]].demand })
	level := left
	for i, k := range byDemand {
		if level = math.Floor(left / float64(len(byDemand)-i)); w.conns[k].demand > level {
			break
		}
		left -= w.conns[k].demand
	}
	for _, k := range flows {
		c := &w.conns[k]
		if share := min(c.demand, level); share != c.share {
			w.count(k)
			c.share = share
			if c.slow {
				c.timer = w.after(w.rtt(c))
			}
		}
		if c.slow && w.windowRate(c) > c.share {
			c.slow, c.timer.at = false, never
			c.demand = max(c.demand, w.outstandingRate(c))
		}
		// An object ends at the time of the last count plus what is left over the share.
		left := w.objects[c.queue[0]].bytes
		if left > 0 && c.share == 0 {
			c.completion.at = never
		} else if due := c.counted + w.timeFor(left, max(c.share, 1)); due != c.completion.at {
			c.completion = w.after(due - w.now)
		}
	}
}

// Flights.

// request lets a request that was sent at the given time arrive at the server.
func (w *naiveWorld) request(k int, asked time.Duration) {
	c, p := &w.conns[k], &w.spec.Params
	c.serving = false
	c.timer = w.after(max(0, asked-w.now+halfOf(time.Duration(p.RequestRTTs)*w.rtt(c))+w.timeFor(float64(p.Request), w.rate(c))+
		w.spec.Page.Objects[c.queue[0]].Server+p.HostTime))
}

// serve begins the response: a pause of whole retransmission timeouts has halved the window that often.
func (w *naiveWorld) serve(k int) {
	c, p := &w.conns[k], &w.spec.Params
	c.serving = true
	rto := w.rtt(c) + p.RTOMargin
	if p.IdleRestart {
		for pause := w.now - c.sent; pause >= rto; pause -= rto {
			c.limited = false
			if c.window > p.InitialWindow {
				c.window = max(c.window/2, p.InitialWindow)
			}
		}
	}
	c.unsent = int(math.Ceil(float64(w.spec.Page.Objects[c.queue[0]].Bytes) / float64(p.Payload)))
	if c.unsent == 0 {
		c.sent = w.now
		c.completion = w.after(halfOf(w.rtt(c)))
		return
	}
	w.fly(k)
}

func (w *naiveWorld) fly(k int) {
	c := &w.conns[k]
	n := c.unsent
	if !c.limited {
		n = min(n, c.window)
		// Half of the window must be used for it to grow.
		if grown := min(c.window+n, 2*n); grown > c.window {
			c.window = grown
		}
	}
	c.unsent -= n
	w.join(k, n)
	if c.unsent > 0 {
		c.timer = w.after(w.rtt(c) + w.timeFor(float64(w.spec.Params.Packet), w.rate(c)))
	}
}

// flightDue is the time of the next flight: the one before must have left, else the link is what limits.
func (w *naiveWorld) flightDue(k int) {
	c := &w.conns[k]
	if c.onLink == 0 {
		w.fly(k)
		return
	}
	c.limited = true
	w.join(k, c.unsent)
	c.unsent = 0
}

func (w *naiveWorld) join(k, packets int) {
	c := &w.conns[k]
	if c.onLink == 0 {
		w.stamps++
		c.joined = w.stamps
	}
	c.onLink += float64(packets * w.spec.Params.Packet)
}

// equalShare is the rate of each connection in the link's queue.
func (w *naiveWorld) equalShare(iface int) float64 {
	n := 0
	for k := range w.conns {
		if c := &w.conns[k]; c.iface == iface && c.onLink > 0 {
			n++
		}
	}
	return float64(w.spec.Interfaces[iface].Rate) / float64(n)
}

// departed says that the last packet in the queue has left the link.
func (w *naiveWorld) departed(k int) {
	c := &w.conns[k]
	c.onLink = 0
	c.sent = w.now
	if c.unsent == 0 {
		c.completion = w.after(halfOf(w.rtt(c)))
	}
}

// agrees compares the engine's ends with the naive model's: within 1e-6 of the load time.
func agrees(t interface {
	Helper()
	Fatalf(string, ...any)
}, e *flow.Engine, s *sim.Spec) {
	t.Helper()
	res, err := e.Run(s)
	if err != nil {
		t.Fatalf("%v", err)
	}
	want := newNaive(s).run()
	tolerance := 1e-6 * slices.Max(want).Seconds()
	for i, end := range res.End {
		if want[i] < 0 {
			t.Fatalf("object %d never ends in the naive model", i)
		}
		if d := (end - want[i]).Seconds(); math.Abs(d) > tolerance {
			t.Fatalf("object %d ends at %v, in the naive model at %v (ends %v, naive %v)\n%s", i, end, want[i], res.End, want, describe(s))
		}
	}
}

// describe prints a run so that it can be repeated.
func describe(s *sim.Spec) string {
	text := fmt.Sprintf("policy %s, parameters %+v\n", s.Policy, s.Params)
	for _, f := range s.Interfaces {
		text += fmt.Sprintf("%s: %v bytes/s, %v\n", f.Name, float64(f.Rate), f.RTT)
	}
	for i, o := range s.Page.Objects {
		text += fmt.Sprintf("%2d: %+v\n", i, o)
	}
	return text
}

var singlePath = []string{"if1", "if2", "round-robin", "eaf"}

func TestNaiveHandcrafted(t *testing.T) {
	e := flow.New()
	for _, p := range handcraftedPages(t) {
		for _, network := range networks {
			for _, policy := range singlePath {
				for _, profile := range sim.Profiles {
					t.Run(fmt.Sprintf("%s/%s/%s/%s", p.Name, network.name, policy, profile.Name), func(t *testing.T) {
						agrees(t, e, &sim.Spec{Page: p, Policy: policy, Params: profile.New(), Interfaces: network.ifaces})
					})
				}
			}
		}
	}
}

// TestNaiveRandom draws pages and networks. Rates and round trips are odd and sizes distinct, so that nothing but
// symmetric handshakes falls on one instant by chance.
func TestNaiveRandom(t *testing.T) {
	e := flow.New()
	rapid.Check(t, func(t *rapid.T) {
		s := drawSpec(t)
		s.Policy = rapid.SampledFrom(singlePath).Draw(t, "policy")
		agrees(t, e, s)
	})
}
