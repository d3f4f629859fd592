// Package flow is the flow-level reference engine of page loads: bytes move as fluid over shared access links, whole
// flights instead of packets, and the only randomness is what a policy draws. It is written to be read; every other engine
// is held against it.
//
// # How a load runs
//
// The client (package client) releases objects, keeps connections and asks the policy (package policy) for a place. The
// engine moves bytes and tells the client when an object's last byte has arrived. Time is integer nanoseconds; rates and
// remainders are float64. At equal times completions come first, then timers, handshakes and links, each in the order
// they were set.
//
// A prediction copies the state, puts the object on the candidate and runs on, without enabling anything new, until the
// object ends or can no longer beat the best candidate so far. The copy is a few slices of values: state is held by value
// and by index, every owner has one slot in the event queue, and nothing is allocated once warm.
//
// Two transmissions share all of this; the profile chooses (sim.Params.Transmission).
//
// With knowledge "estimated" policies see, and predictions use, what the client measured on this load's own transfers: see
// estimator.go. A network that was never used counts as initial_rate and initial_rtt, and nothing explores: a policy that
// believes in predictions may never find out that an untried network is fast.
//
// # Flights: the profile linux
//
// A handshake takes 1 RTT and the link's time for SYN and SYN-ACK, TLS 1.3 one more, TLS 1.2 two. A request costs its
// bytes and half an RTT; then the server sends flights:
//
//	s = 1500 bytes / rate; window w packets of 1448 bytes of payload
//	a flight joins the queue of the link; queued flights are served in equal shares
//	the next flight starts RTT + s after this one started, twice as large
//	a flight still queued by then makes the connection link limited: the rest flows at its share
//	the last byte arrives RTT/2 after the link has sent it; the last packet counts whole
//
// The window grows only when at least half of it was used, and halves for each RTO (RTT + 200 ms) without sending, not
// below 10 packets, with slow start again. There is no loss and no congestion avoidance at this level.
//
// Multipath TCP follows the kernel's default scheduler, see multipath.go: data are bound to the subflow that would be done
// first, up to its send buffer, and cannot move. A further subflow starts to join 2 RTT of the first path after the
// connection began and carries data 1.5 RTT of its own path later. Losses at the slow path's queue, up to 300 ms in the
// measurements, are not modelled, so a queue size has no effect here. The measurements have two paths, at most five times
// apart in rate; beyond that, where a few bound kilobytes on a slow path hold up everything, the model extrapolates.
//
// # Smooth: the profile dtsimulator
//
// The rules of the data transfer simulator released with the Socket Intents paper (Tiesel, Enghardt, Palmer, Feldmann 2018,
// section VI-C), measured on it: demands of cwnd/RTT in slow start and of what is outstanding over the RTT past it,
// max-min sharing, whole numbers; see smooth.go. Objects need no requests, so server and host times have no effect. What its text leaves open was settled by its results: a connection
// leaves slow start at a sharing if its window, with the bytes delivered up to that moment, is worth more than its
// share; the demand it then gets counts the bytes outstanding at that moment; an idle connection has neither demand nor
// timer. At equal times completions, timers, handshakes is the order that comes closest in all (95.3 % of the single-path
// runs; handshakes before timers give 94.5 %, though 2 % more for eaf alone).
//
// # Measured accuracy
//
// Every line is printed by go test -run Accuracy -v ./sim/flow, which fails when one of them no longer holds. Errors are
// absolute and relative to the measured value. The load times of recorded pages are not part of the repository: lines of
// "recorded" and "both" are measured only where they lie beside it.
//
// Profile linux against kernel TCP (Linux 6.18, testdata/kernel):
//
//	new connection, one object, RTT >= 50 ms: mean 0.59 %, max 1.20 %
//	new connection, one object, RTT 10 ms: mean 1.92 %, max 4.27 % (1 to 4 ms are the host's)
//	reuse, with and without pauses: mean 0.35 %, max 0.73 %
//	multipath, against the median: mean 5.8 %, max 23.3 %
//	multipath, right between the measured minimum and maximum: mean 2.5 %, max 8.5 %; right about the better one in 12 of 12
//	page of 50 objects: mean 5.2 %, max 8.9 %
//	page of 50 objects, host_time 1ms: mean 4.7 %, max 7.3 %
//
// Profile dtsimulator against the published simulator (testdata/reference, and recorded pages):
//
//	handcrafted, if1, 120 runs: 100.0 % within 0.5 %, 100.0 % within 1 %, median 0.0001 %
//	handcrafted, if2, 120 runs: 98.3 % within 0.5 %, 100.0 % within 1 %, median 0.0001 %
//	handcrafted, rr, 120 runs: 94.2 % within 0.5 %, 95.0 % within 1 %, median 0.0003 %
//	handcrafted, eaf, 120 runs: 96.7 % within 0.5 %, 99.2 % within 1 %, median 0.0002 %
//	handcrafted, mptcp-if1, 120 runs: 87.5 % within 0.5 %, 91.7 % within 1 %, median 0.0005 %
//	handcrafted, eaf-mptcp, 120 runs: 94.2 % within 0.5 %, 94.2 % within 1 %, median 0.0005 %
//	handcrafted, single path, 480 runs: 97.3 % within 0.5 %, median 0.0002 %
//	recorded, if1, 131 runs: 95.4 % within 0.5 %, 95.4 % within 1 %, median 0.0006 %
//	recorded, if2, 131 runs: 93.1 % within 0.5 %, 95.4 % within 1 %, median 0.0005 %
//	recorded, rr, 131 runs: 94.7 % within 0.5 %, 94.7 % within 1 %, median 0.0012 %
//	recorded, eaf, 131 runs: 90.8 % within 0.5 %, 92.4 % within 1 %, median 0.0005 %
//	recorded, mptcp-if1, 131 runs: 89.3 % within 0.5 %, 93.9 % within 1 %, median 0.0006 %
//	recorded, eaf-mptcp, 131 runs: 78.6 % within 0.5 %, 83.2 % within 1 %, median 0.0005 %
//	recorded, single path, 524 runs: 93.5 % within 0.5 %, median 0.0006 %
//	both, if1, 251 runs: 97.6 % within 0.5 %, 97.6 % within 1 %, median 0.0003 %
//	both, if2, 251 runs: 95.6 % within 0.5 %, 97.6 % within 1 %, median 0.0002 %
//	both, rr, 251 runs: 94.4 % within 0.5 %, 94.8 % within 1 %, median 0.0005 %
//	both, eaf, 251 runs: 93.6 % within 0.5 %, 95.6 % within 1 %, median 0.0003 %
//	both, mptcp-if1, 251 runs: 88.4 % within 0.5 %, 92.8 % within 1 %, median 0.0005 %
//	both, eaf-mptcp, 251 runs: 86.1 % within 0.5 %, 88.4 % within 1 %, median 0.0005 %
//	both, single path, 1004 runs: 95.3 % within 0.5 %, median 0.0003 %
//
// The published simulator keeps time in float64 seconds and lets the last bit order what happens at one instant
// (t+RTT+RTT against t+2 RTT); integer time cannot follow it there. What hinges on such ties, or on equal predictions, may
// differ by tens of per cent: judge by share and median, not by the worst run.
package flow
