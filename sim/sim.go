// Package sim is the vocabulary of braid: what a run is (Spec), what it gives (Result), what can be watched while it
// runs (Observer, Trace), and the parameters of the model with their sources (Params). It imports no engine.
package sim

import (
	"fmt"
	"time"

	"braid/sim/page"
	"braid/sim/rng"
	"braid/sim/units"
)

// ModelVersion changes whenever a change of the code changes any result. A golden test holds a digest over a fixed set
// of runs against it.
const ModelVersion = 1

// MaxInterfaces bounds the interfaces of one device, so that a path list is a small value without a heap.
const MaxInterfaces = 8

// Interface is one access network of the device. The access link is the only bottleneck; every server is reachable
// through every interface.
type Interface struct {
	Name string
	Rate units.Rate    // what the link carries, headers included, bytes/s
	RTT  time.Duration // round trip time to every server without queueing
	DNS  time.Duration // name resolution, once for each host on this interface; 0: not modelled
	// Queue is the size of the bottleneck queue; 0: as large as needed. Nothing is lost at the flow level, so it has no
	// effect here.
	Queue units.Bytes
}

// Spec is one run of a page load.
type Spec struct {
	Page       *page.Page
	Interfaces []Interface
	Policy     string
	Params     Params
	Key        rng.Key  // of the run's random streams
	Observer   Observer // nil: nothing is watched
}

// Limits of a run, so that integer nanoseconds (292 years) hold every load.
const (
	MinRate = 1 * units.KbitPerSecond
	MaxRate = 1e6 * units.GbitPerSecond
	MaxRTT  = 10 * time.Minute
	maxLoad = 366 * 24 * time.Hour
)

// Validate reports the first thing that makes the run impossible: no page, no interface, more than MaxInterfaces, a
// name used twice, a bandwidth or RTT that is zero, negative, not finite or beyond the limits, a page that takes longer
// than a year, or parameters out of range.
func (s *Spec) Validate() error {
	if s.Page == nil || len(s.Page.Objects) == 0 {
		return fmt.Errorf("no page, or a page without objects")
	}
	if n := len(s.Interfaces); n == 0 || n > MaxInterfaces {
		return fmt.Errorf("%d interfaces (expected 1 to %d)", n, MaxInterfaces)
	}
	for i, f := range s.Interfaces {
		switch {
		case f.Name == "":
			return fmt.Errorf("interface %d has no name", i+1)
		case !(f.Rate >= MinRate && f.Rate <= MaxRate):
			return fmt.Errorf("interface %s: bandwidth %v (expected %v to %v, like 6Mbit/s)", f.Name, f.Rate, MinRate, MaxRate)
		case s.wireBytes()/float64(f.Rate) > maxLoad.Seconds():
			return fmt.Errorf("interface %s: bandwidth %v carries the packets of the page's %d bytes in more than a year (expected a faster one, or a smaller page)", f.Name, f.Rate, s.Page.Bytes())
		case s.Params.Transmission == Smooth && float64(f.Rate) < float64(s.Params.MaxConnections):
			return fmt.Errorf("interface %s: bandwidth %v is below 1 byte/s for each of %d connections (expected more, or a smaller max_connections)", f.Name, f.Rate, s.Params.MaxConnections)
		case f.RTT <= 0 || f.RTT > MaxRTT:
			return fmt.Errorf("interface %s: RTT %v (expected more than 0 and at most %v, like 20ms)", f.Name, f.RTT, MaxRTT)
		case f.DNS < 0 || f.DNS > MaxRTT:
			return fmt.Errorf("interface %s: dns %v (expected 0 to %v)", f.Name, f.DNS, MaxRTT)
		case f.Queue < 0:
			return fmt.Errorf("interface %s: queue %v (expected 0 or more)", f.Name, f.Queue)
		}
		for _, g := range s.Interfaces[:i] {
			if g.Name == f.Name {
				return fmt.Errorf("interface name %q is used twice", f.Name)
			}
		}
	}
	return s.Params.Validate()
}

// wireBytes is an upper bound of the bytes of the page's packets on the link.
func (s *Spec) wireBytes() float64 {
	payload := max(1, min(s.Params.Payload, s.Params.MPTCPPayload))
	packets := float64(s.Page.Bytes())/float64(payload) + float64(len(s.Page.Objects))
	return packets * float64(s.Params.Packet)
}

// Result is what one run gives. Engines reuse the slices: they are valid until the engine's next run.
type Result struct {
	LoadTime    time.Duration   // the last object's completion, since the start
	End         []time.Duration // completion of each object
	IfaceBytes  []int64         // bytes of objects delivered over each interface
	Connections int             // opened in all
	Events      int64           // handled by the engine, without those of predictions
	Predictions int64           // candidates the policy compared with the best so far
}

// Engine runs page loads, one after the other. It is not safe for concurrent use; make one for each goroutine.
type Engine interface {
	// Run simulates one load. The result is valid until the next call.
	Run(*Spec) (*Result, error)
}
