package flow

import (
	"time"

	"braid/sim"
	"braid/sim/policy"
	"braid/sim/units"
)

// estimator is what a client can know of its interfaces from its own transfers of this load (knowledge: estimated).
//
// The RTT is the smallest handshake seen, divided by its round trips. The rate is the highest rate at which the
// interface delivered an object of at least Params.EstimateMinBytes, all transfers that ran beside it counted: the
// interface's bytes between the object's first and last byte over that time. Before anything was measured the
// estimates are Params.InitialRate and Params.InitialRTT.
type estimator struct {
	params *sim.Params
	rtt    [sim.MaxInterfaces]time.Duration
	rate   [sim.MaxInterfaces]units.Rate
}

func (e *estimator) reset(p *sim.Params, n int) {
	e.params = p
	for i := range n {
		e.rtt[i], e.rate[i] = 0, 0
	}
}

// known returns the estimates of one interface.
func (e *estimator) known(i int) (units.Rate, time.Duration) {
	rate, rtt := e.rate[i], e.rtt[i]
	if rate == 0 {
		rate = e.params.InitialRate
	}
	if rtt == 0 {
		rtt = e.params.InitialRTT
	}
	return rate, rtt
}

func (e *estimator) fill(ifaces []policy.Iface) {
	for i := range ifaces {
		ifaces[i].Rate, ifaces[i].RTT = e.known(i)
	}
}

// apply makes a prediction believe the estimates.
func (e *estimator) apply(c *core) {
	for i := range c.paths {
		rate, rtt := e.known(i)
		c.nets[i].rate, c.nets[i].rtt = float64(rate), rtt
	}
}

// handshake learns the RTT from a TCP handshake.
func (e *estimator) handshake(c *core, s int32) {}
