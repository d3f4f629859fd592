package figure

import (
	"fmt"
	"image/color"
	"slices"
	"strconv"
	"strings"

	"braid/analysis/dataset"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// classes are ranges of a metric: below the first bound, equal to it, up to each further bound, above the last.
type classes []float64

// defaultClasses are those of the Socket Intents paper (section VII): up to 2, 2 to 5, above 5.
var defaultClasses = classes{1, 2, 5}

// parseClasses reads the bounds.
func parseClasses(list []string, c *dataset.Column) (classes, error) {
	if len(list) == 0 {
		return defaultClasses, nil
	}
	var bounds classes
	for _, text := range list {
		v, err := c.Parse(text)
		if err != nil {
			return nil, fmt.Errorf("--classes %s: %w", text, err)
		}
		if n := len(bounds); n > 0 && !(bounds[n-1] < v) {
			return nil, fmt.Errorf("--classes %s: the bounds do not ascend", strings.Join(list, ","))
		}
		bounds = append(bounds, v)
	}
	if len(bounds) > len(classColours)-2 {
		return nil, fmt.Errorf("--classes has %d bounds (expected at most %d)", len(bounds), len(classColours)-2)
	}
	return bounds, nil
}

// of is the number of the class of a value.
func (c classes) of(v float64) int {
	if v < c[0] {
		return 0
	}
	for i, bound := range c {
		if v <= bound {
			return i + 1
		}
	}
	return len(c) + 1
}

// names of the classes, with the bounds in a unit.
func (c classes) names(u unit) []string {
	text := func(v float64) string { return strings.TrimSpace(short(v/u.in) + " " + u.name) }
	names := []string{"below " + text(c[0]), "equal " + text(c[0])}
	for i := 1; i < len(c); i++ {
		names = append(names, short(c[i-1]/u.in)+" to "+text(c[i]))
	}
	return append(names, "above "+text(c[len(c)-1]))
}

// classColours are dark for what is below, light for what is equal, and darker the further above.
var classColours = []color.NRGBA{palette[2], {0xE8, 0xE8, 0xE8, 0xFF}, tint(palette[4], 0.5), tint(palette[0], 0.65), tint(palette[0], 0.95), {0x00, 0x35, 0x55, 0xFF}, {0, 0, 0, 0xFF}}

// binnedECDF is the figure binned-ecdf.
func binnedECDF(d *data) (*Figure, error) {
	metric, err := d.metric(0)
	if err != nil {
		return nil, err
	}
	by, err := d.by(1, 2)
	if err != nil {
		return nil, err
	}
	bounds, err := parseClasses(d.Classes, metric)
	if err != nil {
		return nil, err
	}
	n := len(bounds) + 2
	counted := make([]*bins, len(by))
	for k, c := range by {
		counted[k] = newBins(c, n)
	}
	seen := make([]int64, n)
	err = d.each(func(c *dataset.Case, i int) error {
		v, ok := metric.Float(c, i)
		if !ok {
			return nil
		}
		class := bounds.of(v)
		seen[class]++
		for _, b := range counted {
			if err := b.add(c, i, class); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if !slices.ContainsFunc(seen, func(n int64) bool { return n > 0 }) {
		return nil, fmt.Errorf("%s: no row has a %s", d.set.Path, metric.Name)
	}
	return drawBinned(d, metric, bounds, counted, seen)
}

func drawBinned(d *data, metric *dataset.Column, bounds classes, counted []*bins, seen []int64) (*Figure, error) {
	c, err := newChart(d, nil)
	if err != nil {
		return nil, err
	}
	var panels []*plot.Plot
	beside := d.Width == "double"
	length := c.width - 45
	if beside {
		length = c.width/vg.Length(len(counted)) - 45
	}
	for _, b := range counted {
		t := b.table()
		p := newPanel(t.label, "share of cases")
		t.setAxis(&p.X, length)
		// Above the bars stand the numbers of cases.
		p.Y.Min, p.Y.Max = 0, 1.08
		p.Y.Tick.Marker = plot.ConstantTicks(linearTicks(5).Ticks(0, 1))
		p.Add(stacks{t.counts})
		panels = append(panels, p)
	}
	if beside {
		for _, p := range panels[1:] {
			p.Y.Label.Text = ""
		}
		c.panels = [][]*plot.Plot{panels}
	} else {
		c.panels = nil
		for _, p := range panels {
			c.panels = append(c.panels, []*plot.Plot{p})
		}
	}
	c.subtitle += "; numbers of cases above"
	names := bounds.names(unitFor(metric.Unit, bounds[len(bounds)-1]))
	entries := []keyEntry{{titleOf(metric), nil}}
	for class, name := range names {
		if seen[class] > 0 {
			entries = append(entries, keyEntry{name, bordered(classColours[class])})
		}
	}
	c.entries(entries)
	c.key.sample = narrowSample
	return c.figure(), nil
}

// setAxis puts the names below the stacks, or the begins of bins between them.
func (t *table) setAxis(a *plot.Axis, length vg.Length) {
	if t.names != nil {
		setCategories(a, t.names, length)
		return
	}
	setCategories(a, t.edges, length)
	ticks := a.Tick.Marker.(plot.ConstantTicks)
	for i := range ticks {
		ticks[i].Value -= 0.5
	}
	a.Min, a.Max = -0.5, float64(len(t.counts))-0.5
	a.Tick.Length = 3
}

// stacks draws a stack of shares for each level, the lowest class at the bottom.
type stacks struct{ counts [][]int64 }

// Widths of stacks.
const (
	stackShare            = 0.9 // of the width of a level
	countSize   vg.Length = 6
	stackBorder vg.Length = 0.3
)

// Plot implements plot.Plotter.
func (s stacks) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	style := centred(countSize)
	for i, counts := range s.counts {
		var all, below int64
		for _, n := range counts {
			all += n
		}
		if all == 0 {
			continue
		}
		left, right := x(float64(i)-stackShare/2), x(float64(i)+stackShare/2)
		for class, n := range counts {
			if n == 0 {
				continue
			}
			box := vg.Rectangle{
				Min: vg.Point{X: left, Y: y(float64(below) / float64(all))},
				Max: vg.Point{X: right, Y: y(float64(below+n) / float64(all))},
			}
			below += n
			c.FillPolygon(classColours[class], corners(box))
			line := corners(box)
			c.StrokeLines(draw.LineStyle{Color: ink, Width: stackBorder}, append(line, line[0], line[1]))
		}
		if text := strconv.FormatInt(all, 10); style.Width(text) < x(1)-x(0) {
			c.FillText(style, vg.Point{X: (left + right) / 2, Y: y(1.04)}, text)
		}
	}
}

// bordered is a sample of one colour with a border.
func bordered(colour color.NRGBA) func(draw.Canvas, vg.Rectangle) {
	return func(c draw.Canvas, box vg.Rectangle) {
		c.FillPolygon(colour, corners(box))
		outline(c, box, ink)
	}
}
