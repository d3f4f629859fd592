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
	// Twins tells which runs cannot differ.
	Twins() (*scenarios.Twins, error)
}

// Options say how a grid is run. Engine must be set.
type Options struct {
	Workers int               // 0 or less: one for each core
	Engine  func() sim.Engine // called once for each worker, and again after a panic
	Part    *Part             // the runs; nil: all of them
	Journal *result.Journal   // where finished rows are kept, and where those from before are; nil: nowhere
	Done    func(*Stats)      // called after each row that was handed on; nil: not called
}

// Part is the runs [First, First+Runs) of a grid.
type Part struct{ First, Runs int64 }

// Stats is how a run of a grid ended.
type Stats struct {
	Runs     int64     // rows handed on, failed ones included
	Failed   int64     // of them, rows with an error
	Failures []Failure // the first of them, at most MaxFailures
	Resumed  int64     // of Runs, those the journal had
	// ResumedFailed is those of Resumed with an error.
	ResumedFailed int64
	Computed      int64 // runs the engine did: the others were twins of these, failed before, or were resumed
	Events        int64 // handled by the engine in these, without those of predictions
	Dropped       int64 // runs before the last one handed on that were not computed, because of a cancel
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
	// syncInterval is how much of the work a crash may cost.
	syncInterval = time.Second
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
// When ctx is cancelled, no further run begins; those under way are finished and handed on with all that is finished, and
// the error is ctx.Err(). The rows are then the first of the grid, but for gaps where runs took longer than chunkTime or
// did not end within Grace; Stats.Dropped counts what is in the gaps.
func Do(ctx context.Context, g Grid, o Options, each func(*result.Row) error) (Stats, error) {
	if o.Workers <= 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	if o.Part == nil {
		o.Part = &Part{Runs: g.Len()}
	}
	twins, err := g.Twins()
	if err != nil {
		return Stats{}, err
	}
	q := newQueue(o.Part.First, o.Part.First+o.Part.Runs, window)
	defer q.stop()

	shared := &sharedState{grid: g, ifaces: len(interfaces(g)), newEngine: o.Engine, twins: twins, memo: newMemo(), journal: o.Journal}
	finished := make(chan *chunk)
	abandoned := make(chan struct{})
	defer close(abandoned)
	for range o.Workers {
		go work(shared, q, finished, abandoned)
	}

	c := collector{each: each, done: o.Done, journal: o.Journal, next: o.Part.First, waiting: map[int64]*chunk{}}
	err = c.collect(ctx, q, finished)
	c.stats.Computed, c.stats.Events = shared.computed.Load(), shared.events.Load()
	return c.stats, err
}

// collector hands rows on in order.
type collector struct {
	each    func(*result.Row) error
	done    func(*Stats)
	journal *result.Journal
	next    int64            // first run that was not handed on
	waiting map[int64]*chunk // finished before their turn, by first run
	stats   Stats
	err     error
}

// collect takes chunks until all are there, or ctx is cancelled and those under way are there or given up.
func (c *collector) collect(ctx context.Context, q *queue, finished <-chan *chunk) error {
	var sync <-chan time.Time
	if c.journal != nil {
		t := time.NewTicker(syncInterval)
		defer t.Stop()
		sync = t.C
	}
	cancelled := ctx.Done()
	var expired <-chan time.Time
	for !q.ended() {
		select {
		case ch := <-finished:
			q.finished()
			c.take(ch, q)
		case <-sync:
			c.err = c.journal.Sync()
		case <-cancelled:
			q.stop()
			cancelled, expired = nil, time.After(Grace)
		case <-expired:
			c.giveUp(q)
			return errors.Join(c.err, ctx.Err())
		}
		if c.err != nil {
			return c.err
		}
	}
	if c.next == q.end {
		return nil
	}
	c.giveUp(q)
	return errors.Join(c.err, ctx.Err())
}

// take accepts a chunk and hands on what is in order now.
func (c *collector) take(ch *chunk, q *queue) {
	if c.err = c.keep(ch); c.err != nil {
		return
	}
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

// keep writes what is new in a chunk into the journal.
func (c *collector) keep(ch *chunk) error {
	if ch.err != nil || c.journal == nil {
		return ch.err
	}
	for i := 0; i < len(ch.rows); {
		end := i
		for end < len(ch.rows) && ch.kept[end] == ch.kept[i] {
			end++
		}
		if !ch.kept[i] {
			if err := c.journal.Append(ch.rows[i:end]); err != nil {
				return err
			}
		}
		i = end
	}
	return nil
}

func (c *collector) handOn(ch *chunk) {
	for i := range ch.rows {
		row := &ch.rows[i]
		if c.err = c.each(row); c.err != nil {
			return
		}
		c.stats.Add(row)
		if ch.kept[i] {
			c.stats.Resumed++
			if row.Error != "" {
				c.stats.ResumedFailed++
			}
		}
		if c.done != nil {
			c.done(&c.stats)
		}
	}
}

// giveUp hands on what is finished behind gaps, and counts what is in them.
func (c *collector) giveUp(q *queue) {
	gap := int64(0)
	for claimed := q.claimed(); c.next < claimed && c.err == nil; {
		ch, ok := c.waiting[c.next]
		if !ok {
			c.next++
			gap++
			continue
		}
		c.stats.Dropped += gap
		gap = 0
		c.handOn(ch)
		c.next += int64(len(ch.rows))
	}
}

// Add counts a row.
func (s *Stats) Add(row *result.Row) {
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
