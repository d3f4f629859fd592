package har

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"braid/sim/page"
)

// open reads a fixture; selector and all may be part of its name.
func open(t *testing.T, name string, o Options) (*page.Page, string) {
	t.Helper()
	file, selector := SplitName(name)
	arg := filepath.Join("testdata", file+".har")
	if selector != "" {
		arg += "#" + selector
	}
	p, found, err := Open(arg, o)
	if err != nil {
		t.Fatal(err)
	}
	checkPage(t, p, found)
	return p, rules(found)
}

// paths are the objects' URLs without their host.
func paths(p *page.Page) []string {
	var s []string
	for _, r := range p.Recorded {
		s = append(s, r.URL[strings.LastIndexByte(r.URL, '/')+1:])
	}
	return s
}

func checkFindings(t *testing.T, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("findings %q, want %q", got, want)
	}
}

func TestTransferSize(t *testing.T) {
	p, found := open(t, "size-transfer", Options{})
	checkFindings(t, found, "multiplexed")
	o, r := p.Objects[0], p.Recorded[0]
	if want := (page.Object{Host: "www.example", TLS: true, Bytes: 1234, After: page.None, Secure: page.TLS12}); o != want {
		t.Errorf("object %+v, want %+v", o, want)
	}
	want := page.Recorded{URL: "https://Www.Example:443/", HTTP: "h2", Method: "GET", Status: 200, MIME: "text/html",
		End: 100250 * time.Microsecond, Blocked: 250 * time.Microsecond, DNS: 10 * ms, Connect: 20 * ms, TLS: 30 * ms, Wait: 25 * ms, Receive: 15 * ms}
	if r != want {
		t.Errorf("recorded %+v, want %+v", r, want)
	}
	if p.RecordedLoad != 150500*time.Microsecond || p.Name != "size-transfer.har" || !Multiplexed(p) {
		t.Errorf("load %v, name %q, multiplexed %v; want 150.5ms, size-transfer.har, true", p.RecordedLoad, p.Name, Multiplexed(p))
	}
}

func TestSizes(t *testing.T) {
	p, found := open(t, "size-fallbacks", Options{})
	checkFindings(t, found, "size-from-content-length*3 size-from-content no-size zero-transfer-size headers-estimated")
	// "HTTP/1.1 200 " CRLF, "Server: s" CRLF, "Age: 10" CRLF, CRLF.
	const estimated = 13 + 2 + 9 + 2 + 7 + 2 + 2
	want := []int64{1000 + 100, 700 + 100, 12345 + 100, 5000 - 3800 + 100, 1000 + estimated, 1000, 100, 100, 100, 700 + 100}
	for i, path := range paths(p) {
		if p.Objects[i].Bytes != want[i] {
			t.Errorf("%s: %d bytes, want %d", path, p.Objects[i].Bytes, want[i])
		}
	}
}

func TestCache(t *testing.T) {
	p, found := open(t, "from-cache", Options{})
	checkFindings(t, found, "from-cache*5 no-bytes not-modified-with-body")
	if got, want := paths(p), []string{"", "network", "not-modified-with-body"}; !slices.Equal(got, want) {
		t.Errorf("transfers %q, want %q", got, want)
	}
}

func TestNotNetwork(t *testing.T) {
	p, found := open(t, "not-network", Options{})
	checkFindings(t, found, "unexpected-type not-network*4 websocket*3 no-response no-url*2 relative-url*3")
	var got []string
	for _, r := range p.Recorded {
		got = append(got, r.URL)
	}
	want := []string{"http://a.example/", "http://a.example/relative?x=1", "http://b.example/protocol-relative", "http://a.example/sub/folder"}
	if !slices.Equal(got, want) || p.Hosts() != 2 {
		t.Errorf("transfers %q from %d hosts, want %q from 2", got, p.Hosts(), want)
	}
}

func TestStartTimes(t *testing.T) {
	for name, c := range map[string]struct {
		starts   []time.Duration // of the objects, in their order
		findings string
	}{
		// The one without a time comes first, at 0.
		"start-times":              {[]time.Duration{0, 0, 1 * ms, 2 * ms, 3 * ms, 4567 * time.Microsecond, 5 * ms, 500 * ms}, "no-start-time no-time-zone offset-without-colon"},
		"ie11-milliseconds":        {[]time.Duration{0, 50 * ms, 206 * ms}, "unpadded-milliseconds*2"}, // 9, 59 and 215 ms
		"webpagetest-milliseconds": {[]time.Duration{0, 100 * ms, 101 * ms}, "unpadded-milliseconds"},  // 900, 1000 and 1001 ms
	} {
		t.Run(name, func(t *testing.T) {
			p, found := open(t, name, Options{})
			checkFindings(t, found, c.findings)
			var got []time.Duration
			for _, r := range p.Recorded {
				got = append(got, r.Start)
			}
			if !slices.Equal(got, c.starts) {
				t.Errorf("starts %v, want %v", got, c.starts)
			}
		})
	}
}

func TestTimes(t *testing.T) {
	type times struct{ end, connect, tls time.Duration }
	for name, c := range map[string]struct {
		want     []times
		findings string
	}{
		// 1 + 2 + 4 + 8 + 16 + 32 = 63 ms; 16 + 32; a stated time of just three years; 7 instead of more.
		"time-rebuilt": {[]times{{63 * ms, 1 * ms, 3 * ms}, {63 * ms, 1 * ms, 3 * ms}, {63 * ms, 1 * ms, 3 * ms}, {end: 48 * ms}, {end: 1e11 * ms}, {end: 7 * ms}},
			"number-as-text time-rebuilt*5 phase-out-of-range*2 negative-time*2"},
		// The second time is rebuilt as the first one tells.
		"ssl-inside-connect": {[]times{{63 * ms, 1 * ms, 3 * ms}, {63 * ms, 1 * ms, 3 * ms}}, "time-rebuilt"},
		"ssl-beside-connect": {[]times{{66 * ms, 4 * ms, 3 * ms}, {66 * ms, 4 * ms, 3 * ms}}, "time-rebuilt ssl-beside-connect"},
		"ssl-by-producer":    {[]times{{66 * ms, 4 * ms, 3 * ms}}, "time-rebuilt"},
	} {
		t.Run(name, func(t *testing.T) {
			p, found := open(t, name, Options{})
			checkFindings(t, found, c.findings)
			var got []times
			for _, r := range p.Recorded {
				got = append(got, times{r.End, r.Connect, r.TLS})
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("end, connect, TLS %v, want %v", got, c.want)
			}
		})
	}
}

func TestPages(t *testing.T) {
	for name, c := range map[string]struct {
		hosts    []string
		load     time.Duration
		findings string
	}{
		"pages":     {[]string{"one.example"}, 0, "unknown-page*2 several-pages page-without-transfers no-load-time not-network"},
		"pages#one": {[]string{"one.example"}, 0, "unknown-page*2 no-load-time not-network"},
		"pages#2":   {[]string{"one.example"}, 0, "unknown-page*2 no-load-time not-network"},
		// An id comes before a number. The frame's page is not listed: it belongs to the one that started before it.
		"pages#4":       {[]string{"three.example", "frame.example"}, 900 * ms, "unknown-page*2 not-network"},
		"pages#3rd":     {[]string{"four.example"}, 500 * ms, "unknown-page*2 not-network"},
		"pages#*":       {[]string{"one.example", "three.example", "frame.example", "four.example"}, 0, "unknown-page*2 not-network"},
		"pages-missing": {[]string{"a.example"}, 0, "no-pages no-load-time"},
	} {
		t.Run(name, func(t *testing.T) {
			p, found := open(t, name, Options{})
			checkFindings(t, found, c.findings)
			var hosts []string
			for _, o := range p.Objects {
				hosts = append(hosts, o.Host)
			}
			if !slices.Equal(hosts, c.hosts) || p.RecordedLoad != c.load {
				t.Errorf("hosts %q, load %v; want %q, %v", hosts, p.RecordedLoad, c.hosts, c.load)
			}
		})
	}
	file := filepath.Join("testdata", "pages.har")
	for selector, want := range map[string]string{
		"5": ` no page "5" (pages: "empty" (0 transfers), "one" (1 transfers), "4" (2 transfers), "3rd" (1 transfers); or a number from 1 to 4, or * for all)`,
		"1": ` no transfers: none of the entries of page 1 ("empty") went over the network (1 not-network)`,
	} {
		_, _, err := Open(file+"#"+selector, Options{})
		checkError(t, file, err, want)
	}
}

// parentPaths maps each object's path to that of the object it waits for, "" for none.
func parentPaths(p *page.Page) map[string]string {
	m, names := map[string]string{}, paths(p)
	for i, o := range p.Objects {
		m[names[i]] = "none"
		if o.After != page.None {
			m[names[i]] = names[o.After]
		}
	}
	return m
}

func checkParents(t *testing.T, p *page.Page, want map[string]string) {
	t.Helper()
	got := parentPaths(p)
	for name, parent := range want {
		if got[name] != parent {
			t.Errorf("%q waits for %q, want %q", name, got[name], parent)
		}
	}
	if len(got) != len(want) {
		t.Errorf("%d objects, want %d", len(got), len(want))
	}
}

func TestDependenciesByTime(t *testing.T) {
	p, found := open(t, "dependencies-by-time", Options{})
	checkFindings(t, found, "out-of-order*2")
	checkParents(t, p, map[string]string{
		"0-20":       "none",
		"0-30":       "none",
		"20-20":      "none", // one ended at 20, not before
		"20-30":      "none",
		"30-31":      "20-20", // of the two that ended at 20, the later started; those that ended at 30 did not end before
		"30.001-130": "20-30", // of the two that ended at 30, the later started
	})
}

func TestDependenciesByInitiator(t *testing.T) {
	p, found := open(t, "initiators", Options{Deps: ByInitiator})
	checkFindings(t, found, "from-cache no-initiator initiator-not-recorded")
	checkParents(t, p, map[string]string{
		"":                 "none",
		"style.css":        "",          // a URL
		"font":             "style.css", // an object; its URL has a fragment
		"by-cached-script": "",          // a stack; the script is no transfer, so its own initiator counts
		"detail":           "style.css", // _initiator_detail
		"moved":            "style.css",
		"target":           "moved",  // no initiator, but a redirect
		"icon":             "target", // neither: by time
		"by-extension":     "icon",   // by something that was not recorded: by time
	})
	p, found = open(t, "dependencies-by-time", Options{Deps: ByInitiator})
	checkFindings(t, found, "out-of-order*2 no-initiators")
	if by := parentPaths(p); by["30-31"] != "20-20" {
		t.Errorf("without initiators, %q waits for %q, want 20-20 as by time", "30-31", by["30-31"])
	}
}

func TestInitiatorCycle(t *testing.T) {
	p, found := open(t, "initiator-cycle", Options{Deps: ByInitiator})
	checkFindings(t, found, "initiator-is-self initiator-cycle")
	checkParents(t, p, map[string]string{"": "none", "a.js": "c.js", "b.js": "a.js", "c.js": "none", "self.js": "none"})
}

func TestProtocols(t *testing.T) {
	p, found := open(t, "protocols", Options{})
	checkFindings(t, found, "multiplexed*7 unknown-http-version*3")
	want := []string{http11, http10, http2, http2, http2, http2, http2, http3, http3, "", ""}
	for i, r := range p.Recorded {
		if r.HTTP != want[i] {
			t.Errorf("%s: protocol %q, want %q", r.URL, r.HTTP, want[i])
		}
		if got, want := p.Objects[i].Secure == page.TLS13, want[i] == http3; got != want {
			t.Errorf("%s: TLS 1.3 %v, want %v", r.URL, got, want)
		}
	}
}

func TestTextQuirks(t *testing.T) {
	p, found := open(t, "text-quirks", Options{})
	checkFindings(t, found, "jsonp no-log-wrapper control-character not-a-number*3 number-as-text unexpected-type no-creator no-pages no-load-time "+
		"status-text size-from-content-length no-mime-type cookies-not-a-list")
	r := p.Recorded[0]
	if p.Bytes() != 60+40 || r.Status != 200 || r.End != 12500*time.Microsecond || r.Receive != 10*ms || r.URL != "http://a.example/tab\there" {
		t.Errorf("%d bytes, %+v; want 100, status 200, end 12.5ms, receive 10ms", p.Bytes(), r)
	}
}

// However the text is encoded, the page is the same.
func TestEncodings(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("testdata", "size-transfer.har"))
	if err != nil {
		t.Fatal(err)
	}
	utf16Text := func(order binary.AppendByteOrder, mark bool) []byte {
		var b []byte
		if mark {
			b = order.AppendUint16(b, 0xfeff)
		}
		for _, u := range utf16.Encode([]rune(string(text))) {
			b = order.AppendUint16(b, u)
		}
		return b
	}
	gz := func(b []byte) []byte {
		var buf bytes.Buffer
		w := gzip.NewWriter(&buf)
		if _, err := w.Write(b); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		return buf.Bytes()
	}
	marked := append([]byte("\xef\xbb\xbf"), text...)
	for name, c := range map[string]struct {
		data     []byte
		findings string
	}{
		"UTF-8":                   {text, "multiplexed"},
		"UTF-8 with mark":         {marked, "utf8-mark multiplexed"},
		"UTF-16LE":                {utf16Text(binary.LittleEndian, false), "utf16 multiplexed"},
		"UTF-16BE":                {utf16Text(binary.BigEndian, false), "utf16 multiplexed"},
		"UTF-16LE with mark":      {utf16Text(binary.LittleEndian, true), "utf16 multiplexed"},
		"UTF-16BE with mark":      {utf16Text(binary.BigEndian, true), "utf16 multiplexed"},
		"gzip":                    {gz(text), "gzip multiplexed"},
		"gzip of UTF-16 and mark": {gz(utf16Text(binary.LittleEndian, true)), "utf16 gzip multiplexed"},
		"padded with zeros":       {append(slices.Clone(text), 0, 0, 0), "multiplexed"},
	} {
		t.Run(name, func(t *testing.T) {
			f, err := Read(bytes.NewReader(c.data), "size-transfer.har")
			if err != nil {
				t.Fatal(err)
			}
			p, found, err := f.Page("", Options{})
			if err != nil {
				t.Fatal(err)
			}
			checkFindings(t, rules(found), c.findings)
			if p.Bytes() != 1234 || p.RecordedLoad != 150500*time.Microsecond {
				t.Errorf("%d bytes, load %v; want 1234, 150.5ms", p.Bytes(), p.RecordedLoad)
			}
		})
	}
}

func TestErrors(t *testing.T) {
	deep := strings.Repeat("[", 1001)
	for text, want := range map[string]string{
		"":                                "1:1: the file ends here (expected '{', the beginning of a HAR",
		"[]":                              "1:1: '[' is not valid here (expected '{', the beginning of a HAR)",
		"<html>":                          "1:1: '<' is not valid here",
		"GIF89a":                          "1:1: not JSON (expected '{', the beginning of a HAR)",
		"{}":                              "1:1: JSON, but not a HAR",
		`{"log": 5}`:                      `1:9: "log" is a number (expected an object)`,
		`{"log": {"entries": {}}}`:        `1:21: "entries" is an object (expected an array)`,
		"{\"log\":\n {\"entries\": [],}}": "2:17: '}' is not valid here (expected a key in double quotes)",
		`{"log": {"entries": []}} x`:      "1:26: 'x' is not valid here (expected nothing after the HAR)",
		`f({"log": {"entries": []}}`:      "1:27: the file ends here (expected ')' after the HAR",
		`{"log": {"entries": [01]}}`:      "1:23: '1' is not valid here (expected ',' or ']')",
		`{"log": {"entries": [-]}}`:       "1:23: ']' is not valid here (expected a digit)",
		`{"log": {"entries": [nul]}}`:     "1:25: ']' is not valid here (expected a value)",
		`{"log": {"a": "\x"}}`:            `1:17: 'x' is not valid here (expected one of "\/bfnrtu after a backslash)`,
		`{"log": {"a": "\u12g4"}}`:        `1:20: 'g' is not valid here (expected four hexadecimal digits after \u)`,
		"{\"log\": {\"a\": \"b\nc":        "2:2: the file ends here (expected the end of the string opened at 1:15;",
		`{"a": ` + deep:                   "1:1006: nested more than 1000 deep",
		"PK\x03\x04zip":                   " a ZIP archive (expected a HAR; unpack it first)",
		"\x1f\x8bnot gzip":                " gzip header not readable",
	} {
		_, err := Read(strings.NewReader(text), "x.har")
		checkError(t, "x.har", err, want)
	}
	for name, want := range map[string]string{"testdata": " is a directory", "testdata/none.har": " no such file"} {
		_, err := ReadFile(name)
		checkError(t, name, err, want)
	}
}

// Wherever a file is cut off, the error names a place in it.
func TestTruncated(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("testdata", "size-transfer.har"))
	if err != nil {
		t.Fatal(err)
	}
	whole := len(bytes.TrimSpace(text))
	lines := bytes.Count(text, []byte("\n"))
	for n := range whole {
		_, err := Read(bytes.NewReader(text[:n]), "x.har")
		var e *Error
		if !errors.As(err, &e) || e.Line < 1 || e.Line > lines || e.Column < 1 {
			t.Fatalf("cut off after %d bytes: error %v, want one with a place", n, err)
		}
	}
}

func TestSplitName(t *testing.T) {
	dir := t.TempDir()
	plain, hash := filepath.Join(dir, "a.har"), filepath.Join(dir, "a.har#b.har")
	for _, name := range []string{plain, hash} {
		if err := os.WriteFile(name, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for arg, want := range map[string][2]string{
		plain:                  {plain, ""},
		plain + "#2":           {plain, "2"},
		plain + "#http://a/#x": {plain, "http://a/#x"},
		hash:                   {hash, ""},
		"not-there.har#2":      {"not-there.har", "2"},
	} {
		if name, selector := SplitName(arg); name != want[0] || selector != want[1] {
			t.Errorf("%q: %q and %q, want %q", arg, name, selector, want)
		}
	}
}
