package run

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"time"

	"braid/scenarios"
	"braid/scenarios/result"
	"braid/sim"
)

// Grid is what can be run: scenarios.Grid is one. Run must be safe for concurrent use.
type Grid interface {
	// Len returns the number of runs.
	Len() int64
	// Columns returns the columns of the factors.
	Columns() []scenarios.Column
	// Run computes run i. An error concerns this run only.
	Run(i int64, r *scenarios.Run) error
}

// Options say how a grid is run. Engine must be set.
type Options struct {
	Workers int               // 0 or less: one for each core
	Engine  func() sim.Engine // called once for each worker, and again after a panic
	Done    func(runs int64)  // called after each row that was handed on, with their number so far; nil: not called
}

// Stats is how a run of a grid ended.
type Stats struct {
	Runs     int64     // rows handed on, failed ones included
	Failed   int64     // of them, rows with an error
	Failures []Failure // the first of them, at most MaxFailures
	Dropped  int64     // runs given up after a cancel because they did not end within Grace
}

// Failure is one run that failed.
type Failure struct {
	Run     int64
	Factors []scenarios.Value
	Error   string
}

// Limits of what is kept and waited for.
const (
	// MaxFailures is how many failures Stats lists: enough to see whether they have something in common.
	MaxFailures = 5
	// Grace is how long runs that are under way may take to end after a cancel. Runs take milliseconds; one that takes
	// longer than this is not worth waiting for.
	Grace = 5 * time.Second
	// window is how many runs may be under way or finished out of order. A row takes about 1 kB while it waits.
	window = 1 << 14
)

// Schema returns the columns of the grid's rows. The interfaces are those of the first run.
func Schema(g Grid) (result.Schema, error) {
	if g.Len() == 0 {
		return result.Schema{}, errors.New("the grid has no runs")
	}
	return result.NewSchema(g.Columns(), result.PageLoad(interfaces(g)))
}

// interfaces returns the names of the interfaces. The grid fills them in even when the run is an error.
func interfaces(g Grid) []string {
	var r scenarios.Run
	// The error will be the row's; here only the names count.
	_ = g.Run(0, &r)
	var names []string
	for _, f := range r.Spec.Interfaces {
		names = append(names, f.Name)
	}
	return names
}

// Do runs the grid and calls each with every row, in the order of the grid and from the caller's goroutine. The row is
// valid until each returns. An error of each ends the run and is returned.
//
// When ctx is cancelled, no further run begins; those under way are finished and handed on, so that the rows are the
// first Stats.Runs of the grid, and the error is ctx.Err(). Runs that do not end within Grace are left out: then the
// rows have gaps, and Stats.Dropped counts them.
func Do(ctx context.Context, g Grid, o Options, each func(*result.Row) error) (Stats, error) {
	if o.Workers <= 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	q := newQueue(g.Len(), window)
	defer q.stop()

	ifaces := len(interfaces(g))
	finished := make(chan *chunk)
	abandoned := make(chan struct{})
	defer close(abandoned)
	for range o.Workers {
		go work(g, ifaces, o.Engine, q, finished, abandoned)
	}

	c := collector{each: each, done: o.Done, waiting: map[int64]*chunk{}}
	cancelled := ctx.Done()
	var expired <-chan time.Time
	for !q.ended(c.next) {
		select {
		case ch := <-finished:
			c.take(ch, q)
			if c.err != nil {
				return c.stats, c.err
			}
		case <-cancelled:
			q.stop()
			cancelled, expired = nil, time.After(Grace)
		case <-expired:
			c.giveUp(q)
			return c.stats, errors.Join(c.err, ctx.Err())
		}
	}
	if c.stats.Runs < g.Len() {
		return c.stats, ctx.Err()
	}
	return c.stats, nil
}

// collector hands rows on in order.
type collector struct {
	each    func(*result.Row) error
	done    func(int64)
	next    int64            // first run that was not handed on
	waiting map[int64]*chunk // finished before their turn, by first run
	stats   Stats
	err     error
}

// take accepts a chunk and hands on what is in order now.
func (c *collector) take(ch *chunk, q *queue) {
	c.waiting[ch.first] = ch
	for c.err == nil {
		ch, ok := c.waiting[c.next]
		if !ok {
			return
		}
		delete(c.waiting, c.next)
		c.handOn(ch)
		c.next += int64(len(ch.rows))
		q.release(ch, c.next)
	}
}

func (c *collector) handOn(ch *chunk) {
	for i := range ch.rows {
		row := &ch.rows[i]
		if c.err = c.each(row); c.err != nil {
			return
		}
		c.stats.add(row)
		if c.done != nil {
			c.done(c.stats.Runs)
		}
	}
}

// giveUp hands on what is finished, and counts what is not.
func (c *collector) giveUp(q *queue) {
	for claimed := q.claimed(); c.next < claimed && c.err == nil; {
		ch, ok := c.waiting[c.next]
		if !ok {
			c.next++
			c.stats.Dropped++
			continue
		}
		c.handOn(ch)
		c.next += int64(len(ch.rows))
	}
}

func (s *Stats) add(row *result.Row) {
	s.Runs++
	if row.Error == "" {
		return
	}
	s.Failed++
	if len(s.Failures) < MaxFailures {
		s.Failures = append(s.Failures, Failure{row.Run, append([]scenarios.Value(nil), row.Factors...), row.Error})
	}
}

// FailureText says how many runs failed and lists the first of them; empty when none did.
func (s *Stats) FailureText(schema result.Schema) string {
	if s.Failed == 0 {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%d of %d runs failed", s.Failed, s.Runs)
	for _, f := range s.Failures {
		fmt.Fprintf(&b, "\n  run %d (%s): %s", f.Run, schema.Describe(f.Factors), f.Error)
	}
	if more := s.Failed - int64(len(s.Failures)); more > 0 {
		fmt.Fprintf(&b, "\n  and %d more", more)
	}
	return b.String()
}
