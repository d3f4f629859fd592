package run

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync/atomic"
	"time"

	"braid/scenarios"
	"braid/scenarios/result"
	"braid/sim"
)

// Size of what a worker claims at once. Few runs would cost locking, many would make an interrupted grid wait for
// the chunks under way.
const (
	chunkTime = 50 * time.Millisecond // aimed at; what takes twice as long is cut
	chunkMax  = 256                   // runs
)

// sharedState is what the workers have in common.
type sharedState struct {
	grid      Grid
	ifaces    int
	newEngine func() sim.Engine
	twins     *scenarios.Twins
	memo      *memo
	journal   *result.Journal // nil: there is none
	computed  atomic.Int64    // runs of engines
	events    atomic.Int64    // handled in them
}

// work runs chunks until there are no more.
func work(shared *sharedState, q *queue, finished chan<- *chunk, abandoned <-chan struct{}) {
	s := simulator{sharedState: shared}
	if shared.journal != nil {
		s.finished = shared.journal.Finished()
	}
	size := int64(1)
	for {
		c := q.claim(size)
		if c == nil {
			return
		}
		size = s.chunk(c, q)
		select {
		case finished <- c:
		case <-abandoned:
			return
		}
	}
}

// chunk runs a chunk, or the first runs of one that takes too long. It returns how many to claim next.
func (s *simulator) chunk(c *chunk, q *queue) int64 {
	start := time.Now()
	elapsed := time.Duration(0)
	for i := range c.rows {
		if c.kept[i], c.err = s.row(c.first+int64(i), &c.rows[i]); c.err != nil {
			break
		}
		elapsed = time.Since(start)
		if n := i + 1; elapsed > 2*chunkTime && n < len(c.rows) {
			q.cut(c, n)
			break
		}
	}
	return nextSize(len(c.rows), elapsed)
}

// nextSize is how many runs take chunkTime, when the last n took d; at most twice as many as the last time.
func nextSize(n int, d time.Duration) int64 {
	each := max(d/time.Duration(n), 1)
	return int64(min(max(chunkTime/each, 1), chunkMax, 2*time.Duration(n)))
}

// simulator turns one run after the other into rows. It is one worker's.
type simulator struct {
	*sharedState
	engine   sim.Engine       // nil: to be made
	finished *result.Finished // nil: there is no journal
	spec     scenarios.Run
}

// row fills the row of run i, reusing its slices: from the journal, if it is there, or by running it.
func (s *simulator) row(i int64, row *result.Row) (kept bool, err error) {
	factors := row.Factors[:0]
	*row = result.Row{Run: i, Metrics: row.Metrics[:0]}
	panicked, specErr := s.prepare(i)
	if !panicked {
		row.Factors = append(factors, s.spec.Factors...)
	}
	if s.finished != nil {
		if kept, err = s.finished.Read(i, row); kept || err != nil {
			return kept, err
		}
	}
	if specErr == nil {
		specErr = s.outcome(i, row)
	}
	if specErr != nil {
		row.Metrics, row.Error = nil, oneLine(specErr)
	}
	return false, nil
}

// prepare has the grid compute the run.
func (s *simulator) prepare(i int64) (panicked bool, err error) {
	defer func() {
		if p := recover(); p != nil {
			panicked, err = true, fmt.Errorf("panic: %v (%s)", p, panicSite())
		}
	}()
	return false, s.grid.Run(i, &s.spec)
}

// outcome fills in the metrics of the run that was prepared, or returns its error.
func (s *simulator) outcome(i int64, row *result.Row) error {
	class, ok := s.twins.Of(i)
	if !ok {
		var err error
		row.Metrics, err = s.simulate(row.Metrics)
		return err
	}
	o := s.memo.get(class, func(o *outcome) { o.metrics, o.err = s.simulate(nil) })
	row.Metrics = append(row.Metrics, o.metrics...)
	return o.err
}

// simulate appends the metrics of the run that was prepared.
func (s *simulator) simulate(metrics []scenarios.Value) (_ []scenarios.Value, err error) {
	defer func() {
		if p := recover(); p != nil {
			// Its state may be broken: the next run gets a new engine.
			s.engine = nil
			err = fmt.Errorf("panic: %v (%s)", p, panicSite())
		}
	}()
	s.computed.Add(1)
	if s.engine == nil {
		s.engine = s.newEngine()
	}
	r, err := s.engine.Run(&s.spec.Spec)
	if err != nil {
		return metrics, err
	}
	if r == nil {
		return metrics, errors.New("the engine gave no result")
	}
	s.events.Add(r.Events)
	return result.AppendPageLoad(metrics, s.ifaces, r)
}

// oneLine is the error's text on one line, as a table needs it; never empty, which would mean that the run went well.
func oneLine(err error) string {
	text := strings.Join(strings.Fields(err.Error()), " ")
	if text == "" {
		return "failed without a message"
	}
	return text
}

// panicSite names the function and line that panicked, without the folders of the machine the program was built on.
// To be called by the deferred function that recovers.
func panicSite() string {
	var pcs [32]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(3, pcs[:])]) // skips Callers, panicSite and the deferred function
	for {
		f, more := frames.Next()
		if !strings.HasPrefix(f.Function, "runtime.") {
			file := f.File[strings.LastIndexByte(f.File, '/')+1:]
			return fmt.Sprintf("%s, %s:%d", f.Function, file, f.Line)
		}
		if !more {
			return "in an unknown place"
		}
	}
}
