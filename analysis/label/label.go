// Package label names objects in tables and figures.
package label

import (
	"fmt"
	"net/url"
	"strings"

	"braid/sim/page"
)

// Object names the i-th object of the page in at most length characters, at least 16: host and path where it was
// recorded, else host and index. Only printable ASCII comes out, as terminals and PDF's built-in encodings cannot be
// trusted with more.
func Object(p *page.Page, i, length int) string {
	if i < len(p.Recorded) {
		if u, err := url.Parse(p.Recorded[i].URL); err == nil && u.Host != "" {
			return elide(ASCII(u.Host+u.EscapedPath()), length)
		}
	}
	index := fmt.Sprintf(" #%d", i)
	return elide(ASCII(p.Objects[i].Host), length-len(index)) + index
}

// elide shortens s to n characters, by dots in its middle: the host at its start and the file name at its
// end say most.
func elide(s string, n int) string {
	const dots = "..."
	if len(s) <= n {
		return s
	}
	head := (n - len(dots)) / 2
	tail := n - len(dots) - head
	return s[:head] + dots + s[len(s)-tail:]
}

// ASCII writes every byte that is no printable ASCII as in a URL.
func ASCII(s string) string {
	var b strings.Builder
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			fmt.Fprintf(&b, "%%%02X", s[i])
		} else {
			b.WriteByte(s[i])
		}
	}
	return b.String()
}
