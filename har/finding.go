package har

import (
	"cmp"
	"fmt"
	"slices"
)

// Severity says how much a finding matters.
type Severity uint8

// Severities. Both may bear on how the page loads. A note says how something was read that has one sensible reading:
// another producer's habit, an entry that is no transfer, a size taken from the field that is there. A warning says that
// something is missing, implausible or contradicts itself, so that the reader had to guess; the page may then load
// otherwise than it did when it was recorded.
const (
	Note Severity = iota
	Warning
)

// String returns the severity as printed by the lint.
func (s Severity) String() string { return [...]string{"note", "warning"}[s] }

// Rule is the name of something that real files do.
type Rule string

// Rules of the text of a file.
const (
	RuleUTF8Mark    Rule = "utf8-mark"
	RuleUTF16       Rule = "utf16"
	RuleGzip        Rule = "gzip"
	RuleJSONP       Rule = "jsonp"
	RuleNoLog       Rule = "no-log-wrapper"
	RuleInvalidUTF8 Rule = "invalid-utf8"
	RuleControl     Rule = "control-character"
	RuleNaN         Rule = "not-a-number"
	RuleQuoted      Rule = "number-as-text"
	RuleType        Rule = "unexpected-type"
	RuleKeyTwice    Rule = "key-given-twice"
)

// Rules of the log and its pages.
const (
	RuleNoCreator   Rule = "no-creator"
	RuleNoPages     Rule = "no-pages"
	RulePageRef     Rule = "unknown-page"
	RuleSeveral     Rule = "several-pages"
	RulePassedOver  Rule = "page-without-transfers"
	RuleNoLoad      Rule = "no-load-time"
	RuleLateLoad    Rule = "load-time-after-transfers"
	RuleMultiplexed Rule = "multiplexed"
)

// Rules of entries that are no transfers.
const (
	RuleNotNetwork Rule = "not-network"
	RuleCache      Rule = "from-cache"
	RuleNoBytes    Rule = "no-bytes"
	RuleWebSocket  Rule = "websocket"
	RuleNoResponse Rule = "no-response"
	RuleNoURL      Rule = "no-url"
)

// Rules of the fields of an entry.
const (
	RuleRelativeURL  Rule = "relative-url"
	RuleOrder        Rule = "out-of-order"
	RuleNoStart      Rule = "no-start-time"
	RuleNoZone       Rule = "no-time-zone"
	RuleMilliseconds Rule = "unpadded-milliseconds"
	RuleTime         Rule = "time-rebuilt"
	RulePhase        Rule = "phase-out-of-range"
	RuleTLSBeside    Rule = "ssl-beside-connect"
	RuleStatus       Rule = "status-text"
	RuleLength       Rule = "size-from-content-length"
	RuleContent      Rule = "size-from-content"
	RuleNoSize       Rule = "no-size"
	RuleSizeRange    Rule = "size-out-of-range"
	RuleZero         Rule = "zero-transfer-size"
	RuleHeaders      Rule = "headers-estimated"
	RuleNotModified  Rule = "not-modified-with-body"
	RuleOffset       Rule = "offset-without-colon"
	RuleSeconds      Rule = "whole-seconds"
	RuleNegativeTime Rule = "negative-time"
	RuleNegativeSize Rule = "negative-size"
	RuleVersion      Rule = "unknown-http-version"
	RuleMIME         Rule = "no-mime-type"
	RuleCookies      Rule = "cookies-not-a-list"
)

// Rules of dependencies.
const (
	RuleLinks           Rule = "exact-links"
	RuleLinksBroken     Rule = "broken-links"
	RuleNoInitiators    Rule = "no-initiators"
	RuleNoInitiator     Rule = "no-initiator"
	RuleInitiatorSelf   Rule = "initiator-is-self"
	RuleInitiatorCycle  Rule = "initiator-cycle"
	RuleInitiatorAbsent Rule = "initiator-not-recorded"
)

// RuleDoc describes a rule: how much it matters, what the reader found and does, and who writes files like that.
type RuleDoc struct {
	Rule     Rule
	Severity Severity
	Doc      string
	Seen     string // producers and versions it was seen in, or where it is specified
}

// Rules lists every rule a finding may have.
var Rules = []RuleDoc{
	{RuleUTF8Mark, Note, "the text begins with a byte order mark", "Fiddler 2 to 5"},
	{RuleUTF16, Note, "the text is UTF-16", "files saved again with an editor or PowerShell"},
	{RuleGzip, Note, "the file is compressed with gzip", "archives"},
	{RuleJSONP, Note, "the HAR is the argument of a function call (JSONP)", "HARP"},
	{RuleNoLog, Note, "entries and pages are at the top level, without \"log\" around them", "Clip"},
	{RuleInvalidUTF8, Warning, "bytes that are not UTF-8 were replaced by U+FFFD", "Firebug 1.5 (Latin-1 titles)"},
	{RuleControl, Note, "a string holds a control character as it is (JSON wants it escaped)", "hand-edited files"},
	{RuleNaN, Warning, "NaN or Infinity stands for a number; taken as missing", "exporters that print floating point numbers as they are"},
	{RuleQuoted, Note, "numbers are written as text", "round trips through spreadsheets and XML"},
	{RuleType, Warning, "a field has a type that HAR does not give it; left out", "hand-written files"},
	{RuleKeyTwice, Warning, "a key is given twice in one object; the last one counts, of entries and pages both", "hand-edited files"},

	{RuleNoCreator, Note, "the file does not say what made it", "hand-written files"},
	{RuleNoPages, Note, "no pages are listed; all entries are one page", "hdrgrab, Fiddler, mitmproxy, Insomnia"},
	{RulePageRef, Warning, "an entry belongs to a page that is not listed, or to none; taken to the page that started last before it", "Chrome 16 (URL of a frame)"},
	{RuleSeveral, Note, "the file has several pages", "WebPageTest (repeat view), chrome-har, Firebug, IE 11"},
	{RulePassedOver, Warning, "a page without transfers was passed over", "WebPageTest (repeat view from cache)"},
	{RuleNoLoad, Note, "the page has no load time (onLoad)", "Browsertime 1.0, BrowserMob, Chrome 16 when saved early (null)"},
	{RuleLateLoad, Warning, "the load time stated is well after the last transfer ended", "Safari"},
	{RuleMultiplexed, Note, "transfers used HTTP/2 or HTTP/3", "browsers since 2013"},

	{RuleNotNetwork, Note, "a URL that does not go over the network, such as data:, about:, blob: or an extension's; not a transfer", "Chrome"},
	{RuleCache, Note, "came from a cache, or was revalidated (304 without a body); not a transfer", "every browser"},
	{RuleNoBytes, Note, "no status and no bytes: blocked, aborted, offline or from a cache; not a transfer", "Chrome 22 and 114, WebPageTest, Firebug"},
	{RuleWebSocket, Note, "a WebSocket; not a transfer", "mitmproxy, WebPageTest"},
	{RuleNoResponse, Warning, "an entry without a response; not a transfer", "hand-written input of k6"},
	{RuleNoURL, Warning, "an entry without a URL, or with one that names no host; not a transfer", "hand-written files"},

	{RuleRelativeURL, Warning, "a URL without scheme and host; taken relative to the page's first URL", "hand-edited files"},
	{RuleOrder, Note, "entries are not in the order they started; sorted", "Chrome, WebPageTest"},
	{RuleNoStart, Warning, "no start time that can be read; the object starts at 0 and nothing waits for it", "Firebug 1.12 (NaN-NaN-NaN)"},
	{RuleNoZone, Note, "a start time without a time zone; taken as UTC", "hand-written files"},
	{RuleMilliseconds, Warning, "the fraction of a start time is a count of milliseconds without leading zeros (.59 is 59 ms, .1000 is 1 s)", "IE 11, WebPageTest 17.12"},
	{RuleTime, Note, "time is missing, null or negative; the sum of the phases taken", "Firefox 54, Chrome 22 and 64"},
	{RulePhase, Warning, "a time of more than three years; taken as missing", "Firebug 1.12"},
	{RuleTLSBeside, Note, "ssl is not part of connect, as the times tell", "Firefox 62 and later, Playwright, mitmproxy"},
	{RuleStatus, Note, "the status is text", "Eyeball"},
	{RuleLength, Note, "the size on the wire is taken from Content-Length", "WebPageTest (HTTP/2), Playwright (minimal mode)"},
	{RuleContent, Note, "the size on the wire is taken from content.size less content.compression", "Chrome 16 to 22"},
	{RuleNoSize, Warning, "nothing says how large the body is; taken as 0 bytes", "Firefox, WebPageTest"},
	{RuleSizeRange, Warning, "a size above 2^40 bytes; taken as unknown where another field tells the size", "damaged files"},
	{RuleZero, Warning, "transfer and body size are 0 or unknown though there is content; counted by Content-Length or content.size, but it may have come from a cache", "Chrome"},
	{RuleHeaders, Note, "the size of the response header is estimated from its fields", "Chrome (HTTP/2), hdrgrab, WebPageTest 1.8"},
	{RuleNotModified, Warning, "304 with a body size; counted as recorded, though 304 has no body (RFC 9110, section 15.4.5)", "Firefox, Firebug, Browsertime, hdrgrab"},
	{RuleOffset, Note, "the time zone has no colon (+0000 is not RFC 3339)", "BrowserMob"},
	{RuleSeconds, Warning, "start times are whole seconds: what waited for what within a second is not known", "hdrgrab"},
	{RuleNegativeTime, Note, "a time is below 0 and not -1; taken as unknown", "Chrome 16 to 64"},
	{RuleNegativeSize, Note, "a size is below -1, or a compression below 0; taken as recorded", "Chrome 16 to 22, chrome-har-capturer"},
	{RuleVersion, Note, "httpVersion names no version of HTTP", "WebPageTest (\"2 2\", \"us:\", \"K\"), BrowserMob (\"HTTP\")"},
	{RuleMIME, Note, "content has no mimeType", "Chrome 22 to 51, mitmproxy"},
	{RuleCookies, Note, "cookies are no list; left out", "IE 11"},

	{RuleLinks, Note, "a simulated load: objects, their order and what they wait for are as written, not derived", "braid"},
	{RuleLinksBroken, Warning, "a simulated load whose links (_object, _after) do not fit together; dependencies are derived as in a recording", "edited files of braid"},
	{RuleNoInitiators, Warning, "no entry names an initiator; dependencies are taken from times", "all but Chrome and WebPageTest"},
	{RuleNoInitiator, Note, "no initiator, and no redirect leads to it; its dependency is taken from times", "Chrome (type \"other\")"},
	{RuleInitiatorSelf, Warning, "an entry initiated by its own URL; dropped", "Chrome"},
	{RuleInitiatorCycle, Warning, "initiators form a cycle; the youngest edge dropped", "Chrome"},
	{RuleInitiatorAbsent, Warning, "the initiator's URL is not among the entries; the dependency is taken from times", "Chrome (extensions, fragments)"},
}

// ruleIndex gives the position of a rule in Rules.
var ruleIndex = func() map[Rule]int {
	m := make(map[Rule]int, len(Rules))
	for i, r := range Rules {
		m[r.Rule] = i
	}
	return m
}()

// Finding is what the reader found about one rule in one file.
type Finding struct {
	Rule     Rule
	Severity Severity
	File     string
	Line     int    // of the first occurrence, from 1; 0 if it has no place
	Column   int    // from 1, in bytes of the text as UTF-8; 0 if it has no place
	Entry    int    // index of the first entry, from 0; -1 if it is about no entry
	Count    int    // how often
	Message  string // what the reader found and did, with the detail of the first occurrence
}

// String writes the finding as "file:line:column: severity: message [rule]".
func (f Finding) String() string {
	s := f.File
	if f.Line > 0 {
		s += fmt.Sprintf(":%d:%d", f.Line, f.Column)
	}
	s += fmt.Sprintf(": %v: %s [%s]", f.Severity, f.Message, f.Rule)
	if f.Count > 1 {
		s += fmt.Sprintf(" (%d times; this is the first)", f.Count)
	}
	return s
}

// findings gathers what is found, one Finding a rule.
type findings struct {
	file string
	at   map[Rule]*Finding
}

func newFindings(file string) *findings { return &findings{file, map[Rule]*Finding{}} }

// add counts an occurrence; the first one's place and detail are kept.
func (f *findings) add(rule Rule, at place, entry int, detail string) {
	if have := f.at[rule]; have != nil {
		have.Count++
		return
	}
	doc := Rules[ruleIndex[rule]]
	msg := doc.Doc
	if detail != "" {
		msg += ": " + detail
	}
	f.at[rule] = &Finding{rule, doc.Severity, f.file, int(at.line), int(at.column), entry, 1, msg}
}

// list returns the findings in the order of Rules.
func (f *findings) list() []Finding {
	out := make([]Finding, 0, len(f.at))
	for _, x := range f.at {
		out = append(out, *x)
	}
	slices.SortFunc(out, func(a, b Finding) int { return cmp.Compare(ruleIndex[a.Rule], ruleIndex[b.Rule]) })
	return out
}
