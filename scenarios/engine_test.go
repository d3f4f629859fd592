package scenarios

import (
	"reflect"
	"strings"
	"testing"

	"braid/sim"
)

// TestEngines holds what all engines give for the quickstart to each other, and counts what the fast one left out: with
// estimated knowledge every run.
func TestEngines(t *testing.T) {
	s, err := Load("quickstart")
	if err != nil {
		t.Fatal(err)
	}
	for _, knowledge := range []string{"exact", "estimated"} {
		changed, err := s.Set("parameters.knowledge=" + knowledge)
		if err != nil {
			t.Fatal(err)
		}
		g, err := changed.Grid()
		if err != nil {
			t.Fatal(err)
		}
		auto, err := NewEngines("auto")
		if err != nil {
			t.Fatal(err)
		}
		reference, err := NewEngines("flow")
		if err != nil {
			t.Fatal(err)
		}
		a, b := auto.New(), reference.New()
		var r Run
		runs := int64(0)
		for i := int64(0); i < g.Len(); i += 5 {
			if err := g.Run(i, &r); err != nil {
				t.Fatal(err)
			}
			runs++
			got, err := a.Run(&r.Spec)
			if err != nil {
				t.Fatal(err)
			}
			want, err := b.Run(&r.Spec)
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(got, want) {
				t.Fatalf("run %d: %+v, reference %+v", i, got, want)
			}
		}
		want := int64(0)
		if r.Spec.Params.Knowledge == sim.Estimated {
			want = runs
		}
		if auto.Fallbacks() != want {
			t.Errorf("%s: %d of %d runs fell back, want %d", knowledge, auto.Fallbacks(), runs, want)
		}
	}
	if _, err := NewEngines("flo"); err == nil || !strings.Contains(err.Error(), `did you mean "flow"`) {
		t.Errorf("%v", err)
	}
}
