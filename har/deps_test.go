package har

import (
	"cmp"
	"testing"
	"time"

	"braid/sim/page"

	"pgregory.net/rapid"
)

// span is when a transfer started and ended, in microseconds.
type span struct {
	start, end int64
	known      bool
}

// The rule word for word: among those that ended strictly before it started, the one that ended last; of several that
// ended together, the one that started last.
func naiveParents(spans []span) []int32 {
	parents := make([]int32, len(spans))
	for i, s := range spans {
		parents[i] = page.None
		for k, c := range spans {
			if !s.known || !c.known || c.end >= s.start {
				continue
			}
			best := parents[i]
			if best == page.None || c.end > spans[best].end || c.end == spans[best].end && c.start >= spans[best].start {
				parents[i] = int32(k)
			}
		}
	}
	return parents
}

func TestTimeParents(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		spans := rapid.SliceOf(rapid.Custom(func(t *rapid.T) span {
			start := rapid.Int64Range(0, 20).Draw(t, "start")
			return span{start, start + rapid.Int64Range(0, 8).Draw(t, "duration"), rapid.IntRange(0, 9).Draw(t, "known") > 0}
		})).Draw(t, "spans")
		d := &draft{objects: make([]page.Object, len(spans)), recorded: make([]page.Recorded, len(spans))}
		for i, s := range spans {
			d.recorded[i].Start, d.recorded[i].End = time.Duration(s.start), time.Duration(s.end)
			if !s.known {
				d.recorded[i].Start = unknown
			}
		}
		timeParents(d)
		for i, want := range naiveParents(spans) {
			if got := d.objects[i].After; got != want {
				t.Fatalf("object %d of %v waits for %d, want %d", i, spans, got, want)
			}
		}
	})
}

// Whatever the parents, no cycle is left, only edges of cycles are dropped, one of each cycle, and of that the one
// whose child started last.
func TestDropCycles(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 12).Draw(t, "objects")
		parents, spans := make([]int32, n), make([]span, n)
		for i := range parents {
			parents[i] = int32(rapid.IntRange(-1, n-1).Draw(t, "parent"))
			spans[i].start = rapid.Int64Range(0, 5).Draw(t, "start")
		}
		before := append([]int32(nil), parents...)
		var dropped []int32
		age := func(a, b int32) int { return cmp.Or(cmp.Compare(spans[a].start, spans[b].start), cmp.Compare(a, b)) }
		dropCycles(parents, age, func(c int32) { dropped = append(dropped, c) })
		for _, c := range dropped {
			cycle := []int32{c}
			for k := before[c]; k != c; k = before[k] {
				if len(cycle) > n {
					t.Fatalf("%v: the edge of %d is dropped, but is in no cycle", before, c)
				}
				cycle = append(cycle, k)
			}
			for _, k := range cycle {
				if spans[k].start > spans[c].start {
					t.Fatalf("%v: the edge of %d is dropped, but that of %d in the same cycle is younger", before, c, k)
				}
				if k != c && parents[k] != before[k] {
					t.Fatalf("%v: two edges of one cycle are dropped", before)
				}
			}
		}
		changed := 0
		for i := range parents {
			if parents[i] != before[i] {
				changed++
			}
			k := int32(i)
			for steps := 0; k != page.None; steps++ {
				if steps > n {
					t.Fatalf("%v becomes %v: a cycle is left", before, parents)
				}
				k = parents[k]
			}
		}
		if changed != len(dropped) {
			t.Fatalf("%d edges changed, %d reported", changed, len(dropped))
		}
	})
}

// naiveInitiator follows initiators step by step, as the package documentation says, without remembering anything.
func naiveInitiator(s *initiators, i int32) (int32, Rule) {
	at := i
	for range s.all {
		step := s.next(at)
		switch {
		case step.rule != "":
			return -1, step.rule
		case step.from == i && s.of[step.from] != page.None:
			return -1, RuleInitiatorSelf
		case s.of[step.from] != page.None:
			return step.from, ""
		}
		at = step.from
	}
	return -1, RuleInitiatorSelf // a cycle of entries that are no transfers
}

// What was passed on the way from one entry does not change what another leads to.
func TestInitiators(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		url := rapid.SampledFrom([]string{"a", "b", "c", "d", "e", "f"})
		s := &initiators{byURL: map[string][]int32{}, passed: map[int32]initiated{}}
		for i := range int32(rapid.IntRange(1, 12).Draw(t, "entries")) {
			n := named{url: url.Draw(t, "url")}
			if rapid.IntRange(0, 5).Draw(t, "known") > 0 {
				n.initiator = url.Draw(t, "initiator")
			}
			of := i
			if rapid.IntRange(0, 2).Draw(t, "transfer") > 0 {
				of = page.None
			}
			s.all, s.of = append(s.all, n), append(s.of, of)
			s.byURL[n.url] = append(s.byURL[n.url], i)
		}
		for i := range s.all {
			if s.of[i] == page.None {
				continue
			}
			from, rule := s.transfer(int32(i))
			if wantFrom, wantRule := naiveInitiator(s, int32(i)); from != wantFrom || rule != wantRule {
				t.Fatalf("entry %d leads to %d, %q; want %d, %q", i, from, rule, wantFrom, wantRule)
			}
		}
	})
}
