package figure

import (
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Sizes of text in a chart, in points, as journals ask for: 7 and above.
const (
	chartTitleSize = 9
	chartTextSize  = 8
	chartKeySize   = 7.5
)

// Spaces of a chart.
const (
	chartMargin vg.Length = 3
	chartPad    vg.Length = 10 // between panels
	chartHead   vg.Length = 3  // below title and legend
)

// chart is panels of the width of a paper's column or page, with title, subtitle and legend above them.
type chart struct {
	title, subtitle string
	key             key
	panels          [][]*plot.Plot // rows of panels of equal size
	width           vg.Length
	height          vg.Length // of a row
}

// newChart is a chart of one panel, of a column's usual shape.
func newChart(d *data, p *plot.Plot) (*chart, error) {
	width, err := d.width()
	if err != nil {
		return nil, err
	}
	return &chart{title: d.title(), subtitle: d.subtitle(), panels: [][]*plot.Plot{{p}}, width: width, height: panelHeightOf(width)}, nil
}

// panelHeightOf is the height of a panel of a chart: three fifths of a column, less of a page.
func panelHeightOf(width vg.Length) vg.Length { return min(width*0.62, 60*vg.Millimeter) }

// entries adds a legend of one group.
func (c *chart) entries(list []keyEntry) {
	if len(list) > 0 {
		c.key = key{chartKeySize, sampleWidth, append(c.key.groups, list)}
	}
}

// figure lays the chart out.
func (c *chart) figure() *Figure {
	inner := c.width - 2*chartMargin
	title := wrap(c.title, textStyle(chartTitleSize).Font, inner)
	subtitle := wrap(c.subtitle, textStyle(labelSize).Font, inner)
	head := vg.Length(len(title))*(chartTitleSize+2) + vg.Length(len(subtitle))*(labelSize+2.5) + chartHead
	top := head + c.key.height(inner)
	rows := vg.Length(len(c.panels))
	f := &Figure{Width: c.width, Height: 2*chartMargin + top + rows*c.height + (rows-1)*chartPad}
	f.draw = func(canvas draw.Canvas) {
		canvas = draw.Crop(canvas, chartMargin, -chartMargin, chartMargin, -chartMargin)
		y := canvas.Max.Y
		for _, part := range []struct {
			lines []string
			size  vg.Length
			lead  vg.Length
		}{{title, chartTitleSize, 2}, {subtitle, labelSize, 2.5}} {
			for _, line := range part.lines {
				style := textStyle(part.size)
				style.YAlign = draw.YTop
				canvas.FillText(style, vg.Point{X: canvas.Min.X, Y: y}, line)
				y -= part.size + part.lead
			}
		}
		c.key.draw(draw.Crop(canvas, 0, 0, 0, -head))
		canvas = draw.Crop(canvas, 0, 0, 0, -top)
		tiles := draw.Tiles{Rows: len(c.panels), Cols: len(c.panels[0]), PadX: chartPad, PadY: chartPad}
		for i, row := range plot.Align(c.panels, tiles, canvas) {
			for j, at := range row {
				c.panels[i][j].Draw(at)
			}
		}
	}
	return f
}

// wrap breaks a text into lines of at most the width, at blanks and after commas. Where viewers lack the font, text gets wider:
// see fontSlack.
func wrap(s string, f font.Font, width vg.Length) (lines []string) {
	face := font.DefaultCache.Lookup(f, f.Size)
	line := ""
	for word := range strings.FieldsSeq(s) {
		space := " "
		for part := range strings.SplitAfterSeq(word, ",") {
			if part == "" {
				continue
			}
			longer := strings.TrimSpace(line + space + part)
			if line != "" && face.Width(longer)*fontSlack > width {
				lines, longer = append(lines, line), part
			}
			line, space = longer, ""
		}
	}
	if line != "" {
		lines = append(lines, line)
	}
	return lines
}

// newPanel is an empty panel of a chart, with light lines at its ticks.
func newPanel(x, y string) *plot.Plot {
	p := newPlot("")
	p.X.Label.Text, p.Y.Label.Text = x, y
	for _, a := range []*plot.Axis{&p.X, &p.Y} {
		a.Label.TextStyle.Font.Size = chartTextSize
		a.Label.Padding = 2
		a.Padding = 0
		a.Tick.Marker = linearTicks(5)
	}
	return p
}

// gridLines adds light lines at the ticks of both axes.
func gridLines(p *plot.Plot, vertical, horizontal bool) {
	g := plotter.NewGrid()
	style := draw.LineStyle{Color: grid, Width: 0.4}
	g.Vertical, g.Horizontal = draw.LineStyle{}, draw.LineStyle{}
	if vertical {
		g.Vertical = style
	}
	if horizontal {
		g.Horizontal = style
	}
	p.Add(g)
}
