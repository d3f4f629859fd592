package flow_test

import (
	"cmp"
	"math"
	"reflect"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"braid/sim"
	"braid/sim/flow"
	"braid/sim/page"
	"braid/sim/rng"
	"braid/sim/units"
)

var allPolicies = []string{"if1", "if2", "round-robin", "eaf", "mptcp-if1", "mptcp-rnd", "eaf-mptcp"}

// outcome is a result that outlives the engine's next run.
func outcome(t *rapid.T, e *flow.Engine, s *sim.Spec) sim.Result {
	t.Helper()
	r, err := e.Run(s)
	if err != nil {
		t.Fatalf("%v\n%s", err, describe(s))
	}
	c := *r
	c.End, c.IfaceBytes = slices.Clone(r.End), slices.Clone(r.IfaceBytes)
	return c
}

// drawAny draws a run with any policy, any knowledge and anything else that every transmission must bear.
func drawAny(t *rapid.T) *sim.Spec {
	s := drawSpec(t)
	s.Policy = rapid.SampledFrom(allPolicies).Draw(t, "policy")
	s.Key = rng.Key{Seed: rapid.Uint64Range(0, 3).Draw(t, "seed")}
	if rapid.Bool().Draw(t, "third interface") {
		s.Interfaces = append(s.Interfaces, drawIface(t, "three"))
	}
	if rapid.Bool().Draw(t, "dns") {
		s.Interfaces[0].DNS = time.Duration(rapid.IntRange(1, 100_000_000).Draw(t, "dns time"))
	}
	if rapid.Bool().Draw(t, "estimated") {
		s.Params.Knowledge = sim.Estimated
	}
	s.Params.Persistent = rapid.Bool().Draw(t, "persistent")
	s.Params.Pipelining = rapid.Bool().Draw(t, "pipelining")
	return s
}

// TestLoadsAreSound draws runs of all kinds and holds what must be true of each: bytes are conserved, the trace adds up, no
// object ends before what it waits for, the limits hold, and watching changes nothing.
func TestLoadsAreSound(t *testing.T) {
	e := flow.New()
	rapid.Check(t, func(t *rapid.T) {
		s := drawAny(t)
		plain := outcome(t, e, s)
		trace := sim.NewTrace(s)
		if watched := outcome(t, e, s); !reflect.DeepEqual(watched, plain) {
			t.Fatalf("watched: %+v, not watched: %+v\n%s", watched, plain, describe(s))
		}
		if err := trace.Check(); err != nil {
			t.Fatalf("%v\n%s", err, describe(s))
		}
		var bytes int64
		for _, b := range plain.IfaceBytes {
			bytes += b
		}
		if bytes != s.Page.Bytes() {
			t.Fatalf("%d bytes over the interfaces, the page has %d\n%s", bytes, s.Page.Bytes(), describe(s))
		}
		checkEnds(t, s, plain, trace)
		checkLimits(t, s, plain, trace)
	})
}

func checkEnds(t *rapid.T, s *sim.Spec, r sim.Result, trace *sim.Trace) {
	for i, o := range s.Page.Objects {
		enabled := o.Think
		if o.After != page.None {
			enabled += r.End[o.After]
		}
		switch {
		case r.End[i] < enabled || r.End[i] > r.LoadTime:
			t.Fatalf("object %d: enabled at %v, ended at %v, load time %v\n%s", i, enabled, r.End[i], r.LoadTime, describe(s))
		case trace.Objects[i].Enabled != enabled:
			t.Fatalf("object %d: enabled at %v in the trace, want %v\n%s", i, trace.Objects[i].Enabled, enabled, describe(s))
		case trace.Objects[i].End != r.End[i]:
			t.Fatalf("object %d: ends at %v in the trace and at %v in the result\n%s", i, trace.Objects[i].End, r.End[i], describe(s))
		}
	}
	if r.LoadTime != slices.Max(r.End) || r.LoadTime <= 0 || r.LoadTime > 24*time.Hour {
		t.Fatalf("load time %v, last end %v\n%s", r.LoadTime, slices.Max(r.End), describe(s))
	}
}

// checkLimits sweeps over the trace's connections: how many are open and how many carry objects at a time.
func checkLimits(t *rapid.T, s *sim.Spec, r sim.Result, trace *sim.Trace) {
	p := &s.Params
	if r.Connections != len(trace.Conns) {
		t.Fatalf("%d connections, %d in the trace\n%s", r.Connections, len(trace.Conns), describe(s))
	}
	objects := make([]int, len(trace.Conns))
	busy := make([][]stretch, len(trace.Conns)) // from assignment to end, by connection
	for i, o := range trace.Objects {
		objects[o.Conn]++
		c := trace.Conns[o.Conn]
		if c.Host != s.Page.Objects[i].Host || c.TLS != s.Page.Objects[i].TLS {
			t.Fatalf("object %d of %s went over a connection to %s\n%s", i, s.Page.Objects[i].Host, c.Host, describe(s))
		}
		from := o.Enabled
		for _, span := range o.Spans {
			if span.Phase == sim.WaitConnection {
				from = span.To
			}
		}
		busy[o.Conn] = append(busy[o.Conn], stretch{from, o.End})
	}
	var open, carrying []stretch
	carryingTo := map[string][]stretch{}
	openTo := map[string][]stretch{}
	for k, c := range trace.Conns {
		if !p.Persistent && objects[k] != 1 {
			t.Fatalf("connection %d carried %d objects without persistence\n%s", k, objects[k], describe(s))
		}
		closed := c.Closed
		if closed < 0 {
			closed = math.MaxInt64
		}
		for _, b := range busy[k] {
			if b.from < c.Opened || b.to > closed {
				t.Fatalf("connection %d, open from %v to %v, carried an object from %v to %v\n%s", k, c.Opened, closed, b.from, b.to, describe(s))
			}
		}
		open = append(open, stretch{c.Opened, closed})
		openTo[c.Host] = append(openTo[c.Host], stretch{c.Opened, closed})
		slices.SortFunc(busy[k], func(a, b stretch) int { return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to)) })
		if !p.Pipelining {
			for i := 1; i < len(busy[k]); i++ {
				if busy[k][i].from < busy[k][i-1].to {
					t.Fatalf("connection %d carries two objects at once\n%s", k, describe(s))
				}
			}
		}
		carrying = append(carrying, busy[k]...)
		carryingTo[c.Host] = append(carryingTo[c.Host], union(busy[k])...)
	}
	if n := most(open); n > p.MaxConnections && !p.Pipelining { // with pipelining the limit is looked at once in a pass
		t.Fatalf("%d connections at once, at most %d are allowed\n%s", n, p.MaxConnections, describe(s))
	}
	if n := most(carrying); n > p.MaxConnections && !p.Pipelining {
		t.Fatalf("%d busy connections at once, at most %d are allowed\n%s", n, p.MaxConnections, describe(s))
	}
	for host := range openTo {
		if n := most(carryingTo[host]); n > p.MaxPerHost {
			t.Fatalf("%d busy connections to %s at once, at most %d are allowed\n%s", n, host, p.MaxPerHost, describe(s))
		}
		if n := most(openTo[host]); n > p.MaxPerHost && p.IdleCountsForHost {
			t.Fatalf("%d connections to %s at once, at most %d are allowed\n%s", n, host, p.MaxPerHost, describe(s))
		}
	}
}

// stretch is a stretch of time, without its end.
type stretch struct{ from, to time.Duration }

// union joins stretches that overlap; they are sorted.
func union(s []stretch) (joined []stretch) {
	for _, x := range s {
		if n := len(joined); n > 0 && x.from < joined[n-1].to {
			joined[n-1].to = max(joined[n-1].to, x.to)
			continue
		}
		joined = append(joined, x)
	}
	return joined
}

// most returns the largest number of stretches that cover one instant.
func most(s []stretch) (most int) {
	for _, at := range s {
		n := 0
		for _, x := range s {
			if x.from <= at.from && at.from < x.to {
				n++
			}
		}
		most = max(most, n)
	}
	return most
}

// TestSameSeedSameBytes runs one spec twice on a new engine, and on an engine that has run others before.
func TestSameSeedSameBytes(t *testing.T) {
	used := flow.New()
	rapid.Check(t, func(t *rapid.T) {
		s, other := drawAny(t), drawAny(t)
		fresh := flow.New()
		first := outcome(t, fresh, s)
		for what, again := range map[string]func() sim.Result{
			"again on the same engine":   func() sim.Result { return outcome(t, fresh, s) },
			"after another run":          func() sim.Result { outcome(t, used, other); return outcome(t, used, s) },
			"after itself and the other": func() sim.Result { outcome(t, fresh, other); return outcome(t, fresh, s) },
		} {
			if r := again(); !reflect.DeepEqual(r, first) {
				t.Fatalf("%s: %+v, at first %+v\n%s", what, r, first, describe(s))
			}
		}
	})
}

// TestFasterIsNeverLater holds a single object over one path: more bandwidth or less delay never makes it later. (Pages can
// show anomalies: an object that comes earlier may take the place of a more urgent one.)
func TestFasterIsNeverLater(t *testing.T) {
	e := flow.New()
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.SampledFrom(sim.Profiles).Draw(t, "profile").New()
		p.InitialWindow = rapid.IntRange(1, 40).Draw(t, "initial window")
		pg := newPage(t, "single", []page.Object{{
			Host: "a.example", TLS: rapid.Bool().Draw(t, "tls"), After: page.None,
			Bytes: rapid.OneOf(rapid.Int64Range(0, 20_000), rapid.Int64Range(0, 5_000_000)).Draw(t, "bytes"),
		}})
		rate := rapid.OneOf(rapid.Float64Range(10_000, 100_000), rapid.Float64Range(10_000, 20_000_000))
		rtt := rapid.OneOf(rapid.IntRange(1_000_000, 10_000_000), rapid.IntRange(1_000_000, 500_000_000))
		slow := iface("one", units.Rate(rate.Draw(t, "rate")), time.Duration(rtt.Draw(t, "rtt")))
		fast := slow
		if rapid.Bool().Draw(t, "faster") {
			fast.Rate += units.Rate(rate.Draw(t, "more rate"))
		}
		if rapid.Bool().Draw(t, "shorter") {
			fast.RTT = max(1, fast.RTT-time.Duration(rtt.Draw(t, "less rtt")))
		}
		at := func(f sim.Interface) time.Duration {
			return outcome(t, e, &sim.Spec{Page: pg, Policy: "if1", Params: p, Interfaces: []sim.Interface{f}}).LoadTime
		}
		if was, is := at(slow), at(fast); is > was {
			t.Fatalf("%v bytes/s and %v: %v; %v bytes/s and %v: %v\n%d bytes, initial window %d, profile %s",
				float64(slow.Rate), slow.RTT, was, float64(fast.Rate), fast.RTT, is, pg.Bytes(), p.InitialWindow, p.Profile)
		}
	})
}

// TestOrderOfObjects renumbers a page's objects. What counts is the order among objects that wait for the same one or come
// from the same host (and, among hosts, nothing: the limit in all is out of reach); the rest of the numbering must not.
func TestOrderOfObjects(t *testing.T) {
	e := flow.New()
	rapid.Check(t, func(t *rapid.T) {
		s := drawAny(t)
		s.Params.MaxConnections = 256
		n := len(s.Page.Objects)
		was := outcome(t, e, s)

		// Draw an order that keeps those orders: take any object all of whose predecessors are taken.
		var order []int
		taken := make([]bool, n)
		for len(order) < n {
			var free []int
			for i := range n {
				ready := !taken[i]
				for j := range i {
					a, b := s.Page.Objects[i], s.Page.Objects[j]
					ready = ready && (taken[j] || a.After != b.After && a.Host != b.Host)
				}
				if ready {
					free = append(free, i)
				}
			}
			i := rapid.SampledFrom(free).Draw(t, "next")
			taken[i] = true
			order = append(order, i)
		}
		objects := make([]page.Object, n)
		for to, from := range order {
			o := s.Page.Objects[from]
			if o.After != page.None {
				o.After = int32(slices.Index(order, int(o.After)))
			}
			objects[to] = o
		}
		renumbered := *s
		renumbered.Page = newPage(t, "renumbered", objects)
		is := outcome(t, e, &renumbered)
		for to, from := range order {
			if is.End[to] != was.End[from] {
				t.Fatalf("order %v: object %d ended at %v, now at %v\n%s", order, from, was.End[from], is.End[to], describe(s))
			}
		}
	})
}

// TestOrderOfInterfaces gives a policy that names its interface the interfaces in another order.
func TestOrderOfInterfaces(t *testing.T) {
	e := flow.New()
	rapid.Check(t, func(t *rapid.T) {
		s := drawAny(t)
		s.Policy = rapid.SampledFrom([]string{"one", "two"}).Draw(t, "interface")
		was := outcome(t, e, s)
		turned := *s
		turned.Interfaces = slices.Clone(s.Interfaces)
		slices.Reverse(turned.Interfaces)
		is := outcome(t, e, &turned)
		slices.Reverse(is.IfaceBytes)
		if !reflect.DeepEqual(is, was) {
			t.Fatalf("%+v, with the interfaces in reverse %+v\n%s", was, is, describe(s))
		}
	})
}

// TestNamesMeanNothing renames hosts and interfaces.
func TestNamesMeanNothing(t *testing.T) {
	e := flow.New()
	rapid.Check(t, func(t *rapid.T) {
		s := drawAny(t)
		was := outcome(t, e, s)
		renamed := *s
		objects := slices.Clone(s.Page.Objects)
		for i := range objects {
			objects[i].Host = map[string]string{"a.example": "z.example", "b.example": "b.example:8443", "c.example": "a.example"}[objects[i].Host]
		}
		renamed.Page = newPage(t, "other", objects)
		renamed.Interfaces = slices.Clone(s.Interfaces)
		for i, name := range []string{"wlan0", "lte", "dsl"}[:len(s.Interfaces)] {
			renamed.Interfaces[i].Name = name
		}
		if is := outcome(t, e, &renamed); !reflect.DeepEqual(is, was) {
			t.Fatalf("%+v, with other names %+v\n%s", was, is, describe(s))
		}
	})
}

// TestOneInterfaceLeavesNoChoice: over one interface every policy is if1, as Multipath TCP has one path only.
func TestOneInterfaceLeavesNoChoice(t *testing.T) {
	e := flow.New()
	rapid.Check(t, func(t *rapid.T) {
		s := drawAny(t)
		s.Interfaces = s.Interfaces[:1]
		s.Policy = "if1"
		was := outcome(t, e, s)
		for _, policy := range []string{"round-robin", "eaf", "mptcp-if1", "mptcp-rnd", "eaf-mptcp"} {
			s.Policy = policy
			if is := outcome(t, e, s); !slices.Equal(is.End, was.End) {
				t.Fatalf("%s: ends %v, if1 %v\n%s", policy, is.End, was.End, describe(s))
			}
		}
	})
}

// TestEqualObjectsEndTogether: flights of equal objects from hosts of their own share the link equally, so that they end
// together (to a nanosecond of rounding for each).
func TestEqualObjectsEndTogether(t *testing.T) {
	e := flow.New()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 6).Draw(t, "objects")
		objects := make([]page.Object, n)
		bytes := rapid.Int64Range(1, 500_000).Draw(t, "bytes")
		for i := range objects {
			objects[i] = page.Object{Host: string(rune('a'+i)) + ".example", Bytes: bytes, After: page.None}
		}
		s := &sim.Spec{Page: newPage(t, "equal", objects), Policy: "if1", Params: sim.Linux(), Interfaces: []sim.Interface{drawIface(t, "one")}}
		r := outcome(t, e, s)
		if spread := slices.Max(r.End) - slices.Min(r.End); spread > time.Duration(n) {
			t.Fatalf("equal objects end %v apart: %v\n%s", spread, r.End, describe(s))
		}
	})
}
