package fast

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"braid/sim"
	"braid/sim/policy"
)

// auditor is the engine as the client sees it, which holds all that comparisons rest on to full predictions.
type auditor struct {
	*Engine
	t *rapid.T
	s *sim.Spec
}

func (a auditor) First(object int32, candidates []policy.Choice) int {
	ends := make([]time.Duration, len(candidates))
	for i, c := range candidates {
		ends[i], _ = a.world.end(object, c, policy.Forever)
	}
	var equal map[any]time.Duration
	for i := range candidates {
		c := &candidates[i]
		var lower, upper time.Duration
		var bounded bool
		var state any
		switch w := a.world.(type) {
		case *flightsWorld:
			lower = w.earliest(object, c)
			upper, bounded = w.latest(object, c)
			if idle, ok := w.idleState(object, c); ok {
				state = idle
			}
		case *smoothWorld:
			lower = w.earliest(object, c)
			if idle, ok := w.idleState(c); ok {
				state = idle
			}
		}
		if ends[i] < lower || bounded && ends[i] > upper+slack {
			a.fatalf("object %d at %+v ends at %d, bounds %d and %d (%v)", object, *c, ends[i], lower, upper, bounded)
		}
		if state == nil {
			continue
		}
		if end, ok := equal[state]; ok && end != ends[i] {
			a.fatalf("object %d at %+v ends at %d, at an equal connection at %d", object, *c, ends[i], end)
		}
		if equal == nil {
			equal = map[any]time.Duration{}
		}
		equal[state] = ends[i]
	}
	want := policy.Compare(candidates, func(c policy.Choice, before time.Duration) (time.Duration, bool) {
		end, _ := a.world.end(object, c, policy.Forever)
		return end, end < before
	})
	got := a.Engine.First(object, candidates)
	if got != want {
		a.fatalf("object %d: candidate %d of %d, by full predictions %d: %v", object, got, len(candidates), want, ends)
	}
	return got
}

func (a auditor) fatalf(format string, args ...any) {
	a.t.Fatalf("at %v, %s, %s: "+format, append([]any{a.world.now(), a.s.Params.Profile, a.s.Policy}, args...)...)
}

// TestBounds holds the bounds and equalities that spare predictions, and each comparison, to full predictions of all
// candidates, on random loads.
func TestBounds(t *testing.T) {
	e := New()
	rapid.Check(t, func(t *rapid.T) {
		s := drawSpec(t)
		names := make([]string, len(s.Interfaces))
		for i := range names {
			names[i] = s.Interfaces[i].Name
		}
		pol, _, err := policy.Lookup(s.Policy, names)
		if err != nil {
			t.Fatal(err)
		}
		e.reset(s)
		e.client.Reset(s, pol, auditor{e, t, s}, e)
		e.client.Start()
		for !e.client.Done() && e.world.step() {
		}
	})
}
