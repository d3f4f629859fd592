package socketintents

import (
	"cmp"
	"slices"
	"time"

	"braid/sim"
)

// interval is a stretch of time, its end not included.
type interval struct{ from, to time.Duration }

// meets says whether the intervals and [from, to) have a moment in common.
func meets(list []interval, from, to time.Duration) bool {
	return slices.ContainsFunc(list, func(i interval) bool { return i.from < to && from < i.to })
}

// limits returns when as many connections were busy as may be: in all, and by host. A connection is busy from the moment
// its first object is put on it until it has none left.
func limits(t *sim.Trace) (all []interval, byHost map[string][]interval) {
	busy := map[string][]interval{}
	var total []interval
	for conn := range t.Conns {
		spans := occupied(t, int32(conn))
		total = append(total, spans...)
		host := t.Conns[conn].Host
		busy[host] = append(busy[host], spans...)
	}
	byHost = map[string][]interval{}
	for host, spans := range busy {
		byHost[host] = atLeast(spans, t.Spec.Params.MaxPerHost)
	}
	return atLeast(total, t.Spec.Params.MaxConnections), byHost
}

// occupied returns when the connection had an object.
func occupied(t *sim.Trace, conn int32) []interval {
	var spans []interval
	for i := range t.Objects {
		if o := &t.Objects[i]; o.Conn == conn {
			spans = append(spans, interval{placed(o), o.End})
		}
	}
	return atLeast(spans, 1)
}

// atLeast returns when n or more of the intervals hold at once, in order of time; not moments without length.
func atLeast(spans []interval, n int) []interval {
	type change struct {
		at time.Duration
		by int
	}
	var changes []change
	for _, s := range spans {
		changes = append(changes, change{s.from, 1}, change{s.to, -1})
	}
	// At one moment what begins comes first, so that an interval that follows another leaves no gap.
	slices.SortFunc(changes, func(a, b change) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(b.by, a.by)) })
	var out []interval
	held := 0
	for _, c := range changes {
		before := held
		held += c.by
		switch {
		case before < n && held >= n:
			out = append(out, interval{from: c.at})
		case before >= n && held < n:
			last := &out[len(out)-1]
			if last.to = c.at; last.from == last.to {
				out = out[:len(out)-1]
			}
		}
	}
	return out
}
