package figure

import (
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Font sizes, in points.
const (
	titleSize = 11
	textSize  = 9
	labelSize = 7
)

// axisLabelHeight is what the label of the time axis needs below the last panel.
const axisLabelHeight vg.Length = 14

// fontSlack is how much wider a text may get where a viewer of SVG has none of the fonts it names, and does not fit texts
// into their measured lengths. What stands beside a text leaves room for it.
const fontSlack = 1.15

// textStyle is dark sans-serif text of the given size.
func textStyle(size vg.Length) text.Style {
	return text.Style{
		Color:   ink,
		Font:    font.Font{Typeface: "Liberation", Variant: "Sans", Size: size},
		XAlign:  text.XLeft,
		YAlign:  text.YBottom,
		Handler: plot.DefaultTextHandler,
	}
}

// newPlot is an empty plot in the style of all figures: thin dark axes, sans-serif text, the title to the left.
func newPlot(title string) *plot.Plot {
	p := plot.New()
	p.BackgroundColor = nil
	restyle := func(s *text.Style, size vg.Length) {
		s.Color, s.Font.Variant, s.Font.Size = ink, "Sans", size
	}
	p.Title.Text = title
	p.Title.Padding = 3
	restyle(&p.Title.TextStyle, textSize)
	for _, a := range []*plot.Axis{&p.X, &p.Y} {
		restyle(&a.Label.TextStyle, textSize)
		restyle(&a.Tick.Label, labelSize)
		a.LineStyle.Color, a.Tick.LineStyle.Color = ink, ink
		a.LineStyle.Width, a.Tick.LineStyle.Width = 0.5, 0.5
		a.Tick.Length = 3
	}
	return p
}

// titleLine is the space a line of a figure's title takes.
const titleLine vg.Length = titleSize + 6

// drawTitle writes the lines of the figure's title at the top left.
func drawTitle(c draw.Canvas, lines []string) {
	style := textStyle(titleSize)
	style.YAlign = text.YTop
	for i, line := range lines {
		c.FillText(style, vg.Point{X: c.Min.X, Y: c.Max.Y - titleLine*vg.Length(i)}, line)
	}
}
