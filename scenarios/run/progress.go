package run

import (
	"fmt"
	"io"
	"time"

	"github.com/schollz/progressbar/v3"
)

// How often progress is shown.
const (
	barInterval  = 100 * time.Millisecond
	lineInterval = 5 * time.Second // where output is kept, each line stays
)

// Progress shows how far a run of a grid is: a bar with rate and time left on a terminal, a plain line every few
// seconds elsewhere. What cannot be shown is dropped: the run goes on.
type Progress struct {
	w     io.Writer
	total int64
	bar   *progressbar.ProgressBar // nil: plain lines
	now   func() time.Time
	begin time.Time
	shown time.Time // when it was last brought up to date
}

// NewProgress begins the progress of a grid of total runs on w.
func NewProgress(w io.Writer, terminal bool, total int64) *Progress {
	return newProgress(w, terminal, total, time.Now)
}

func newProgress(w io.Writer, terminal bool, total int64, now func() time.Time) *Progress {
	p := &Progress{w: w, total: total, now: now, begin: now()}
	p.shown = p.begin
	if terminal {
		p.bar = progressbar.NewOptions64(total,
			progressbar.OptionSetWriter(w),
			progressbar.OptionShowCount(),
			progressbar.OptionShowIts(),
			progressbar.OptionSetItsString("runs"),
			progressbar.OptionSetPredictTime(true),
			progressbar.OptionSetWidth(24),
			progressbar.OptionClearOnFinish())
	}
	return p
}

// Done says how many runs are done.
func (p *Progress) Done(runs int64) {
	now := p.now()
	interval := lineInterval
	if p.bar != nil {
		interval = barInterval
	}
	if now.Sub(p.shown) < interval {
		return
	}
	p.shown = now
	if p.bar != nil {
		_ = p.bar.Set64(runs)
		return
	}
	_, _ = fmt.Fprintln(p.w, progressLine(runs, p.total, now.Sub(p.begin)))
}

// End removes the bar.
func (p *Progress) End() {
	if p.bar != nil {
		_ = p.bar.Clear()
	}
}

// progressLine says how far a run is after the given time.
func progressLine(runs, total int64, elapsed time.Duration) string {
	rate := float64(runs) / elapsed.Seconds()
	left := duration(float64(total-runs) / rate)
	decimals := 0
	if rate < 10 {
		decimals = 2
	}
	return fmt.Sprintf("%d of %d runs (%.0f %%), %.*f runs/s, %s left", runs, total, 100*float64(runs)/float64(total), decimals, rate, Approximate(left))
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
