package socketintents

import (
	"fmt"
	"slices"
	"time"

	"braid/sim"
	"braid/sim/page"
)

// pair is one case under two policies, traced: the policy a statement is about, and the one it is compared with.
type pair struct {
	spec         *sim.Spec
	policy, over *sim.Trace
	load, than   time.Duration // load times of policy and over
	critical     []int32       // objects of the policy's critical path, the first one first
	limited      []interval    // when the policy's run was at its limit of connections in all
	byHost       map[string][]interval
}

// newPair runs the case under both policies. The engine must serve observers.
func newPair(e sim.Engine, s *sim.Spec, policy, over string) (*pair, error) {
	p := &pair{spec: s}
	var err error
	if p.policy, p.load, err = traced(e, *s, policy); err != nil {
		return nil, err
	}
	if p.over, p.than, err = traced(e, *s, over); err != nil {
		return nil, err
	}
	p.critical = criticalPath(p.policy)
	p.limited, p.byHost = limits(p.policy)
	return p, nil
}

func traced(e sim.Engine, s sim.Spec, policy string) (*sim.Trace, time.Duration, error) {
	s.Policy = policy
	t := sim.NewTrace(&s)
	res, err := e.Run(&s)
	if err == nil {
		err = t.Check()
	}
	if err != nil {
		return nil, 0, fmt.Errorf("page %s, policy %s: %w", s.Page.Name, policy, err)
	}
	return t, res.LoadTime, nil
}

// criticalPath returns the object that ended last, the one it waited for, and so on, the first one first.
func criticalPath(t *sim.Trace) []int32 {
	var last int32
	for i := range t.Objects {
		if t.Objects[i].End > t.Objects[last].End {
			last = int32(i)
		}
	}
	var path []int32
	for i := last; i != page.None; i = t.Spec.Page.Objects[i].After {
		path = append(path, i)
	}
	slices.Reverse(path)
	return path
}

// carrier returns the connection that carried the object.
func carrier(t *sim.Trace, object int32) *sim.ConnTrace { return &t.Conns[t.Objects[object].Conn] }

// placed returns when the object was put on its connection.
func placed(o *sim.ObjectTrace) time.Duration {
	at := o.Enabled
	for _, s := range o.Spans {
		if s.Phase == sim.WaitConnection {
			at = s.To
		}
	}
	return at
}

// first says whether the object was the first on its connection, which carries one after the other.
func first(t *sim.Trace, object int32) bool {
	mine := &t.Objects[object]
	for i := range t.Objects {
		if o := &t.Objects[i]; int32(i) != object && o.Conn == mine.Conn && o.End < mine.End {
			return false
		}
	}
	return true
}
