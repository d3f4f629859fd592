package explain

import (
	"fmt"
	"slices"

	"braid/sim"
)

// Traced is a load that was simulated with a trace, and explained. It stays valid.
type Traced struct {
	Load
	Trace  *sim.Trace
	Result sim.Result
}

// Run simulates a load with a trace and explains it. It takes the spec by value, as the trace becomes its observer; its
// slices must not change afterwards. A trace that does not end when the load does is an error.
func Run(engine sim.Engine, spec sim.Spec) (*Traced, error) {
	t := &Traced{Trace: sim.NewTrace(&spec)}
	r, err := engine.Run(&spec)
	if err != nil {
		return nil, err
	}
	t.Result = *r
	t.Result.End, t.Result.IfaceBytes = slices.Clone(r.End), slices.Clone(r.IfaceBytes)
	l, err := New(t.Trace)
	if err != nil {
		return nil, err
	}
	if l.LoadTime != r.LoadTime {
		return nil, fmt.Errorf("the trace ends at %v, the load at %v", l.LoadTime, r.LoadTime)
	}
	t.Load = *l
	return t, nil
}
