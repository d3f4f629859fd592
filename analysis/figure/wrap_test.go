package figure

import (
	"slices"
	"testing"

	"gonum.org/v1/plot/vg"
)

func TestWrap(t *testing.T) {
	f := textStyle(10).Font
	// An "m" is 8.33 points wide in 10 points, 9.58 with slack.
	for _, c := range []struct {
		text  string
		width vg.Length
		want  []string
	}{
		{"", 50, nil},
		{"mm mm", 100, []string{"mm mm"}},
		{"mm mm", 30, []string{"mm", "mm"}},
		{"mm  mm,mm,", 48, []string{"mm mm,", "mm,"}},
		{"mmmmmmmmmm mm", 30, []string{"mmmmmmmmmm", "mm"}},
	} {
		if got := wrap(c.text, f, c.width); !slices.Equal(got, c.want) {
			t.Errorf("%q in %v: %q, want %q", c.text, c.width, got, c.want)
		}
	}
}
