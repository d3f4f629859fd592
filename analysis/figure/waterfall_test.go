package figure

import (
	"bytes"
	"encoding/xml"
	"flag"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"braid/sim"
	"braid/sim/page"
	"braid/sim/units"
)

var update = flag.Bool("update", false, "write the golden images anew")

const ms = time.Millisecond

var networks = []sim.Interface{
	{Name: "wifi", Rate: 6 * units.MbitPerSecond, RTT: 20 * ms},
	{Name: "lte", Rate: 20 * units.MbitPerSecond, RTT: 50 * ms, DNS: 15 * ms},
}

// recorder builds traces by hand.
type recorder struct {
	t  *testing.T
	tr *sim.Trace
}

func record(t *testing.T, p *page.Page) recorder {
	t.Helper()
	return recorder{t, sim.NewTrace(&sim.Spec{Page: p, Interfaces: networks})}
}

// open opens the next connection over the interfaces.
func (r recorder) open(at time.Duration, ifaces ...int8) int32 {
	conn := int32(len(r.tr.Conns))
	r.tr.Opened(conn, 0, ifaces, at)
	return conn
}

// object reports an object's phases: pairs of a phase and its start, Done last.
func (r recorder) object(i, conn int32, bytes [2]int64, steps ...any) {
	r.tr.Assigned(i, conn, 0)
	for k := 0; k < len(steps); k += 2 {
		r.tr.Phase(i, steps[k].(sim.Phase), steps[k+1].(time.Duration))
	}
	for f, b := range bytes {
		r.tr.Delivered(i, int8(f), b)
	}
}

func newPage(t *testing.T, objects []page.Object) *page.Page {
	t.Helper()
	p, err := page.New("example", objects)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// fiveObjects are two loads of a page with every shape a waterfall has: over single interfaces, and over both at once.
func fiveObjects(t *testing.T) []Load {
	p := newPage(t, []page.Object{
		{Host: "a.example", Bytes: 10_000, After: page.None},
		{Host: "a.example", Bytes: 40_000, After: 0},
		{Host: "a.example", Bytes: 30_000, After: 0},
		{Host: "a.example", Bytes: 0, After: 0},
		{Host: "a.example", Bytes: 80_000, After: 1},
	})
	p.Recorded = make([]page.Recorded, 5)
	for i, path := range []string{"/", "/static/scripts/vendor/jquery-3.7.1.slim.min.js?v=12", "/style.css", "/pixel.gif", "/h\u00e9ro.jpg"} {
		p.Recorded[i].URL = "https://a.example" + path
	}
	single := record(t, p)
	c := single.open(0, 0)
	single.object(0, c, [2]int64{10_000, 0}, sim.WaitDNS, 0*ms, sim.WaitHandshake, 15*ms, sim.WaitTLS, 35*ms, sim.WaitRequest, 55*ms, sim.SlowStart, 75*ms, sim.Link, 85*ms, sim.Done, 95*ms)
	single.object(1, c, [2]int64{40_000, 0}, sim.WaitParent, 0*ms, sim.WaitRequest, 95*ms, sim.SlowStart, 115*ms, sim.Done, 170*ms)
	single.object(2, c, [2]int64{30_000, 0}, sim.WaitParent, 0*ms, sim.WaitConnection, 95*ms, sim.WaitRequest, 170*ms, sim.Link, 190*ms, sim.Done, 230*ms)
	single.object(3, c, [2]int64{0, 0}, sim.WaitParent, 0*ms, sim.WaitConnection, 95*ms, sim.WaitRequest, 230*ms, sim.Done, 250*ms)
	single.object(4, c, [2]int64{80_000, 0}, sim.WaitParent, 0*ms, sim.WaitTurn, 170*ms, sim.WaitRequest, 250*ms, sim.Link, 270*ms, sim.Done, 377*ms)

	both := record(t, p)
	c0, c1, c2 := both.open(0, 0), both.open(95*ms, 1), both.open(95*ms, 0, 1)
	both.object(0, c0, [2]int64{10_000, 0}, sim.WaitHandshake, 0*ms, sim.WaitRequest, 40*ms, sim.SlowStart, 75*ms, sim.Done, 95*ms)
	both.object(1, c0, [2]int64{40_000, 0}, sim.WaitParent, 0*ms, sim.WaitRequest, 95*ms, sim.SlowStart, 115*ms, sim.Done, 170*ms)
	both.object(2, c1, [2]int64{0, 30_000}, sim.WaitParent, 0*ms, sim.WaitHandshake, 95*ms, sim.WaitRequest, 145*ms, sim.Link, 195*ms, sim.Done, 215*ms)
	both.object(3, c1, [2]int64{0, 0}, sim.WaitParent, 0*ms, sim.WaitConnection, 95*ms, sim.WaitRequest, 170*ms, sim.Done, 190*ms)
	both.object(4, c2, [2]int64{20_000, 60_000}, sim.WaitParent, 0*ms, sim.WaitHandshake, 170*ms, sim.WaitRequest, 190*ms, sim.SlowStart, 210*ms, sim.Link, 240*ms, sim.Done, 290*ms)
	return []Load{{"if1", single.tr}, {"eaf-mptcp", both.tr}}
}

// manyObjects is a load of n objects on 24 connections, with made-up times.
func manyObjects(t *testing.T, n int) Load {
	objects := make([]page.Object, n)
	for i := range objects {
		objects[i] = page.Object{Host: fmt.Sprintf("host%d.example", i%7), Bytes: 5000, After: page.None}
		if i > 0 {
			objects[i].After = int32(i / 6)
		}
	}
	r := record(t, newPage(t, objects))
	rnd := rand.New(rand.NewPCG(1, 2))
	busy := make([]time.Duration, 24)
	end := make([]time.Duration, n)
	for i := range objects {
		var at time.Duration
		if i > 0 {
			at = end[objects[i].After]
		}
		k := rnd.IntN(len(busy))
		iface := int8(k % 2)
		c := r.open(at, iface)
		start := max(at, busy[k])
		request := start + networks[iface].RTT*time.Duration(rnd.IntN(2))
		first := request + networks[iface].RTT
		end[i] = first + time.Duration(rnd.IntN(60))*ms
		busy[k] = end[i]
		bytes := [2]int64{}
		bytes[iface] = 5000
		r.object(int32(i), c, bytes, sim.WaitParent, 0*ms, sim.WaitConnection, at, sim.WaitHandshake, start, sim.WaitRequest, request, sim.Link, first, sim.Done, end[i])
	}
	return Load{"eaf", r.tr}
}

func drawn(t *testing.T, f *Figure, format string) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := f.Write(&b, format); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestWaterfallGolden(t *testing.T) {
	for name, loads := range map[string][]Load{
		"five_objects": fiveObjects(t),
		"many_objects": {manyObjects(t, 200)},
	} {
		t.Run(name, func(t *testing.T) {
			f, err := Waterfall("example: "+strings.ReplaceAll(name, "_", " "), loads)
			if err != nil {
				t.Fatal(err)
			}
			compare(t, drawn(t, f, "png"), name)
		})
	}
}

func TestFiguresAreReproducible(t *testing.T) {
	for _, format := range Formats {
		var images [3][]byte
		for i := range images {
			f, err := Waterfall("example", fiveObjects(t))
			if err != nil {
				t.Fatal(err)
			}
			images[i] = drawn(t, f, format)
		}
		if !bytes.Equal(images[0], images[1]) || !bytes.Equal(images[0], images[2]) {
			t.Errorf("%s: the same figure has different bytes", format)
		}
	}
}

// However many objects and loads, a figure stays within a few pages.
func TestWaterfallSize(t *testing.T) {
	for _, n := range []int{1, 50, 500, 3000} {
		load := manyObjects(t, n)
		for _, panels := range []int{1, 7} {
			loads := make([]Load, panels)
			for i := range loads {
				loads[i] = load
			}
			f, err := Waterfall("", loads)
			if err != nil {
				t.Fatal(err)
			}
			most := panelsHeight
			if panels > 1 {
				most = 7 * panelHeight
			}
			if f.Height > most+7*(panelMargin+panelGap)+80 || f.Height < 60 {
				t.Errorf("%d objects, %d panels: %v points high", n, panels, f.Height)
			}
		}
	}
}

func TestWaterfallRefuses(t *testing.T) {
	if _, err := Waterfall("", nil); err == nil {
		t.Error("a waterfall without loads is drawn")
	}
	if _, err := Waterfall("", []Load{manyObjects(t, 3), manyObjects(t, 4)}); err == nil {
		t.Error("loads of different pages are drawn")
	}
	unfinished := record(t, newPage(t, []page.Object{{Host: "a", After: page.None}}))
	if _, err := Waterfall("", []Load{{"", unfinished.tr}}); err == nil {
		t.Error("a load that never ended is drawn")
	}
}

func TestFormat(t *testing.T) {
	for path, want := range map[string]string{"a.svg": "svg", "dir.d/b.PDF": "pdf", "c.png": "png"} {
		if got, err := Format(path); got != want || err != nil {
			t.Errorf("%s: %q, %v; want %q", path, got, err, want)
		}
	}
	for _, path := range []string{"a.jpg", "a", "", "svg"} {
		if _, err := Format(path); err == nil || !strings.Contains(err.Error(), ".svg, .pdf, .png") {
			t.Errorf("%q: error %v, want one that lists the extensions", path, err)
		}
	}
	f := &Figure{Width: 10, Height: 10}
	if err := f.Write(&bytes.Buffer{}, "gif"); err == nil {
		t.Error("a gif is written")
	}
}

// SVG text may be in any of several families: a machine without the first one must not fall back to a serif face. What
// is in a URL or a title does not break the document.
func TestSVG(t *testing.T) {
	loads := fiveObjects(t)
	loads[0].Title = "<&>"
	f, err := Waterfall("<title> & m\u00f6re"+mark, loads)
	if err != nil {
		t.Fatal(err)
	}
	svg := drawn(t, f, "svg")
	if !bytes.Contains(svg, families) || bytes.Contains(svg, family) {
		t.Error("svg text names one font family only")
	}
	if texts, lengths := bytes.Count(svg, []byte("<text ")), bytes.Count(svg, []byte(` textLength="`)); texts == 0 || texts != lengths {
		t.Errorf("svg has %d texts, %d of them with their length", texts, lengths)
	}
	if bytes.Contains(svg, []byte(mark)) {
		t.Error("svg text holds a mark")
	}
	var text strings.Builder
	for dec := xml.NewDecoder(bytes.NewReader(svg)); ; {
		token, err := dec.Token()
		if err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		if c, ok := token.(xml.CharData); ok {
			text.Write(c)
		}
	}
	for _, want := range []string{"<title> & m\u00f6re%EE%80%80", "<&>: 377.0 ms", "eaf-mptcp: 290.0 ms", "a.example/style.css", "lte (20Mbit/s, 50ms, dns 15ms)", "heights are shares"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("svg has no text %q", want)
		}
	}
}

// Grey print: the first three colours differ in luminance (ITU-R BT.709) by 15 % of white at least.
func TestColoursInGrey(t *testing.T) {
	grey := func(i int) float64 {
		linear := func(v uint8) float64 { return math.Pow(float64(v)/255, 2.2) }
		c := Colour(i)
		y := 0.2126*linear(c.R) + 0.7152*linear(c.G) + 0.0722*linear(c.B)
		return math.Pow(y, 1/2.2)
	}
	for i := range 3 {
		for j := range i {
			if d := math.Abs(grey(i) - grey(j)); d < 0.15 {
				t.Errorf("colours %d and %d differ by %.2f in grey", i, j, d)
			}
		}
	}
	if Colour(len(palette)) != Colour(0) {
		t.Error("colours do not start again after the last")
	}
}
