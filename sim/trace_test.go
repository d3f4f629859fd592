package sim

import (
	"slices"
	"strings"
	"testing"
	"time"

	"braid/sim/page"
)

const ms = time.Millisecond

// twoObjects is a document of 100 bytes and an image of 50 that waits for it, over two interfaces.
func twoObjects(t *testing.T) *Trace {
	t.Helper()
	return NewTrace(&Spec{
		Page:       onePage(t, page.Object{Host: "a", TLS: true, Bytes: 100, After: page.None}, page.Object{Host: "a", TLS: true, Bytes: 50, After: 0}),
		Interfaces: []Interface{{Name: "wifi"}, {Name: "lte"}},
	})
}

// record plays a load: the document over a new Multipath TCP connection, the image behind it after 5 ms of think time.
func record(o Observer) {
	o.Phase(0, WaitParent, 0)
	o.Phase(1, WaitParent, 0)
	o.Phase(0, WaitConnection, 0)
	o.Opened(0, 0, []int8{1, 0}, 0)
	o.Assigned(0, 0, 0)
	o.Phase(0, WaitDNS, 0)
	o.Phase(0, WaitHandshake, 0)
	o.Phase(0, WaitTLS, 20*ms)
	o.Established(0, 1, 40*ms)
	o.Phase(0, WaitRequest, 40*ms)
	o.Phase(0, SlowStart, 60*ms)
	o.Phase(0, SlowStart, 62*ms)
	o.Phase(0, Link, 65*ms)
	o.Established(0, 0, 66*ms)
	o.Delivered(0, 0, 30)
	o.Delivered(0, 1, 70)
	o.Phase(0, Done, 70*ms)
	o.Phase(1, WaitConnection, 75*ms)
	o.Assigned(1, 0, 75*ms)
	o.Phase(1, WaitRequest, 75*ms)
	o.Phase(1, SlowStart, 95*ms)
	o.Phase(1, Link, 95*ms)
	o.Delivered(1, 1, 50)
	o.Phase(1, Done, 96*ms)
	o.Closed(0, 200*ms)
}

func TestTrace(t *testing.T) {
	tr := twoObjects(t)
	if tr.Spec.Observer != Observer(tr) {
		t.Fatal("the trace does not observe its spec")
	}
	record(tr)
	if err := tr.Check(); err != nil {
		t.Fatal(err)
	}
	doc, image := tr.Objects[0], tr.Objects[1]
	// Nothing was spent in waiting for a parent, a connection or a name.
	if want := []Span{{WaitHandshake, 0, 20 * ms}, {WaitTLS, 20 * ms, 40 * ms}, {WaitRequest, 40 * ms, 60 * ms}, {SlowStart, 60 * ms, 65 * ms}, {Link, 65 * ms, 70 * ms}}; !slices.Equal(doc.Spans, want) {
		t.Errorf("document: %v, want %v", doc.Spans, want)
	}
	if want := []Span{{WaitParent, 0, 75 * ms}, {WaitRequest, 75 * ms, 95 * ms}, {Link, 95 * ms, 96 * ms}}; !slices.Equal(image.Spans, want) {
		t.Errorf("image: %v, want %v", image.Spans, want)
	}
	if doc.Enabled != 0 || image.Enabled != 75*ms || doc.End != 70*ms || image.End != 96*ms {
		t.Errorf("enabled %v and %v, ended %v and %v", doc.Enabled, image.Enabled, doc.End, image.End)
	}
	if !slices.Equal(doc.Bytes, []int64{30, 70}) || !slices.Equal(image.Bytes, []int64{0, 50}) || doc.Conn != 0 || image.Conn != 0 {
		t.Errorf("bytes %v and %v over connections %d and %d", doc.Bytes, image.Bytes, doc.Conn, image.Conn)
	}
	parts := doc.Parts()
	if parts[WaitHandshake] != 20*ms || parts[WaitTLS] != 20*ms || parts[WaitRequest] != 20*ms || parts[SlowStart] != 5*ms || parts[Link] != 5*ms {
		t.Errorf("parts %v", parts)
	}
	c := tr.Conns[0]
	if c.Host != "a" || !c.TLS || !slices.Equal(c.Ifaces, []int8{1, 0}) || !slices.Equal(c.Ready, []time.Duration{40 * ms, 66 * ms}) || c.Opened != 0 || c.Closed != 200*ms {
		t.Errorf("connection %+v", c)
	}
}

// TestTraceMerges: a phase entered twice in a row is one span, also around one in which no time was spent.
func TestTraceMerges(t *testing.T) {
	tr := twoObjects(t)
	tr.Phase(0, SlowStart, 0)
	tr.Phase(0, Link, 10*ms)
	tr.Phase(0, SlowStart, 10*ms)
	tr.Phase(0, SlowStart, 20*ms)
	tr.Phase(0, Done, 30*ms)
	if want := []Span{{SlowStart, 0, 30 * ms}}; !slices.Equal(tr.Objects[0].Spans, want) {
		t.Errorf("%v, want %v", tr.Objects[0].Spans, want)
	}
}

// TestTraceCheck: a trace that does not add up says where.
func TestTraceCheck(t *testing.T) {
	for want, play := range map[string]func(*Trace){
		"object 0 never ended": func(*Trace) {},
		"object 1 never ended": func(tr *Trace) {
			record(tr)
			tr.Objects[1].End = -1
		},
		"object 0: 99 bytes delivered of 100": func(tr *Trace) {
			record(tr)
			tr.Delivered(0, 1, -1)
		},
		"object 1: phase request runs from 75ms to 95ms after a phase that ended at 74ms": func(tr *Trace) {
			record(tr)
			tr.Objects[1].Spans[0].To = 74 * ms
		},
		"object 1: phase link runs from 95ms to 94ms": func(tr *Trace) {
			record(tr)
			tr.Objects[1].Spans[2].To = 94 * ms
		},
		"object 0: its parts sum to 70ms, its end is 71ms": func(tr *Trace) {
			record(tr)
			tr.Objects[0].End = 71 * ms
		},
		"connection 2 opened after 1 connections": func(tr *Trace) {
			record(tr)
			tr.Opened(2, 0, nil, 300*ms)
		},
	} {
		tr := twoObjects(t)
		play(tr)
		if err := tr.Check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v; want an error with %q", err, want)
		}
	}
}

// Every phase has a name of its own, and a description of its own.
func TestPhaseNames(t *testing.T) {
	seen := map[string]bool{}
	for p := Phase(0); p <= Done; p++ {
		for _, text := range []string{p.String(), p.Doc()} {
			if text == "" || seen[text] {
				t.Errorf("phase %d: %q is empty or another phase's", p, text)
			}
			seen[text] = true
		}
	}
	if Done.String() != "done" || SlowStart.String() != "slow start" {
		t.Errorf("%v, %v", Done, SlowStart)
	}
}
