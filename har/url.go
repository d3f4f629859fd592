package har

import "strings"

// origin is where a URL's bytes come from.
type origin struct {
	scheme string // lower case; empty: a relative URL
	host   string // lower case, with the port where it is not the scheme's own
}

// parseOrigin takes scheme and host out of a URL. It is not net/url: recorded URLs hold unescaped characters that
// net/url refuses, and only their beginning matters here.
func parseOrigin(u string) (o origin) {
	scheme, rest, ok := strings.Cut(u, ":")
	if !ok || !isScheme(scheme) {
		return origin{}
	}
	o.scheme = strings.ToLower(scheme)
	rest, ok = strings.CutPrefix(rest, "//")
	if !ok {
		return o
	}
	if end := strings.IndexAny(rest, `/?#\`); end >= 0 {
		rest = rest[:end]
	}
	rest = rest[strings.LastIndexByte(rest, '@')+1:]
	o.host = strings.ToLower(strings.TrimSpace(rest))
	switch o.scheme {
	case "http", "ws":
		o.host = strings.TrimSuffix(o.host, ":80")
	case "https", "wss":
		o.host = strings.TrimSuffix(o.host, ":443")
	}
	o.host = strings.TrimSuffix(o.host, ":")
	return o
}

// isScheme checks the grammar of RFC 3986, section 3.1.
func isScheme(s string) bool {
	for i := range len(s) {
		c := s[i] | 0x20
		if c >= 'a' && c <= 'z' || i > 0 && (s[i] >= '0' && s[i] <= '9' || s[i] == '+' || s[i] == '-' || s[i] == '.') {
			continue
		}
		return false
	}
	return s != ""
}

// resolve completes a relative URL with the scheme, host and, for a relative path, folder of base.
func resolve(u, base string) string {
	scheme, rest, ok := strings.Cut(base, "://")
	if !ok || parseOrigin(u).scheme != "" {
		return u
	}
	if strings.HasPrefix(u, "//") {
		return scheme + ":" + u
	}
	host, path, _ := strings.Cut(rest, "/")
	if strings.HasPrefix(u, "/") {
		return scheme + "://" + host + u
	}
	path, _, _ = strings.Cut(path, "?")
	return scheme + "://" + host + "/" + path[:strings.LastIndexByte(path, '/')+1] + u
}

// withoutFragment cuts "#..." off; initiators are written with or without it.
func withoutFragment(u string) string {
	u, _, _ = strings.Cut(u, "#")
	return u
}
