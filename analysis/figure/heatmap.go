package figure

import (
	"image/color"
	"math"
	"slices"

	"braid/analysis/dataset"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// heatmap is the figure heatmap.
func heatmap(d *data) (*Figure, error) {
	metric, err := d.metric(0)
	if err != nil {
		return nil, err
	}
	by, err := d.by(2, 2)
	if err != nil {
		return nil, err
	}
	statistic, err := d.statistic()
	if err != nil {
		return nil, err
	}
	s, err := d.collect(metric, by[:1], by[1:])
	if err != nil {
		return nil, err
	}
	return drawHeatmap(d, metric, s, statistic)
}

func drawHeatmap(d *data, metric *dataset.Column, s *samples, statistic string) (*Figure, error) {
	c, err := newChart(d, nil)
	if err != nil {
		return nil, err
	}
	ends := limits{math.Inf(1), math.Inf(-1)}
	values := map[[2]int]float64{}
	s.each(func(category, series int, of *sample) {
		v, _ := of.summarize(statistic)
		values[[2]int{category, series}] = v
		ends = limits{min(ends.low, v), max(ends.high, v)}
	})
	shade := newScale(metric, ends)
	columns, xTitle := s.categories.names()
	rows, yTitle := s.series.names()
	rowOrder := s.series.order()
	if !s.series.columns[0].column.Number {
		// The first one on top.
		slices.Reverse(rows)
		slices.Reverse(rowOrder)
	}
	p := newPanel(xTitle, yTitle)
	setCategories(&p.X, columns, c.width-50)
	setCategories(&p.Y, rows, 1000) // the labels of rows stand beside each other
	h := heat{columns: len(columns), rows: len(rows), ends: ends, scale: shade}
	for x, category := range s.categories.order() {
		for y, series := range rowOrder {
			if v, ok := values[[2]int{category, series}]; ok {
				h.cells = append(h.cells, cell{x, y, v})
			}
		}
	}
	p.Add(h)
	c.panels = [][]*plot.Plot{{p}}
	c.height = max(c.height, vg.Length(len(rows))*11+40)
	unitName := shade.unit.name
	if unitName != "" {
		unitName = " " + unitName
	}
	c.subtitle = statistic + " of " + titleOf(metric) + ", " + c.subtitle
	c.entries([]keyEntry{{short(ends.low/shade.unit.in) + " to " + short(ends.high/shade.unit.in) + unitName + logText(shade.log), drawShades}})
	c.key.sample = 60
	return c.figure(), nil
}

func logText(log bool) string {
	if log {
		return ", logarithmic"
	}
	return ""
}

// cell is one value of a heat map.
type cell struct {
	x, y  int
	value float64
}

// heat draws the cells of a heat map, each with its value where it fits.
type heat struct {
	columns, rows int
	cells         []cell
	ends          limits
	scale         scale
}

// Plot implements plot.Plotter.
func (h heat) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	style := centred(labelSize)
	fits := y(1)-y(0) >= labelSize*1.1
	for _, v := range h.cells {
		fits = fits && style.Width(short(v.value/h.scale.unit.in))*fontSlack < x(1)-x(0)
	}
	for _, v := range h.cells {
		box := vg.Rectangle{
			Min: vg.Point{X: x(float64(v.x) - 0.5), Y: y(float64(v.y) - 0.5)},
			Max: vg.Point{X: x(float64(v.x) + 0.5), Y: y(float64(v.y) + 0.5)},
		}
		share := h.share(v.value)
		c.FillPolygon(heatColour(share), corners(box))
		outline(c, box, color.White)
		if fits {
			style.Color = color.White
			if share > darkUpTo {
				style.Color = ink
			}
			c.FillText(style, vg.Point{X: (box.Min.X + box.Max.X) / 2, Y: (box.Min.Y + box.Max.Y) / 2}, short(v.value/h.scale.unit.in))
		}
	}
}

// share is how far a value is from the least to the greatest.
func (h heat) share(v float64) float64 {
	low, high := h.scale.of(h.ends.low), h.scale.of(h.ends.high)
	if low == high {
		return 0.5
	}
	return (h.scale.of(v) - low) / (high - low)
}

// heatColours go evenly from dark to light, so that they are read alike in grey and by colour-blind readers: nine of the colours of
// cividis (Nunez, Anderton, Renslow: "Optimizing colormaps with consideration for color vision deficiency", 2018).
var heatColours = [...]color.NRGBA{
	{0x00, 0x22, 0x4E, 0xFF}, {0x12, 0x35, 0x70, 0xFF}, {0x3B, 0x49, 0x6C, 0xFF}, {0x57, 0x5D, 0x6D, 0xFF}, {0x70, 0x71, 0x73, 0xFF},
	{0x8A, 0x86, 0x78, 0xFF}, {0xA5, 0x9C, 0x74, 0xFF}, {0xC3, 0xB3, 0x69, 0xFF}, {0xE1, 0xCC, 0x55, 0xFF}, {0xFE, 0xE8, 0x38, 0xFF},
}

// darkUpTo is the share up to which white text is read better than dark.
const darkUpTo = 0.55

// heatColour is the colour of a share from 0 to 1.
func heatColour(share float64) color.NRGBA {
	at := share * float64(len(heatColours)-1)
	i := min(int(at), len(heatColours)-2)
	a, b, f := heatColours[i], heatColours[i+1], at-float64(i)
	mix := func(x, y uint8) uint8 { return uint8(float64(x) + float64((float64(y)-float64(x))*f) + 0.5) }
	return color.NRGBA{mix(a.R, b.R), mix(a.G, b.G), mix(a.B, b.B), 0xFF}
}

// drawShades is the sample of all colours of a heat map.
func drawShades(c draw.Canvas, box vg.Rectangle) {
	const parts = 60
	width := (box.Max.X - box.Min.X) / parts
	for i := range parts {
		part := box
		part.Min.X = box.Min.X + vg.Length(i)*width
		part.Max.X = part.Min.X + width + 0.1 // no seams
		c.FillPolygon(heatColour(float64(i)/(parts-1)), corners(part))
	}
}
