// Package policy decides where an object goes: over an open connection, or over a new one on some interfaces.
//
// One policy is one file plus one line in Table; everything that lists names reads the table. Policies keep no state: what
// they may know is in the View, and what they read they declare in Reads, so that runs that cannot differ run once.
package policy

import (
	"math"
	"math/rand/v2"
	"time"

	"braid/sim"
	"braid/sim/page"
	"braid/sim/units"
)

// Values of Choice.Conn that are no connection.
const (
	New   int32 = -1 // a new one
	First int32 = -2 // the candidate, of those considered, at which the object is predicted to end first
)

// Paths is an ordered list of interfaces. The first carries the first subflow. It is a value: copying it needs no heap.
type Paths struct {
	N     int8
	Iface [sim.MaxInterfaces]int8
}

// Over returns the list of the given interfaces, at most sim.MaxInterfaces.
func Over(ifaces ...int8) Paths {
	p := Paths{N: int8(len(ifaces))}
	copy(p.Iface[:], ifaces)
	return p
}

// List returns the interfaces. It aliases p.
func (p *Paths) List() []int8 { return p.Iface[:p.N] }

// Choice is a place for an object: the open connection Conn, or a new one over Paths when Conn is New. As an answer of
// Policy.Place, Conn may also be First.
type Choice struct {
	Conn  int32
	Paths Paths
}

// Iface is one interface as the policy may know it.
type Iface struct {
	Name string
	Rate units.Rate    // bytes/s, exact or estimated
	RTT  time.Duration // exact or estimated
}

// Conn is one open connection to the object's origin.
type Conn struct {
	Index int32
	Paths Paths
	Busy  bool // it carries an object, or waits for its handshake to carry one
}

// View is what a policy sees when it places one object.
type View interface {
	Now() time.Duration
	Object() *page.Object
	Ifaces() []Iface // as known: exact, or as a client would estimate them
	Conns() []Conn   // open ones to the same origin, the oldest first
	CanOpen() bool   // whether the limits allow a new connection
	Turn() int       // how many objects were given to the policy before this one; kept when it is asked again
	// End predicts when the object ends if it goes to c and nothing new is enabled meanwhile; false: not before the
	// bound. Under knowledge "estimated" the prediction rests on estimated rates and RTTs.
	End(c Choice, before time.Duration) (time.Duration, bool)
	// Consider makes c a candidate for the object, for the answer First. It is not to be First itself.
	Consider(c Choice)
	// Energy predicts the joules of c; false where no radio has a power model.
	Energy(c Choice) (joules float64, ok bool)
	Rand() *rand.Rand // the policy's own stream
}

// Reads declares what a policy's decisions depend on, and which interfaces it uses: every interface whose rate, RTT or
// connections can change a decision, or that can carry an object, and Random if it draws. Runs that differ only in the rest
// are computed once and copied: too little gives wrong rows, too much only costs time. A policy that asks for an interface
// it does not declare gets an error; what else it looks at cannot be seen. When in doubt, AllIfaces.
type Reads struct {
	Ifaces      uint32 // bit i: interface i; AllIfaces: all of them
	Random      bool   // draws random numbers
	Predictions bool   // asks for predicted ends
}

// AllIfaces is the Ifaces of a policy that reads every interface.
const AllIfaces uint32 = math.MaxUint32

// Policy places objects.
type Policy interface {
	// Place returns where the object goes; false: it waits. Where connections carry one object at a time, choosing a
	// busy one means to wait for it: the object stays unbound and is placed again when a connection turns idle.
	Place(View) (Choice, bool)
	Reads() Reads
}

// Forever is the bound of a prediction that has none.
const Forever = time.Duration(math.MaxInt64)

// Tie is how much earlier a later candidate must end to win. The published simulator compares with 1 ns.
const Tie = time.Nanosecond

// Compare returns the index of the candidate that ends first: each in turn is the best so far if it ends more than Tie
// earlier than the one before. The ends are as View.End gives them.
func Compare(candidates []Choice, end func(c Choice, before time.Duration) (time.Duration, bool)) int {
	if len(candidates) == 1 {
		return 0
	}
	best := 0
	at, ok := end(candidates[0], Forever)
	if !ok {
		at = Forever
	}
	for i := 1; i < len(candidates); i++ {
		if earlier, ok := end(candidates[i], at-Tie); ok {
			best, at = i, earlier
		}
	}
	return best
}

// search considers candidates in a policy's order, and leaves it to their predicted ends which is the best.
type search struct {
	view  View
	best  Choice // the only candidate so far, or First
	found bool
}

func (s *search) try(c Choice) {
	s.view.Consider(c)
	if s.best = c; s.found {
		s.best = Choice{Conn: First}
	}
	s.found = true
}

// reuse tries the open connections of any paths, the oldest first.
func (s *search) reuse() {
	conns := s.view.Conns()
	for i := range conns {
		s.try(Choice{Conn: conns[i].Index})
	}
}

// reuseOn tries the open single-path connections on the interface, the oldest first.
func (s *search) reuseOn(iface int8) {
	conns := s.view.Conns()
	for i := range conns {
		if p := &conns[i].Paths; p.N == 1 && p.Iface[0] == iface {
			s.try(Choice{Conn: conns[i].Index})
		}
	}
}

// open tries a new connection, if the limits allow one.
func (s *search) open(p Paths) {
	if s.view.CanOpen() {
		s.try(Choice{Conn: New, Paths: p})
	}
}
