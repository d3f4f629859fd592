package har

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func readText(t *testing.T, text string) *File {
	t.Helper()
	f, err := Read(strings.NewReader(text), "x.har")
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// What no page may have is refused with the place of its entry and what to do, in whatever order entries and objects are.
func TestRefusedWithPlace(t *testing.T) {
	entry := func(url string, second int, rest string) string {
		return fmt.Sprintf(`{"startedDateTime": "2020-01-01T00:00:%02dZ", "time": 1, "request": {"url": "http://a.example/%s"}, %s}`, second, url, rest)
	}
	fine := `"response": {"status": 200, "bodySize": 5}`
	const size = `"response": {"status": 200, %s}`
	for _, c := range []struct{ name, producer, first, second, third, want string }{
		{"body", "hand", entry("late", 9, fine), entry("huge", 5, fmt.Sprintf(size, `"bodySize": 2e12`)), entry("early", 1, fine),
			"x.har:3:2: entry 1 (http://a.example/huge) has 2000000000000 bytes (expected 0 to 2^40); correct it, or take it out of the file"},
		{"larger than counts go", "hand", entry("late", 9, fine), entry("early", 1, fine), entry("huge", 5, fmt.Sprintf(size, `"_transferSize": 1e300`)),
			"x.har:4:2: entry 2 (http://a.example/huge) has 1125899906842624 bytes"},
		{"Content-Length", "hand", entry("huge", 9, fmt.Sprintf(size, `"headers": [{"name": "Content-Length", "value": "99999999999999999999"}]`)), entry("a", 5, fine), entry("b", 1, fine),
			"x.har:2:2: entry 0 (http://a.example/huge) has "},
		{"content", "hand", entry("a", 5, fine), entry("huge", 9, fmt.Sprintf(size, `"content": {"size": 2e12}`)), entry("b", 1, fine),
			"x.har:3:2: entry 1 (http://a.example/huge) has 2000000000000 bytes"},
		{"links", writtenBy, entry("a", 5, fine+`, "_object": 2`), entry("slow", 9, fine+`, "_object": 0, "_server": 90000000`), entry("b", 1, fine+`, "_object": 1`),
			"x.har:3:2: entry 1 (http://a.example/slow) has think time 0s and server time 25h0m0s (expected 0 to 24h0m0s); correct it"},
	} {
		f := readText(t, fmt.Sprintf("{\"log\": {\"creator\": {\"name\": %q}, \"entries\": [\n %s,\n %s,\n %s]}}", c.producer, c.first, c.second, c.third))
		_, _, err := f.Page("", Options{})
		if _, ok := errors.AsType[*Error](err); !ok || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
		}
	}
}

// A size out of range is passed over where another field tells the size, with a finding that has the place.
func TestSizeOutOfRange(t *testing.T) {
	for _, c := range []struct {
		response string
		bytes    int64
		rules    string
	}{
		{`"_transferSize": 18446744073709551615, "bodySize": 700, "headersSize": 30`, 730, "size-out-of-range"},
		{`"_transferSize": 2e12, "bodySize": 3e12, "headersSize": 30, "headers": [{"name": "content-length", "value": "500"}]`, 530, "size-from-content-length size-out-of-range"},
		{`"bodySize": 3e12, "headersSize": 0, "content": {"size": 900, "compression": 100}`, 800, "size-from-content size-out-of-range"},
		{`"bodySize": 700, "headersSize": 1e13`, 700, "size-out-of-range"},
		{`"bodySize": 1099511627776, "headersSize": 0`, 1 << 40, ""},
	} {
		text := `{"log": {"creator": {"name": "hand"}, "entries": [
 {"startedDateTime": "2020-01-01T00:00:00.5Z", "time": 1, "request": {"url": "http://a.example/"}, "response": {"status": 200, ` + c.response + `}}]}}`
		p, found, err := readText(t, text).Page("", Options{})
		if err != nil {
			t.Errorf("%s: %v", c.response, err)
			continue
		}
		var rules []string
		for _, f := range found {
			switch {
			case f.Rule == RuleSizeRange && (f.Line != 2 || f.Column != 2 || f.Severity != Warning):
				t.Errorf("%s: %v, want a warning at 2:2", c.response, f)
			case f.Rule == RuleNoPages || f.Rule == RuleNoLoad || f.Rule == RuleMIME:
				continue
			}
			rules = append(rules, string(f.Rule))
		}
		if got := strings.Join(rules, " "); got != c.rules || p.Bytes() != c.bytes {
			t.Errorf("%s: %d bytes, findings %q; want %d, %q", c.response, p.Bytes(), got, c.bytes, c.rules)
		}
	}
}

// Long chains of initiators that are no transfers are followed once, not for each object that they lead to.
func TestLongInitiatorChain(t *testing.T) {
	const n = 60_000
	var b strings.Builder
	b.WriteString(`{"log": {"entries": [{"startedDateTime": "2020-01-01T00:00:00Z", "time": 1, "request": {"url": "http://a.example/0"}, "response": {"status": 200, "bodySize": 1}}`)
	at := func(i int) string {
		return time.Date(2020, 1, 1, 0, 0, 1, 0, time.UTC).Add(time.Duration(i) * time.Millisecond).Format(time.RFC3339Nano)
	}
	for i := 1; i <= n; i++ {
		fmt.Fprintf(&b, `,{"startedDateTime": %q, "time": 1, "request": {"url": "http://a.example/%d"}, "response": {"status": 304}, "_initiator": "http://a.example/%d"}`, at(i), i, i-1)
	}
	for i := n + 1; i <= 2*n; i++ {
		fmt.Fprintf(&b, `,{"startedDateTime": %q, "time": 1, "request": {"url": "http://a.example/%d"}, "response": {"status": 200, "bodySize": 1}, "_initiator": "http://a.example/%d"}`, at(i), i, i-n)
	}
	b.WriteString("]}}")
	p, _, err := readText(t, b.String()).Page("", Options{Deps: ByInitiator})
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Objects) != n+1 || len(p.Children(0)) != n {
		t.Errorf("%d objects, %d of them after the first; want %d, %d", len(p.Objects), len(p.Children(0)), n+1, n)
	}
}

// An entry of no listed page belongs to the one that started last before it: the first listed of several, the first page
// where none did.
func TestPageStartedBefore(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var f File
		for range rapid.IntRange(1, 6).Draw(t, "pages") {
			start := noInstant
			if rapid.IntRange(0, 3).Draw(t, "known") > 0 {
				start = instant{second: rapid.Int64Range(0, 5).Draw(t, "start")}
			}
			f.pages = append(f.pages, pageInfo{start: start})
		}
		r := record{start: instant{second: rapid.Int64Range(-1, 6).Draw(t, "at")}}
		want := -1
		for i, p := range f.pages {
			if p.start.known() && p.start.second <= r.start.second && (want < 0 || p.start.second > f.pages[want].start.second) {
				want = i
			}
		}
		if got := f.pageStarts().before(&f, &r); int(got) != max(want, 0) {
			t.Fatalf("page %d, want %d", got, max(want, 0))
		}
		if got := f.pageStarts().before(&f, &record{start: noInstant}); got != 0 {
			t.Fatalf("page %d of a record without a start", got)
		}
	})
}

// Of a key that is given twice the last value counts, as in JavaScript, and nothing of the first is left; entries and pages
// are taken from both. There is a finding at the second value.
func TestKeyGivenTwice(t *testing.T) {
	const entry = `{"time": 1, "startedDateTime": "2020-01-01T00:00:00.5Z", "request": {"url": "http://a.example/"}, `
	for _, c := range []struct {
		text   string
		line   int
		column int
		bytes  int64
	}{
		{"{\"log\": {\"entries\": [" + entry + "\n\"response\": {\"status\": 200, \"bodySize\": 5, \"bodySize\": 7}}]}}", 2, 56, 7},
		// Merged, the sizes would be 1000 and 7.
		{"{\"log\": {\"entries\": [" + entry + "\"response\": {\"status\": 200, \"_transferSize\": 1000},\n\"response\": {\"status\": 200, \"bodySize\": 7}}]}}", 2, 13, 7},
		{"{\"log\": {\"entries\": [" + entry + "\"response\": {\"status\": 200, \"bodySize\": 5}}],\n\"entries\": [" + entry + "\"response\": {\"status\": 200, \"bodySize\": 7}}]}}", 2, 12, 12},
		{"{\"log\": {\"entries\": []},\n\"log\": {\"entries\": [" + entry + "\"response\": {\"status\": 200, \"bodySize\": 7}}]}}", 2, 8, 7},
		{"{\"log\": {\"entries\": [" + entry + "\n\"response\": {\"status\": 200, \"bodySize\": 7, \"comment\": 1, \"comment\": 2}}]}}", 0, 0, 7}, // not read
	} {
		p, found, err := readText(t, c.text).Page("", Options{})
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		line, column := 0, 0
		for _, f := range found {
			if f.Rule == RuleKeyTwice {
				line, column = f.Line, f.Column
			}
		}
		if line != c.line || column != c.column || p.Bytes() != c.bytes {
			t.Errorf("%s: finding at %d:%d, %d bytes; want %d:%d, %d", c.text, line, column, p.Bytes(), c.line, c.column, c.bytes)
		}
	}
}
