package scenarios

import (
	"fmt"
	"sync/atomic"

	"braid/sim"
	"braid/sim/fast"
	"braid/sim/flow"
)

// Engines makes the engines of one grid, one for each worker, and counts the runs that needed another engine than the
// fast one. The choices are EngineNames.
type Engines struct {
	name      string
	fallbacks atomic.Int64
}

// EngineNames lists the engines a grid can ask for, the default first: auto takes the fast engine for every run it covers
// and the reference engine for the others, with equal results; flow and fast insist.
var EngineNames = []string{"auto", "flow", "fast"}

// NewEngines returns the engines of that name.
func NewEngines(name string) (*Engines, error) {
	for _, n := range EngineNames {
		if n == name {
			return &Engines{name: name}, nil
		}
	}
	return nil, fmt.Errorf("unknown engine %q%s", name, DidYouMean(name, "engines", EngineNames))
}

// New returns an engine for one worker.
func (e *Engines) New() sim.Engine {
	switch e.name {
	case "flow":
		return flow.New()
	case "fast":
		return fast.New()
	}
	return &automatic{fast: fast.New(), fallbacks: &e.fallbacks}
}

// Fallbacks returns how many runs the fast engine did not cover so far.
func (e *Engines) Fallbacks() int64 { return e.fallbacks.Load() }

// automatic runs what it can on the fast engine.
type automatic struct {
	fast      *fast.Engine
	flow      *flow.Engine // made when first needed
	fallbacks *atomic.Int64
}

// Run implements sim.Engine.
func (a *automatic) Run(s *sim.Spec) (*sim.Result, error) {
	if fast.Supports(s) {
		return a.fast.Run(s)
	}
	a.fallbacks.Add(1)
	if a.flow == nil {
		a.flow = flow.New()
	}
	return a.flow.Run(s)
}
