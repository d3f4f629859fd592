package figure

import (
	"testing"

	"braid/sim/page"
)

func TestObjectLabel(t *testing.T) {
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
		if got := objectLabel(p, i); got != want {
			t.Errorf("object %d: %q, want %q", i, got, want)
		}
	}
}
