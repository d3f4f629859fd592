// Package link holds the processes an access link follows: which rate and delay it has at a time, and when that changes
// next. One process is one file. There is one so far: the constant link.
package link

import (
	"time"

	"braid/sim/units"
)

// State is a link at one moment.
type State struct {
	Rate units.Rate    // bytes/s, headers included
	RTT  time.Duration // round trip time without queueing
	Up   bool          // it carries packets
}

// Process is a link over time.
type Process interface {
	// At returns the state at the time since the start of the run.
	At(time.Duration) State
	// Next returns the first change after the time; false: there is none.
	Next(time.Duration) (time.Duration, bool)
}
