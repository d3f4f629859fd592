package figure

import (
	"fmt"
	"image/color"
	"slices"
	"time"

	"braid/analysis/label"
	"braid/sim"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Sizes of a waterfall. Rows are as high as a label until the panels would be higher than a page; then they shrink, and
// only every so many rows have a label.
const (
	waterfallWidth vg.Length = 720
	rowHeight      vg.Length = 12
	panelsHeight   vg.Length = 760 // of one panel's rows, or of a few panels' rows together
	panelHeight    vg.Length = 400 // what each panel's rows may take at least
	panelMargin    vg.Length = 36  // title and axis of one panel
	panelGap       vg.Length = 12  // between panels
	margin         vg.Length = 8
	labelPitch     vg.Length = 8.5  // least distance of two labels
	labelLength              = 40   // characters
	barShare                 = 0.74 // of a row's height
)

// Load is one panel of a waterfall. The panel's title is Title and the load time.
type Load struct {
	Title string
	Trace *sim.Trace
}

// Waterfall draws loads of one page below each other on one time axis, an object a row, in page order. A bar begins when
// its object may be requested and ends with the object. What the object waits for is told by the bar's shape, the interface by
// its colour: a grey line for a connection or its turn on one, an open box for DNS and handshakes, a light bar for the
// request, a full bar for receiving. Where an object comes over several interfaces, the full bar is divided by their
// bytes. A vertical line marks the load time.
//
// title stands above all panels. There must be at least one load, and all of the same number of objects.
func Waterfall(title string, loads []Load) (*Figure, error) {
	return waterfallOf(title, loads, waterfallLayout{waterfallWidth, textSize, labelLength})
}

// waterfallLayout is the width of a waterfall and what depends on it.
type waterfallLayout struct {
	width, keySize vg.Length
	label          int // characters
}

func waterfallOf(title string, loads []Load, l waterfallLayout) (*Figure, error) {
	if len(loads) == 0 {
		return nil, fmt.Errorf("waterfall: no load to draw")
	}
	title = printable(title)
	objects := len(loads[0].Trace.Objects)
	var last time.Duration
	for _, load := range loads {
		if n := len(load.Trace.Objects); n != objects {
			return nil, fmt.Errorf("waterfall: loads of %d and %d objects (expected loads of one page)", objects, n)
		}
		if err := load.Trace.Check(); err != nil {
			return nil, fmt.Errorf("waterfall: %w", err)
		}
		last = max(last, loadTime(load.Trace))
	}
	height := min(rowHeight, max(panelHeight, panelsHeight/vg.Length(len(loads)))/vg.Length(objects))
	axis := timeAxis(last)
	plots := make([][]*plot.Plot, len(loads))
	for i := range loads {
		plots[i] = []*plot.Plot{waterfallPanel(loads[i], axis, height, l.label)}
	}
	plots[len(plots)-1][0].X.Label.Text = "time since the start of the load (" + axis.unit + ")"

	key := waterfallKey(loads[0].Trace.Spec.Interfaces, slices.ContainsFunc(loads, sharesObjects), l.keySize)
	titles := wrap(title, textStyle(titleSize).Font, l.width-2*margin)
	titleHeight := titleLine * vg.Length(len(titles))
	head := key.height(l.width-2*margin) + titleHeight
	panels := vg.Length(len(loads))
	f := &Figure{
		Width:  l.width,
		Height: 2*margin + head + panels*(height*vg.Length(objects)+panelMargin) + (panels-1)*panelGap + axisLabelHeight,
	}
	f.draw = func(c draw.Canvas) {
		c = draw.Crop(c, margin, -margin, margin, -margin)
		drawTitle(c, titles)
		key.draw(draw.Crop(c, 0, 0, 0, -titleHeight))
		c = draw.Crop(c, 0, 0, 0, -head)
		tiles := draw.Tiles{Rows: len(loads), Cols: 1, PadY: panelGap}
		for i, row := range plot.Align(plots, tiles, c) {
			plots[i][0].Draw(row[0])
		}
	}
	return f, nil
}

// loadTime is the end of the object that ended last.
func loadTime(t *sim.Trace) (last time.Duration) {
	for i := range t.Objects {
		last = max(last, t.Objects[i].End)
	}
	return last
}

// waterfallPanel is the plot of one load: rows from the top, at heights 0, -1, -2, ...
func waterfallPanel(l Load, axis axis, height vg.Length, length int) *plot.Plot {
	n := len(l.Trace.Objects)
	p := newPlot(printable(l.Title) + ": " + axis.text(loadTime(l.Trace)))
	p.X.Min, p.X.Max, p.X.Padding = 0, axis.max, 0
	p.X.Tick.Marker = axis
	p.Y.Min, p.Y.Max, p.Y.Padding = 0.5-float64(n), 0.5, 0
	p.Y.LineStyle.Width = 0
	p.Y.Tick.Length = 0
	var labels plot.ConstantTicks
	step := 1 + int((labelPitch-0.001)/height)
	for i := 0; i < n; i += step {
		labels = append(labels, plot.Tick{Value: -float64(i), Label: label.Object(l.Trace.Spec.Page, i, length)})
	}
	p.Y.Tick.Marker = labels
	p.Y.Padding = widest(labels) * (fontSlack - 1)
	p.Add(bars{l.Trace, axis})
	return p
}

// widest is the width of the widest label of a tick.
func widest(labels []plot.Tick) (width vg.Length) {
	style := textStyle(labelSize)
	for _, l := range labels {
		width = max(width, style.Width(l.Label))
	}
	return width
}

// sharesObjects reports whether an object of the load came over several interfaces.
func sharesObjects(l Load) bool {
	for i := range l.Trace.Objects {
		ifaces := 0
		for _, b := range l.Trace.Objects[i].Bytes {
			if b > 0 {
				ifaces++
			}
		}
		if ifaces > 1 {
			return true
		}
	}
	return false
}

// bars draws the rows of a waterfall.
type bars struct {
	trace *sim.Trace
	axis  axis
}

// Plot implements plot.Plotter.
func (b bars) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	for _, t := range b.axis.Ticks(p.X.Min, p.X.Max) {
		c.StrokeLine2(draw.LineStyle{Color: grid, Width: 0.5}, x(t.Value), c.Min.Y, x(t.Value), c.Max.Y)
	}
	drawMark(c, x(b.axis.of(loadTime(b.trace))), c.Min.Y, c.Max.Y)
	half := (y(1) - y(0)) * barShare / 2
	for i := range b.trace.Objects {
		o := &b.trace.Objects[i]
		middle := y(-float64(i))
		for _, s := range stretches(o.Spans) {
			box := vg.Rectangle{
				Min: vg.Point{X: x(b.axis.of(s.from)), Y: middle - half},
				Max: vg.Point{X: x(b.axis.of(s.to)), Y: middle + half},
			}
			shapes[s.shape](c, box, b.trace, o)
		}
	}
}

// shape is how a phase is drawn.
type shape uint8

const (
	nothing shape = iota
	line
	openBox
	lightBar
	fullBar
)

// shapeOf is the shape of each phase.
var shapeOf = [sim.NumPhases]shape{
	sim.WaitParent:     nothing,
	sim.WaitConnection: line,
	sim.WaitTurn:       line,
	sim.WaitDNS:        openBox,
	sim.WaitHandshake:  openBox,
	sim.WaitTLS:        openBox,
	sim.WaitRequest:    lightBar,
	sim.SlowStart:      fullBar,
	sim.Window:         fullBar,
	sim.Link:           fullBar,
}

// stretch is a time an object is drawn in one shape.
type stretch struct {
	shape    shape
	from, to time.Duration
}

// stretches joins neighbouring spans of the same shape: a download that alternates between window and link is one bar.
func stretches(spans []sim.Span) []stretch {
	var joined []stretch
	for _, s := range spans {
		sh := shapeOf[s.Phase]
		if n := len(joined); n > 0 && joined[n-1].shape == sh {
			joined[n-1].to = s.To
			continue
		}
		joined = append(joined, stretch{sh, s.From, s.To})
	}
	return joined
}

// Widths of lines, and the least width of a bar: an object of a few bytes must be seen, too.
const (
	lineWidth vg.Length = 0.6
	boxWidth  vg.Length = 0.6
	leastBar  vg.Length = 0.8
)

// lightShare is what a light bar keeps of its colour.
const lightShare = 0.35

var shapes = [...]func(c draw.Canvas, box vg.Rectangle, t *sim.Trace, o *sim.ObjectTrace){
	nothing: func(draw.Canvas, vg.Rectangle, *sim.Trace, *sim.ObjectTrace) {},
	line: func(c draw.Canvas, box vg.Rectangle, _ *sim.Trace, _ *sim.ObjectTrace) {
		drawLine(c, box)
	},
	openBox: func(c draw.Canvas, box vg.Rectangle, t *sim.Trace, o *sim.ObjectTrace) {
		drawOpenBox(c, box, Colour(firstIface(t, o)))
	},
	lightBar: func(c draw.Canvas, box vg.Rectangle, t *sim.Trace, o *sim.ObjectTrace) {
		c.FillPolygon(tint(Colour(firstIface(t, o)), lightShare), corners(box))
	},
	fullBar: drawFullBar,
}

// firstIface is the interface of the first subflow of the object's connection.
func firstIface(t *sim.Trace, o *sim.ObjectTrace) int {
	if o.Conn < 0 {
		return 0
	}
	return int(t.Conns[o.Conn].Ifaces[0])
}

// drawLine draws a wait through the middle of the box. In low rows the line is thinner, so that waits do not merge.
func drawLine(c draw.Canvas, box vg.Rectangle) {
	y := (box.Min.Y + box.Max.Y) / 2
	width := min(lineWidth, (box.Max.Y-box.Min.Y)/3)
	c.StrokeLine2(draw.LineStyle{Color: waiting, Width: width}, box.Min.X, y, box.Max.X, y)
}

// drawMark draws the vertical line of a load time.
func drawMark(c draw.Canvas, x, low, high vg.Length) {
	c.StrokeLine2(draw.LineStyle{Color: ink, Width: 0.6, Dashes: []vg.Length{3, 2}}, x, low, x, high)
}

// drawOpenBox draws the box's outline inside the box.
func drawOpenBox(c draw.Canvas, box vg.Rectangle, colour color.NRGBA) {
	inset := min(boxWidth, (box.Max.X-box.Min.X)/2, (box.Max.Y-box.Min.Y)/2) / 2
	box.Min.X, box.Min.Y, box.Max.X, box.Max.Y = box.Min.X+inset, box.Min.Y+inset, box.Max.X-inset, box.Max.Y-inset
	outline := corners(box)
	c.StrokeLines(draw.LineStyle{Color: colour, Width: boxWidth}, append(outline, outline[0], outline[1]))
}

// drawFullBar divides the bar's height between the interfaces by the bytes that came over them, the first interface on top.
func drawFullBar(c draw.Canvas, box vg.Rectangle, t *sim.Trace, o *sim.ObjectTrace) {
	box.Max.X = max(box.Max.X, box.Min.X+leastBar)
	var all int64
	for _, b := range o.Bytes {
		all += b
	}
	if all == 0 {
		c.FillPolygon(Colour(firstIface(t, o)), corners(box))
		return
	}
	height := box.Max.Y - box.Min.Y
	for i, b := range o.Bytes {
		if b == 0 {
			continue
		}
		part := box
		part.Min.Y = box.Max.Y - height*vg.Length(b)/vg.Length(all)
		c.FillPolygon(Colour(i), corners(part))
		box.Max.Y = part.Min.Y
	}
}

func corners(r vg.Rectangle) []vg.Point {
	return []vg.Point{r.Min, {X: r.Max.X, Y: r.Min.Y}, r.Max, {X: r.Min.X, Y: r.Max.Y}}
}
