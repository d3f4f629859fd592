package page

import (
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// The page of these tests, "after" as arrows:
//
//	0 <- 1 <- 3 <- 5
//	0 <- 4
//	2 <- 6
func tree(t *testing.T) *Page {
	t.Helper()
	p, err := New("tree", []Object{
		{Host: "a", Bytes: 1, After: None},
		{Host: "b", TLS: true, Bytes: 20, After: 0},
		{Host: "a", Bytes: 300, After: None},
		{Host: "b", Bytes: 4000, After: 1},
		{Host: "a", TLS: true, Bytes: 50_000, After: 0},
		{Host: "b", TLS: true, Bytes: 600_000, After: 3},
		{Host: "c", Bytes: 0, After: 2},
	})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestPage(t *testing.T) {
	p := tree(t)
	if got := p.Roots(); !slices.Equal(got, []int32{0, 2}) {
		t.Errorf("roots %v", got)
	}
	for i, want := range [][]int32{{1, 4}, {3}, {6}, {5}, {}, {}, {}} {
		if got := p.Children(int32(i)); !slices.Equal(got, want) {
			t.Errorf("children of %d: %v, want %v", i, got, want)
		}
	}
	if p.Hosts() != 3 || p.Bytes() != 654_321 || p.Depth() != 4 {
		t.Errorf("%d hosts, %d bytes, depth %d; want 3, 654321, 4", p.Hosts(), p.Bytes(), p.Depth())
	}
	origins := []Origin{{"a", false, 0}, {"b", true, 1}, {"b", false, 1}, {"a", true, 0}, {"c", false, 2}}
	if !slices.Equal(p.Origins(), origins) {
		t.Errorf("origins %v, want %v", p.Origins(), origins)
	}
	for i, want := range []int32{0, 1, 0, 2, 3, 1, 4} {
		if got := p.Origin(int32(i)); got != want {
			t.Errorf("origin of %d: %d, want %d", i, got, want)
		}
	}
}

func TestNewErrors(t *testing.T) {
	ok := Object{Host: "a", Bytes: 1, After: None}
	with := func(change func(*Object)) []Object {
		o := ok
		change(&o)
		return []Object{ok, o}
	}
	after := func(list ...int32) []Object {
		objects := make([]Object, len(list))
		for i, a := range list {
			objects[i] = Object{Host: "a", After: a}
		}
		return objects
	}
	for _, c := range []struct {
		objects []Object
		want    string
	}{
		{nil, `page "x" has no objects`},
		{with(func(o *Object) { o.Host = "" }), "object 1 has no host"},
		{with(func(o *Object) { o.Bytes = -5 }), "object 1 has -5 bytes (expected 0 to 2^40)"},
		{with(func(o *Object) { o.Think = -time.Second }), "object 1 has think time -1s and server time 0s (expected 0 to 24h0m0s)"},
		{with(func(o *Object) { o.Server = -1 }), "object 1 has think time 0s and server time -1ns"},
		{with(func(o *Object) { o.Think = 25 * time.Hour }), "object 1 has think time 25h0m0s"},
		{with(func(o *Object) { o.Bytes = 1<<40 + 1 }), "object 1 has 1099511627777 bytes"},
		{with(func(o *Object) { o.After = 2 }), "object 1 is after 2 (expected null or an index from 0 to 1)"},
		{with(func(o *Object) { o.After = -2 }), "object 1 is after -2"},
		{after(None, 1), "object 1 waits for itself: 1 -> 1 (drop"},
		{after(1, 2, 0), "0 -> 1 -> 2 -> 0"},
		{after(None, 0, 1, 4, 5, 3, 3), "3 -> 4 -> 5 -> 3"},
		{after(1, 2, 3, 2), "2 -> 3 -> 2"}, // 0 and 1 lead into the cycle
	} {
		p, err := New("x", c.objects)
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), `page "x"`) {
			t.Errorf("%+v: %v, %v; want an error with %q", c.objects, p, err, c.want)
		}
	}
}

// A cycle of any length is named in a line, in time that grows with its length.
func TestLongCycle(t *testing.T) {
	const n = 300_000
	objects := make([]Object, n)
	for i := range objects {
		objects[i] = Object{Host: "a", After: int32((i + 1) % n)}
	}
	_, err := New("x", objects)
	want := `page "x": object 0 waits for itself: 0 -> 1 -> 2 -> 3 -> 4 -> 5 -> 6 -> 7 -> 8 -> 9 -> 299990 more -> 0 (drop one of these "after")`
	if err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

// TestDependencies draws any After and holds New against walks along it: with n objects a walk of more than n steps is in
// a cycle.
func TestDependencies(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 12).Draw(t, "objects")
		objects := make([]Object, n)
		for i := range objects {
			objects[i] = Object{Host: "a", After: int32(rapid.IntRange(-1, n-1).Draw(t, "after"))}
		}
		cyclic, depth := false, 0
		for i := range objects {
			steps := 0
			for j := int32(i); j != None && steps <= n; j = objects[j].After {
				steps++
			}
			cyclic = cyclic || steps > n
			depth = max(depth, steps)
		}
		p, err := New("x", objects)
		if (err != nil) != cyclic {
			t.Fatalf("%+v: error %v, cyclic %v", objects, err, cyclic)
		}
		if err != nil {
			return
		}
		if p.Depth() != depth {
			t.Fatalf("depth %d, want %d", p.Depth(), depth)
		}
		for i, o := range objects {
			siblings := p.Roots()
			if o.After != None {
				siblings = p.Children(o.After)
			}
			if !slices.Contains(siblings, int32(i)) || !slices.IsSorted(siblings) {
				t.Fatalf("object %d is not among %v, or these are not in page order", i, siblings)
			}
		}
	})
}
