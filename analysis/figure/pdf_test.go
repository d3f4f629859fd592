package figure

import "testing"

func TestPrintable(t *testing.T) {
	for text, want := range map[string]string{
		"Gr\u00f6\u00dfe <&>":  "Gr\u00f6\u00dfe <&>",
		"\u20ac 5 \u2013 6":    "\u20ac 5 \u2013 6",
		"\u03bb\n\u0085\uE000": "%CE%BB%0A%C2%85%EE%80%80",
		"\xff":                 "?",
	} {
		if got := printable(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
