package tcpmodel

import "braid/sim/event"

// Classes of events: what comes first of what falls on one nanosecond. In the published simulator the last bit of a float64
// time decides that; this order comes closest to it (see package flow).
const (
	ClassEnd       event.Class = iota // an object's end, at the client
	ClassTimer                        // a request's arrival, a flight, an acknowledgement, a step of slow start
	ClassHandshake                    // a handshake or join is done
	ClassLink                         // a flight has left the link
	ClassWake                         // the client's own
)
