package link

import (
	"time"

	"braid/sim/units"
)

// Constant is a link that never changes.
type Constant struct {
	Rate units.Rate
	RTT  time.Duration
}

// At implements Process.
func (c Constant) At(time.Duration) State { return State{Rate: c.Rate, RTT: c.RTT, Up: true} }

// Next implements Process.
func (c Constant) Next(time.Duration) (time.Duration, bool) { return 0, false }
