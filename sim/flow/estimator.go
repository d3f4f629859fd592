package flow

import (
	"time"

	"braid/sim"
	"braid/sim/policy"
	"braid/sim/units"
)

// estimator is what a client can know of its interfaces from its own transfers of this load (knowledge: estimated).
//
// The RTT is the smallest time from SYN to SYN-ACK seen on the interface. The rate is the highest at which the interface
// carried bytes between the first and the last byte of an object of at least Params.EstimateMinBytes, all transfers that
// ran beside it counted. Before anything was measured the estimates are Params.InitialRate and Params.InitialRTT.
//
// A prediction that rests on estimates starts from what is true now (the bytes outstanding, the windows, the timers
// that run) and goes on with estimated rates and RTTs.
type estimator struct {
	params *sim.Params
	rtt    [sim.MaxInterfaces]time.Duration
	rate   [sim.MaxInterfaces]units.Rate
	begun  []beginning // by object
}

// beginning is what had happened when an object's first byte came.
type beginning struct {
	at      time.Duration
	carried [sim.MaxInterfaces]float64
}

// enabled says whether policies see estimates.
func (e *estimator) enabled() bool { return e.params.Knowledge == sim.Estimated }

func (e *estimator) reset(s *sim.Spec) {
	e.params = &s.Params
	if !e.enabled() {
		return
	}
	for i := range s.Interfaces {
		e.rtt[i], e.rate[i] = 0, 0
	}
	e.begun = resize(e.begun, len(s.Page.Objects))
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

// fill overwrites exact values with estimates.
func (e *estimator) fill(ifaces []policy.Iface) {
	for i := range ifaces {
		ifaces[i].Rate, ifaces[i].RTT = e.known(i)
	}
}

// apply makes a prediction believe the estimates.
func (e *estimator) apply(c *core) {
	for i := range c.paths {
		iface := int8(i)
		rate, rtt := e.known(i)
		c.model.settle(c, iface)
		c.nets[i].rate, c.nets[i].rtt = float64(rate), rtt
		c.model.reshare(c, iface)
	}
}

// connected learns the RTT of an interface from the time between SYN and SYN-ACK.
func (e *estimator) connected(iface int8, took time.Duration) {
	if e.enabled() && took > 0 && (e.rtt[iface] == 0 || took < e.rtt[iface]) {
		e.rtt[iface] = took
	}
}

// begins notes the first byte of an object.
func (e *estimator) begins(c *core, object int32) {
	if !e.enabled() {
		return
	}
	b := &e.begun[object]
	b.at = c.now
	for i := range c.paths {
		b.carried[i] = c.model.carried(c, int8(i))
	}
}

// ends learns the rates of the interfaces an object came over from its last byte.
func (e *estimator) ends(c *core, conn, object int32) {
	if !e.enabled() || c.page.Objects[object].Bytes < int64(e.params.EstimateMinBytes) {
		return
	}
	b := &e.begun[object]
	took := (c.now - b.at).Seconds()
	if took <= 0 {
		return
	}
	paths := c.conns[conn].paths
	for _, iface := range paths.List() {
		rate := units.Rate((c.model.carried(c, iface) - b.carried[iface]) / took)
		e.rate[iface] = max(e.rate[iface], rate)
	}
}
