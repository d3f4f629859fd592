package label

import (
	"testing"

	"braid/sim/page"

	"pgregory.net/rapid"
)

func TestObject(t *testing.T) {
	p, err := page.New("labels", []page.Object{
		{Host: "a.example", After: page.None}, {Host: "a.example", After: page.None},
		{Host: "a.example", After: page.None}, {Host: "b\u00fccher.example", After: page.None},
	})
	if err != nil {
		t.Fatal(err)
	}
	p.Recorded = []page.Recorded{
		{URL: "https://a.example/x/y.css?v=1#top"},
		{URL: "https://a.example/0123456789/0123456789/0123456789.js"},
		{URL: "::"},
	}
	for i, want := range []string{
		"a.example/x/y.css",
		"a.example/01234567...56789/0123456789.js", // 18 characters, three dots, 19
		"a.example #2",
		"b%C3%BCcher.example #3",
	} {
		if got := Object(p, i, 40); got != want {
			t.Errorf("object %d: %q, want %q", i, got, want)
		}
	}
}

// However long a host's name and an index are, a label keeps to its length and to printable ASCII.
func TestObjectLength(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		host := rapid.StringN(1, 80, -1).Draw(t, "host")
		p, err := page.New("labels", []page.Object{{Host: host, After: page.None}})
		if err != nil {
			t.Fatal(err)
		}
		if rapid.Bool().Draw(t, "recorded") {
			p.Recorded = []page.Recorded{{URL: rapid.StringN(0, 200, -1).Draw(t, "url")}}
		}
		length := rapid.IntRange(16, 60).Draw(t, "length")
		got := Object(p, 0, length)
		if len(got) > length {
			t.Fatalf("%q has %d characters, want at most %d", got, len(got), length)
		}
		for _, r := range got {
			if r < ' ' || r > '~' {
				t.Fatalf("%q holds %q", got, r)
			}
		}
	})
}
