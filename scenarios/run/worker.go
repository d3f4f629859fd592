package run

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"time"

	"braid/scenarios"
	"braid/scenarios/result"
	"braid/sim"
)

// Size of what a worker claims at once. Few runs would cost locking, many would make an interrupted grid wait for
// the chunks under way.
const (
	chunkTime = 50 * time.Millisecond // aimed at
	chunkMax  = 256                   // runs
)

// work runs chunks until there are no more.
func work(g Grid, ifaces int, engine func() sim.Engine, q *queue, finished chan<- *chunk, abandoned <-chan struct{}) {
	s := simulator{grid: g, ifaces: ifaces, newEngine: engine}
	size := int64(1)
	for {
		c := q.claim(size)
		if c == nil {
			return
		}
		start := time.Now()
		for i := range c.rows {
			s.run(c.first+int64(i), &c.rows[i])
		}
		size = nextSize(len(c.rows), time.Since(start))
		select {
		case finished <- c:
		case <-abandoned:
			return
		}
	}
}

// nextSize is how many runs take chunkTime, when the last n took d; at most twice as many as the last time.
func nextSize(n int, d time.Duration) int64 {
	each := max(d/time.Duration(n), 1)
	return int64(min(max(chunkTime/each, 1), chunkMax, 2*time.Duration(n)))
}

// simulator turns one run after the other into rows.
type simulator struct {
	grid      Grid
	ifaces    int
	newEngine func() sim.Engine
	engine    sim.Engine // nil: to be made
	spec      scenarios.Run
	computed  bool // the grid has filled in spec.Factors for this run
}

// run fills the row of run i, reusing its slices.
func (s *simulator) run(i int64, row *result.Row) {
	factors, metrics := row.Factors[:0], row.Metrics[:0]
	*row = result.Row{Run: i}
	metrics, err := s.simulate(i, metrics)
	if s.computed {
		row.Factors = append(factors, s.spec.Factors...)
	}
	if err != nil {
		row.Error = oneLine(err)
		return
	}
	row.Metrics = metrics
}

func (s *simulator) simulate(i int64, metrics []scenarios.Value) (_ []scenarios.Value, err error) {
	defer func() {
		if p := recover(); p != nil {
			// Its state may be broken: the next run gets a new engine.
			s.engine = nil
			err = fmt.Errorf("panic: %v (%s)", p, panicSite())
		}
	}()
	s.computed = false
	err = s.grid.Run(i, &s.spec)
	s.computed = true
	if err != nil {
		return metrics, err
	}
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
