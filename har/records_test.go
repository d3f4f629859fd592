package har

import (
	"fmt"
	"math"
	"testing"
	"time"

	"braid/sim/page"

	"pgregory.net/rapid"
)

func someRecord(t *rapid.T) record {
	text := rapid.SampledFrom([]string{"", "a", "b", "GET", "http://a.example/ü"})
	number := rapid.OneOf(rapid.Just(int64(0)), rapid.Int64Range(0, math.MaxInt64/2))
	r := record{
		url: text.Draw(t, "url"), initiator: text.Draw(t, "initiator"), redirect: text.Draw(t, "redirect"), method: text.Draw(t, "method"),
		mime: text.Draw(t, "mime"), http: text.Draw(t, "http"), ref: text.Draw(t, "ref"), start: noInstant,
		stated: time.Duration(number.Draw(t, "stated")) - 1, bytes: number.Draw(t, "bytes"), status: rapid.Int32().Draw(t, "status"),
		at: place{rapid.Int32Range(1, math.MaxInt32).Draw(t, "line"), rapid.Int32Range(1, math.MaxInt32).Draw(t, "column")}, index: rapid.Int32Range(0, math.MaxInt32-1).Draw(t, "index"),
		kind: kind(rapid.IntRange(0, numKinds-1).Draw(t, "kind")), secure: page.TLSVersion(rapid.IntRange(0, 3).Draw(t, "secure")),
	}
	if rapid.Bool().Draw(t, "known") {
		r.start = instant{second: rapid.Int64Range(-1e11, 1e11).Draw(t, "second"), fraction: rapid.Int32Range(0, 999999).Draw(t, "fraction"), digits: int8(rapid.IntRange(0, 6).Draw(t, "digits"))}
	}
	for _, d := range r.phases.parts() {
		*d = time.Duration(number.Draw(t, "phase"))
	}
	return r
}

// Records are read as they were written, each time.
func TestRecords(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := rapid.SliceOf(rapid.Custom(someRecord)).Draw(t, "records")
		var s records
		for i := range want {
			s.add(&want[i])
		}
		s.finish()
		for range 2 {
			n := 0
			s.each(func(i int, r *record) bool {
				if i != n || *r != want[i] {
					t.Fatalf("record %d is %+v, want %d: %+v", i, *r, n, want[n])
				}
				n++
				return true
			})
			if n != len(want) {
				t.Fatalf("%d records, want %d", n, len(want))
			}
		}
	})
}

// More texts than are named by number, over more than one chunk.
func TestRecordsManyTexts(t *testing.T) {
	var s records
	const n = 2 * maxInterned
	text := func(i int) string { return fmt.Sprintf("initiator %d", i) }
	for i := range n {
		s.add(&record{url: "http://a.example/" + text(i), initiator: text(i), start: noInstant, stated: -1})
	}
	s.finish()
	if len(s.texts) != maxInterned || len(s.chunks) < 2 {
		t.Errorf("%d texts by number in %d chunks, want %d in at least 2", len(s.texts), len(s.chunks), maxInterned)
	}
	s.each(func(i int, r *record) bool {
		if r.initiator != text(i) || r.url != "http://a.example/"+text(i) {
			t.Fatalf("record %d: %+v", i, r)
		}
		return true
	})
}
