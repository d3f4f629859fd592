package fast

import (
	"time"

	"braid/sim/policy"
)

// Which of the candidates is first needs few of their predicted ends. A candidate is out when its end is known to lie a
// margin beyond that of another. The exact ends of the rest decide as policy.Compare does it over all: in turn, each beats
// the best so far if it ends more than policy.Tie earlier.
//
// The margin makes this the same. The exact ends below the smallest plus margin are fewer than the margin has ties, so
// somewhere below it two neighbours lie further apart than a tie. Whatever is above this gap never decides: each of those
// below beats it, and it beats none of them.

// margin is how far beyond another's end a candidate's must be to be out, among so many.
func margin(candidates int) time.Duration { return time.Duration(candidates+1) * 2 * policy.Tie }

// rival is a candidate that may be first.
type rival struct {
	index int           // of the candidates
	lower time.Duration // bound of its end
	end   time.Duration // predicted; never: not known
	out   bool          // nothing more is to be found out: its end is known, or is too late
	course
}

// first returns the index of the candidate that is first among the rivals, which are in the order of the candidates.
func first(rivals []rival) int {
	best := &rivals[0]
	for i := 1; i < len(rivals); i++ {
		if r := &rivals[i]; r.end < best.end-policy.Tie {
			best = r
		}
	}
	return best.index
}

// asked are the states of the idle single-path connections among the candidates. Of two in the same state the second ends
// when the first does, which is not earlier.
type asked[State comparable] []State

// before says whether a connection in this state was asked about, and notes it.
func (a *asked[State]) before(state State) bool {
	for _, s := range *a {
		if s == state {
			return true
		}
	}
	*a = append(*a, state)
	return false
}
