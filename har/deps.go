package har

import (
	"cmp"
	"fmt"
	"slices"
	"sort"

	"braid/sim/page"
)

// Deps is where the dependencies of a page come from.
type Deps uint8

// Sources of dependencies.
const (
	// ByTime takes them from times: the recording client is assumed not to be limited by bandwidth, so what an object
	// waited for has just ended. An object waits for the one that, among those that ended strictly before it started,
	// ended last; of several that ended together, the one that started last. No such object: it starts at 0.
	ByTime Deps = iota
	// ByInitiator takes them from what the browser says made it ask for the object; see package documentation.
	ByInitiator
)

// DepsNames are the names of Deps, in their order.
var DepsNames = []string{"time", "initiator"}

// ParseDeps returns the source of dependencies of that name.
func ParseDeps(s string) (Deps, error) {
	if i := slices.Index(DepsNames, s); i >= 0 {
		return Deps(i), nil
	}
	return ByTime, fmt.Errorf("unknown source of dependencies %q (expected time or initiator)", s)
}

// span is when a transfer started and ended, in microseconds.
type span struct {
	start, end int64
	known      bool // false: no start time; it starts at 0, and nothing waits for it
}

// timeParents returns what each of the transfers waits for by ByTime, page.None for nothing. It sorts once and
// searches: n log n.
func timeParents(spans []span) []int32 {
	ended := make([]int32, 0, len(spans))
	for i := range spans {
		if spans[i].known {
			ended = append(ended, int32(i))
		}
	}
	slices.SortFunc(ended, func(a, b int32) int {
		return cmp.Or(cmp.Compare(spans[a].end, spans[b].end), cmp.Compare(spans[a].start, spans[b].start), cmp.Compare(a, b))
	})
	parents := make([]int32, len(spans))
	for i, s := range spans {
		parents[i] = page.None
		if !s.known {
			continue
		}
		n := sort.Search(len(ended), func(k int) bool { return spans[ended[k]].end >= s.start })
		if n > 0 {
			parents[i] = ended[n-1]
		}
	}
	return parents
}

// initiatorParents returns what each transfer waits for by ByInitiator. all are the records of the page, in the order
// of their starts; of is each record's transfer, or page.None.
func initiatorParents(all []*record, of []int32, spans []span, note func(Rule, *record, string)) []int32 {
	parents := timeParents(spans)
	named := false
	byURL := map[string][]int32{}
	redirects := map[string][]int32{}
	for i, r := range all {
		named = named || r.initiator != ""
		u := withoutFragment(r.url)
		byURL[u] = append(byURL[u], int32(i))
		if r.redirect != "" && of[i] != page.None {
			redirects[r.redirect] = append(redirects[r.redirect], int32(i))
		}
	}
	if !named {
		note(RuleNoInitiators, nil, "")
		return parents
	}
	for i, r := range all {
		t := of[i]
		if t == page.None {
			continue
		}
		switch from, rule := initiatorOf(all, of, byURL, int32(i)); {
		case rule == RuleInitiatorSelf:
			note(rule, r, short(r.url))
			parents[t] = page.None
		case from >= 0:
			parents[t] = of[from]
		default:
			if from := latest(redirects[withoutFragment(r.url)], int32(i)); from >= 0 {
				parents[t] = of[from]
				continue
			}
			if parents[t] != page.None {
				note(rule, r, short(r.url))
			}
		}
	}
	dropCycles(parents, spans, func(child int32) {
		for i, t := range of {
			if t == child {
				note(RuleInitiatorCycle, all[i], short(all[i].url))
			}
		}
	})
	return parents
}

// initiatorOf follows the initiators of a record up to the first transfer. Without one it returns -1 and why.
func initiatorOf(all []*record, of []int32, byURL map[string][]int32, i int32) (int32, Rule) {
	at := i
	for range all {
		u := all[at].initiator
		if u == "" {
			return -1, RuleNoInitiator
		}
		candidates := byURL[u]
		from := latest(candidates, at)
		if from < 0 && len(candidates) > 0 { // asked for only later, or by itself
			if from = candidates[0]; from == at {
				return -1, RuleInitiatorSelf
			}
		}
		switch {
		case from < 0:
			return -1, RuleInitiatorAbsent
		case of[from] != page.None:
			if from == i {
				return -1, RuleInitiatorSelf
			}
			return from, ""
		}
		at = from
	}
	return -1, RuleInitiatorSelf // a cycle of entries that are no transfers
}

// latest returns the last of the ascending indices that is below i, or -1.
func latest(indices []int32, i int32) int32 {
	n, _ := slices.BinarySearch(indices, i)
	if n == 0 {
		return -1
	}
	return indices[n-1]
}

// dropCycles cuts each cycle of parents at its youngest edge: the one whose child started last.
func dropCycles(parents []int32, spans []span, dropped func(child int32)) {
	seen := make([]int32, len(parents)) // 0: not yet; else the walk that met it, from 1
	for i := range parents {
		walk := int32(i) + 1
		j := int32(i)
		for j != page.None && seen[j] == 0 {
			seen[j] = walk
			j = parents[j]
		}
		if j == page.None || seen[j] != walk {
			continue
		}
		youngest := j
		for k := parents[j]; k != j; k = parents[k] {
			if c := cmp.Or(cmp.Compare(spans[k].start, spans[youngest].start), cmp.Compare(k, youngest)); c > 0 {
				youngest = k
			}
		}
		parents[youngest] = page.None
		dropped(youngest)
	}
}
