package figure

import (
	"fmt"
	"image/color"
	"math"
	"math/rand/v2"
	"slices"

	"braid/analysis/dataset"
	"braid/analysis/stat"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// mostPoints is how many points a cloud has: more would not be seen, and make files of many megabytes.
const mostPoints = 5000

// point is one run.
type point struct {
	x, y  float64
	group int
}

// cloud is points, of which it keeps some, each with the same chance; and their ends.
type cloud struct {
	points []point
	n      int64
	x, y   limits
	random *rand.Rand
}

func newCloud() *cloud {
	none := limits{math.Inf(1), math.Inf(-1)}
	return &cloud{x: none, y: none, random: rand.New(rand.NewPCG(1, 0))}
}

// add takes in a point (Vitter, "Random Sampling with a Reservoir", 1985, algorithm R).
func (c *cloud) add(p point) {
	c.n++
	c.x = limits{min(c.x.low, p.x), max(c.x.high, p.x)}
	c.y = limits{min(c.y.low, p.y), max(c.y.high, p.y)}
	if len(c.points) < mostPoints {
		c.points = append(c.points, p)
	} else if k := c.random.Int64N(c.n); k < mostPoints {
		c.points[k] = p
	}
}

// scatter is the figure scatter.
func scatter(d *data) (*Figure, error) {
	by, err := d.by(1, 3)
	if err != nil {
		return nil, err
	}
	x, err := d.metric(0)
	if err != nil {
		return nil, err
	}
	zoom, err := parseLimits(d.X, x)
	if err != nil {
		return nil, err
	}
	g := newGroups(by)
	if d.With != "" {
		return d.paired(x, g, zoom)
	}
	y, err := d.metric(1)
	if err != nil {
		return nil, err
	}
	points := newCloud()
	columns := map[int]*bandBin{}
	err = d.each(func(c *dataset.Case, i int) error {
		group, ok, err := g.of(c, i)
		if !ok || err != nil {
			return err
		}
		p := point{group: group}
		var has [2]bool
		p.x, has[0] = x.Float(c, i)
		p.y, has[1] = y.Float(c, i)
		if !has[0] || !has[1] || !zoom.within(p.x) {
			return nil
		}
		points.add(p)
		if p.x > 0 {
			k := binOf(p.x)
			if columns[k] == nil {
				columns[k] = &bandBin{}
			}
			columns[k].y.Add(p.y)
			columns[k].logs += math.Log(p.x)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	sx, sy := newScale(x, points.x), newScale(y, points.y)
	c, p, err := d.cloudChart(points, g, x, y, sx, sy, zoom)
	if err != nil {
		return nil, err
	}
	p.X.Label.Text, p.Y.Label.Text = axisLabel(x, sx.unit), axisLabel(y, sy.unit)
	b := newBand(columns, sx, sy)
	hasBand := len(b.x) > 1
	if hasBand {
		p.Add(b)
		c.entries([]keyEntry{{"5th to 95th percentile", filled(bandColour)}, {"median", stroked(bandLine)}})
		slices.Reverse(c.key.groups)
	}
	p.Add(dots{points.points, d.looks(g), sx, sy})
	if hasBand {
		p.Add(median(b))
	}
	return c.figure(), nil
}

// cloudChart is a chart of a panel with axes that hold the points, and a legend of the groups.
func (d *data) cloudChart(points *cloud, g *groups, x, y *dataset.Column, sx, sy scale, zoom *limits) (*chart, *plot.Plot, error) {
	if points.n == 0 {
		return nil, nil, fmt.Errorf("%s: no row has both %s and %s in the range", d.set.Path, x.Name, y.Name)
	}
	if points.n > mostPoints {
		d.notes = append(d.notes, fmt.Sprintf("%d of %d runs are drawn, chosen at random", mostPoints, points.n))
	}
	p := newPanel("", "")
	ends := sx.widen(points.x, 0.03)
	if zoom != nil {
		ends = *zoom
	}
	if err := sx.set(&p.X, ends); err != nil {
		return nil, nil, err
	}
	if err := sy.set(&p.Y, sy.widen(points.y, 0.03)); err != nil {
		return nil, nil, err
	}
	gridLines(p, true, true)
	c, err := newChart(d, p)
	if err != nil {
		return nil, nil, err
	}
	looks := d.looks(g)
	var entries []keyEntry
	for _, k := range g.order() {
		entries = append(entries, keyEntry{g.text(k), pointed(glyph(looks[k]), nil)})
	}
	c.entries(entries)
	c.key.sample = narrowSample
	return c, p, nil
}

// looks are the numbers of colours and points of all groups.
func (d *data) looks(g *groups) []int {
	looks := make([]int, len(g.members))
	for at, k := range g.order() {
		looks[k] = d.look(g, k, at)
	}
	return looks
}

// dots draws points.
type dots struct {
	points []point
	looks  []int // by group
	x, y   scale
}

// Plot implements plot.Plotter.
func (s dots) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	for _, v := range s.points {
		g := glyph(s.looks[v.group])
		g.Radius = 1.2
		if at := (vg.Point{X: x(s.x.of(v.x)), Y: y(s.y.of(v.y))}); c.Contains(at) {
			c.DrawGlyph(g, at)
		}
	}
}

// Looks of bands.
var (
	bandColour = tint(neutral, 0.3)
	bandLine   = draw.LineStyle{Color: ink, Width: 0.8, Dashes: []vg.Length{5, 2}}
)

// band is from the 5th to the 95th percentile of y, with the median, against x, in places on the axes.
type band struct{ x, low, middle, high []float64 }

// bandBin is the values of y in a bin of x.
type bandBin struct {
	y    stat.Distribution
	logs float64 // sum of the logarithms of x
}

// leastInBand is how many runs a bin of x has at least to have a band: fewer have no 5th percentile.
const leastInBand = 20

// newBand makes a band of the values in bins of x.
func newBand(columns map[int]*bandBin, sx, sy scale) (b band) {
	var numbers []int
	for k := range columns {
		numbers = append(numbers, k)
	}
	slices.Sort(numbers)
	for _, k := range numbers {
		v := &columns[k].y
		if v.N() < leastInBand {
			continue
		}
		b.x = append(b.x, sx.of(math.Exp(columns[k].logs/float64(v.N()))))
		b.low, b.middle, b.high = append(b.low, sy.of(v.Quantile(0.05))), append(b.middle, sy.of(v.Quantile(0.5))), append(b.high, sy.of(v.Quantile(0.95)))
	}
	return b
}

// Plot implements plot.Plotter.
func (b band) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	var area []vg.Point
	for i := range b.x {
		area = append(area, vg.Point{X: x(b.x[i]), Y: y(b.low[i])})
	}
	for i := len(b.x) - 1; i >= 0; i-- {
		area = append(area, vg.Point{X: x(b.x[i]), Y: y(b.high[i])})
	}
	c.FillPolygon(bandColour, c.ClipPolygonXY(area))
}

// median is the line in the middle of a band, on a light one that keeps it apart from points.
type median band

// Plot implements plot.Plotter.
func (m median) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	var line []vg.Point
	for i := range m.x {
		line = append(line, vg.Point{X: x(m.x[i]), Y: y(m.middle[i])})
	}
	for _, style := range []draw.LineStyle{{Color: color.White, Width: 2.4}, bandLine} {
		c.StrokeLines(style, c.ClipLinesXY(line)...)
	}
}

// pairBand is the diagonal, and the places that are at most a factor from it.
type pairBand struct {
	factor float64
	scale  scale
	ends   limits
}

// Plot implements plot.Plotter.
func (b pairBand) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	at := func(v, w float64) vg.Point { return vg.Point{X: x(b.scale.of(v)), Y: y(b.scale.of(w))} }
	low, high := b.ends.low, b.ends.high
	if b.factor > 1 {
		f := b.factor
		c.FillPolygon(bandColour, c.ClipPolygonXY([]vg.Point{at(low, low/f), at(high, high/f), at(high, high*f), at(low, low*f)}))
	}
	c.StrokeLines(bandLine, c.ClipLinesXY([]vg.Point{at(low, low), at(high, high)})...)
}

// pairShare of the runs are in the band around the diagonal.
const pairShare = 0.9

// paired draws a metric of the results against the same metric of other results.
func (d *data) paired(metric *dataset.Column, g *groups, zoom *limits) (*Figure, error) {
	points := newCloud()
	var off stat.Distribution // logarithms of the factor between both
	err := d.eachPair(metric, func(c *dataset.Case, i int, x, y float64) error {
		group, ok, err := g.of(c, i)
		if !ok || err != nil || !zoom.within(x) {
			return err
		}
		points.add(point{x, y, group})
		if x > 0 && y > 0 {
			off.Add(math.Abs(math.Log(y / x)))
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	both := limits{min(points.x.low, points.y.low), max(points.x.high, points.y.high)}
	s := newScale(metric, both)
	points.x, points.y = both, both
	c, p, err := d.cloudChart(points, g, metric, metric, s, s, zoom)
	if err != nil {
		return nil, err
	}
	p.X.Label.Text = axisLabel(metric, s.unit) + ", " + printable(d.Results)
	p.Y.Label.Text = axisLabel(metric, s.unit) + ", " + printable(d.With)
	if off.N() > 0 {
		factor := math.Exp(off.Quantile(pairShare))
		p.Add(pairBand{factor, s, s.widen(both, 0.05)})
		c.entries([]keyEntry{
			{fmt.Sprintf("%g %% of the runs: within a factor of %.4g", pairShare*100, factor), filled(bandColour)},
			{"equal", stroked(bandLine)},
		})
		slices.Reverse(c.key.groups)
	}
	p.Add(dots{points.points, d.looks(g), s, s})
	c.height = c.width * 0.8
	if d.Width == "double" {
		c.height = c.width * 0.55
	}
	return c.figure(), nil
}
