package har

import (
	"strings"

	"braid/sim/page"
)

// Protocols as page.Recorded.HTTP has them.
const (
	http10 = "http/1.0"
	http11 = "http/1.1"
	http2  = "h2"
	http3  = "h3"
)

// protocol returns the HTTP version of an exchange: the first of the texts that says one, else "". Texts are what
// producers write as httpVersion, and WebPageTest as _protocol.
func protocol(texts ...string) string {
	for _, t := range texts {
		if p := parseProtocol(t); p != "" {
			return p
		}
	}
	return ""
}

// parseProtocol knows, beside the names of RFC 7301's registry and of HAR 1.2: bare numbers (WebPageTest), Chrome's
// "spdy" and "http/2+quic/46", draft versions ("h3-29"), and what WebPageTest cuts out of HTTP/2 lines at a fixed
// column: "2 2" of "HTTP/2 200", "us:" of ":status:", "me:", "od:" and "ori" of other pseudo-header fields.
func parseProtocol(t string) string {
	t = strings.ToLower(strings.TrimSpace(t))
	switch t {
	case "http/1.0", "1.0":
		return http10
	case "http/1.1", "1.1":
		return http11
	case "h2", "h2c", "http/2", "http/2.0", "2", "2.0", "spdy", "us:", "me:", "od:", "ori":
		return http2
	case "h3", "http/3", "http/3.0", "3", "3.0":
		return http3
	}
	switch {
	case strings.Contains(t, "quic"), strings.HasPrefix(t, "h3-"):
		return http3
	case strings.HasPrefix(t, "spdy/"), len(t) == 3 && strings.HasPrefix(t, "2 "):
		return http2
	}
	return ""
}

// standardVersion tells whether httpVersion is what HAR's specification, a browser or a recorder of its own writes for
// a version of HTTP, or says that it is not known.
func standardVersion(t string) bool {
	switch t = strings.ToLower(t); t {
	case "", "unknown":
		return true
	case "us:", "me:", "od:", "ori":
		return false
	}
	return parseProtocol(t) != "" && !strings.HasPrefix(t, "2 ")
}

// Multiplexed tells whether transfers of the page were recorded over HTTP/2 or HTTP/3. Replayed over HTTP/1.1 they
// need more connections and wait for each other, so the load differs from the recorded one.
func Multiplexed(p *page.Page) bool {
	for i := range p.Recorded {
		if h := p.Recorded[i].HTTP; h == http2 || h == http3 {
			return true
		}
	}
	return false
}

// Versions of TLS as Write writes them; tlsVersion reads them again.
var writtenTLS = [...]string{page.TLS12: "TLS 1.2", page.TLS13: "TLS 1.3", page.TLSResumed: resumed}

const resumed = "RESUMED"

// tlsVersion returns what the recording says of the handshake. TLS 1.0 and 1.1 take as many round trips as 1.2
// (RFC 5246, section 7.3); QUIC uses TLS 1.3 (RFC 9001). "resumed" is what braid writes.
func tlsVersion(e *entry, http string) page.TLSVersion {
	said := []string{string(e.TLSVersion)}
	if e.Security != nil {
		said = append(said, string(e.Security.Protocol))
	}
	if e.Response != nil && e.Response.Security != nil {
		said = append(said, string(e.Response.Security.Protocol))
	}
	for _, s := range said {
		switch s = strings.ToUpper(strings.ReplaceAll(s, " ", "")); {
		case strings.HasPrefix(s, "TLSV1.3"), strings.HasPrefix(s, "TLS1.3"), strings.HasPrefix(s, "QUIC"):
			return page.TLS13
		case strings.HasPrefix(s, "TLS"), strings.HasPrefix(s, "SSL"):
			return page.TLS12
		case s == resumed:
			return page.TLSResumed
		}
	}
	if http == http3 {
		return page.TLS13
	}
	return page.TLSUnknown
}
