package explain

import (
	"strings"
	"testing"
	"time"

	"braid/sim"
	"braid/sim/page"

	"pgregory.net/rapid"
)

const ms = time.Millisecond

// observed is the trace of a load over one interface, of which nothing has been reported yet.
func observed(t interface{ Fatal(...any) }, objects []page.Object) *sim.Trace {
	p, err := page.New("page", objects)
	if err != nil {
		t.Fatal(err)
	}
	return sim.NewTrace(&sim.Spec{Page: p, Interfaces: []sim.Interface{{Name: "if1"}}})
}

// phases reports the phases of one object, each with its start; the last one is Done.
func phases(tr *sim.Trace, object int32, steps ...any) {
	for i := 0; i < len(steps); i += 2 {
		tr.Phase(object, steps[i].(sim.Phase), steps[i+1].(time.Duration))
	}
	tr.Delivered(object, 0, tr.Spec.Page.Objects[object].Bytes)
}

// A document of 60 ms; then an object that thinks 5 ms, waits 7 ms for a connection and 20 ms for its first byte, and
// receives for 8 ms; and one that ends earlier. The path is 60 + 5 + 7 + 20 + 8 = 100 ms.
func TestCriticalPath(t *testing.T) {
	tr := observed(t, []page.Object{
		{Host: "a", Bytes: 100, After: page.None},
		{Host: "a", Bytes: 10, After: 0},
		{Host: "a", Bytes: 20, After: 0, Think: 5 * ms},
	})
	phases(tr, 0, sim.WaitHandshake, 0*ms, sim.WaitRequest, 20*ms, sim.SlowStart, 40*ms, sim.Link, 50*ms, sim.Done, 60*ms)
	phases(tr, 1, sim.WaitParent, 0*ms, sim.WaitRequest, 60*ms, sim.SlowStart, 80*ms, sim.Done, 81*ms)
	phases(tr, 2, sim.WaitParent, 0*ms, sim.WaitConnection, 65*ms, sim.WaitRequest, 72*ms, sim.Window, 92*ms, sim.Done, 100*ms)

	l, err := New(tr)
	if err != nil {
		t.Fatal(err)
	}
	if l.LoadTime != 100*ms {
		t.Errorf("load time %v, want 100ms", l.LoadTime)
	}
	want := []Step{
		{0, 0, 60 * ms, Parts{sim.WaitHandshake: 20 * ms, sim.WaitRequest: 20 * ms, sim.SlowStart: 10 * ms, sim.Link: 10 * ms}},
		{2, 60 * ms, 100 * ms, Parts{sim.WaitParent: 5 * ms, sim.WaitConnection: 7 * ms, sim.WaitRequest: 20 * ms, sim.Window: 8 * ms}},
	}
	if len(l.Critical) != len(want) {
		t.Fatalf("critical path has %d steps, want %d", len(l.Critical), len(want))
	}
	for i := range want {
		if l.Critical[i] != want[i] {
			t.Errorf("step %d: %+v, want %+v", i, l.Critical[i], want[i])
		}
	}
	path := Parts{sim.WaitParent: 5 * ms, sim.WaitConnection: 7 * ms, sim.WaitHandshake: 20 * ms, sim.WaitRequest: 40 * ms,
		sim.SlowStart: 10 * ms, sim.Window: 8 * ms, sim.Link: 10 * ms}
	if l.Path != path {
		t.Errorf("path %v, want %v", l.Path, path)
	}
	if l.Objects[2][sim.WaitParent] != 65*ms {
		t.Errorf("object 2 waited %v for its parent and think time, want 65ms", l.Objects[2][sim.WaitParent])
	}
}

func TestInconsistent(t *testing.T) {
	one := []page.Object{{Host: "a", Bytes: 100, After: page.None}}
	for name, c := range map[string]struct {
		build func(*sim.Trace)
		want  string
	}{
		"unfinished": {func(tr *sim.Trace) { tr.Phase(0, sim.Link, 0) }, "never ended"},
		"bytes lost": {func(tr *sim.Trace) {
			tr.Phase(0, sim.Link, 0)
			tr.Phase(0, sim.Done, 5*ms)
			tr.Delivered(0, 0, 99)
		}, "99 bytes delivered of 100"},
		"starts late": {func(tr *sim.Trace) { phases(tr, 0, sim.Link, 1*ms, sim.Done, 5*ms) }, "phase"},
	} {
		t.Run(name, func(t *testing.T) {
			tr := observed(t, one)
			c.build(tr)
			if _, err := New(tr); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want one that says %q", err, c.want)
			}
		})
	}
}

// Whatever the page and its phases: the steps of the path follow each other without gap, end where their objects end,
// and sum to the end of the object that ended last.
func TestStepsSumToLoadTime(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 12).Draw(t, "objects")
		objects := make([]page.Object, n)
		for i := range objects {
			objects[i] = page.Object{Host: "a", Bytes: int64(i), After: page.None}
			if i > 0 {
				objects[i].After = int32(rapid.IntRange(-1, i-1).Draw(t, "after"))
			}
		}
		tr := observed(t, objects)
		end := make([]time.Duration, n)
		var last time.Duration
		for i := range objects {
			var at time.Duration
			tr.Phase(int32(i), sim.WaitParent, 0)
			if a := objects[i].After; a != page.None {
				at = end[a]
			}
			for p := sim.WaitConnection; p < sim.Done; p++ {
				tr.Phase(int32(i), p, at)
				at += time.Duration(rapid.IntRange(0, 1000).Draw(t, "ns"))
			}
			tr.Phase(int32(i), sim.Done, at)
			tr.Delivered(int32(i), 0, objects[i].Bytes)
			end[i] = at
			last = max(last, at)
		}
		l, err := New(tr)
		if err != nil {
			t.Fatal(err)
		}
		if l.LoadTime != last || l.Path.Total() != last {
			t.Fatalf("load time %v, path %v, want %v", l.LoadTime, l.Path.Total(), last)
		}
		var at time.Duration
		for _, s := range l.Critical {
			if s.From != at || s.To != end[s.Object] {
				t.Fatalf("step %+v does not follow %v or end at %v", s, at, end[s.Object])
			}
			at = s.To
		}
	})
}
