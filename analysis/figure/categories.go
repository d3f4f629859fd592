package figure

import (
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// setCategories makes an axis one of names at 0, 1, 2, ... Where they do not fit beside each other on the length, they are
// written at a slant.
func setCategories(a *plot.Axis, names []string, length vg.Length) {
	ticks := make(plot.ConstantTicks, len(names))
	for i, n := range names {
		ticks[i] = plot.Tick{Value: float64(i), Label: n}
	}
	a.Min, a.Max = -0.5, float64(len(names))-0.5
	a.Tick.Marker = ticks
	a.Tick.Length = 0
	if widest(ticks)*fontSlack+3 > length/vg.Length(len(names)) {
		a.Tick.Label.Rotation = math.Pi / 4
		a.Tick.Label.XAlign, a.Tick.Label.YAlign = draw.XRight, draw.YTop
	}
}

// names lists the groups as they are drawn, in the texts of an axis; its label is title.
func (g *groups) names() (names []string, title string) {
	if len(g.columns) == 1 {
		l := g.columns[0]
		for _, k := range g.order() {
			names = append(names, l.text(g.members[k][0]))
		}
		return names, axisLabel(l.column, l.unit())
	}
	for _, k := range g.order() {
		names = append(names, g.text(k))
	}
	return names, ""
}

// between are light lines between categories.
type between int // categories

// Plot implements plot.Plotter.
func (b between) Plot(c draw.Canvas, p *plot.Plot) {
	x, _ := p.Transforms(&c)
	for i := 1; i < int(b); i++ {
		at := x(float64(i) - 0.5)
		c.StrokeLine2(draw.LineStyle{Color: grid, Width: 0.4}, at, c.Min.Y, at, c.Max.Y)
	}
}

// centred is text in the middle of a place.
func centred(size vg.Length) text.Style {
	s := textStyle(size)
	s.XAlign, s.YAlign = text.XCenter, text.YCenter
	return s
}
