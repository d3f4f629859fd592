package figure

import (
	"fmt"
	"math"

	"braid/analysis/dataset"
	"braid/analysis/stat"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// ecdf is the figure speedup-ecdf.
func ecdf(d *data) (*Figure, error) {
	metric, err := d.metric(0)
	if err != nil {
		return nil, err
	}
	by, err := d.by(1, 3)
	if err != nil {
		return nil, err
	}
	zoom, err := parseLimits(d.X, metric)
	if err != nil {
		return nil, err
	}
	lines := newGroups(by)
	var samples []ecdfSample
	err = d.each(func(c *dataset.Case, i int) error {
		g, ok, err := lines.of(c, i)
		if !ok || err != nil {
			return err
		}
		for len(samples) <= g {
			samples = append(samples, newECDFSample(metric))
		}
		if v, ok := metric.Float(c, i); ok {
			samples[g].add(v)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return drawECDF(d, metric, zoom, lines, samples)
}

// drawECDF draws a step line for each sample.
func drawECDF(d *data, metric *dataset.Column, zoom *limits, lines *groups, samples []ecdfSample) (*Figure, error) {
	all := limits{math.Inf(1), math.Inf(-1)}
	drawn := 0
	for i := range samples {
		for _, part := range samples[i].parts() {
			all = limits{min(all.low, part.quantile(0)), max(all.high, part.quantile(1))}
			drawn++
		}
	}
	if drawn == 0 {
		return nil, fmt.Errorf("%s: no row has a %s", d.set.Path, metric.Name)
	}
	x := newScale(metric, all)
	x.log = x.log || metric.Name == dataset.SpeedUp
	if zoom == nil {
		wide := x.widen(all, 0.02)
		zoom = &wide
	} else {
		x.unit = unitFor(metric.Unit, zoom.high)
	}
	p := newPanel(axisLabel(metric, x.unit), "share of cases")
	gridLines(p, true, true)
	if metric.Name == dataset.SpeedUp {
		p.Add(verticalMark(x.of(1)))
	}
	var entries []keyEntry
	shares := limits{1, 0} // of what is in the range
	for at, g := range lines.order() {
		if g >= len(samples) || samples[g].n() == 0 {
			continue
		}
		steps := samples[g].steps()
		low, high := sharesWithin(steps, *zoom)
		shares = limits{min(shares.low, low), max(shares.high, high)}
		if first, last := steps[0], steps[len(steps)-1]; zoom.low < first.X || zoom.high > last.X {
			steps = append(plotter.XYs{{X: min(zoom.low, first.X), Y: 0}}, steps...)
			steps = append(steps, plotter.XY{X: max(zoom.high, last.X), Y: 1})
		}
		for i := range steps {
			steps[i].X = x.of(steps[i].X)
		}
		steps = thin(steps, x.of(zoom.high)-x.of(zoom.low), 1)
		line := &plotter.Line{XYs: steps, LineStyle: stroke(d.look(lines, g, at))}
		p.Add(line)
		entries = append(entries, keyEntry{lines.text(g), stroked(line.LineStyle)})
	}
	// Adding a line widens the axes to it.
	if err := x.set(&p.X, *zoom); err != nil {
		return nil, err
	}
	p.Y.Min, p.Y.Max = max(0, shares.low-0.02), min(1, shares.high+0.02)
	c, err := newChart(d, p)
	if err != nil {
		return nil, err
	}
	c.entries(entries)
	return c.figure(), nil
}

// ecdfSample is the values of one line. Those equal to the pivot are counted apart: where there are more values than are kept
// exactly, the share of speed-ups of exactly 1, which is often large, must not be spread around it.
type ecdfSample struct {
	pivot        float64
	below, above stat.Distribution
	equal        int64
}

func newECDFSample(metric *dataset.Column) ecdfSample {
	if metric.Name == dataset.SpeedUp {
		return ecdfSample{pivot: 1}
	}
	return ecdfSample{pivot: math.Inf(1)}
}

func (s *ecdfSample) add(v float64) {
	switch {
	case v < s.pivot:
		s.below.Add(v)
	case v > s.pivot:
		s.above.Add(v)
	default:
		s.equal++
	}
}

func (s *ecdfSample) n() int64 { return s.below.N() + s.equal + s.above.N() }

// ecdfPart is values next to each other.
type ecdfPart struct {
	n        int64
	quantile func(p float64) float64
}

// parts are the values below, at and above the pivot, as far as there are any.
func (s *ecdfSample) parts() (list []ecdfPart) {
	for _, part := range []ecdfPart{
		{s.below.N(), func(p float64) float64 { return min(s.pivot, s.below.Quantile(p)) }},
		{s.equal, func(float64) float64 { return s.pivot }},
		{s.above.N(), func(p float64) float64 { return max(s.pivot, s.above.Quantile(p)) }},
	} {
		if part.n > 0 {
			list = append(list, part)
		}
	}
	return list
}

// ecdfPoints is how many steps each part of a line has at most, but for its tails: finer ones would be lower than the line
// is thick.
const ecdfPoints = 1000

// steps returns the empirical distribution function as the corners of its steps. With more values than ecdfPoints, it has
// a step for every so many of them; towards the ends of each part every value has one.
func (s *ecdfSample) steps() plotter.XYs {
	var steps plotter.XYs
	var before int64
	share := 0.0
	for _, part := range s.parts() {
		every := max(1, part.n/ecdfPoints)
		if part.quantile(0) == part.quantile(1) {
			every = part.n
		}
		for rank := int64(0); rank < part.n; {
			x := part.quantile(float64(rank) / max(1, float64(part.n-1)))
			next := rank + every
			if every < part.n {
				next = rank + min(every, 1+rank/16, 1+(part.n-1-rank)/16)
			}
			steps = append(steps, plotter.XY{X: x, Y: share})
			share = float64(before+next) / float64(s.n())
			steps = append(steps, plotter.XY{X: x, Y: share})
			rank = next
		}
		before += part.n
	}
	return steps
}

// thinTo is the share of an axis that two points are apart at least: a tenth of a point in a column.
const thinTo = 1. / 2000

// thin leaves out points that are too close to the one before to be seen apart, on axes of this width and height.
func thin(line plotter.XYs, width, height float64) plotter.XYs {
	kept := line[:1]
	for i, p := range line[1:] {
		last := kept[len(kept)-1]
		if i+2 == len(line) || math.Abs(p.X-last.X) > width*thinTo || math.Abs(p.Y-last.Y) > height*thinTo {
			kept = append(kept, p)
		}
	}
	return kept
}

// sharesWithin returns the shares that the line has at both ends of the range.
func sharesWithin(steps plotter.XYs, zoom limits) (low, high float64) {
	for _, s := range steps {
		if s.X <= zoom.low {
			low = s.Y
		}
		if s.X <= zoom.high {
			high = s.Y
		}
	}
	return low, high
}

// verticalMark is a thin line at a place of the horizontal axis.
type verticalMark float64

// Plot implements plot.Plotter.
func (m verticalMark) Plot(c draw.Canvas, p *plot.Plot) {
	x, _ := p.Transforms(&c)
	if at := x(float64(m)); c.ContainsX(at) {
		c.StrokeLine2(draw.LineStyle{Color: neutral, Width: 0.5, Dashes: []vg.Length{1, 1}}, at, c.Min.Y, at, c.Max.Y)
	}
}
