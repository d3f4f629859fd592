package figure

import "image/color"

// palette is the qualitative palette of Okabe and Ito ("Color Universal Design", 2008) with a dark wine as third
// colour. Lightness (CIE L*) of the first three: 46, 71, 25.
var palette = [...]color.NRGBA{
	{0x00, 0x72, 0xB2, 0xFF}, // blue
	{0xE6, 0x9F, 0x00, 0xFF}, // orange
	{0x70, 0x12, 0x45, 0xFF}, // dark wine
	{0x00, 0x9E, 0x73, 0xFF}, // bluish green
	{0x56, 0xB4, 0xE9, 0xFF}, // sky blue
	{0xCC, 0x79, 0xA7, 0xFF}, // reddish purple
	{0xD5, 0x5E, 0x00, 0xFF}, // vermilion
	{0x00, 0x00, 0x00, 0xFF}, // black
}

// Greys of what belongs to no interface.
var (
	ink     = color.NRGBA{0x22, 0x22, 0x22, 0xFF} // text and axes
	neutral = color.NRGBA{0x60, 0x60, 0x60, 0xFF} // samples of shapes
	waiting = color.NRGBA{0x90, 0x90, 0x90, 0xFF}
	grid    = color.NRGBA{0xE4, 0xE4, 0xE4, 0xFF}
)

// Colour returns the colour of the i-th interface, from 0. After the last colour it starts again.
func Colour(i int) color.NRGBA { return palette[i%len(palette)] }

// tint mixes the colour with white; share is what is left of the colour, from 0 to 1.
func tint(c color.NRGBA, share float64) color.NRGBA {
	mix := func(v uint8) uint8 { return uint8(255 - float64((255-float64(v))*share) + 0.5) }
	return color.NRGBA{mix(c.R), mix(c.G), mix(c.B), c.A}
}
