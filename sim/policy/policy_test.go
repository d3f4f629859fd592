package policy

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"braid/sim/page"
)

// fakeView answers predictions from a table, and notes what was asked.
type fakeView struct {
	ifaces []Iface
	conns  []Conn
	full   bool // no new connection may be opened
	turn   int
	ends   map[string]time.Duration // by name, see name; what is missing never ends
	rand   *rand.Rand
	asked  []string

	considered []Choice
}

// name writes a choice: "conn 3", or "new 0 2" over interfaces 0 and 2.
func name(c Choice) string {
	if c.Conn != New {
		return fmt.Sprintf("conn %d", c.Conn)
	}
	text := "new"
	for _, i := range c.Paths.List() {
		text += fmt.Sprintf(" %d", i)
	}
	return text
}

func (v *fakeView) Now() time.Duration                      { return 0 }
func (v *fakeView) Object() *page.Object                    { return nil }
func (v *fakeView) Ifaces() []Iface                         { return v.ifaces }
func (v *fakeView) Conns() []Conn                           { return v.conns }
func (v *fakeView) CanOpen() bool                           { return !v.full }
func (v *fakeView) Turn() int                               { return v.turn }
func (v *fakeView) Rand() *rand.Rand                        { return v.rand }
func (v *fakeView) Energy(Choice) (joules float64, ok bool) { return 0, false }

func (v *fakeView) Consider(c Choice) { v.considered = append(v.considered, c) }

// resolve is what the client makes of a policy's answer.
func (v *fakeView) resolve(c Choice) Choice {
	list := v.considered
	v.considered = nil
	if c.Conn == First {
		return list[Compare(list, v.End)]
	}
	return c
}

func (v *fakeView) End(c Choice, before time.Duration) (time.Duration, bool) {
	n := name(c)
	v.asked = append(v.asked, n)
	end, ok := v.ends[n]
	return end, ok && end < before
}

func ifaces(n int) []Iface { return make([]Iface, n) }

func conns(paths ...Paths) (list []Conn) {
	for i, p := range paths {
		list = append(list, Conn{Index: int32(i), Paths: p})
	}
	return list
}

// ends reads "conn 0:5 new 1:4.2", ends in ms.
func ends(t *testing.T, s string) map[string]time.Duration {
	t.Helper()
	m := map[string]time.Duration{}
	for _, f := range strings.Split(s, ",") {
		k, v, ok := strings.Cut(strings.TrimSpace(f), ":")
		if !ok {
			continue
		}
		d, err := time.ParseDuration(v)
		if err != nil {
			t.Fatal(err)
		}
		m[k] = d
	}
	return m
}

func TestPlace(t *testing.T) {
	on1, on2, both := Over(0), Over(1), Over(0, 1)
	for _, c := range []struct {
		name, policy string
		view         fakeView
		want         string
		asked        string // predictions in order
	}{
		{"the only candidate is taken unseen", "if1", fakeView{}, "new 0", ""},
		{"nothing to take", "if1", fakeView{full: true}, "wait", ""},
		{"the only connection, as none may be opened", "if1", fakeView{full: true, conns: conns(on1)}, "conn 0", ""},
		{"reuse wins a tie", "if1", fakeView{conns: conns(on1), ends: ends(t, "conn 0:5ms, new 0:5ms")}, "conn 0", "conn 0, new 0"},
		{"1 ns earlier is a tie", "if1", fakeView{conns: conns(on1), ends: ends(t, "conn 0:5ms, new 0:4.999999ms")}, "conn 0", "conn 0, new 0"},
		{"2 ns earlier wins", "if1", fakeView{conns: conns(on1), ends: ends(t, "conn 0:5ms, new 0:4.999998ms")}, "new 0", "conn 0, new 0"},
		{"the oldest of equal reuses", "if1", fakeView{conns: conns(on1, on1, on1), ends: ends(t, "conn 0:7ms, conn 1:5ms, conn 2:5ms, new 0:6ms")}, "conn 1", "conn 0, conn 1, conn 2, new 0"},
		{"a reuse that never ends loses", "if1", fakeView{conns: conns(on1), ends: ends(t, "new 0:6ms")}, "new 0", "conn 0, new 0"},
		{"nothing ends: the first", "if1", fakeView{conns: conns(on1)}, "conn 0", "conn 0, new 0"},
		{"other interfaces are not looked at", "if2", fakeView{conns: conns(on1, on2, both), ends: ends(t, "conn 0:1ms, conn 1:5ms, conn 2:1ms, new 1:6ms")}, "conn 1", "conn 1, new 1"},

		{"the first turn", "round-robin", fakeView{turn: 0}, "new 0", ""},
		{"the second turn", "round-robin", fakeView{turn: 1}, "new 1", ""},
		{"the third turn starts over", "round-robin", fakeView{turn: 2}, "new 0", ""},
		{"reuse on the interface whose turn it is", "round-robin", fakeView{turn: 3, conns: conns(on1, on2), ends: ends(t, "conn 0:1ms, conn 1:5ms, new 1:5ms")}, "conn 1", "conn 1, new 1"},

		{"the faster interface", "eaf", fakeView{ends: ends(t, "new 0:9ms, new 1:8ms")}, "new 1", "new 0, new 1"},
		{"the first of equal interfaces", "eaf", fakeView{ends: ends(t, "new 0:8ms, new 1:8ms")}, "new 0", "new 0, new 1"},
		{"new on the first before an equal reuse on the second", "eaf", fakeView{conns: conns(on2), ends: ends(t, "new 0:5ms, conn 0:5ms, new 1:9ms")}, "new 0", "new 0, conn 0, new 1"},
		{"Multipath TCP connections are not for single-path policies", "eaf", fakeView{conns: conns(both), ends: ends(t, "conn 0:1ms, new 0:9ms, new 1:8ms")}, "new 1", "new 0, new 1"},
		{"full: only what is open", "eaf", fakeView{full: true, conns: conns(on2, on1), ends: ends(t, "conn 0:5ms, conn 1:6ms")}, "conn 0", "conn 1, conn 0"},
		{"full and nothing open", "eaf", fakeView{full: true}, "wait", ""},

		{"any open connection", "mptcp-if1", fakeView{conns: conns(on2, both), ends: ends(t, "conn 0:6ms, conn 1:5ms, new 0 1:5ms")}, "conn 1", "conn 0, conn 1, new 0 1"},
		{"new over all interfaces in order", "mptcp-if1", fakeView{conns: conns(both), ends: ends(t, "conn 0:6ms, new 0 1:5ms")}, "new 0 1", "conn 0, new 0 1"},

		{"reuse, single, Multipath TCP in this order", "eaf-mptcp", fakeView{conns: conns(on1), ends: ends(t, "conn 0:5ms, new 0:5ms, new 1:5ms, new 0 1:5ms, new 1 0:5ms")}, "conn 0", "conn 0, new 0, new 1, new 0 1, new 1 0"},
		{"single before Multipath TCP", "eaf-mptcp", fakeView{conns: conns(on1), ends: ends(t, "conn 0:6ms, new 0:7ms, new 1:5ms, new 0 1:5ms, new 1 0:5ms")}, "new 1", "conn 0, new 0, new 1, new 0 1, new 1 0"},
		{"the order of subflows counts", "eaf-mptcp", fakeView{ends: ends(t, "new 0:7ms, new 1:6ms, new 0 1:5ms, new 1 0:4ms")}, "new 1 0", "new 0, new 1, new 0 1, new 1 0"},
	} {
		t.Run(c.policy+"/"+c.name, func(t *testing.T) {
			p, _, err := Lookup(c.policy, []string{"wifi", "lte"})
			if err != nil {
				t.Fatal(err)
			}
			v := c.view
			v.ifaces = ifaces(2)
			got := "wait"
			if choice, ok := p.Place(&v); ok {
				got = name(v.resolve(choice))
			}
			if asked := strings.Join(v.asked, ", "); got != c.want || asked != c.asked {
				t.Errorf("%s after %q; want %s after %q", got, asked, c.want, c.asked)
			}
		})
	}
}

// TestArrangements: over n interfaces eaf-mptcp has n single paths and, for every size k from 2 to n, n!/(n-k)! orders.
func TestArrangements(t *testing.T) {
	for n, want := range map[int]int{1: 1, 2: 2 + 2, 3: 3 + 6 + 6, 4: 4 + 12 + 24 + 24} {
		v := &fakeView{ifaces: ifaces(n), conns: conns(Over(0))}
		choice, ok := (eafMPTCP{}).Place(v)
		if !ok {
			t.Fatal("no place")
		}
		v.resolve(choice)
		arrangements := v.asked[1:] // the first is the open connection
		if len(arrangements) != want {
			t.Errorf("%d interfaces: %d arrangements, want %d: %v", n, len(arrangements), want, arrangements)
		}
		distinct := slices.Clone(arrangements)
		slices.Sort(distinct)
		if len(slices.Compact(distinct)) != want {
			t.Errorf("%d interfaces: some twice in %v", n, arrangements)
		}
	}
}

// TestRandomOrder: mptcp-rnd draws each of the 6 orders of 3 interfaces about equally often, and the same for the same seed.
func TestRandomOrder(t *testing.T) {
	const n = 6000
	draw := func(seed uint64) (list []string) {
		v := &fakeView{ifaces: ifaces(3), rand: rand.New(rand.NewPCG(seed, 0))}
		for range n {
			c, ok := (mptcpRandom{}).Place(v)
			if !ok {
				t.Fatal("no place")
			}
			list = append(list, name(c))
		}
		return list
	}
	list := draw(1)
	count := map[string]int{}
	for _, s := range list {
		count[s]++
	}
	if len(count) != 6 {
		t.Errorf("%v", count)
	}
	for order, k := range count { // n/6 = 1000 with a standard deviation of sqrt(n 1/6 5/6) = 29; five of them
		if k < 1000-145 || k > 1000+145 {
			t.Errorf("%s: %d of %d", order, k, n)
		}
	}
	if !slices.Equal(list, draw(1)) || slices.Equal(list, draw(2)) {
		t.Error("the orders do not follow from the seed")
	}
}

func TestReads(t *testing.T) {
	for name, want := range map[string]Reads{
		"if1":         {Ifaces: 0b01, Predictions: true},
		"if2":         {Ifaces: 0b10, Predictions: true},
		"round-robin": {Ifaces: AllIfaces, Predictions: true},
		"eaf":         {Ifaces: AllIfaces, Predictions: true},
		"mptcp-if1":   {Ifaces: AllIfaces, Predictions: true},
		"mptcp-rnd":   {Ifaces: AllIfaces, Predictions: true, Random: true},
		"eaf-mptcp":   {Ifaces: AllIfaces, Predictions: true},
	} {
		p, _, err := Lookup(name, []string{"wifi", "lte"})
		if err != nil {
			t.Fatal(err)
		}
		if got := p.Reads(); got != want {
			t.Errorf("%s reads %+v, want %+v", name, got, want)
		}
	}
}

func TestLookup(t *testing.T) {
	names := []string{"wifi", "lte", "if1"}
	for given, want := range map[string]struct {
		canonical string
		policy    Policy
	}{
		"rr": {"round-robin", roundRobin{}}, "round-robin": {"round-robin", roundRobin{}},
		"eaf": {"eaf", eaf{}}, "eaf-mptcp": {"eaf-mptcp", eafMPTCP{}}, "mptcp-if1": {"mptcp-if1", mptcp{}}, "mptcp-rnd": {"mptcp-rnd", mptcpRandom{}},
		"if2": {"if2", single{1}}, "lte": {"if2", single{1}}, "wifi": {"if1", single{0}},
		"if1": {"if1", single{0}}, // though the third interface is called so
		"if3": {"if3", single{2}},
	} {
		p, canonical, err := Lookup(given, names)
		if err != nil || p != want.policy || canonical != want.canonical {
			t.Errorf("%s: %#v, %q, %v; want %#v, %q", given, p, canonical, err, want.policy, want.canonical)
		}
	}
	for _, given := range []string{"", "if0", "if4", "if01", "EAF", "dsl"} {
		_, _, err := Lookup(given, names)
		want := fmt.Sprintf(`unknown policy %q (policies: %s; or an interface's name: wifi, lte, if1)`, given, strings.Join(Names(names), ", "))
		if err == nil || err.Error() != want {
			t.Errorf("%q: %v; want %s", given, err, want)
		}
	}
}
