package client

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"braid/sim"
	"braid/sim/page"
	"braid/sim/policy"
)

// browser is a client whose transport only notes what it is told. The test says when objects end.
type browser struct {
	t      *testing.T
	client Client
	page   *page.Page
	now    time.Duration
	wake   time.Duration // of the last Wake; -1: none
	opened int32
	log    []string
	on     map[int32]int32 // connection by object

	// choose is the policy: where the object goes, given its open connections; default: the first of these, else new
	choose func(object int32, conns []policy.Conn) (policy.Choice, bool)
}

func (b *browser) note(format string, args ...any) {
	b.log = append(b.log, fmt.Sprintf(format, args...))
}

// Transport.
func (b *browser) Now() time.Duration { return b.now }
func (b *browser) Open(origin int32, p policy.Paths) int32 {
	b.opened++
	b.note("open %d", b.opened-1)
	return b.opened - 1
}
func (b *browser) Send(conn, object int32) {
	b.on[object] = conn
	b.note("send %d on %d", object, conn)
}
func (b *browser) Claim(conn, object int32) { b.note("claim %d by %d", conn, object) }
func (b *browser) Unclaim(conn int32)       { b.note("unclaim %d", conn) }
func (b *browser) Close(conn int32)         { b.note("close %d", conn) }
func (b *browser) Wake(at time.Duration)    { b.wake = at }

func (b *browser) End(int32, policy.Choice, time.Duration) (time.Duration, bool) {
	b.t.Fatal("these policies predict nothing")
	return 0, false
}

func (b *browser) First(int32, []policy.Choice) int {
	b.t.Fatal("these policies compare nothing")
	return 0
}

// Network.
func (b *browser) Ifaces() []policy.Iface { return []policy.Iface{{Name: "wifi"}} }

// Policy.
func (b *browser) Place(v policy.View) (policy.Choice, bool) {
	for i := range b.page.Objects {
		if &b.page.Objects[i] == v.Object() {
			return b.choose(int32(i), v.Conns())
		}
	}
	b.t.Fatal("the view shows an object of no page")
	return policy.Choice{}, false
}
func (b *browser) Reads() policy.Reads { return policy.Reads{Ifaces: 1} }

var fresh = policy.Choice{Conn: policy.New, Paths: policy.Over(0)}

func reuseOrNew(_ int32, conns []policy.Conn) (policy.Choice, bool) {
	if len(conns) > 0 {
		return policy.Choice{Conn: conns[0].Index}, true
	}
	return fresh, true
}

func alwaysNew(int32, []policy.Conn) (policy.Choice, bool) { return fresh, true }

// idleOrNew takes an idle connection, else a new one.
func idleOrNew(_ int32, conns []policy.Conn) (policy.Choice, bool) {
	if len(conns) > 0 && !conns[0].Busy {
		return policy.Choice{Conn: conns[0].Index}, true
	}
	return fresh, true
}

// start loads the page: one letter for each object's host, objects wait for none.
func start(t *testing.T, hosts string, params sim.Params, choose func(int32, []policy.Conn) (policy.Choice, bool)) *browser {
	objects := make([]page.Object, len(hosts))
	for i, h := range hosts {
		objects[i] = page.Object{Host: string(h), After: page.None}
	}
	return startPage(t, objects, params, choose)
}

func startPage(t *testing.T, objects []page.Object, params sim.Params, choose func(int32, []policy.Conn) (policy.Choice, bool)) *browser {
	t.Helper()
	p, err := page.New("p", objects)
	if err != nil {
		t.Fatal(err)
	}
	b := &browser{t: t, page: p, wake: -1, on: map[int32]int32{}, choose: choose}
	b.client.Reset(&sim.Spec{Page: p, Params: params, Policy: "chosen", Interfaces: make([]sim.Interface, 2)}, b, b, b)
	b.client.Start()
	return b
}

// expect compares what the transport was told since the last call.
func (b *browser) expect(what string, want ...string) {
	b.t.Helper()
	if !slices.Equal(b.log, want) {
		b.t.Errorf("%s: %q, want %q", what, b.log, want)
	}
	b.log = nil
}

// end ends the object at the time.
func (b *browser) end(object int32, at time.Duration) {
	b.now = at
	b.client.Ended(object, b.on[object])
}

func (b *browser) wakeUp() {
	b.now, b.wake = b.wake, -1
	b.client.Woken()
}

const ms = time.Millisecond

func limits(p sim.Params, host, all int) sim.Params {
	p.MaxPerHost, p.MaxConnections = host, all
	return p
}

// A policy that uses what it does not declare, or what is not there, gets an error in place of a result.
func TestPoliciesKeepToWhatTheyRead(t *testing.T) {
	for iface, want := range map[int8]string{
		1:  "policy chosen chose interface 2, which its Reads does not name",
		2:  "policy chosen chose interface 3 of 2",
		-1: "policy chosen chose interface 0 of 2",
	} {
		b := start(t, "aa", sim.Linux(), func(int32, []policy.Conn) (policy.Choice, bool) {
			return policy.Choice{Conn: policy.New, Paths: policy.Over(0, iface)}, true
		})
		if err := b.client.Fault(); err == nil || err.Error() != want {
			t.Errorf("error is %v, want %q", err, want)
		}
		b.expect("nothing is opened")
		if !b.client.Done() {
			t.Error("the load goes on")
		}
	}
	if b := start(t, "aa", sim.Linux(), alwaysNew); b.client.Fault() != nil {
		t.Error(b.client.Fault())
	}
}

func TestHostLimit(t *testing.T) {
	b := start(t, "aaaab", limits(sim.Linux(), 2, 256), idleOrNew)
	b.expect("two to a, one to b", "open 0", "send 0 on 0", "open 1", "send 1 on 1", "open 2", "send 4 on 2")
	if b.client.Waiting() != 2 {
		t.Errorf("%d objects wait, want 2", b.client.Waiting())
	}
	b.end(4, 1*ms)
	b.expect("another host's connection is of no use")
	b.end(1, 2*ms)
	b.expect("the next in page order takes the idle connection", "send 2 on 1")
	b.end(0, 3*ms)
	b.expect("and the last one", "send 3 on 0")
	b.end(2, 4*ms)
	b.end(3, 5*ms)
	if !b.client.Done() || b.client.Connections() != 3 {
		t.Errorf("done %v with %d connections", b.client.Done(), b.client.Connections())
	}
}

// TestHostsAreShared: origins of one host count together, though they share no connection.
func TestHostsAreShared(t *testing.T) {
	b := startPage(t, []page.Object{{Host: "a", After: page.None}, {Host: "a", TLS: true, After: page.None}, {Host: "a", TLS: true, After: page.None}},
		limits(sim.Linux(), 2, 256), idleOrNew)
	b.expect("one of each", "open 0", "send 0 on 0", "open 1", "send 1 on 1")
	b.end(0, 1*ms)
	b.expect("the idle one has no TLS: it makes room", "close 0", "open 2", "send 2 on 2")
}

func TestIdleConnectionMakesRoom(t *testing.T) {
	choose := idleOrNew
	b := start(t, "aaaa", limits(sim.Linux(), 2, 256), func(o int32, c []policy.Conn) (policy.Choice, bool) { return choose(o, c) })
	b.expect("two", "open 0", "send 0 on 0", "open 1", "send 1 on 1")
	choose = alwaysNew
	b.end(1, 1*ms)
	b.expect("a new one in place of the idle one", "close 1", "open 2", "send 2 on 2")
	p := limits(sim.Linux(), 2, 256)
	p.IdleCountsForHost = false
	b = start(t, "aaa", p, alwaysNew)
	b.expect("two", "open 0", "send 0 on 0", "open 1", "send 1 on 1")
	b.end(1, 1*ms)
	b.expect("idle ones do not count", "open 2", "send 2 on 2")
}

func TestLimitInAll(t *testing.T) {
	b := start(t, "abcdb", limits(sim.Linux(), 6, 3), idleOrNew)
	b.expect("three in all", "open 0", "send 0 on 0", "open 1", "send 1 on 1", "open 2", "send 2 on 2")
	b.end(0, 1*ms)
	b.expect("the next host's takes the place of the idle one", "close 0", "open 3", "send 3 on 3")
	b.end(1, 2*ms)
	b.expect("the last one reuses", "send 4 on 1")
}

// TestLongestIdleIsClosed: of three idle connections the one that ended first goes, not the one opened first.
func TestLongestIdleIsClosed(t *testing.T) {
	b := startPage(t, []page.Object{{Host: "a", After: page.None}, {Host: "b", After: page.None}, {Host: "c", After: page.None}, {Host: "d", After: 2}},
		limits(sim.Linux(), 6, 3), idleOrNew)
	b.expect("three", "open 0", "send 0 on 0", "open 1", "send 1 on 1", "open 2", "send 2 on 2")
	b.end(1, 1*ms)
	b.end(0, 2*ms)
	b.end(2, 3*ms)
	b.expect("the child's host is new", "close 1", "open 3", "send 3 on 3")
}

// TestPipelining: objects go onto busy connections. The limit in all is looked at when a pass begins, so that one pass may
// exceed it; before every placement the longest idle connection is closed while the limit is reached, unless chosen.
func TestPipelining(t *testing.T) {
	b := start(t, "aabcde", limits(sim.DTSimulator(), 6, 3), reuseOrNew)
	b.expect("the second object queues; d and e wait", "open 0", "send 0 on 0", "send 1 on 0", "open 1", "send 2 on 1", "open 2", "send 3 on 2")
	b.end(0, 1*ms)
	b.expect("another object is on it")
	b.end(2, 2*ms)
	b.expect("one pass places both", "close 1", "open 3", "send 4 on 3", "open 4", "send 5 on 4")

	b = startPage(t, []page.Object{{Host: "a", After: page.None}, {Host: "b", After: page.None}, {Host: "a", After: 1}}, limits(sim.DTSimulator(), 6, 2), reuseOrNew)
	b.expect("two", "open 0", "send 0 on 0", "open 1", "send 1 on 1")
	b.end(0, 1*ms)
	b.end(1, 2*ms)
	b.expect("the longest idle one is the chosen one", "send 2 on 0")
}

func TestPipeliningHostLimit(t *testing.T) {
	b := start(t, "aaab", limits(sim.DTSimulator(), 2, 17), alwaysNew)
	b.expect("a third to a waits, b goes ahead", "open 0", "send 0 on 0", "open 1", "send 1 on 1", "open 2", "send 3 on 2")
	b.end(3, 1*ms)
	b.expect("still two to a")
	b.end(0, 2*ms)
	b.expect("free again", "open 3", "send 2 on 3")
}

// TestWaitingOrder: with pipelining in the order of becoming enabled, without in page order.
func TestWaitingOrder(t *testing.T) {
	objects := []page.Object{
		{Host: "a", After: page.None},
		{Host: "a", After: page.None, Think: 20 * ms}, // enabled last
		{Host: "a", After: page.None, Think: 10 * ms},
	}
	for _, c := range []struct {
		params sim.Params
		want   string
	}{{sim.Linux(), "send 1 on 0"}, {sim.DTSimulator(), "send 2 on 0"}} {
		waits := true
		b := startPage(t, objects, limits(c.params, 1, 17), func(o int32, conns []policy.Conn) (policy.Choice, bool) {
			if o > 0 && waits {
				return policy.Choice{}, false
			}
			return idleOrNew(o, conns)
		})
		b.wakeUp()
		b.wakeUp()
		waits = false
		b.log = nil
		b.end(0, 30*ms)
		b.expect(c.params.Profile, c.want)
	}
}

func TestThinkTimes(t *testing.T) {
	objects := []page.Object{
		{Host: "a", After: page.None},
		{Host: "b", After: page.None},
		{Host: "c", After: 1, Think: 30 * ms}, // released at 10: woken at 40
		{Host: "d", After: 0, Think: 20 * ms}, // released at 20: woken at 40, after those released before
		{Host: "e", After: 1, Think: 30 * ms},
		{Host: "f", After: 1, Think: 5 * ms},
		{Host: "g", After: 1},
		{Host: "h", After: page.None, Think: 40 * ms}, // released at 0: woken at 40, the first
	}
	b := startPage(t, objects, sim.Linux(), alwaysNew)
	b.expect("at 0", "open 0", "send 0 on 0", "open 1", "send 1 on 1")
	if b.wake != 40*ms {
		t.Errorf("wake at %v, want 40ms", b.wake)
	}
	b.end(1, 10*ms)
	b.expect("no think time", "open 2", "send 6 on 2")
	if b.wake != 15*ms {
		t.Errorf("wake at %v, want 15ms", b.wake)
	}
	b.wakeUp()
	b.expect("5 ms", "open 3", "send 5 on 3")
	if b.wake != 40*ms {
		t.Errorf("wake at %v, want 40ms", b.wake)
	}
	b.end(0, 20*ms)
	b.expect("nothing yet")
	b.wakeUp()
	b.expect("all at 40, in the order of their release", "open 4", "send 7 on 4", "open 5", "send 2 on 5", "open 6", "send 4 on 6", "open 7", "send 3 on 7")
	if b.wake != -1 {
		t.Errorf("wake at %v with nothing to wake", b.wake)
	}
}

// TestIdleTimeout: a connection is closed when it has been idle for the timeout, as of that time.
func TestIdleTimeout(t *testing.T) {
	p := sim.Linux()
	p.IdleTimeout = 100 * ms
	objects := []page.Object{
		{Host: "a", After: page.None},
		{Host: "a", After: 0, Think: 99 * ms},
		{Host: "a", After: 1, Think: 150 * ms},
	}
	b := startPage(t, objects, p, idleOrNew)
	var closed closings
	b.client.observer = &closed
	b.expect("the first", "open 0", "send 0 on 0")
	b.end(0, 10*ms)
	b.wakeUp()
	b.expect("99 ms later", "send 1 on 0")
	b.end(1, 200*ms)
	b.wakeUp()
	b.expect("150 ms later", "close 0", "open 1", "send 2 on 1")
	if !slices.Equal(closed.at, []time.Duration{300 * ms}) {
		t.Errorf("closed at %v, want 300ms", closed.at)
	}
}

// closings notes when connections were closed.
type closings struct{ at []time.Duration }

func (c *closings) Closed(_ int32, at time.Duration)                { c.at = append(c.at, at) }
func (c *closings) Phase(int32, sim.Phase, time.Duration)           {}
func (c *closings) Opened(_, _ int32, _ []int8, _ time.Duration)    {}
func (c *closings) Established(_ int32, _ int8, _ time.Duration)    {}
func (c *closings) Assigned(_, _ int32, _ time.Duration)            {}
func (c *closings) Delivered(object int32, iface int8, bytes int64) {}

func TestWithoutPersistence(t *testing.T) {
	for _, p := range []sim.Params{sim.Linux(), sim.DTSimulator()} {
		p.Persistent = false
		b := start(t, "aaa", limits(p, 2, 17), func(o int32, conns []policy.Conn) (policy.Choice, bool) {
			if len(conns) > 0 {
				t.Errorf("%s: object %d is offered %v", p.Profile, o, conns)
			}
			return fresh, true
		})
		b.expect("two", "open 0", "send 0 on 0", "open 1", "send 1 on 1")
		b.end(0, 1*ms)
		b.expect("closed at its object's end", "close 0", "open 2", "send 2 on 2")
	}
}

// TestClaims: without pipelining a busy connection is claimed, not used. When a connection of the host turns idle, the
// claims of the host's objects are taken back and decided again, in page order; other hosts' claims stay.
func TestClaims(t *testing.T) {
	claims := map[int32]int32{2: 0, 3: 1, 4: 0, 6: 2}
	b := start(t, "aaaaabb", limits(sim.Linux(), 6, 256), func(o int32, conns []policy.Conn) (policy.Choice, bool) {
		if k, ok := claims[o]; ok {
			return policy.Choice{Conn: k}, true
		}
		return fresh, true
	})
	b.expect("two to a with three claims, one to b with one", "open 0", "send 0 on 0", "open 1", "send 1 on 1",
		"claim 0 by 2", "claim 1 by 3", "claim 0 by 4", "open 2", "send 5 on 2", "claim 2 by 6")
	claims = map[int32]int32{2: 1, 3: 1, 4: 0}
	b.end(1, 1*ms)
	b.expect("2 takes the idle one, 3 waits behind it, 4 claims again", "unclaim 0", "unclaim 1", "unclaim 0", "send 2 on 1", "claim 1 by 3", "claim 0 by 4")
	claims = map[int32]int32{3: 0}
	b.end(0, 2*ms)
	b.expect("3 takes it, 4 a new one", "unclaim 1", "unclaim 0", "send 3 on 0", "open 3", "send 4 on 3")
	claims = map[int32]int32{6: 2}
	b.end(5, 3*ms)
	b.expect("b's claim comes true", "unclaim 2", "send 6 on 2")
}

// TestConnsAreListed: without pipelining the idle connections first, with pipelining all by age.
func TestConnsAreListed(t *testing.T) {
	for _, c := range []struct {
		params sim.Params
		want   string
	}{{sim.Linux(), "1 idle, 2 idle, 0 busy"}, {sim.DTSimulator(), "0 busy, 1 idle, 2 idle"}} {
		seen := ""
		objects := []page.Object{{Host: "a", After: page.None}, {Host: "a", After: page.None}, {Host: "a", After: page.None}, {Host: "b", After: page.None}, {Host: "a", After: 1}}
		b := startPage(t, objects, c.params, func(o int32, conns []policy.Conn) (policy.Choice, bool) {
			if o == 4 {
				var list []string
				for _, k := range conns {
					list = append(list, fmt.Sprintf("%d %s", k.Index, map[bool]string{false: "idle", true: "busy"}[k.Busy]))
				}
				seen = strings.Join(list, ", ")
			}
			return fresh, true
		})
		b.end(2, 1*ms)
		b.end(1, 2*ms)
		if seen != c.want {
			t.Errorf("%s: %q, want %q", c.params.Profile, seen, c.want)
		}
	}
}

// turns notes the turn of each object whenever the policy is asked.
type turns struct {
	*browser
	seen []int
}

func (p *turns) Place(v policy.View) (policy.Choice, bool) {
	p.seen = append(p.seen, v.Turn())
	return p.browser.Place(v)
}

// TestTurns: an object's turn is the number of objects asked for before it. It stays when the policy is asked again.
func TestTurns(t *testing.T) {
	wait := true
	b := &browser{t: t, wake: -1, on: map[int32]int32{}, choose: func(o int32, _ []policy.Conn) (policy.Choice, bool) { return fresh, o != 1 || !wait }}
	var err error
	if b.page, err = page.New("p", []page.Object{{Host: "a", After: page.None}, {Host: "a", After: page.None}, {Host: "a", After: page.None}, {Host: "a", After: 0}}); err != nil {
		t.Fatal(err)
	}
	p := &turns{browser: b}
	b.client.Reset(&sim.Spec{Page: b.page, Params: sim.Linux(), Interfaces: make([]sim.Interface, 2)}, p, b, b)
	b.client.Start()
	wait = false
	b.end(0, 1*ms) // 1 is asked for again, then the child for the first time
	if want := []int{0, 1, 2, 1, 3}; !slices.Equal(p.seen, want) {
		t.Errorf("turns %v, want %v", p.seen, want)
	}
}
