package har

import (
	"cmp"
	"fmt"
	"slices"
	"sort"
	"time"

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

// timeParents links the transfers of a draft by ByTime. It sorts once and searches: n log n.
func timeParents(d *draft) {
	r := d.recorded
	known := 0
	for i := range r {
		if r[i].Start != unknown {
			known++
		}
	}
	ended := make([]int32, 0, known)
	for i := range r {
		if r[i].Start != unknown {
			ended = append(ended, int32(i))
		}
	}
	slices.SortFunc(ended, func(a, b int32) int {
		return cmp.Or(cmp.Compare(r[a].End, r[b].End), cmp.Compare(r[a].Start, r[b].Start), cmp.Compare(a, b))
	})
	for i := range r {
		d.objects[i].After = page.None
		if r[i].Start == unknown {
			continue
		}
		n := sort.Search(len(ended), func(k int) bool { return r[ended[k]].End >= r[i].Start })
		if n > 0 {
			d.objects[i].After = ended[n-1]
		}
	}
}

// named is what initiators are found by: an entry of the page, transfer or not.
type named struct {
	url, initiator, redirect string // without fragments
	start                    time.Duration
	at                       place
	index                    int32 // of the entry
	transfer                 bool
}

// named returns the entries of the chosen page in the order of their starts, those without one first.
func (f *File) named(chosen int) []named {
	var all []named
	f.eachOf(chosen, newFindings(f.Name), func(_ int, r *record) {
		n := named{withoutFragment(r.url), r.initiator, r.redirect, unknown, r.at, r.index, r.kind == transfer}
		if r.start.known() {
			n.start = time.Duration(f.micros(r))
		}
		all = append(all, n)
	})
	slices.SortStableFunc(all, func(a, b named) int { return cmp.Compare(a.start, b.start) })
	return all
}

// initiatorParents links the transfers of the chosen page by ByInitiator. The draft is in the order of starts.
func (f *File) initiatorParents(chosen int, d *draft, found *findings) {
	timeParents(d)
	all := f.named(chosen)
	of := make([]int32, len(all)) // each entry's transfer, or page.None
	entries := make([]int32, 0, len(d.objects))
	byURL := map[string][]int32{}
	redirects := map[string][]int32{}
	known := false
	for i := range all {
		n := &all[i]
		of[i] = page.None
		known = known || n.initiator != ""
		byURL[n.url] = append(byURL[n.url], int32(i))
		if !n.transfer {
			continue
		}
		of[i] = int32(len(entries))
		entries = append(entries, int32(i))
		if n.redirect != "" {
			redirects[n.redirect] = append(redirects[n.redirect], int32(i))
		}
	}
	if !known {
		found.add(RuleNoInitiators, place{}, -1, "")
		return
	}
	note := func(rule Rule, n *named) { found.add(rule, n.at, int(n.index), short(n.url)) }
	parents := make([]int32, len(entries))
	chains := &initiators{all: all, of: of, byURL: byURL, passed: map[int32]initiated{}}
	for t, i := range entries {
		parents[t] = d.objects[t].After
		switch from, rule := chains.transfer(i); {
		case rule == RuleInitiatorSelf:
			note(rule, &all[i])
			parents[t] = page.None
		case from >= 0:
			parents[t] = of[from]
		default:
			if from := latest(redirects[all[i].url], i); from >= 0 {
				parents[t] = of[from]
				continue
			}
			if parents[t] != page.None {
				note(rule, &all[i])
			}
		}
	}
	younger := func(a, b int32) int { return cmp.Or(d.byStart(a, b), cmp.Compare(a, b)) }
	dropCycles(parents, younger, func(child int32) { note(RuleInitiatorCycle, &all[entries[child]]) })
	for t := range parents {
		d.objects[t].After = parents[t]
	}
}

// initiators follows the initiators of entries.
type initiators struct {
	all    []named
	of     []int32 // each entry's transfer, or page.None
	byURL  map[string][]int32
	passed map[int32]initiated // what entries that are no transfers lead to, as far as they were passed
}

// initiated is what an entry's initiators lead to: a transfer, by its entry, or -1 and why there is none.
type initiated struct {
	from int32
	rule Rule
}

// transfer follows the initiators of an entry up to the first transfer. Without one it returns -1 and why.
func (s *initiators) transfer(i int32) (int32, Rule) {
	var passed []int32
	end := s.next(i)
	for end.rule == "" && s.of[end.from] == page.None {
		at := end.from
		known, ok := s.passed[at]
		if ok {
			end = known
			break
		}
		s.passed[at] = initiated{-1, RuleInitiatorSelf} // who comes back here is in a cycle of entries that are no transfers
		passed = append(passed, at)
		end = s.next(at)
	}
	for _, at := range passed {
		s.passed[at] = end
	}
	if end.from == i {
		return -1, RuleInitiatorSelf
	}
	return end.from, end.rule
}

// next returns the initiator of an entry, transfer or not.
func (s *initiators) next(at int32) initiated {
	u := s.all[at].initiator
	if u == "" {
		return initiated{-1, RuleNoInitiator}
	}
	candidates := s.byURL[u]
	from := latest(candidates, at)
	if from < 0 && len(candidates) > 0 { // asked for only later, or by itself
		if from = candidates[0]; from == at {
			return initiated{-1, RuleInitiatorSelf}
		}
	}
	if from < 0 {
		return initiated{-1, RuleInitiatorAbsent}
	}
	return initiated{from, ""}
}

// latest returns the last of the ascending indices that is below i, or -1.
func latest(indices []int32, i int32) int32 {
	n, _ := slices.BinarySearch(indices, i)
	if n == 0 {
		return -1
	}
	return indices[n-1]
}

// dropCycles cuts each cycle of parents at its youngest edge: the one whose child started last, as age compares them.
func dropCycles(parents []int32, age func(a, b int32) int, dropped func(child int32)) {
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
			if age(k, youngest) > 0 {
				youngest = k
			}
		}
		parents[youngest] = page.None
		dropped(youngest)
	}
}
