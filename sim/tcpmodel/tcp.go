// Package tcpmodel holds the arithmetic of TCP at flow level as pure functions on values: packets and flights, the
// congestion window, handshakes, and max-min fair sharing of a link. It has no state and no clock, so that every engine
// computes the same bits.
//
// Products that enter a sum are converted (float64(x*y) + z), so that no compiler fuses them.
package tcpmodel

import (
	"math"
	"time"

	"braid/sim/page"
)

// Packets returns the number of packets that carry the bytes: the last one counts whole.
func Packets(bytes int64, payload int) int64 {
	return (bytes + int64(payload) - 1) / int64(payload)
}

// Duration is the first whole nanosecond at which bytes have passed at the rate (bytes/s): the quotient, rounded up.
func Duration(bytes, rate float64) time.Duration {
	if bytes <= 0 {
		return 0
	}
	ns := math.Ceil(bytes / rate * 1e9)
	if !(ns < longest) {
		return longest
	}
	return time.Duration(ns)
}

// longest is what longer durations are cut to: 73 years, far beyond what sim.Spec.Validate lets a load take.
const longest = math.MaxInt64 / 4

// Seconds returns the duration in seconds, in one rounding (time.Duration.Seconds takes two integer divisions more).
func Seconds(d time.Duration) float64 { return float64(d) / 1e9 }

// RTTs returns n round trips, n not necessarily whole, to the nearest nanosecond.
func RTTs(n float64, rtt time.Duration) time.Duration {
	return time.Duration(math.Round(n * float64(rtt)))
}

// TLSRoundTrips returns the round trips a TLS handshake adds: 2 in TLS 1.2 (RFC 5246, section 7.3), 1 in TLS 1.3
// (RFC 8446, section 2), none in a 0-RTT resumption (RFC 8446, section 2.3).
func TLSRoundTrips(v page.TLSVersion) int {
	switch v {
	case page.TLS12:
		return 2
	case page.TLSResumed:
		return 0
	default:
		return 1
	}
}

// Grow returns the congestion window (packets) after a flight of x packets was acknowledged in slow start. The window
// grows by one packet for each acknowledged one, but only if at least half of it was used: Linux tcp_is_cwnd_limited
// lets a slow-starting window grow while it is below twice the packets in flight.
func Grow(window, x int64) int64 {
	return min(window+x, max(window, 2*x))
}

// IdleWindow returns the window (packets) after the server sent nothing for the idle time, and whether the connection
// is back in slow start: for each full RTO the window halves, not below the initial window (RFC 2861; Linux
// tcp_cwnd_restart, sysctl tcp_slow_start_after_idle).
func IdleWindow(window, initial int64, idle, rto time.Duration) (int64, bool) {
	if idle < rto || rto <= 0 {
		return window, false
	}
	floor := min(window, initial)
	halvings := min(int64(idle/rto), 62)
	return max(window>>halvings, floor), true
}
