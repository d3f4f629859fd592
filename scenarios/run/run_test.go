package run

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"braid/scenarios"
	"braid/scenarios/result"
	"braid/sim"
	"braid/sim/page"
)

// fakeGrid has pages of one object of i bytes, under two policies.
type fakeGrid struct {
	length int64
	broken func(i int64) error // fails the run; nil: none
	page   *page.Page
}

func newFakeGrid(t testing.TB, length int64) *fakeGrid {
	p, err := page.New("one", []page.Object{{Host: "a.example", Bytes: 1, After: page.None}})
	if err != nil {
		t.Fatal(err)
	}
	return &fakeGrid{length: length, page: p}
}

func (g *fakeGrid) Len() int64 { return g.length }

func (g *fakeGrid) Columns() []scenarios.Column {
	return []scenarios.Column{{Name: "size", Type: scenarios.Integer}, {Name: "policy", Type: scenarios.Text}}
}

// Twins says that all runs may differ.
func (g *fakeGrid) Twins() (*scenarios.Twins, error) { return nil, nil }

var fakePolicies = [...]string{"if1", "eaf"}

func (g *fakeGrid) Run(i int64, r *scenarios.Run) error {
	r.Index, r.Seed = i, 1
	r.Factors = append(r.Factors[:0], scenarios.Value{Integer: i / 2}, scenarios.Value{Text: fakePolicies[i%2]})
	r.Spec.Interfaces = append(r.Spec.Interfaces[:0], sim.Interface{Name: "wifi"}, sim.Interface{Name: "lte"})
	r.Spec.Page = g.page
	r.Spec.Policy = fakePolicies[i%2]
	r.Spec.Key.Repetition = uint64(i) // tells the engine which run it is
	if g.broken != nil {
		return g.broken(i)
	}
	return nil
}

// fakeEngine takes i+1 microseconds of simulated time for run i; before is called first.
type fakeEngine struct {
	before func(i int64) error
	result sim.Result
}

func (e *fakeEngine) Run(s *sim.Spec) (*sim.Result, error) {
	i := int64(s.Key.Repetition)
	if e.before != nil {
		if err := e.before(i); err != nil {
			return nil, err
		}
	}
	e.result = sim.Result{LoadTime: time.Duration(i+1) * time.Microsecond, IfaceBytes: append(e.result.IfaceBytes[:0], i, 2*i), Connections: 1, Events: 3 * i, Predictions: 4}
	return &e.result, nil
}

func engines(before func(i int64) error) func() sim.Engine {
	return func() sim.Engine { return &fakeEngine{before: before} }
}

// write runs the grid into memory.
func write(t testing.TB, ctx context.Context, g Grid, o Options, f result.Format) ([]byte, Stats, error) {
	t.Helper()
	schema, err := Schema(g)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	w, err := result.NewWriter(&b, f, schema)
	if err != nil {
		t.Fatal(err)
	}
	stats, err := Do(ctx, g, o, w.Write)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes(), stats, err
}

func TestRowsAreThoseOfTheEngine(t *testing.T) {
	text, stats, err := write(t, t.Context(), newFakeGrid(t, 3), Options{Engine: engines(nil)}, result.CSV)
	if err != nil {
		t.Fatal(err)
	}
	want := `run,size,policy,load_time_s,connections,wifi_bytes,lte_bytes,events,predictions,error
0,0,if1,0.000001,1,0,0,0,4,
1,0,eaf,0.000002,1,1,2,3,4,
2,1,if1,0.000003,1,2,4,6,4,
`
	if string(text) != want {
		t.Errorf("got %s\nwant %s", text, want)
	}
	if stats.Runs != 3 || stats.Failed != 0 {
		t.Errorf("stats %+v", stats)
	}
}

// The bytes do not depend on the number of workers, failed runs and panics included, in any format. Runs take turns at
// being slow, so that chunks finish out of order.
func TestSameBytesForAnyNumberOfWorkers(t *testing.T) {
	g := newFakeGrid(t, 5000)
	g.broken = func(i int64) error {
		if i%97 == 0 {
			return errors.New("page cannot be read")
		}
		return nil
	}
	before := func(i int64) error {
		for range i * 7919 % 13 {
			runtime.Gosched()
		}
		switch {
		case i%101 == 0:
			return errors.New("no path")
		case i%503 == 0:
			var none []int
			_ = none[i]
		}
		return nil
	}
	for _, f := range result.FormatNames() {
		var first []byte
		for _, workers := range []int{1, 2, 7, 16} {
			got, stats, err := write(t, t.Context(), g, Options{Workers: workers, Engine: engines(before)}, result.Format(f))
			if err != nil {
				t.Fatal(err)
			}
			// Multiples of 97: 52 with 0; of 101: 50, of which 0 counts already; of 503: 10, of which 0 does.
			if stats.Runs != 5000 || stats.Failed != 52+49+9 {
				t.Errorf("%s, %d workers: %d runs, %d failed", f, workers, stats.Runs, stats.Failed)
			}
			if first == nil {
				first = got
			} else if !bytes.Equal(got, first) {
				t.Errorf("%s: other bytes from %d workers", f, workers)
			}
		}
	}
}

func TestFailuresAreRows(t *testing.T) {
	g := newFakeGrid(t, 100)
	g.broken = func(i int64) error {
		switch {
		case i == 4:
			return errors.New("a.har: line 3:\n  expected a number")
		case i >= 90:
			return errors.New("")
		}
		return nil
	}
	built := atomic.Int64{}
	engine := func() sim.Engine {
		built.Add(1)
		return engines(func(i int64) error {
			if i == 7 {
				panic("link with no rate")
			}
			return nil
		})()
	}
	var rows []result.Row
	stats, err := Do(t.Context(), g, Options{Workers: 1, Engine: engine}, func(r *result.Row) error {
		rows = append(rows, result.Row{Run: r.Run, Factors: slices.Clone(r.Factors), Metrics: slices.Clone(r.Metrics), Error: r.Error})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(rows) != 100 || stats.Runs != 100 || stats.Failed != 12 {
		t.Fatalf("%d rows, stats %+v", len(rows), stats)
	}
	if r := rows[4]; r.Error != "a.har: line 3: expected a number" || r.Metrics != nil || r.Factors[0].Integer != 2 {
		t.Errorf("run 4: %+v", r)
	}
	if r := rows[7]; !strings.HasPrefix(r.Error, "panic: link with no rate (braid/scenarios/run.") || !strings.Contains(r.Error, ", run_test.go:") ||
		r.Metrics != nil || r.Factors[1].Text != "eaf" {
		t.Errorf("run 7: %+v", r)
	}
	if built.Load() != 2 {
		t.Errorf("%d engines were made, want a new one after the panic", built.Load())
	}
	if rows[8].Error != "" || rows[8].Metrics == nil {
		t.Errorf("the run after the panic: %+v", rows[8])
	}
	if rows[95].Error == "" {
		t.Error("an error without text is no error in the row")
	}
	if len(stats.Failures) != MaxFailures || stats.Failures[1].Run != 7 || stats.Failures[1].Factors[0].Integer != 3 {
		t.Errorf("failures %+v", stats.Failures)
	}
}

// A panic in the grid: its factors are not known, and no others are shown in their place.
func TestPanicOfTheGrid(t *testing.T) {
	g := newFakeGrid(t, 4)
	g.broken = func(i int64) error {
		if i == 2 {
			panic("broken page")
		}
		return nil
	}
	text, stats, err := write(t, t.Context(), g, Options{Workers: 1, Engine: engines(nil)}, result.CSV)
	if err != nil || stats.Failed != 1 {
		t.Fatal(stats, err)
	}
	if line := strings.Split(string(text), "\n")[3]; !strings.HasPrefix(line, "2,,,,,,,,,\"panic: broken page (") {
		t.Errorf("row %q", line)
	}
}

type emptyEngine struct{ r *sim.Result }

func (e emptyEngine) Run(*sim.Spec) (*sim.Result, error) { return e.r, nil }

func TestResultsNoLoadCanHaveAreFailures(t *testing.T) {
	for _, c := range []struct {
		r    *sim.Result
		want string
	}{
		{nil, "no result"},
		{&sim.Result{IfaceBytes: []int64{0, 0}}, "load time of 0s"},
		{&sim.Result{LoadTime: 1, IfaceBytes: []int64{0}}, "1 interfaces (expected 2"},
	} {
		stats, err := Do(t.Context(), newFakeGrid(t, 1), Options{Engine: func() sim.Engine { return emptyEngine{c.r} }}, func(*result.Row) error { return nil })
		if err != nil || stats.Failed != 1 || !strings.Contains(stats.Failures[0].Error, c.want) {
			t.Errorf("stats %+v, error %v, want %q", stats, err, c.want)
		}
	}
}

// An interrupted run gives every row that was finished, in order, and says how many are missing before the last of them.
func TestCancelKeepsWhatIsFinished(t *testing.T) {
	g := newFakeGrid(t, 100_000)
	text, _, err := write(t, t.Context(), g, Options{Engine: engines(nil)}, result.CSV)
	if err != nil {
		t.Fatal(err)
	}
	whole := strings.Split(string(text), "\n")
	for _, workers := range []int{1, 7} {
		ctx, cancel := context.WithCancel(t.Context())
		finished := atomic.Int64{}
		before := func(i int64) error {
			if i == 1000 {
				cancel()
			}
			finished.Add(1)
			return nil
		}
		text, stats, err := write(t, ctx, g, Options{Workers: workers, Engine: engines(before)}, result.CSV)
		if !errors.Is(err, context.Canceled) {
			t.Fatalf("%d workers: error is %v", workers, err)
		}
		got := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")[1:]
		at := 0
		for _, line := range got {
			for at++; at < len(whole) && whole[at] != line; at++ {
			}
		}
		if at >= len(whole)-2 {
			t.Errorf("%d workers: the rows are not rows of the whole grid, or all of them", workers)
		}
		if n := int64(len(got)); stats.Runs != n || n != finished.Load() || n < 1000 || stats.Dropped != int64(at)-n {
			t.Errorf("%d workers: %d rows of %d finished runs up to run %d, stats %+v", workers, n, finished.Load(), at-1, stats)
		}
	}
}

func TestCancelBeforeTheFirstRun(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, stats, err := write(t, ctx, newFakeGrid(t, 1<<20), Options{Engine: engines(nil)}, result.CSV)
	if !errors.Is(err, context.Canceled) || stats.Runs == 1<<20 {
		t.Errorf("stats %+v, error %v", stats, err)
	}
}

// A run that does not end is given up; what the others finished, also after it, is kept. The collector's parts are driven by hand,
// so that no time passes.
func TestGiveUpKeepsWhatIsFinished(t *testing.T) {
	q := newQueue(0, 100, window)
	var got []int64
	c := collector{waiting: map[int64]*chunk{}, each: func(r *result.Row) error {
		got = append(got, r.Run)
		return nil
	}}
	var chunks []*chunk
	for range 3 {
		ch := q.claim(2)
		for i := range ch.rows {
			ch.rows[i] = result.Row{Run: ch.first + int64(i)}
		}
		chunks = append(chunks, ch)
	}
	for _, i := range []int{2, 0} {
		q.finished()
		c.take(chunks[i], q)
	}
	if !slices.Equal(got, []int64{0, 1}) {
		t.Fatalf("in order: %v", got)
	}
	q.stop()
	if q.claim(1) != nil {
		t.Error("a claim after the stop")
	}
	if q.ended() {
		t.Error("ended with four runs under way")
	}
	c.giveUp(q)
	if !slices.Equal(got, []int64{0, 1, 4, 5}) || c.stats.Dropped != 2 || c.stats.Runs != 4 {
		t.Errorf("kept %v, stats %+v", got, c.stats)
	}
}

func TestErrorOfTheSinkEndsTheRun(t *testing.T) {
	full := errors.New("no space left")
	n := 0
	_, err := Do(t.Context(), newFakeGrid(t, 1<<20), Options{Workers: 3, Engine: engines(nil)}, func(*result.Row) error {
		if n++; n == 500 {
			return full
		}
		return nil
	})
	if !errors.Is(err, full) || n != 500 {
		t.Errorf("error %v after %d rows", err, n)
	}
}

// The queue never lets more than its window wait for a slow run.
func TestWindowHoldsWorkersBack(t *testing.T) {
	q := newQueue(0, 1000, 8)
	first := q.claim(3)
	if c := q.claim(100); c.first != 3 || len(c.rows) != 5 {
		t.Fatalf("claim of %d runs at %d, want the 5 that are left of the window", len(c.rows), c.first)
	}
	claimed := make(chan *chunk)
	go func() { claimed <- q.claim(2) }()
	q.release(first, 3)
	if c := <-claimed; c.first != 8 || len(c.rows) != 2 {
		t.Errorf("claim of %d runs at %d after the release", len(c.rows), c.first)
	}
}

// What a worker gives back is claimed before anything new, and nothing ends before it is done.
func TestCutRunsAreClaimedAgain(t *testing.T) {
	q := newQueue(10, 20, 100)
	a, b := q.claim(4), q.claim(6) // 10-13, 14-19
	q.cut(b, 1)                    // leaves 15-19
	q.cut(a, 2)                    // leaves 12-13
	q.finished()
	q.finished()
	if q.ended() {
		t.Error("ended with runs that were given back")
	}
	var got []extent
	for c := q.claim(3); c != nil; c = q.claim(3) {
		got = append(got, extent{c.first, c.first + int64(len(c.rows))})
		q.finished()
	}
	if want := []extent{{12, 14}, {15, 18}, {18, 20}}; !slices.Equal(got, want) {
		t.Errorf("claimed %v, want %v", got, want)
	}
	if !q.ended() {
		t.Error("not ended")
	}
}

func TestNextSizeAimsAtChunkTime(t *testing.T) {
	for _, c := range []struct {
		n    int
		d    time.Duration
		want int64
	}{
		{1, 0, 2},                         // at most twice as many
		{200, time.Microsecond, 256},      // at most chunkMax
		{100, 100 * time.Millisecond, 50}, // 1 ms each: 50 ms
		{1, time.Minute, 1},
	} {
		if got := nextSize(c.n, c.d); got != c.want {
			t.Errorf("nextSize(%d, %v) = %d, want %d", c.n, c.d, got, c.want)
		}
	}
}

func TestSchemaOfAnEmptyGrid(t *testing.T) {
	if _, err := Schema(newFakeGrid(t, 0)); err == nil {
		t.Error("no error for a grid without runs")
	}
}

// Two million runs into Parquet: the heap stays below a bound that does not depend on the length.
func TestMemoryDoesNotGrowWithTheGrid(t *testing.T) {
	if testing.Short() {
		t.Skip("2 million runs")
	}
	g := newFakeGrid(t, 2_000_000)
	schema, err := Schema(g)
	if err != nil {
		t.Fatal(err)
	}
	w, err := result.NewWriter(discard{}, result.Parquet, schema)
	if err != nil {
		t.Fatal(err)
	}
	var heap runtime.MemStats
	highest := uint64(0)
	_, err = Do(t.Context(), g, Options{Engine: engines(nil)}, func(r *result.Row) error {
		if r.Run%200_000 == 199_999 {
			runtime.GC()
			runtime.ReadMemStats(&heap)
			highest = max(highest, heap.HeapAlloc)
		}
		return w.Write(r)
	})
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	// Measured: 50 MB from the first 200 000 rows on, of which 16 MB for each zstd encoder in use, 8 MB for the window of rows
	// (16384 rows of 8 cells) and the rest for the row group. All rows would be 2 million x 8 cells x 40 B = 640 MB.
	if bound := uint64(100 << 20); highest > bound {
		t.Errorf("%d MB of heap in use, bound %d MB", highest>>20, bound>>20)
	}
	t.Logf("%.1f MB of heap in use at most", float64(highest)/(1<<20))
}

type discard struct{}

func (discard) Write(p []byte) (int, error) { return len(p), nil }

// BenchmarkDo measures what the machinery costs for each run when the engine costs nothing.
func BenchmarkDo(b *testing.B) {
	for _, workers := range []int{1, 2} {
		b.Run(fmt.Sprintf("workers=%d", workers), func(b *testing.B) {
			b.ReportAllocs()
			_, err := Do(b.Context(), newFakeGrid(b, int64(b.N)), Options{Workers: workers, Engine: engines(nil)}, func(*result.Row) error { return nil })
			if err != nil {
				b.Fatal(err)
			}
		})
	}
}
