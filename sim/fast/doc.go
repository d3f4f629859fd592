// Package fast is the flow model for millions of runs: it gives what package flow gives, to the last bit, several times as
// fast. It shares the client, the policies and the arithmetic (packages client, policy, tcpmodel) with the reference
// engine; only the layout of the state, the lookup of events and the work spared in predictions differ. TestEqual and
// FuzzEqual hold the two against each other on random loads.
//
// # What makes it fast
//
// A connection over one path has one event at a time. Events are a short list instead of a heap, re-keyed in place. What
// a load needs to know of an interface is worked out once. A prediction copies only the connections that carry an object or
// have an event, and the candidate; nothing is traced.
//
// Candidates that cannot win are not run: a lower bound of their end is above the best end so far, or above the upper
// bound of a best that was not run either; or an idle connection in the same state was asked about before. See bounds.go.
//
// # What it does not cover
//
// Loads that are watched (sim.Spec.Observer) and policies that see estimates (knowledge: estimated). Run gives
// ErrUnsupported for them; scenarios.Engines takes the reference engine instead.
package fast
