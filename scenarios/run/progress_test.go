package run

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"braid/scenarios/result"
)

// at sets the clock of a progress, which begins at 0.
func at(p *Progress) func(seconds int) {
	now := time.Unix(0, 0)
	p.now, p.begin, p.shown = func() time.Time { return now }, now, now
	return func(seconds int) { now = time.Unix(int64(seconds), 0) }
}

// 40 of the rows come from the journal and do not count.
func TestProgressLines(t *testing.T) {
	var out bytes.Buffer
	p := NewLines(&out, 9000)
	clock := at(p)
	for _, s := range []struct {
		seconds      int
		runs, failed int64
	}{{1, 200, 0}, {4, 800, 0}, {6, 1200, 0}, {7, 1400, 0}, {11, 2250, 3}} {
		clock(s.seconds)
		p.Done(&Stats{Runs: s.runs + 40, Resumed: 40, Failed: s.failed})
	}
	p.End()
	// 1200 in 6 s are 200/s: 7800 more take 39 s. 2250 in 11 s are 204.5/s: 6750 more take 33 s.
	want := "1200 of 9000 runs (13 %), 200 runs/s, 39s left\n2250 of 9000 runs (25 %), 3 failed, 205 runs/s, 33s left\n"
	if out.String() != want {
		t.Errorf("got %q\nwant %q", out.String(), want)
	}
}

// Reading finished rows shows no rate, and does not count for the one that is shown then.
func TestProgressOfAResumedRun(t *testing.T) {
	var out bytes.Buffer
	p := NewLines(&out, 100)
	clock := at(p)
	clock(30)
	p.Done(&Stats{Runs: 5000, Resumed: 5000, Failed: 9, ResumedFailed: 9})
	clock(40)
	p.Done(&Stats{Runs: 5040, Resumed: 5000, Failed: 9, ResumedFailed: 9})
	// 40 in 10 s are 4/s: 60 more take 15 s.
	want := "0 of 100 runs: reading those that are finished\n40 of 100 runs (40 %), 4.00 runs/s, 15s left\n"
	if out.String() != want {
		t.Errorf("got %q\nwant %q", out.String(), want)
	}
}

func TestProgressBar(t *testing.T) {
	var out bytes.Buffer
	p := NewBar(&out, 100)
	clock := at(p)
	clock(1)
	p.Done(&Stats{Runs: 40, Failed: 7})
	if !strings.Contains(out.String(), "40/100") || !strings.Contains(out.String(), "7 failed") {
		t.Errorf("bar %q", out.String())
	}
	p.End()
}

func TestProgressLog(t *testing.T) {
	var out bytes.Buffer
	p := NewLog(slog.New(slog.NewJSONHandler(&out, nil)), 100)
	clock := at(p)
	clock(10)
	p.Done(&Stats{Runs: 40, Failed: 7})
	var got map[string]any
	if err := json.Unmarshal(out.Bytes(), &got); err != nil {
		t.Fatalf("%q: %v", out.String(), err)
	}
	// 40 in 10 s are 4/s: 60 more take 15 s.
	for key, want := range map[string]any{"msg": "progress", "runs": 40.0, "runs_total": 100.0, "failed": 7.0, "elapsed_s": 10.0, "runs_per_s": 4.0, "left_s": 15.0} {
		if got[key] != want {
			t.Errorf("%s is %v, want %v", key, got[key], want)
		}
	}
}

func TestApproximate(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0:                         "0s",
		1234567:                   "1ms",
		12_400 * time.Millisecond: "12s",
		200 * time.Second:         "3m20s",
		2*time.Hour + 10*time.Minute + 29*time.Second: "2h10m",
		76 * time.Hour: "3d4h",
	} {
		if got := Approximate(d); got != want {
			t.Errorf("Approximate(%v) = %q, want %q", d, got, want)
		}
	}
}

func TestSpreadCoversEveryResidueAndHalf(t *testing.T) {
	for _, length := range []int64{1, 2, 7, 1 << 20, 9_000_000} {
		for _, n := range []int{1, 10, 1000} {
			got := spread(length, n)
			if want := int(min(int64(n), length)); len(got) > want || len(got) < want/2 {
				t.Errorf("spread(%d, %d) has %d runs", length, n, len(got))
			}
			sorted := slices.Clone(got)
			slices.Sort(sorted)
			if len(slices.Compact(sorted)) != len(got) || sorted[0] < 0 || sorted[len(sorted)-1] >= length {
				t.Errorf("spread(%d, %d): a run twice or outside of the grid", length, n)
			}
		}
	}
	// Eight policies in a grid of a power of two: each is met about 1000/8 times, in each half of the grid too.
	const length = 1 << 20
	var met [2][8]int
	for _, i := range spread(length, 1000) {
		met[i/(length/2)][i%8]++
	}
	for half := range met {
		for policy, n := range met[half] {
			if n < 40 || n > 85 {
				t.Errorf("half %d, policy %d: %d runs, want about 62", half, policy, n)
			}
		}
	}
}

func TestMeasure(t *testing.T) {
	g := newFakeGrid(t, 100_000)
	e, err := Measure(t.Context(), g, Part{Runs: g.Len()}, engines(nil), 4, result.CSV)
	if err != nil {
		t.Fatal(err)
	}
	if e.Runs != 100_000 || e.Workers != 4 || e.Timed < 2 || e.Failed != 0 || e.Time <= 0 {
		t.Errorf("estimate %+v", e)
	}
	whole, _, err := write(t, t.Context(), g, Options{Engine: engines(nil)}, result.CSV)
	if err != nil {
		t.Fatal(err)
	}
	if ratio := float64(e.Bytes) / float64(len(whole)); ratio < 0.9 || ratio > 1.1 {
		t.Errorf("estimate of %d bytes, the file has %d", e.Bytes, len(whole))
	}
}

// With every run in the sample there is nothing to extrapolate.
func TestMeasureASmallGridWhole(t *testing.T) {
	g := newFakeGrid(t, 1)
	e, err := Measure(t.Context(), g, Part{Runs: g.Len()}, engines(nil), 16, result.CSV)
	if err != nil {
		t.Fatal(err)
	}
	whole, _, err := write(t, t.Context(), g, Options{Engine: engines(nil)}, result.CSV)
	if err != nil {
		t.Fatal(err)
	}
	if e.Timed != 1 || e.Spread != 0 || e.Bytes != int64(len(whole)) {
		t.Errorf("estimate %+v, the file has %d bytes", e, len(whole))
	}
}

func TestMeasureNamesAFailure(t *testing.T) {
	g := newFakeGrid(t, 1)
	e, err := Measure(t.Context(), g, Part{Runs: g.Len()}, engines(func(int64) error { panic("no") }), 1, result.CSV)
	if err != nil || e.Failed != 1 || !strings.HasPrefix(e.Error, "run 0: panic: no") {
		t.Errorf("estimate %+v, error %v", e, err)
	}
}
