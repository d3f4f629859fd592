package har

import (
	"strings"
	"time"

	"braid/sim/page"
)

// kind says whether an entry is a transfer, and if not, why.
type kind uint8

const (
	transfer kind = iota
	notNetwork
	fromCache
	noBytes
	webSocket
	noResponse
	noURL
	numKinds = int(iota)
)

// kindRules are the rules that report entries that are no transfers.
var kindRules = [numKinds]Rule{"", RuleNotNetwork, RuleCache, RuleNoBytes, RuleWebSocket, RuleNoResponse, RuleNoURL}

// record is what is kept of one entry; records packs it.
type record struct {
	url       string
	initiator string // "" if the recording has none
	redirect  string // where a redirect leads
	method    string
	mime      string
	http      string
	start     instant
	stated    time.Duration // -1: not stated
	phases    phases
	bytes     int64
	ref       string // its page's id as written
	at        place
	index     int32
	status    int32
	kind      kind
	secure    page.TLSVersion
}

// relative tells whether the URL has no scheme.
func (r *record) relative() bool { return parseOrigin(r.url).scheme == "" }

// record reduces one entry to what is kept, and notes what is odd about it.
func (p *parser) record(e *entry, at place) record {
	index := p.file.Entries - 1
	note := func(rule Rule, detail string) { p.found.add(rule, at, index, detail) }
	r := record{at: at, index: int32(index), start: noInstant, stated: -1, ref: string(e.PageRef), initiator: initiatorURL(e)}
	r.start = parseInstant(string(e.StartedDateTime))
	r.readTimes(e, note)
	requestHTTP := ""
	if e.Request != nil {
		r.url, r.method, requestHTTP = string(e.Request.URL), string(e.Request.Method), string(e.Request.HTTPVersion)
	}
	o := parseOrigin(r.url)
	var s size
	if resp := e.Response; resp != nil {
		s = wireSize(r.method, resp)
		r.bytes, r.status = s.bytes, int32(resp.Status.code)
		r.mime = string(resp.Content.MimeType)
		r.http = protocol(string(resp.HTTPVersion), requestHTTP, string(e.Protocol))
		r.secure = tlsVersion(e, r.http)
		if resp.Status.code >= 300 && resp.Status.code < 400 && resp.RedirectURL != "" {
			r.redirect = withoutFragment(resolve(string(resp.RedirectURL), r.url))
		}
	}
	if r.kind = classify(e, o, s); r.kind != transfer {
		note(kindRules[r.kind], short(r.url))
		return r
	}
	for _, rule := range s.rules {
		note(rule, short(r.url))
	}
	r.remark(e, note)
	return r
}

// remark notes what is odd about a transfer.
func (r *record) remark(e *entry, note func(Rule, string)) {
	resp := e.Response
	for _, odd := range []struct {
		is     bool
		rule   Rule
		detail string
	}{
		{resp.Status.text != "", RuleStatus, resp.Status.text},
		{r.status == 304, RuleNotModified, short(r.url)},
		{r.http == http2 || r.http == http3, RuleMultiplexed, r.http},
		{!r.start.known(), RuleNoStart, short(string(e.StartedDateTime))},
		{r.start.noZone, RuleNoZone, string(e.StartedDateTime)},
		{r.start.noColon, RuleOffset, string(e.StartedDateTime)},
		{!standardVersion(string(resp.HTTPVersion)), RuleVersion, short(string(resp.HTTPVersion))},
		{resp.Content.MimeType == "", RuleMIME, ""},
		{bool(e.Request.Cookies || resp.Cookies), RuleCookies, ""},
		{resp.BodySize.below() || resp.HeadersSize.below() || resp.Content.Compression.ok && resp.Content.Compression.v < 0, RuleNegativeSize, ""},
	} {
		if odd.is {
			note(odd.rule, odd.detail)
		}
	}
}

// readTimes takes the phases and the stated time, which is -1 if it has to be rebuilt.
func (r *record) readTimes(e *entry, note func(Rule, string)) {
	var ok bool
	if r.phases, ok = e.Timings.phases(); !ok {
		note(RulePhase, "")
	}
	if e.Time.ok && e.Time.v >= 0 {
		d, ok := millis(e.Time)
		if ok {
			r.stated = d
		} else {
			note(RulePhase, "")
		}
	}
	quoted, negative := e.Time.quoted, e.Time.below()
	if t := e.Timings; t != nil {
		for _, n := range []number{t.Blocked, t.DNS, t.Connect, t.SSL, t.Send, t.Wait, t.Receive} {
			quoted, negative = quoted || n.quoted, negative || n.below()
		}
	}
	if resp := e.Response; resp != nil {
		quoted = quoted || resp.BodySize.quoted || resp.HeadersSize.quoted || resp.TransferSize.quoted || resp.Content.Size.quoted
	}
	if quoted {
		note(RuleQuoted, "")
	}
	if negative {
		note(RuleNegativeTime, "")
	}
}

// classify tells a transfer from everything else that is recorded as an entry.
func classify(e *entry, o origin, s size) kind {
	r := e.Response
	switch {
	case e.Request == nil || e.Request.URL == "":
		return noURL
	case o.scheme == "ws" || o.scheme == "wss" || e.Messages != nil || strings.EqualFold(string(e.ResourceType), "websocket") || r != nil && r.Status.code == 101:
		return webSocket
	case o.scheme != "" && o.scheme != "http" && o.scheme != "https":
		return notNetwork
	case o.scheme != "" && o.host == "":
		return noURL
	case r == nil:
		return noResponse
	case cached(e, s):
		return fromCache
	case r.Status.code <= 0 && s.noBody && !r.TransferSize.above():
		return noBytes
	}
	return transfer
}

// cached tells whether the response came from a cache, or was revalidated: 304 has no body (RFC 9110, section
// 15.4.5), and a recording that says nothing else means the cached one.
func cached(e *entry, s size) bool {
	r := e.Response
	for _, t := range []text{e.FromCache, r.FromCache} {
		if t != "" && !strings.EqualFold(string(t), "false") && t != "0" {
			return true
		}
	}
	for _, t := range []text{e.FetchType, r.FetchType} {
		if t != "" && !strings.EqualFold(string(t), "Network Load") {
			return true
		}
	}
	return strings.EqualFold(r.Status.text, "(cache)") || r.Status.code == 304 && !r.BodySize.above() || s.noBody && unmeasured(e)
}

// unmeasured tells whether nothing was measured although there was a response: Firefox 111 writes empty timings, no
// time and no sizes for what its cache held.
func unmeasured(e *entry) bool {
	t, r := e.Timings, e.Response
	if t == nil || e.Time.above() || r.BodySize.above() || r.TransferSize.above() || r.HeadersSize.ok || r.Status.code <= 0 {
		return false
	}
	for _, n := range []number{t.Blocked, t.DNS, t.Connect, t.SSL, t.Send, t.Wait, t.Receive} {
		if n.ok {
			return false
		}
	}
	return true
}

// short makes a URL fit for a message.
func short(s string) string {
	const most = 80
	if len(s) <= most {
		return s
	}
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "..."
	}
	return s
}
