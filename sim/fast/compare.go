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

// order is a heap of rivals on their way, by what happens to them next. There may be a hundred thousand: eaf-mptcp has as
// many candidates over eight interfaces.
type order struct {
	rivals []rival
	heap   []int32
}

func (o *order) before(a, b int32) bool {
	x, y := &o.rivals[a], &o.rivals[b]
	return x.at < y.at || x.at == y.at && x.key < y.key
}

func (o *order) push(i int32) {
	o.heap = append(o.heap, i)
	for at := len(o.heap) - 1; at > 0; {
		parent := (at - 1) / 2
		if !o.before(o.heap[at], o.heap[parent]) {
			return
		}
		o.heap[at], o.heap[parent] = o.heap[parent], o.heap[at]
		at = parent
	}
}

// pop takes the first away.
func (o *order) pop() {
	last := len(o.heap) - 1
	o.heap[0] = o.heap[last]
	o.heap = o.heap[:last]
	o.fix()
}

// fix moves the first, which has changed, to its place.
func (o *order) fix() {
	for at := 0; ; {
		least := at
		for child := 2*at + 1; child <= 2*at+2 && child < len(o.heap); child++ {
			if o.before(o.heap[child], o.heap[least]) {
				least = child
			}
		}
		if least == at {
			return
		}
		o.heap[at], o.heap[least] = o.heap[least], o.heap[at]
		at = least
	}
}
