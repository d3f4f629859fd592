package run

import (
	"sync"

	"braid/scenarios"
)

// memoMost is how many outcomes are remembered: about 30 MB. Pages vary slowest and every policy reads them, so twins are
// close together; a grid with more distinct networks for one page computes some of them more than once.
const memoMost = 1 << 16

// memo remembers what runs gave, for those that cannot differ from them (scenarios.Twins). Each is computed by the first
// worker that asks; others wait for it.
type memo struct {
	mu       sync.Mutex
	outcomes map[int64]*outcome
	order    []int64 // classes, a ring in the order of their coming
	oldest   int
}

// outcome is what the runs of one class give: metrics, or an error.
type outcome struct {
	mu      sync.Mutex // held while it is computed
	metrics []scenarios.Value
	err     error
}

func newMemo() *memo { return &memo{outcomes: map[int64]*outcome{}} }

// get returns the outcome of a class, computed once.
func (m *memo) get(class int64, compute func(*outcome)) *outcome {
	m.mu.Lock()
	o, ok := m.outcomes[class]
	if ok {
		m.mu.Unlock()
		o.mu.Lock() // wait until it is there
		defer o.mu.Unlock()
		return o
	}
	o = &outcome{}
	o.mu.Lock()
	defer o.mu.Unlock()
	m.outcomes[class] = o
	if len(m.order) < memoMost {
		m.order = append(m.order, class)
	} else {
		delete(m.outcomes, m.order[m.oldest])
		m.order[m.oldest] = class
		m.oldest = (m.oldest + 1) % memoMost
	}
	m.mu.Unlock()
	compute(o)
	return o
}
