package har

import (
	"errors"
	"strconv"
	"strings"

	"github.com/google/martian/v3/har"

	"braid/sim/page"
)

// size is the size of a response on the wire, and where it comes from.
type size struct {
	bytes  int64
	rules  []Rule
	noBody bool // nothing was recorded of a body on the wire
}

// wireSize returns the bytes of header and body as they came over the network:
//
//   - _transferSize when above 0; it includes the header (Chrome, Playwright, Safari);
//   - else the body, bodySize when above 0, else Content-Length, else content.size less content.compression, plus the
//     header, headersSize when above 0, estimated from the fields when unknown (-1).
//
// Responses that have no body by RFC 9110, section 6.4.1 (to HEAD; 204, 304) get none from Content-Length or content.
// A size above page.MaxBytes counts as unknown, unless nothing else says how large the body is: then it is the size, for
// page.New to refuse.
func wireSize(method string, r *response) (s size) {
	length, hasLength := contentLength(r.Headers)
	plain := r.Content.Size.v
	if r.Content.Compression.ok {
		plain -= r.Content.Compression.v
	}
	fromContent := number{v: plain, ok: r.Content.Size.ok}
	excess := int64(0) // the first size that is out of range
	bytes := func(n number) int64 {
		v := n.bytes()
		if v <= page.MaxBytes {
			return v
		}
		if excess == 0 {
			excess = v
			s.rules = append(s.rules, RuleSizeRange)
		}
		return 0
	}
	if n := bytes(r.TransferSize); n > 0 {
		s.bytes = n
		return s
	}
	bodiless := strings.EqualFold(method, "HEAD") || r.Status.code == 204 || r.Status.code == 304
	body := bytes(r.BodySize)
	if !bodiless && body == 0 {
		length = bytes(number{v: float64(length), ok: hasLength})
	}
	switch {
	case body > 0:
	case bodiless:
		s.noBody = true
	case hasLength && (length > 0 || excess == 0):
		body = length
		s.noBody = length == 0
		if length > 0 {
			s.rules = append(s.rules, RuleLength)
		}
	case bytes(fromContent) > 0:
		body = fromContent.bytes()
		s.rules = append(s.rules, RuleContent)
	case excess > 0:
		body = excess
	default:
		s.noBody = true
		if !r.BodySize.ok || r.BodySize.v < 0 || r.Content.Size.above() {
			s.rules = append(s.rules, RuleNoSize)
		}
	}
	zero := r.TransferSize.ok && !r.BodySize.above() || !r.TransferSize.ok && r.BodySize.ok && r.BodySize.v == 0
	if zero && body > 0 && r.Content.Size.above() {
		s.rules = append(s.rules, RuleZero)
	}
	header := bytes(r.HeadersSize)
	if header == 0 && (!r.HeadersSize.ok || r.HeadersSize.v != 0) {
		if header = headerSize(r); header > 0 {
			s.rules = append(s.rules, RuleHeaders)
		}
	}
	s.bytes = body + header
	return s
}

// contentLength returns the value of the Content-Length field, in any letter case. It takes "6,219" (IE 11 formats
// the number) and "42, 42" (RFC 9110, section 8.6).
func contentLength(headers []har.Header) (int64, bool) {
	for _, h := range headers {
		if !strings.EqualFold(strings.TrimSpace(h.Name), "content-length") {
			continue
		}
		v := strings.TrimSpace(h.Value)
		if first, _, list := strings.Cut(v, ", "); list {
			v = first
		}
		n, err := strconv.ParseInt(strings.ReplaceAll(v, ",", ""), 10, 64)
		if n >= 0 && (err == nil || errors.Is(err, strconv.ErrRange)) {
			return n, true
		}
	}
	return 0, false
}

// headerSize estimates the response header as HTTP/1.1 writes it (RFC 9112): status line, fields, empty line. Without
// fields there is nothing to estimate from.
func headerSize(r *response) int64 {
	if len(r.Headers) == 0 {
		return 0
	}
	n := len("HTTP/1.1 200 ") + len(r.StatusText) + len("\r\n") + len("\r\n")
	for _, h := range r.Headers {
		n += len(h.Name) + len(": ") + len(h.Value) + len("\r\n")
	}
	return int64(n)
}
