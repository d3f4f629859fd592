package run

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"time"

	"braid/scenarios/result"
)

func TestProgressLines(t *testing.T) {
	var out bytes.Buffer
	at := time.Unix(0, 0)
	p := newProgress(&out, false, 9000, func() time.Time { return at })
	for _, s := range []struct {
		seconds int
		runs    int64
	}{{1, 200}, {4, 800}, {6, 1200}, {7, 1400}, {11, 2250}} {
		at = time.Unix(int64(s.seconds), 0)
		p.Done(s.runs)
	}
	p.End()
	// 1200 in 6 s are 200/s: 7800 more take 39 s. 2250 in 11 s are 204.5/s: 6750 more take 33 s.
	want := "1200 of 9000 runs (13 %), 200 runs/s, 39s left\n2250 of 9000 runs (25 %), 205 runs/s, 33s left\n"
	if out.String() != want {
		t.Errorf("got %q\nwant %q", out.String(), want)
	}
}

func TestProgressBar(t *testing.T) {
	var out bytes.Buffer
	at := time.Unix(0, 0)
	p := newProgress(&out, true, 100, func() time.Time { return at })
	at = at.Add(time.Second)
	p.Done(40)
	if !strings.Contains(out.String(), "40/100") {
		t.Errorf("bar %q", out.String())
	}
	p.End()
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
	e, err := Measure(t.Context(), g, engines(nil), 4, result.CSV)
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
	e, err := Measure(t.Context(), g, engines(nil), 16, result.CSV)
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
	e, err := Measure(t.Context(), g, engines(func(int64) error { panic("no") }), 1, result.CSV)
	if err != nil || e.Failed != 1 || !strings.HasPrefix(e.Error, "run 0: panic: no") {
		t.Errorf("estimate %+v, error %v", e, err)
	}
}
