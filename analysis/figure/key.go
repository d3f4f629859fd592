package figure

import (
	"fmt"
	"image/color"

	"braid/analysis/label"
	"braid/sim"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// key is a legend that stands above the panels, so that it covers no data. Each group of entries starts a line; within it
// entries run from left to right and wrap.
type key struct {
	size   vg.Length // of the text
	sample vg.Length // width of a sample
	groups [][]keyEntry
}

type keyEntry struct {
	name   string
	sample func(c draw.Canvas, box vg.Rectangle) // nil: a text alone
}

// Sizes of a legend's samples and the space between entries.
const (
	sampleWidth  vg.Length = 22
	narrowSample vg.Length = 9 // of boxes and points
	sampleHeight vg.Length = 8
	sampleGap    vg.Length = 5
	entryGap     vg.Length = 20.0 / textSize // times the size of the text
	keyMargin    vg.Length = 6
)

// waterfallKey names the interfaces by colour, then the phases by shape, in a colour that is no interface's. shared says
// that some object came over several interfaces.
func waterfallKey(ifaces []sim.Interface, shared bool, size vg.Length) key {
	var networks []keyEntry
	for i, f := range ifaces {
		networks = append(networks, keyEntry{ifaceText(f), filled(Colour(i))})
	}
	phases := []keyEntry{
		{"waiting for a connection", drawLine},
		{"DNS, handshake, TLS", func(c draw.Canvas, box vg.Rectangle) { drawOpenBox(c, box, neutral) }},
		{"request", filled(tint(neutral, lightShare))},
		{"receiving", filled(neutral)},
		{"load time", func(c draw.Canvas, box vg.Rectangle) {
			drawMark(c, (box.Min.X+box.Max.X)/2, box.Min.Y-2, box.Max.Y+2)
		}},
	}
	if shared {
		phases = append(phases, keyEntry{"over several networks: heights are shares of the object's bytes", drawShares})
	}
	return key{size, sampleWidth, [][]keyEntry{networks, phases}}
}

// ifaceText is an interface in the legend: its name, rate, RTT and, where given, the time of name resolution.
func ifaceText(f sim.Interface) string {
	s := fmt.Sprintf("%s (%v, %v", label.ASCII(f.Name), f.Rate, f.RTT)
	if f.DNS > 0 {
		s += fmt.Sprintf(", dns %v", f.DNS)
	}
	return s + ")"
}

// drawShares is the sample of a bar that is divided between interfaces.
func drawShares(c draw.Canvas, box vg.Rectangle) {
	low := box
	low.Max.Y = box.Min.Y + (box.Max.Y-box.Min.Y)*0.6
	box.Min.Y = low.Max.Y
	c.FillPolygon(Colour(0), corners(box))
	c.FillPolygon(Colour(1), corners(low))
}

// filled is a sample of one colour.
func filled(colour color.NRGBA) func(draw.Canvas, vg.Rectangle) {
	return func(c draw.Canvas, box vg.Rectangle) { c.FillPolygon(colour, corners(box)) }
}

// line is the height of a line.
func (k key) line() vg.Length { return k.size + 6 }

// indent is the space an entry's sample takes.
func (k key) indent(e keyEntry) vg.Length {
	if e.sample == nil {
		return 0
	}
	return k.sample + sampleGap
}

// place calls at with the left end and the line, from 0, of each entry, and returns the number of lines.
func (k key) place(width vg.Length, at func(e keyEntry, x vg.Length, line int)) (lines int) {
	style := textStyle(k.size)
	for _, group := range k.groups {
		var x vg.Length
		for _, e := range group {
			w := k.indent(e) + style.Width(e.name)*fontSlack
			if x > 0 && x+w > width {
				x = 0
				lines++
			}
			at(e, x, lines)
			x += w + entryGap*k.size
		}
		lines++
	}
	return lines
}

// height is what the legend takes at the given width.
func (k key) height(width vg.Length) vg.Length {
	if len(k.groups) == 0 {
		return 0
	}
	return k.line()*vg.Length(k.place(width, func(keyEntry, vg.Length, int) {})) + keyMargin
}

// draw draws the legend at the top of the canvas.
func (k key) draw(c draw.Canvas) {
	style := textStyle(k.size)
	style.YAlign = text.YCenter
	k.place(c.Max.X-c.Min.X, func(e keyEntry, x vg.Length, line int) {
		left, middle := c.Min.X+x, c.Max.Y-k.line()*(vg.Length(line)+0.5)
		if e.sample != nil {
			e.sample(c, vg.Rectangle{
				Min: vg.Point{X: left, Y: middle - sampleHeight/2},
				Max: vg.Point{X: left + k.sample, Y: middle + sampleHeight/2},
			})
		}
		c.FillText(style, vg.Point{X: left + k.indent(e), Y: middle}, e.name)
	})
}
