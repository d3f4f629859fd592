package socketintents

import (
	"time"

	"braid/sim"
)

// Cause is where an object lost time against its other run.
type Cause uint8

// Causes. What an object loses while it receives is told apart by slow start first, by interface next: where slow start is
// more than half of it, it is that.
const (
	WaitedForLimit   Cause = iota // for a connection it may use
	WaitedForTurn                 // behind other objects on its connection
	OpenedConnection              // for name resolution and handshakes the other run did not need, or had shorter
	InSlowStart                   // receiving in slow start, for longer than in the other run
	OtherInterface                // receiving over other interfaces than in the other run, but not in slow start
	SmallerWindow                 // receiving over the same interfaces, held back by its window
	SmallerShare                  // receiving over the same interfaces, held back by the link
	NumCauses        = int(SmallerShare) + 1
)

var causeNames = [NumCauses]string{
	WaitedForLimit:   "waits for a place at the limit of connections",
	WaitedForTurn:    "waits behind other objects on its connection",
	OpenedConnection: "opens a connection where the other run has one, or a nearer one",
	InSlowStart:      "is in slow start for longer",
	OtherInterface:   "comes over other interfaces",
	SmallerWindow:    "comes over the same interfaces with a smaller window",
	SmallerShare:     "comes over the same interfaces with a smaller share",
}

// String says it of an object: "waits for its turn".
func (c Cause) String() string { return causeNames[c] }

// Late is the step of the critical path that lost most against the same object's step in the other run: from the end of
// what the object waited for to its own end.
type Late struct {
	Object int32
	Lost   time.Duration
	Cause  Cause // where it lost most
	Reused bool  // the policy put it on a connection that an earlier object had opened
	New    bool  // it opened its connection in both runs
}

// late finds the step. The steps' losses sum to how much later the path's last object ended, which is at least the
// difference of the load times: where that is positive there is a step with a loss.
func (p *pair) late() Late {
	var worst Late
	var policyAt, overAt time.Duration
	for _, i := range p.critical {
		a, b := &p.policy.Objects[i], &p.over.Objects[i]
		if lost := (a.End - policyAt) - (b.End - overAt); lost > worst.Lost {
			worst = Late{Object: i, Lost: lost, Cause: cause(a, b),
				Reused: !first(p.policy, i), New: first(p.policy, i) && first(p.over, i)}
		}
		policyAt, overAt = a.End, b.End
	}
	return worst
}

// cause compares the phases of one object in two runs.
func cause(a, b *sim.ObjectTrace) Cause {
	in, out := a.Parts(), b.Parts()
	excess := func(phases ...sim.Phase) (sum time.Duration) {
		for _, ph := range phases {
			sum += in[ph] - out[ph]
		}
		return sum
	}
	slow, window, link := excess(sim.SlowStart), excess(sim.WaitRequest, sim.Window), excess(sim.Link)
	most := slow + window + link
	cause := SmallerWindow
	switch {
	case 2*slow > most:
		cause = InSlowStart
	case !sameInterfaces(a, b):
		cause = OtherInterface
	case link > window:
		cause = SmallerShare
	}
	for _, c := range []struct {
		lost time.Duration
		Cause
	}{
		{excess(sim.WaitConnection), WaitedForLimit},
		{excess(sim.WaitTurn), WaitedForTurn},
		{excess(sim.WaitDNS, sim.WaitHandshake, sim.WaitTLS), OpenedConnection},
	} {
		if c.lost > most {
			most, cause = c.lost, c.Cause
		}
	}
	return cause
}

// sameInterfaces says whether the object's bytes came over the same interfaces in both runs.
func sameInterfaces(a, b *sim.ObjectTrace) bool {
	for i := range a.Bytes {
		if (a.Bytes[i] > 0) != (b.Bytes[i] > 0) {
			return false
		}
	}
	return true
}
