package figure

import (
	"fmt"
	"net/url"
	"strings"

	"braid/sim/page"
)

// labelLength is the most characters of an object's label.
const labelLength = 40

// objectLabel names an object: host and path where it was recorded, else host and index. Only printable ASCII comes out,
// as PDF's built-in encodings hold little else.
func objectLabel(p *page.Page, i int) string {
	if i < len(p.Recorded) {
		if u, err := url.Parse(p.Recorded[i].URL); err == nil && u.Host != "" {
			return elide(ascii(u.Host+u.EscapedPath()), labelLength)
		}
	}
	index := fmt.Sprintf(" #%d", i)
	return elide(ascii(p.Objects[i].Host), labelLength-len(index)) + index
}

// elide shortens s to n characters, at least 8, by dots in its middle: the host at its start and the file name at its
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

// ascii writes every byte that is no printable ASCII as in a URL.
func ascii(s string) string {
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
