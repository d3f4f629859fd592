package run

import (
	"sync"

	"braid/scenarios/result"
)

// chunk is a few consecutive runs, claimed, run and handed on together.
type chunk struct {
	first int64
	rows  []result.Row
	kept  []bool // by row: it comes from the journal
	err   error  // of reading the journal; then the rows mean nothing
}

// resize makes room for n rows, with the memory of those that were there.
func (c *chunk) resize(n int64) {
	for int64(cap(c.rows)) < n {
		c.rows = append(c.rows[:cap(c.rows)], result.Row{})
	}
	c.rows = c.rows[:n]
	for int64(cap(c.kept)) < n {
		c.kept = append(c.kept[:cap(c.kept)], false)
	}
	c.kept = c.kept[:n]
	clear(c.kept)
}

// queue deals out runs in order. It holds back workers that get too far ahead of what has been handed on, which bounds
// the memory of rows that wait for their turn.
type queue struct {
	mu       sync.Mutex
	change   sync.Cond
	end      int64    // behind the last run
	window   int64    // most runs claimed and not handed on
	next     int64    // first run never claimed
	back     []extent // claimed and given back, ascending
	handedOn int64    // first run not handed on
	out      int      // chunks in the hands of workers
	stopped  bool
	free     []*chunk
}

// extent is the runs [first, end).
type extent struct{ first, end int64 }

func newQueue(first, end, window int64) *queue {
	q := &queue{next: first, handedOn: first, end: end, window: window}
	q.change.L = &q.mu
	return q
}

// claim takes up to n consecutive runs, or nil when there are no more or the queue was stopped. It waits while the
// window is full, and while others may give something back.
func (q *queue) claim(n int64) *chunk {
	q.mu.Lock()
	defer q.mu.Unlock()
	for {
		var runs extent
		switch {
		case q.stopped:
			return nil
		case len(q.back) > 0:
			b := &q.back[0]
			runs = extent{b.first, min(b.first+n, b.end)}
			if b.first = runs.end; b.first == b.end {
				q.back = q.back[1:]
			}
		case q.next < q.end && q.next-q.handedOn < q.window:
			runs = extent{q.next, min(q.next+n, q.end, q.handedOn+q.window)}
			q.next = runs.end
		case q.next == q.end && q.out == 0:
			return nil
		default:
			q.change.Wait()
			continue
		}
		q.out++
		return q.chunk(runs)
	}
}

// chunk returns a chunk of these runs, one that was used before if there is one.
func (q *queue) chunk(runs extent) *chunk {
	c := &chunk{}
	if last := len(q.free) - 1; last >= 0 {
		c, q.free = q.free[last], q.free[:last]
	}
	c.first = runs.first
	c.resize(runs.end - runs.first)
	return c
}

// cut takes from a claimed chunk all but its first n runs: they may be claimed again.
func (q *queue) cut(c *chunk, n int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	runs := extent{c.first + int64(n), c.first + int64(len(c.rows))}
	c.rows, c.kept = c.rows[:n], c.kept[:n]
	at := 0
	for at < len(q.back) && q.back[at].first < runs.first {
		at++
	}
	q.back = append(q.back[:at], append([]extent{runs}, q.back[at:]...)...)
	q.change.Broadcast()
}

// finished says that a chunk is out of its worker's hands.
func (q *queue) finished() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.out--
	q.change.Broadcast()
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

// claimed returns the first run that was never claimed.
func (q *queue) claimed() int64 {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.next
}

// ended says whether nothing is under way and nothing will be claimed any more.
func (q *queue) ended() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.out == 0 && (q.stopped || q.next == q.end && len(q.back) == 0)
}
