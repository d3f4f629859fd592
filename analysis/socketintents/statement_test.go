package socketintents

import (
	"slices"
	"testing"
	"time"

	"braid/sim"
	"braid/sim/flow"
	"braid/sim/page"
	"braid/sim/units"
)

const ms = time.Millisecond

// spec is a page of one host, each object after the one before, over two networks.
func spec(t *testing.T, rate1 units.Rate, rtt1 time.Duration, rate2 units.Rate, rtt2 time.Duration,
	bytes ...int64) *sim.Spec {
	t.Helper()
	var objects []page.Object
	for i, b := range bytes {
		objects = append(objects, page.Object{Host: "h.example", Bytes: b, After: int32(i) - 1})
	}
	p, err := page.New("by hand", objects)
	if err != nil {
		t.Fatal(err)
	}
	return &sim.Spec{Page: p, Params: sim.DTSimulator(), Interfaces: []sim.Interface{
		{Name: "if1", Rate: rate1, RTT: rtt1}, {Name: "if2", Rate: rate2, RTT: rtt2},
	}}
}

// near compares to 20 us: the expectations leave out the whole numbers of the model.
func near(t *testing.T, what string, got, want time.Duration) {
	t.Helper()
	if d := got - want; d < -20*time.Microsecond || d > 20*time.Microsecond {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

// The document is earlier over the network with the short RTT; its child then finds the open connection on the slow one.
//
//	document 4755 B: interface 1 100 ms + 4755 B at 14600 B/50 ms = 116.28 ms; interface 2 40 ms + 4755 B at 64 kB/s = 114.30 ms
//	child 6871 B under eaf: on the open connection 6871 B at 64 kB/s = 107.36 ms, before a new one on interface 1
//	(100 ms + 23.53 ms); under if1: 6871 B at (14600 + 4755) B/50 ms = 17.75 ms
func TestEAFLoss(t *testing.T) {
	s := spec(t, 52.4288*units.MbitPerSecond, 50*ms, 512*units.KbitPerSecond, 20*ms, 4755, 6871)
	l, err := EAF.Check(flow.New(), s)
	if err != nil || l == nil {
		t.Fatalf("loss %v, error %v", l, err)
	}
	near(t, "eaf", l.Load, 114297*time.Microsecond+107359*time.Microsecond)
	near(t, "if1", l.Than, 116284*time.Microsecond+17750*time.Microsecond)
	near(t, "lost by the child", l.Late.Lost, 107359*time.Microsecond-17750*time.Microsecond)
	if l.Late.Object != 1 || l.Late.Cause != OtherInterface {
		t.Errorf("late: object %d %v", l.Late.Object, l.Late.Cause)
	}
	// The child has 59 % of the bytes; alone it takes 40 + 107.36 ms here and 100 + 23.53 ms there. The document, alone, is
	// where it is earliest. Under if1 the child is the second on its connection.
	if want := []Conditions{Critical | OnePath, Critical | Huge | Worse | Later | OnePath}; !slices.Equal(l.Objects, want) {
		t.Errorf("conditions %b, want %b", l.Objects, want)
	}
	if l.Meets(EAF.Conditions) || l.Gone {
		t.Errorf("no limit is reached: meets %v, gone %v", l.Meets(EAF.Conditions), l.Gone)
	}

	// With one connection to a host the child's own is the limit. Without limits it would go the same way.
	s.Params.MaxPerHost = 1
	if l, err = EAF.Check(flow.New(), s); err != nil || l == nil || !l.Meets(EAF.Conditions) || l.Gone {
		t.Errorf("at the limit: %+v, %v", l, err)
	}
}

// The document ends before a second subflow could help, so one path is as good; its child finds a connection with one path.
//
//	rates 262144 B/s; document 1000 B: 20 ms + 3.81 ms
//	child 20000 B under eaf-mptcp: on the open connection 76.29 ms; under mptcp-if1 the second subflow is there from
//	20 ms + 40 ms on, so that it is earlier
func TestEAFMPTCPLoss(t *testing.T) {
	rate := 2097152 * units.BitPerSecond
	l, err := EAFMPTCP.Check(flow.New(), spec(t, rate, 10*ms, rate, 20*ms, 1000, 20000))
	if err != nil || l == nil {
		t.Fatalf("loss %v, error %v", l, err)
	}
	near(t, "eaf-mptcp", l.Load, 23815*time.Microsecond+76294*time.Microsecond)
	if l.Than <= 60*ms {
		t.Errorf("mptcp-if1 took %v, its second subflow is ready at 60 ms", l.Than)
	}
	if !l.Meets(EAFMPTCP.Conditions|Critical) || !l.Gone {
		t.Errorf("meets %b, gone %v: without reuse both open a connection for each object", l.Objects, l.Gone)
	}
	if l.Late.Object != 1 || l.Late.Cause != OtherInterface {
		t.Errorf("late: object %d %v", l.Late.Object, l.Late.Cause)
	}
}

// A policy that is not slower has no loss to explain.
func TestNoLoss(t *testing.T) {
	s := spec(t, units.MbitPerSecond, 20*ms, units.MbitPerSecond, 20*ms, 50000)
	if l, err := EAF.Check(flow.New(), s); l != nil || err != nil {
		t.Errorf("loss %v, error %v", l, err)
	}
}

func TestAtLeast(t *testing.T) {
	spans := []interval{{0, 10}, {5, 15}, {10, 20}, {30, 40}, {40, 50}}
	for _, c := range []struct {
		n    int
		want []interval
	}{
		{1, []interval{{0, 20}, {30, 50}}},
		{2, []interval{{5, 15}}}, // at 10 one ends and one begins
		{3, nil},                 // never longer than a moment
	} {
		if got := atLeast(spans, c.n); !slices.Equal(got, c.want) {
			t.Errorf("%d at once: %v, want %v", c.n, got, c.want)
		}
	}
	if !meets(spans[:1], 9, 12) || meets(spans[:1], 10, 12) {
		t.Error("the end of an interval is not part of it")
	}
}
