package figure

import (
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// dashes tell lines apart where colours do not: in grey print.
var dashes = [...][]vg.Length{
	nil,
	{4, 1.5},
	{1, 1.2},
	{5, 1.3, 1, 1.3},
	{2.2, 1.2},
	{8, 2},
	{5, 1.2, 1, 1.2, 1, 1.2},
}

// glyphs tell points apart where colours do not.
var glyphs = [...]draw.GlyphDrawer{
	draw.CircleGlyph{}, draw.BoxGlyph{}, draw.TriangleGlyph{}, draw.PlusGlyph{}, draw.RingGlyph{}, draw.SquareGlyph{}, draw.CrossGlyph{},
	draw.PyramidGlyph{},
}

// strokeWidth of lines of data.
const strokeWidth vg.Length = 1

// stroke is the line of the i-th group. Colours and dashes repeat after different numbers of groups, 8 and 7, so that 56 groups
// differ.
func stroke(i int) draw.LineStyle {
	return draw.LineStyle{Color: Colour(i), Width: strokeWidth, Dashes: dashes[i%len(dashes)]}
}

// glyph is the point of the i-th group.
func glyph(i int) draw.GlyphStyle {
	return draw.GlyphStyle{Color: Colour(i), Radius: 1.8, Shape: glyphs[i%len(glyphs)]}
}

// stroked is the sample of a line.
func stroked(s draw.LineStyle) func(draw.Canvas, vg.Rectangle) {
	return func(c draw.Canvas, box vg.Rectangle) {
		y := (box.Min.Y + box.Max.Y) / 2
		c.StrokeLine2(s, box.Min.X, y, box.Max.X, y)
	}
}

// pointed is the sample of points, on their line where there is one.
func pointed(g draw.GlyphStyle, line *draw.LineStyle) func(draw.Canvas, vg.Rectangle) {
	return func(c draw.Canvas, box vg.Rectangle) {
		if line != nil {
			stroked(*line)(c, box)
		}
		c.DrawGlyph(g, vg.Point{X: (box.Min.X + box.Max.X) / 2, Y: (box.Min.Y + box.Max.Y) / 2})
	}
}
