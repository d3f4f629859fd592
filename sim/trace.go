package sim

import (
	"fmt"
	"time"
)

// Phase is what an object is waiting for. At any time from 0 to its end an object is in exactly one phase.
type Phase uint8

// Phases, in the order an object goes through them; SlowStart, Window and Link alternate.
const (
	WaitParent     Phase = iota // the object it is after has not ended, or its think time runs
	WaitConnection              // enabled, but no connection may carry it yet
	WaitTurn                    // on a connection, behind other objects (pipelining)
	WaitDNS                     // its new connection resolves the host's name
	WaitHandshake               // its new connection does the TCP handshake
	WaitTLS                     // its new connection does the TLS handshake
	WaitRequest                 // from sending the request to the first byte, server time included
	SlowStart                   // receiving; the congestion window is what limits the rate, in slow start
	Window                      // receiving; the window is what limits the rate, past slow start
	Link                        // receiving; the connection's share of the link is what limits the rate
	Done
	NumPhases = int(Done)
)

// phaseTable holds the name of each phase, and what it is for readers of a table.
var phaseTable = [...]struct{ name, doc string }{
	WaitParent:     {"parent", "waits for the object it comes after, and for its own think time"},
	WaitConnection: {"connection", "may be requested, but no connection may carry it yet"},
	WaitTurn:       {"turn", "behind other objects on its connection (pipelining)"},
	WaitDNS:        {"dns", "its new connection resolves the host's name"},
	WaitHandshake:  {"handshake", "its new connection does the transport handshake"},
	WaitTLS:        {"tls", "its new connection does the TLS handshake"},
	WaitRequest:    {"request", "its request, to the first byte, with the time of host and server"},
	SlowStart:      {"slow start", "receives, limited by the congestion window in slow start"},
	Window:         {"window", "receives, limited by the window past slow start"},
	Link:           {"link", "receives, limited by the connection's share of the link"},
	Done:           {"done", "has ended"},
}

// String returns the phase's name as printed by explain.
func (p Phase) String() string { return phaseTable[p].name }

// Doc says what an object in the phase waits for, in a few words.
func (p Phase) Doc() string { return phaseTable[p].doc }

// Observer watches a run. Methods are called in the order things happen; at never falls. An engine with a nil
// observer does no work for it.
type Observer interface {
	// Phase says that the object enters the phase at the given time.
	Phase(object int32, p Phase, at time.Duration)
	// Opened says that a connection was opened over the interfaces, the first one carrying the first subflow.
	Opened(conn, origin int32, ifaces []int8, at time.Duration)
	// Established says that the connection's handshake on the given interface is done.
	Established(conn int32, iface int8, at time.Duration)
	// Closed says that the connection was closed.
	Closed(conn int32, at time.Duration)
	// Assigned says that the object goes over the connection.
	Assigned(object, conn int32, at time.Duration)
	// Delivered says how many of the object's bytes came over the interface; called at its end.
	Delivered(object int32, iface int8, bytes int64)
}

// Span is a stretch of time an object spent in a phase.
type Span struct {
	Phase    Phase
	From, To time.Duration
}

// ObjectTrace is what happened to one object.
type ObjectTrace struct {
	Enabled time.Duration // when what it waits for had ended
	End     time.Duration
	Conn    int32  // index of its connection in Trace.Conns
	Spans   []Span // contiguous, from 0 to End
	Bytes   []int64
}

// Parts sums the spans by phase. The sum of the parts is End; Check asserts it.
func (o *ObjectTrace) Parts() (parts [NumPhases]time.Duration) {
	for _, s := range o.Spans {
		parts[s.Phase] += s.To - s.From
	}
	return parts
}

// ConnTrace is one connection. Ready and Closed are -1 if it never got there.
type ConnTrace struct {
	Host   string
	TLS    bool
	Ifaces []int8 // in the order of its subflows
	Opened time.Duration
	Ready  []time.Duration // end of each subflow's handshake
	Closed time.Duration
}

// Trace is one load in full. It is an Observer: set it as Spec.Observer and read it after the run.
type Trace struct {
	Spec    *Spec
	Objects []ObjectTrace
	Conns   []ConnTrace
	err     error
}

// NewTrace returns a trace for one run of the spec and makes it the spec's observer.
func NewTrace(s *Spec) *Trace {
	t := &Trace{Spec: s, Objects: make([]ObjectTrace, len(s.Page.Objects))}
	for i := range t.Objects {
		t.Objects[i] = ObjectTrace{End: -1, Conn: -1, Bytes: make([]int64, len(s.Interfaces))}
	}
	s.Observer = t
	return t
}

// Phase implements Observer.
func (t *Trace) Phase(object int32, p Phase, at time.Duration) {
	o := &t.Objects[object]
	if n := len(o.Spans); n > 0 {
		last := &o.Spans[n-1]
		last.To = at
		switch {
		case last.Phase == WaitParent && p != WaitParent:
			o.Enabled = at
			if at == last.From {
				o.Spans = o.Spans[:n-1]
			}
		case last.Phase == p:
			return
		case at == last.From:
			o.Spans = o.Spans[:n-1] // nothing was spent in it
			if n > 1 && o.Spans[n-2].Phase == p {
				return
			}
		}
	}
	if p == Done {
		o.End = at
		return
	}
	o.Spans = append(o.Spans, Span{Phase: p, From: at, To: at})
}

// Opened implements Observer.
func (t *Trace) Opened(conn, origin int32, ifaces []int8, at time.Duration) {
	if int(conn) != len(t.Conns) {
		t.err = fmt.Errorf("connection %d opened after %d connections", conn, len(t.Conns))
		return
	}
	or := t.Spec.Page.Origins()[origin]
	c := ConnTrace{Host: or.Host, TLS: or.TLS, Ifaces: append([]int8(nil), ifaces...), Opened: at, Closed: -1}
	for range ifaces {
		c.Ready = append(c.Ready, -1)
	}
	t.Conns = append(t.Conns, c)
}

// Established implements Observer.
func (t *Trace) Established(conn int32, iface int8, at time.Duration) {
	c := &t.Conns[conn]
	for i, f := range c.Ifaces {
		if f == iface {
			c.Ready[i] = at
		}
	}
}

// Closed implements Observer.
func (t *Trace) Closed(conn int32, at time.Duration) { t.Conns[conn].Closed = at }

// Assigned implements Observer.
func (t *Trace) Assigned(object, conn int32, at time.Duration) { t.Objects[object].Conn = conn }

// Delivered implements Observer.
func (t *Trace) Delivered(object int32, iface int8, bytes int64) {
	t.Objects[object].Bytes[iface] += bytes
}

// Check asserts what every trace must satisfy: each object ended; its spans run from 0 to its end without gap or
// overlap, so that the parts sum to the end; the bytes that came over the interfaces are the object's bytes.
func (t *Trace) Check() error {
	if t.err != nil {
		return t.err
	}
	for i := range t.Objects {
		o := &t.Objects[i]
		if o.End < 0 {
			return fmt.Errorf("object %d never ended", i)
		}
		var at, sum time.Duration
		for _, s := range o.Spans {
			if s.From != at || s.To < s.From {
				return fmt.Errorf("object %d: phase %v runs from %v to %v after a phase that ended at %v", i, s.Phase, s.From, s.To, at)
			}
			at = s.To
		}
		for _, p := range o.Parts() {
			sum += p
		}
		if at != o.End || sum != o.End {
			return fmt.Errorf("object %d: its parts sum to %v, its end is %v", i, sum, o.End)
		}
		var bytes int64
		for _, b := range o.Bytes {
			bytes += b
		}
		if want := t.Spec.Page.Objects[i].Bytes; bytes != want {
			return fmt.Errorf("object %d: %d bytes delivered of %d", i, bytes, want)
		}
	}
	return nil
}
