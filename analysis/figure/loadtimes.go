package figure

import (
	"fmt"
	"image/color"
	"math"
	"slices"

	"braid/analysis/dataset"
	"braid/analysis/stat"
	"braid/scenarios"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// loadTimes is the figure load-times.
func loadTimes(d *data) (*Figure, error) {
	metric, err := d.metric(0)
	if err != nil {
		return nil, err
	}
	by, err := d.by(2, 3)
	if err != nil {
		return nil, err
	}
	statistic, err := d.statistic()
	if err != nil {
		return nil, err
	}
	if d.Style != "" && d.Style != "boxes" && d.Style != "bars" {
		return nil, fmt.Errorf("unknown style %q%s", d.Style, scenarios.DidYouMean(d.Style, "styles", Styles))
	}
	s, err := d.collect(metric, by[:1], by[1:])
	if err != nil {
		return nil, err
	}
	return drawLoadTimes(d, metric, s, statistic)
}

// bar is the values of one group.
type bar struct {
	group                          float64 // 0, 1, 2, ...
	at                             float64 // place in the group, from -0.5 to 0.5
	width                          float64 // of the bar, in groups
	look                           int
	n                              int64
	p5, quarter, median, rest, p95 float64
	middle                         float64 // statistic of style bars
	interval                       stat.Interval
}

// groupShare is how much of the width of a group its bars take.
const groupShare = 0.8

func drawLoadTimes(d *data, metric *dataset.Column, s *samples, statistic string) (*Figure, error) {
	c, err := newChart(d, nil)
	if err != nil {
		return nil, err
	}
	bars, ends := layBars(d, s, statistic)
	y := newScale(metric, ends)
	if ends = y.widen(ends, 0.04); !y.log && ends.low > 0 {
		ends.low = 0
	}
	names, title := s.categories.names()
	p := newPanel(title, axisLabel(metric, y.unit))
	setCategories(&p.X, names, c.width-50)
	if err := y.set(&p.Y, ends); err != nil {
		return nil, err
	}
	gridLines(p, false, true)
	p.Add(between(len(names)))
	p.Add(barPlotter{bars, d.Style == "bars", y})
	c.panels = [][]*plot.Plot{{p}}
	single := !slices.ContainsFunc(bars, func(b bar) bool { return b.n > 1 })
	c.subtitle += barLegend(d.Style == "bars", single, statistic)
	var entries []keyEntry
	for at, g := range s.series.order() {
		look := d.look(s.series, g, at)
		entries = append(entries, keyEntry{s.series.text(g), barSample(look, single && d.Style != "bars" || d.Style == "bars" && y.log)})
	}
	c.entries(entries)
	c.key.sample = narrowSample
	return c.figure(), nil
}

// barLegend says what a box or bar stands for.
func barLegend(asBars, single bool, statistic string) string {
	switch {
	case single:
		return "; one run each"
	case asBars:
		return fmt.Sprintf("; %s and its %g %% interval", statistic, intervalLevel*100)
	}
	return "; median and quartiles, lines from the 5th to the 95th percentile"
}

// layBars gives every sample its place, and returns the least and greatest value that is drawn.
func layBars(d *data, s *samples, statistic string) (bars []bar, ends limits) {
	ends = limits{math.Inf(1), math.Inf(-1)}
	categories, series := s.categories.order(), s.series.order()
	width := groupShare / float64(len(series))
	missing := 0
	for x, category := range categories {
		for k, g := range series {
			of := s.get(category, g)
			if of == nil {
				continue
			}
			b := bar{group: float64(x), at: (float64(k)+0.5)*width - groupShare/2, width: width, look: d.look(s.series, g, k), n: of.N(),
				p5: of.Quantile(0.05), quarter: of.Quantile(0.25), median: of.Quantile(0.5), rest: of.Quantile(0.75), p95: of.Quantile(0.95)}
			b.middle, b.interval = of.summarize(statistic)
			low, high := b.p5, b.p95
			if d.Style == "bars" {
				low, high = b.middle, b.middle
				if !math.IsNaN(b.interval.Low) {
					low, high = b.interval.Low, b.interval.High
				} else {
					missing++
				}
			}
			ends = limits{min(ends.low, low), max(ends.high, high)}
			bars = append(bars, b)
		}
	}
	d.withoutInterval(missing, len(bars))
	return bars, ends
}

// barPlotter draws boxes, or bars with intervals.
type barPlotter struct {
	bars   []bar
	asBars bool
	scale  scale
}

// Widths of the lines of boxes.
const (
	whiskerWidth vg.Length = 0.5
	medianWidth  vg.Length = 1.2
)

// Plot implements plot.Plotter.
func (b barPlotter) Plot(c draw.Canvas, p *plot.Plot) {
	x, place := p.Transforms(&c)
	y := func(v float64) vg.Length { return place(b.scale.of(v)) }
	for _, v := range b.bars {
		left, right := x(v.group+v.at-v.width*0.42), x(v.group+v.at+v.width*0.42)
		if b.asBars {
			b.drawBar(c, v, left, right, y, c.Min.Y)
		} else {
			drawBox(c, v, left, right, y)
		}
	}
}

// drawBar draws a bar from 0, or on a logarithmic axis, where the length of a bar would mean nothing, a point; and the interval.
func (b barPlotter) drawBar(c draw.Canvas, v bar, left, right vg.Length, y func(float64) vg.Length, bottom vg.Length) {
	middle := (left + right) / 2
	whisker := draw.LineStyle{Color: ink, Width: 0.6}
	if b.scale.log {
		whisker.Color = Colour(v.look)
	} else {
		box := vg.Rectangle{Min: vg.Point{X: left, Y: bottom}, Max: vg.Point{X: right, Y: y(v.middle)}}
		c.FillPolygon(barFill(v.look), corners(box))
		outline(c, box, Colour(v.look))
	}
	if !math.IsNaN(v.interval.Low) {
		drawInterval(c, whisker, middle, y(v.interval.Low), y(v.interval.High), min((right-left)*0.25, 2.5))
	}
	if b.scale.log {
		c.DrawGlyph(glyph(v.look), vg.Point{X: middle, Y: y(v.middle)})
	}
}

// drawBox draws quartiles, median, and lines to the 5th and 95th percentile; of one value a point.
func drawBox(c draw.Canvas, v bar, left, right vg.Length, y func(float64) vg.Length) {
	middle := (left + right) / 2
	if v.n == 1 {
		c.DrawGlyph(glyph(v.look), vg.Point{X: middle, Y: y(v.median)})
		return
	}
	colour := Colour(v.look)
	whisker := draw.LineStyle{Color: colour, Width: whiskerWidth}
	c.StrokeLine2(whisker, middle, y(v.p5), middle, y(v.quarter))
	c.StrokeLine2(whisker, middle, y(v.rest), middle, y(v.p95))
	box := vg.Rectangle{Min: vg.Point{X: left, Y: y(v.quarter)}, Max: vg.Point{X: right, Y: y(v.rest)}}
	c.FillPolygon(barFill(v.look), corners(box))
	outline(c, box, colour)
	c.StrokeLine2(draw.LineStyle{Color: colour, Width: medianWidth}, left, y(v.median), right, y(v.median))
}

func outline(c draw.Canvas, box vg.Rectangle, colour color.Color) {
	line := corners(box)
	c.StrokeLines(draw.LineStyle{Color: colour, Width: whiskerWidth}, append(line, line[0], line[1]))
}

// barFill is the inside of the bars of a group: tints that take turns, for grey print.
func barFill(look int) color.NRGBA {
	return tint(Colour(look), [...]float64{0.15, 0.75, 0.4}[look%3])
}

// barSample is a box or point in the legend.
func barSample(look int, point bool) func(draw.Canvas, vg.Rectangle) {
	if point {
		return pointed(glyph(look), nil)
	}
	return func(c draw.Canvas, box vg.Rectangle) {
		c.FillPolygon(barFill(look), corners(box))
		outline(c, box, Colour(look))
	}
}
