// Package explain says where the time of one page load went.
//
// Each object's time from 0 to its end is divided into the phases of sim.Phase, as the engine measured them: for its
// parent, for a connection, for its turn on the connection, DNS, handshake, TLS, request, and receiving while limited by
// slow start, by the window, or by the link's share. No part is computed as what the others leave over; that the parts
// sum to the end, to the nanosecond, is asserted.
//
// The critical path is the chain of objects that ends last: the object that ended last, the one it waited for, and so
// on back to one that waited for none. Its steps follow each other without gap, so their parts sum to the load time.
// Within a step the phase WaitParent is think time: the parent has ended, the request is not yet due.
package explain

import (
	"fmt"
	"slices"
	"time"

	"braid/sim"
	"braid/sim/page"
)

// Parts is time by phase.
type Parts [sim.NumPhases]time.Duration

// Total is the sum of the parts.
func (p *Parts) Total() (sum time.Duration) {
	for _, d := range p {
		sum += d
	}
	return sum
}

// Step is one object of the critical path, from the end of the object before it (0 for the first) to its own end.
type Step struct {
	Object   int
	From, To time.Duration
	Parts    Parts
}

// Load is one explained page load.
type Load struct {
	LoadTime time.Duration
	Objects  []Parts // of each object, from 0 to its end
	Critical []Step  // first object first
	Path     Parts   // of the critical path, from 0 to LoadTime
}

// New explains a finished trace. It is an error if the trace is not consistent (see sim.Trace.Check), or if the steps of
// the critical path do not sum to the load time.
func New(t *sim.Trace) (*Load, error) {
	if err := t.Check(); err != nil {
		return nil, fmt.Errorf("trace is not consistent: %w", err)
	}
	l := &Load{Objects: make([]Parts, len(t.Objects))}
	last := page.None
	for i := range t.Objects {
		l.Objects[i] = t.Objects[i].Parts()
		if last == page.None || t.Objects[i].End > l.LoadTime {
			last, l.LoadTime = int32(i), t.Objects[i].End
		}
	}
	chain := chainTo(t.Spec.Page, last)
	var at time.Duration
	for _, i := range chain {
		o := &t.Objects[i]
		step := Step{Object: int(i), From: at, To: o.End, Parts: after(o.Spans, at)}
		if got, want := step.Parts.Total(), step.To-step.From; got != want {
			return nil, fmt.Errorf("critical path: the parts of object %d from %v to %v sum to %v", i, step.From, step.To, got)
		}
		l.Critical = append(l.Critical, step)
		for p, d := range step.Parts {
			l.Path[p] += d
		}
		at = o.End
	}
	if got := l.Path.Total(); got != l.LoadTime {
		return nil, fmt.Errorf("critical path: its parts sum to %v, the load time is %v", got, l.LoadTime)
	}
	return l, nil
}

// chainTo returns the objects the given one waited for, the first one first, and the object itself.
func chainTo(p *page.Page, i int32) []int32 {
	var chain []int32
	for ; i != page.None; i = p.Objects[i].After {
		chain = append(chain, i)
	}
	slices.Reverse(chain)
	return chain
}

// after sums the spans by phase, as far as they lie after from.
func after(spans []sim.Span, from time.Duration) (parts Parts) {
	for _, s := range spans {
		if s.To > from {
			parts[s.Phase] += s.To - max(s.From, from)
		}
	}
	return parts
}
