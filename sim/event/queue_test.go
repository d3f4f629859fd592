package event

import (
	"math/rand/v2"
	"sort"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// reference is the queue as its documentation states it: a list sorted by time, class and order of setting.
type reference struct {
	events []refEvent
	seq    int
}

type refEvent struct {
	owner int32
	at    time.Duration
	class Class
	seq   int
}

func (r *reference) remove(owner int32) {
	for i := range r.events {
		if r.events[i].owner == owner {
			r.events = append(r.events[:i], r.events[i+1:]...)
			return
		}
	}
}

func (r *reference) set(owner int32, at time.Duration, class Class) {
	r.remove(owner)
	r.seq++
	r.events = append(r.events, refEvent{owner, at, class, r.seq})
	sort.Slice(r.events, func(i, j int) bool {
		a, b := r.events[i], r.events[j]
		if a.at != b.at {
			return a.at < b.at
		}
		if a.class != b.class {
			return a.class < b.class
		}
		return a.seq < b.seq
	})
}

func TestQueueBehavesAsASortedList(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const owners = 20
		var q, copied Queue
		q.Reset(owners)
		copied.Reset(owners)
		copied.Set(3, 1, 0) // CopyFrom must forget what was there
		var r reference
		n := rapid.IntRange(1, 200).Draw(t, "steps")
		for range n {
			owner := rapid.Int32Range(0, owners-1).Draw(t, "owner")
			switch rapid.IntRange(0, 4).Draw(t, "step") {
			case 0, 1, 2:
				at := time.Duration(rapid.IntRange(0, 9).Draw(t, "at"))
				class := Class(rapid.IntRange(0, 2).Draw(t, "class"))
				q.Set(owner, at, class)
				r.set(owner, at, class)
			case 3:
				q.Remove(owner)
				r.remove(owner)
			case 4:
				copied.CopyFrom(&q)
				q, copied = copied, q
			}
			if q.Len() != len(r.events) {
				t.Fatalf("%d events, want %d", q.Len(), len(r.events))
			}
			got, at, ok := q.Next()
			if ok != (len(r.events) > 0) {
				t.Fatalf("Next: ok %v with %d events", ok, len(r.events))
			}
			if ok && (got != r.events[0].owner || at != r.events[0].at) {
				t.Fatalf("Next: owner %d at %v, want %+v", got, at, r.events[0])
			}
			for _, e := range r.events {
				if at, ok := q.At(e.owner); !ok || at != e.at {
					t.Fatalf("At(%d) = %v %v, want %v", e.owner, at, ok, e.at)
				}
			}
		}
	})
}

func BenchmarkQueueRekey(b *testing.B) {
	const owners = 64
	var q Queue
	q.Reset(owners)
	r := rand.New(rand.NewPCG(1, 2))
	for i := range int32(owners) {
		q.Set(i, time.Duration(r.IntN(1000)), 0)
	}
	b.ReportAllocs()
	for b.Loop() {
		owner, at, _ := q.Next()
		q.Set(owner, at+time.Duration(r.IntN(1000)), 0)
	}
}

func BenchmarkQueueCopy(b *testing.B) {
	const owners = 64
	var q, to Queue
	q.Reset(owners)
	to.Reset(owners)
	for i := range int32(owners / 2) {
		q.Set(i, time.Duration(i*7919%100), 0)
	}
	b.ReportAllocs()
	for b.Loop() {
		to.CopyFrom(&q)
	}
}
