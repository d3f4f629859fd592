package run

import (
	"sync"

	"braid/scenarios/result"
)

// chunk is a few consecutive runs, claimed, run and handed on together.
type chunk struct {
	first int64
	rows  []result.Row
}

// queue deals out the runs of a grid in order. It holds back workers that get too far ahead of what has been handed on,
// which bounds the memory of rows that wait for their turn.
type queue struct {
	mu       sync.Mutex
	change   sync.Cond
	length   int64 // runs of the grid
	window   int64 // most runs claimed and not handed on
	next     int64 // first run not claimed
	handedOn int64 // first run not handed on
	stopped  bool
	free     []*chunk
}

func newQueue(length, window int64) *queue {
	q := &queue{length: length, window: window}
	q.change.L = &q.mu
	return q
}

// claim takes up to n consecutive runs, or nil when there are no more or the queue was stopped. It waits while the
// window is full.
func (q *queue) claim(n int64) *chunk {
	q.mu.Lock()
	defer q.mu.Unlock()
	for !q.stopped && q.next < q.length && q.next-q.handedOn >= q.window {
		q.change.Wait()
	}
	n = min(n, q.length-q.next, q.window-(q.next-q.handedOn))
	if q.stopped || n <= 0 {
		return nil
	}
	c := &chunk{}
	if last := len(q.free) - 1; last >= 0 {
		c, q.free = q.free[last], q.free[:last]
	}
	c.first = q.next
	for int64(cap(c.rows)) < n {
		c.rows = append(c.rows[:cap(c.rows)], result.Row{})
	}
	c.rows = c.rows[:n]
	q.next += n
	return c
}

// release says that all runs before handedOn have been handed on, and gives a chunk back for use by another claim.
func (q *queue) release(c *chunk, handedOn int64) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.handedOn = handedOn
	q.free = append(q.free, c)
	q.change.Broadcast()
}

// stop ends the claims. What is under way goes on.
func (q *queue) stop() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.stopped = true
	q.change.Broadcast()
}

// claimed returns the number of runs that were claimed.
func (q *queue) claimed() int64 {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.next
}

// ended says whether, with handedOn runs handed on, nothing is under way and nothing will be claimed any more.
func (q *queue) ended(handedOn int64) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return handedOn == q.length || q.stopped && handedOn == q.next
}
