package client

import (
	"math/rand/v2"
	"time"

	"braid/sim/page"
	"braid/sim/policy"
)

// view is the client as a policy sees it while it places one object.
type view struct {
	client *Client
	object int32
	host   int32
	conns  []policy.Conn

	candidates []policy.Choice // considered
}

// look turns the view to one object.
func (v *view) look(object, host int32) {
	c := v.client
	v.object, v.host = object, host
	v.conns, v.candidates = v.conns[:0], v.candidates[:0]
	if !c.params.Persistent {
		return // an open connection carries its one object and is closed then
	}
	origin := c.page.Origin(object)
	add := func(wantBusy, all bool) {
		for _, i := range c.open {
			k := &c.conns[i]
			if busy := k.load > 0; k.origin == origin && (all || busy == wantBusy) {
				v.conns = append(v.conns, policy.Conn{Index: i, Paths: k.paths, Busy: busy})
			}
		}
	}
	if c.params.Pipelining {
		add(false, true)
		return
	}
	// An idle connection can carry the object now: of equal ends it is the better one.
	add(false, false)
	add(true, false)
}

func (v *view) Now() time.Duration     { return v.client.transport.Now() }
func (v *view) Object() *page.Object   { return &v.client.page.Objects[v.object] }
func (v *view) Ifaces() []policy.Iface { return v.client.network.Ifaces() }
func (v *view) Conns() []policy.Conn   { return v.conns }
func (v *view) Turn() int              { return int(v.client.turn[v.object]) }
func (v *view) Rand() *rand.Rand       { return v.client.rand }

// CanOpen is true while the limits leave room, or an idle connection can make it. The limit in all was looked at when
// the pass began.
func (v *view) CanOpen() bool { return true }

func (v *view) End(c policy.Choice, before time.Duration) (time.Duration, bool) {
	if !v.client.allowed(c) {
		return 0, false
	}
	return v.client.transport.End(v.object, c, before)
}

func (v *view) Consider(c policy.Choice) {
	if v.client.allowed(c) {
		v.candidates = append(v.candidates, c)
	}
}

// resolve returns the place that a policy's answer means.
func (v *view) resolve(c policy.Choice) policy.Choice {
	if c.Conn != policy.First {
		return c
	}
	v.client.predictions += int64(len(v.candidates) - 1)
	return v.candidates[v.client.transport.First(v.object, v.candidates)]
}

// Energy is false until radios have power models.
func (v *view) Energy(policy.Choice) (float64, bool) { return 0, false }
