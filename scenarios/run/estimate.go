package run

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"time"

	"gonum.org/v1/gonum/stat"

	"braid/scenarios"
	"braid/scenarios/result"
	"braid/sim"
)

// Estimate is what a grid would cost, judged by a sample of its runs.
type Estimate struct {
	Runs     int64         // of the grid, or its part
	Grid     int64         // of the whole grid
	Distinct int64         // of the whole grid, runs that may differ: only these are computed
	Workers  int           // the estimate is for
	Timed    int           // runs of the sample
	Failed   int           // of them
	Error    string        // of the first one that failed
	Time     time.Duration // of the whole grid
	Spread   time.Duration // half of the 95 % confidence interval of Time; 0 when every run was timed
	Bytes    int64         // of the file of rows
}

// Bounds of the sample of an estimate.
const (
	estimateBudget = 2 * time.Second
	estimateRuns   = 20_000 // bounds the memory of the sample's rows
	// estimateBlock is how many consecutive runs are taken together. They are of about one case, under its policies, so
	// that slow and fast policies are met equally often, and rows compress as they do in the file.
	estimateBlock = 16
)

// Measure times blocks of runs spread over a part of the grid, one run after the other,
// for about two seconds, and scales to all of them on the given number of workers (0 or less: one for each core). Which
// runs are taken, and in which order, is fixed; how many, the clock decides. Nothing is written.
func Measure(ctx context.Context, g Grid, part Part, engine func() sim.Engine, workers int, f result.Format) (Estimate, error) {
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	e := Estimate{Runs: part.Runs, Grid: g.Len(), Workers: workers}
	schema, err := Schema(g)
	if err != nil {
		return e, err
	}
	twins, err := g.Twins()
	if err != nil {
		return e, err
	}
	e.Distinct = g.Len()
	if twins != nil {
		e.Distinct = twins.Distinct()
	}
	if part.Runs == 0 {
		return e, nil
	}
	rows, seconds, err := timeBlocks(ctx, g, part, twins, engine)
	if err != nil {
		return e, err
	}
	for i := range rows {
		if rows[i].Error != "" {
			if e.Failed++; e.Failed == 1 {
				e.Error = fmt.Sprintf("run %d: %s", rows[i].Run, rows[i].Error)
			}
		}
	}
	e.Timed = len(rows)
	// seconds holds the mean of each block.
	mean, variance := stat.MeanVariance(seconds, nil)
	whole := float64(e.Runs) / float64(min(int64(workers), e.Runs))
	e.Time = duration(mean * whole)
	if n := float64(len(seconds)); n > 1 && int64(e.Timed) < e.Runs {
		e.Spread = duration(1.96 * math.Sqrt(variance/n) * whole)
	}
	e.Bytes, err = sizeOf(rows, e.Runs, f, schema)
	return e, err
}

// timeBlocks runs blocks spread over the part of the grid until the time is up, at least one. It returns the rows and,
// for each block, the mean time of a run, in which one that has twins counts for its share.
func timeBlocks(ctx context.Context, g Grid, part Part, twins *scenarios.Twins, engine func() sim.Engine) (rows []result.Row, seconds []float64, err error) {
	s := simulator{sharedState: &sharedState{grid: g, ifaces: len(interfaces(g)), newEngine: engine}}
	var warm result.Row
	// The first run also pays for making the engine.
	if _, err := s.row(part.First, &warm); err != nil {
		return nil, nil, err
	}
	blocks := (part.Runs + estimateBlock - 1) / estimateBlock
	begin := time.Now()
	for _, b := range spread(blocks, estimateRuns/estimateBlock) {
		n, sum := 0, 0.0
		for i := b * estimateBlock; i < min((b+1)*estimateBlock, part.Runs); i++ {
			if err := ctx.Err(); err != nil {
				return nil, nil, err
			}
			if n > 0 && time.Since(begin) > estimateBudget {
				break
			}
			start := time.Now()
			var row result.Row
			if _, err := s.row(part.First+i, &row); err != nil {
				return nil, nil, err
			}
			rows = append(rows, row)
			n++
			sum += time.Since(start).Seconds() * twins.Share(part.First+i)
		}
		seconds = append(seconds, sum/float64(n))
		if time.Since(begin) > estimateBudget {
			break
		}
	}
	return rows, seconds, nil
}

func duration(seconds float64) time.Duration { return time.Duration(seconds * float64(time.Second)) }

// spread returns up to n different numbers below length, evenly spread however many of them are used:
// multiples of the golden ratio. Steps of a power of two would meet the same policy again and again.
func spread(length int64, n int) []int64 {
	n = int(min(int64(n), length))
	runs := make([]int64, 0, n)
	seen := make(map[int64]bool, n)
	for k := 0; len(runs) < n && k < 4*n; k++ {
		_, frac := math.Modf(float64(k) * math.Phi)
		i := min(int64(frac*float64(length)), length-1)
		if !seen[i] {
			seen[i] = true
			runs = append(runs, i)
		}
	}
	return runs
}

// sizeOf estimates the bytes of a file of all rows from some of them. What the file costs without rows counts once.
func sizeOf(sample []result.Row, runs int64, f result.Format, s result.Schema) (int64, error) {
	size := func(rows []result.Row) (int64, error) {
		var c counter
		w, err := result.NewWriter(&c, f, s)
		if err != nil {
			return 0, err
		}
		for i := range rows {
			if err := w.Write(&rows[i]); err != nil {
				return 0, err
			}
		}
		err = w.Close()
		return c.n, err
	}
	none, err := size(nil)
	if err != nil {
		return 0, err
	}
	some, err := size(sample)
	if err != nil {
		return 0, err
	}
	return none + int64(float64(some-none)/float64(len(sample))*float64(runs)), nil
}

// counter counts the bytes written to it.
type counter struct{ n int64 }

func (c *counter) Write(p []byte) (int, error) {
	c.n += int64(len(p))
	return len(p), nil
}
