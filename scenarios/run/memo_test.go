package run

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"braid/scenarios"
	"braid/scenarios/result"
	"braid/sim"
	"braid/sim/fast"
)

// Each class is computed once, however many ask at once.
func TestMemoComputesOnce(t *testing.T) {
	m := newMemo()
	var computed atomic.Int64
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for class := range int64(1000) {
				o := m.get(class, func(o *outcome) {
					computed.Add(1)
					o.metrics = []scenarios.Value{{Integer: class}}
				})
				if o.metrics[0].Integer != class {
					t.Errorf("class %d gave %v", class, o.metrics)
				}
			}
		})
	}
	all.Wait()
	if computed.Load() != 1000 {
		t.Errorf("%d computations of 1000 classes", computed.Load())
	}
}

// It forgets the oldest beyond its limit.
func TestMemoForgets(t *testing.T) {
	m := newMemo()
	computed := 0
	ask := func(class int64) { m.get(class, func(*outcome) { computed++ }) }
	for class := range int64(memoMost + 10) {
		ask(class)
	}
	if len(m.outcomes) != memoMost || len(m.order) != memoMost {
		t.Errorf("%d outcomes, %d in order", len(m.outcomes), len(m.order))
	}
	computed = 0
	ask(memoMost + 9)
	ask(10)
	if computed != 0 {
		t.Error("one of the last was forgotten")
	}
	ask(9)
	if computed != 1 {
		t.Error("the oldest were kept")
	}
}

// countingEngine counts what is run on the fast engine.
type countingEngine struct {
	*fast.Engine
	runs *atomic.Int64
}

func (e countingEngine) Run(s *sim.Spec) (*sim.Result, error) {
	e.runs.Add(1)
	if s.Policy == "if2" && s.Interfaces[1].Rate > 1e6 {
		return nil, errors.New("too fast") // errors are shared too
	}
	return e.Engine.Run(s)
}

// Runs that cannot differ run once, every one has its row, and rows are those of a run of each by itself.
func TestTwinsRunOnce(t *testing.T) {
	g := gridOf(t, unequalPages+"repetitions: 3\n")
	g2, err := g.Where("page=n2x1k,n4x10k,mix28")
	if err != nil {
		t.Fatal(err)
	}
	// 3 pages. if1 sees 4*2 networks, eaf and mptcp-if1 32 each, and none the repetitions.
	const distinct = 3 * (4*2 + 32 + 32)
	for _, workers := range []int{1, 5} {
		var runs, each atomic.Int64
		counting := func(n *atomic.Int64) func() sim.Engine {
			return func() sim.Engine { return countingEngine{fast.New(), n} }
		}
		got, stats, err := write(t, t.Context(), g2, Options{Workers: workers, Engine: counting(&runs)}, result.CSV)
		if err != nil {
			t.Fatal(err)
		}
		if runs.Load() != distinct || stats.Computed != distinct || stats.Runs != g2.Len() {
			t.Errorf("%d workers: %d runs of engines, stats %+v, want %d", workers, runs.Load(), stats, distinct)
		}
		want, _, err := write(t, t.Context(), noTwins{g2}, Options{Workers: workers, Engine: counting(&each)}, result.CSV)
		if err != nil {
			t.Fatal(err)
		}
		if each.Load() != g2.Len() {
			t.Fatalf("%d of %d runs by themselves", each.Load(), g2.Len())
		}
		if string(got) != string(want) {
			t.Errorf("%d workers: other rows", workers)
		}
	}
}

// noTwins is a grid that does not say which runs cannot differ.
type noTwins struct{ *scenarios.Grid }

func (noTwins) Twins() (*scenarios.Twins, error) { return nil, nil }

func BenchmarkMemo(b *testing.B) {
	m := newMemo()
	for i := 0; b.Loop(); i++ {
		m.get(int64(i%1000), func(o *outcome) { o.metrics = []scenarios.Value{{Text: fmt.Sprint(i)}} })
	}
}
