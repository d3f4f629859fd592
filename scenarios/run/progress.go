package run

import (
	"fmt"
	"io"
	"log/slog"
	"time"

	"github.com/schollz/progressbar/v3"
)

// How often progress is shown.
const (
	barInterval  = 100 * time.Millisecond
	lineInterval = 5 * time.Second // where output is kept, each line stays
)

// Progress shows how far a run of a grid is, every now and then. What cannot be shown is dropped: the run goes on.
type Progress struct {
	total    int64
	show     func(reached)
	end      func()
	interval time.Duration
	now      func() time.Time
	begin    time.Time
	shown    time.Time // when it was last brought up to date
}

// reached is how far a run is.
type reached struct {
	runs, failed, total int64
	elapsed             time.Duration
}

// rate returns runs per second so far.
func (r reached) rate() float64 { return float64(r.runs) / r.elapsed.Seconds() }

// left estimates the time that is left.
func (r reached) left() time.Duration { return duration(float64(r.total-r.runs) / r.rate()) }

// NewBar returns the progress of total runs as a bar on a terminal, with rate, time left and failed runs.
func NewBar(w io.Writer, total int64) *Progress {
	bar := progressbar.NewOptions64(total,
		progressbar.OptionSetWriter(w),
		progressbar.OptionShowCount(),
		progressbar.OptionShowIts(),
		progressbar.OptionSetItsString("runs"),
		progressbar.OptionSetPredictTime(true),
		progressbar.OptionFullWidth(),
		progressbar.OptionClearOnFinish())
	return newProgress(total, barInterval, time.Now, func(r reached) {
		switch {
		case r.runs == 0:
			bar.Describe("reading finished runs")
			return
		case r.failed > 0:
			bar.Describe(fmt.Sprintf("%d failed", r.failed))
		default:
			bar.Describe("")
		}
		_ = bar.Set64(r.runs)
	}, func() { _ = bar.Clear() })
}

// NewLines returns the progress of total runs as a plain line every few seconds.
func NewLines(w io.Writer, total int64) *Progress {
	return newProgress(total, lineInterval, time.Now, func(r reached) { _, _ = fmt.Fprintln(w, r) }, func() {})
}

// NewLog returns the progress of total runs as a record of a log every few seconds.
func NewLog(log *slog.Logger, total int64) *Progress {
	return newProgress(total, lineInterval, time.Now, func(r reached) {
		if r.runs == 0 {
			log.Info("progress", "runs", 0, "runs_total", r.total)
			return
		}
		log.Info("progress", "runs", r.runs, "runs_total", r.total, "failed", r.failed,
			"elapsed_s", r.elapsed.Seconds(), "runs_per_s", r.rate(), "left_s", r.left().Seconds())
	}, func() {})
}

func newProgress(total int64, interval time.Duration, now func() time.Time, show func(reached), end func()) *Progress {
	begin := now()
	return &Progress{total: total, show: show, end: end, interval: interval, now: now, begin: begin, shown: begin}
}

// Done says how many runs are done, those that the journal had apart.
func (p *Progress) Done(s *Stats) {
	now := p.now()
	runs := s.Runs - s.Resumed
	if runs == 0 {
		p.begin = now // reading what is finished says nothing of how long the rest takes
	}
	if now.Sub(p.shown) < p.interval {
		return
	}
	p.shown = now
	p.show(reached{runs: runs, failed: s.Failed - s.ResumedFailed, total: p.total, elapsed: now.Sub(p.begin)})
}

// End removes what is not to stay.
func (p *Progress) End() { p.end() }

// String writes a line.
func (r reached) String() string {
	if r.runs == 0 {
		return fmt.Sprintf("0 of %d runs: reading those that are finished", r.total)
	}
	decimals := 0
	if r.rate() < 10 {
		decimals = 2
	}
	failed := ""
	if r.failed > 0 {
		failed = fmt.Sprintf(", %d failed", r.failed)
	}
	return fmt.Sprintf("%d of %d runs (%.0f %%)%s, %.*f runs/s, %s left", r.runs, r.total, 100*float64(r.runs)/float64(r.total), failed, decimals, r.rate(), Approximate(r.left()))
}

// Approximate writes a duration as an estimate deserves: with two units at most ("350ms", "12s", "3m20s", "2h10m", "3d4h").
func Approximate(d time.Duration) string {
	const day = 24 * time.Hour
	switch {
	case d < time.Second:
		return d.Round(time.Millisecond).String()
	case d < time.Minute:
		return fmt.Sprintf("%ds", d.Round(time.Second)/time.Second)
	case d < time.Hour:
		d = d.Round(time.Second)
		return fmt.Sprintf("%dm%02ds", d/time.Minute, d%time.Minute/time.Second)
	case d < day:
		d = d.Round(time.Minute)
		return fmt.Sprintf("%dh%02dm", d/time.Hour, d%time.Hour/time.Minute)
	}
	d = d.Round(time.Hour)
	return fmt.Sprintf("%dd%dh", d/day, d%day/time.Hour)
}
