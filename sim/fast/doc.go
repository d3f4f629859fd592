// Package fast is the flow model for millions of runs: it gives what package flow gives, to the last bit, many times as
// fast. It shares the client, the policies and the arithmetic (packages client, policy, tcpmodel) with the reference
// engine; only the layout of the state, the lookup of events and the work spared in predictions differ. TestEqual and
// FuzzEqual hold the two against each other on random loads; TestBounds holds what spares work to full predictions.
//
// # What makes it fast
//
// A connection over one path has one event at a time. Events are a short list in order instead of a heap; flights in a
// link's queue are kept in the order they leave, and a link keeps its own next event. What a load needs to know of an
// interface is worked out once.
//
// Candidates are compared all at once. Those whose lower bound is above another's upper bound are out, and so is an idle
// connection in the same state as one before (bounds.go, unsplit.go, compare.go). Until the server has a request nothing
// changes for the others, so that the candidates share what happens before, in the order in which their requests arrive
// (ahead.go). A candidate that its paths cannot carry in time is out then (arrived.go); the rest run from there, with only
// the connections that carry an object, and end with the last byte sent. Nothing is traced.
//
// # How fast
//
// The page of 50 objects over 6 Mbit/s, 50 ms and 20 Mbit/s, 100 ms, on one core of an idle AMD EPYC, median of six. An
// event is a step of the load or of one of its predictions.
//
//	go test -run '^$' -bench BenchmarkLoad -benchtime 300ms -count 6 ./sim/fast
//
//	linux        if1 19,200 loads/s   eaf 18,200   mptcp-if1 4,900   eaf-mptcp 11,100   46 to 63 ns/event
//	dtsimulator  if1 10,100 loads/s   eaf  9,100   mptcp-if1 8,500   eaf-mptcp  6,200   100 to 150 ns/event
//
// Where the time goes; no single part stands out any more:
//
//   - if1: of a load's 886 events 186 are the load's own, the others are predicted; they take about half of the time (a
//     departure from a link is a division, three products and a rounding that wait for each other, and all must stay, as
//     each rounding is part of the result). The bounds take a tenth, copies of the state a tenth, the client and the policy
//     the rest.
//   - mptcp-if1: of 4,588 events 638 are the load's own. Flights go in four parts, each with a departure and an
//     acknowledgement, and nearly every prediction that is run ends as the best so far, so that bounds spare few.
//   - dtsimulator: each change of a share sets the end of an object anew, with a division and a rounding for every
//     connection on the link. There is no upper bound without a run: what whole numbers lose has no simple one. With
//     pipelining an object counts from the moment it is placed, so that candidates share nothing.
//
// # What it does not cover
//
// Loads that are watched (sim.Spec.Observer) and policies that see estimates (knowledge: estimated). Run gives
// ErrUnsupported for them; scenarios.Engines takes the reference engine instead.
package fast
