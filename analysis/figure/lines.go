package figure

import (
	"fmt"
	"math"

	"braid/analysis/dataset"
	"braid/analysis/stat"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// lines is the figure lines.
func lines(d *data) (*Figure, error) {
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
	zoom, err := parseLimits(d.X, by[0])
	if err != nil {
		return nil, err
	}
	if zoom != nil && !by[0].Number {
		return nil, fmt.Errorf("--x %s: %s is no column of numbers", d.X, by[0].Name)
	}
	s, err := d.collect(metric, by[:1], by[1:])
	if err != nil {
		return nil, err
	}
	return drawLines(d, metric, s, statistic, zoom)
}

// vertex is one point of a line.
type vertex struct {
	x, y     float64 // places on the axes
	interval stat.Interval
}

func drawLines(d *data, metric *dataset.Column, s *samples, statistic string, zoom *limits) (*Figure, error) {
	c, err := newChart(d, nil)
	if err != nil {
		return nil, err
	}
	p := newPanel("", "")
	place, inside, err := s.horizontal(&p.X, c.width-50, zoom)
	if err != nil {
		return nil, err
	}
	points, ends, err := d.vertices(s, statistic, inside)
	if err != nil {
		return nil, err
	}
	y := newScale(metric, ends)
	if ends = y.widen(ends, 0.05); !y.log && ends.low > 0 && ends.low < ends.high/2 {
		ends.low = 0
	}
	if err := y.set(&p.Y, ends); err != nil {
		return nil, err
	}
	p.X.Label.Text, p.Y.Label.Text = s.categories.axisTitle(), axisLabel(metric, y.unit)
	gridLines(p, true, true)
	var entries []keyEntry
	order := s.series.order()
	numbers := s.categories.numbers() // between which a line means something
	for k, g := range order {
		look := d.look(s.series, g, k)
		var line []vertex
		for _, category := range s.categories.order() {
			if v, ok := points[[2]int{category, g}]; ok {
				v.x, v.y = place(category), y.of(v.y)
				v.interval = stat.Interval{Low: y.of(v.interval.Low), High: y.of(v.interval.High)}
				line = append(line, v)
			}
		}
		if len(line) == 0 {
			continue
		}
		// Side by side, so that intervals do not cover each other.
		p.Add(errorLine{line, look, numbers, (vg.Length(k) - vg.Length(len(order)-1)/2) * 1.2})
		entries = append(entries, keyEntry{s.series.text(g), lineSample(look, numbers)})
	}
	c.panels = [][]*plot.Plot{{p}}
	c.subtitle += barLegend(true, false, statistic)
	c.entries(entries)
	return c.figure(), nil
}

// vertices summarizes the samples of the categories that are inside.
func (d *data) vertices(s *samples, statistic string, inside func(category int) bool) (points map[[2]int]vertex, ends limits, err error) {
	points = map[[2]int]vertex{}
	ends = limits{math.Inf(1), math.Inf(-1)}
	missing := 0
	s.each(func(category, series int, of *sample) {
		if !inside(category) {
			return
		}
		v, i := of.summarize(statistic)
		ends = limits{min(ends.low, v), max(ends.high, v)}
		if math.IsNaN(i.Low) {
			missing++
		} else {
			ends = limits{min(ends.low, i.Low), max(ends.high, i.High)}
		}
		points[[2]int{category, series}] = vertex{y: v, interval: i}
	})
	if len(points) == 0 {
		return nil, ends, fmt.Errorf("--x %s: no row is in it", d.X)
	}
	d.withoutInterval(missing, len(points))
	return points, ends, nil
}

// withoutInterval notes how many of the groups have none.
func (d *data) withoutInterval(missing, all int) {
	if missing > 0 {
		d.notes = append(d.notes, fmt.Sprintf("%d of %d groups have no interval: too few runs (a median needs 6, a mean 2)", missing, all))
	}
}

// horizontal makes the axis one of the categories: of numbers where they are numbers. place returns the place of a category,
// inside says whether it is in the range that is drawn.
func (s *samples) horizontal(a *plot.Axis, length vg.Length, zoom *limits) (place func(int) float64, inside func(int) bool, err error) {
	all := func(int) bool { return true }
	if !s.categories.numbers() {
		names, _ := s.categories.names()
		setCategories(a, names, length)
		at := map[int]int{}
		for i, category := range s.categories.order() {
			at[category] = i
		}
		return func(category int) float64 { return float64(at[category]) }, all, nil
	}
	l := s.categories.columns[0]
	value := func(category int) float64 { return l.floats[s.categories.members[category][0]] }
	ends := limits{math.Inf(1), math.Inf(-1)}
	for i := range s.categories.members {
		ends = limits{min(ends.low, value(i)), max(ends.high, value(i))}
	}
	x := newScale(l.column, ends)
	x.unit = l.unit()
	if zoom == nil {
		wide := x.widen(ends, 0.04)
		zoom = &wide
	}
	place = func(category int) float64 { return x.of(value(category)) }
	inside = func(category int) bool { return zoom.within(value(category)) }
	if err := x.set(a, *zoom); err != nil {
		return nil, nil, err
	}
	var levels plot.ConstantTicks
	for _, i := range s.categories.order() {
		if inside(i) {
			levels = append(levels, plot.Tick{Value: place(i), Label: l.text(s.categories.members[i][0])})
		}
	}
	if fit(levels, length/vg.Length(a.Max-a.Min)) {
		a.Tick.Marker = levels
	}
	return place, inside, nil
}

// fit says whether the labels of ticks, in ascending order, stand clear of each other on an axis of so many points a unit.
func fit(ticks plot.ConstantTicks, unit vg.Length) bool {
	style := textStyle(labelSize)
	for i := 1; i < len(ticks); i++ {
		between := (style.Width(ticks[i-1].Label) + style.Width(ticks[i].Label)) / 2 * fontSlack
		if vg.Length(ticks[i].Value-ticks[i-1].Value)*unit < between+4 {
			return false
		}
	}
	return len(ticks) > 1
}

// numbers says whether the groups are numbers of one column.
func (g *groups) numbers() bool { return len(g.columns) == 1 && g.columns[0].column.Number }

// lineSample is the sample of points, joined by a line or not.
func lineSample(look int, joined bool) func(draw.Canvas, vg.Rectangle) {
	if !joined {
		return pointed(glyph(look), nil)
	}
	style := stroke(look)
	return pointed(glyph(look), &style)
}

// axisTitle is the title of an axis of the groups.
func (g *groups) axisTitle() string {
	_, title := g.names()
	return title
}

// errorLine draws a line with points and their intervals.
type errorLine struct {
	vertices []vertex
	look     int
	joined   bool // by a line
	shift    vg.Length
}

// Plot implements plot.Plotter.
func (e errorLine) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	points := make([]vg.Point, len(e.vertices))
	whisker := draw.LineStyle{Color: Colour(e.look), Width: 0.6}
	for i, m := range e.vertices {
		at := x(m.x) + e.shift
		points[i] = vg.Point{X: at, Y: y(m.y)}
		if !math.IsNaN(m.interval.Low) {
			drawInterval(c, whisker, at, y(m.interval.Low), y(m.interval.High), 2)
		}
	}
	if e.joined {
		c.StrokeLines(stroke(e.look), points)
	}
	for _, at := range points {
		c.DrawGlyph(glyph(e.look), at)
	}
}

// drawInterval draws an interval with caps at its ends.
func drawInterval(c draw.Canvas, s draw.LineStyle, x, low, high, cap vg.Length) {
	c.StrokeLine2(s, x, low, x, high)
	c.StrokeLine2(s, x-cap, low, x+cap, low)
	c.StrokeLine2(s, x-cap, high, x+cap, high)
}
