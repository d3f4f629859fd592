package har

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"braid/sim/page"
)

// edge is what must come of one odd or broken file: a page and findings, or one error and the findings up to it. All
// were decided by reading the files. Objects and bytes were computed by another program; the hosts are those of
// INDEX.tsv, less the ones that have no transfer.
type edge struct {
	file           string
	objects, hosts int
	bytes          int64
	findings       string // rule, or rule*count
	err            string // after the file's name
}

const nothingWent = " no transfers: none of the entries of the file went over the network "

var edges = []edge{
	{file: "about-blank.har", findings: "not-network*4", err: nothingWent + "(4 not-network)"},
	// headersSize 17 and bodySize -17; content.size less compression is -17 as well.
	{file: "bodysize-below-minus-one.har", objects: 5, hosts: 2, bytes: 5 * 17, findings: "no-load-time no-size*5 negative-size*5"},
	// _transferSize of each.
	{file: "compression-negative.har", objects: 5, hosts: 4, bytes: 397 + 389 + 642 + 1321 + 1321, findings: "load-time-after-transfers negative-size*5 no-mime-type*2"},
	{file: "content-size-missing.har", findings: "no-pages no-bytes*4", err: nothingWent + "(4 no-bytes)"},
	{file: "cookies-object.har", objects: 2, hosts: 1, bytes: 514 + 893 + 498 + 23640, findings: "cookies-not-a-list*2"},
	{file: "creator-missing.har", objects: 5, hosts: 2, bytes: 2686 + 1826 + 799 + 1377 + 792, findings: "no-creator"},
	{file: "data-url-clip.har", findings: "not-network*4", err: nothingWent + "(4 not-network)"},
	// The icon has no bodySize; its Content-Length is "5,216".
	{file: "date-ie11-unpadded-fraction.har", objects: 9, hosts: 1, bytes: 319147 + 5216, findings: "unpadded-milliseconds*2 size-from-content-length cookies-not-a-list*8"},
	{file: "date-nan.har", objects: 3, hosts: 1, bytes: 3774 + 17315 + 28669, findings: "no-load-time no-start-time*2"},
	{file: "date-no-fraction.har", objects: 12, hosts: 3, bytes: 95230 + 1884, findings: "no-pages no-load-time headers-estimated*12 whole-seconds"},
	{file: "date-offset-without-colon.har", objects: 6, hosts: 1, bytes: 7975, findings: "no-load-time offset-without-colon*6 unknown-http-version*6"},
	{file: "date-wpt-1000-milliseconds.har", objects: 7, hosts: 2, bytes: 172645, findings: "load-time-after-transfers multiplexed*7 unpadded-milliseconds"},
	{file: "empty-entries-browsermob.har", err: " no transfers: the file has no entries"},
	{file: "empty-entries-no-pages.har", findings: "no-pages", err: " no transfers: the file has no entries"},
	// Header only: the stream was open when it was recorded.
	{file: "event-stream.har", objects: 2, hosts: 1, bytes: 314 + 314, findings: "no-pages no-load-time multiplexed*2 ssl-beside-connect"},
	{file: "exponent-number.har", objects: 10, hosts: 2, bytes: 50464, findings: "multiplexed*10"},
	{file: "from-cache.har", objects: 1, hosts: 1, bytes: 203 + 2336, findings: "no-pages no-load-time not-modified-with-body"},
	// 50464 less the entry whose URL became a data: URL (658 + 8695).
	{file: "giant-fields.har", objects: 9, hosts: 2, bytes: 50464 - 9353, findings: "multiplexed*9 not-network"},
	{file: "httpversion-garbage-wpt.har", objects: 12, hosts: 8, bytes: 35499, findings: "multiplexed*11 size-from-content-length*11 unknown-http-version*11 no-mime-type"},
	{file: "initiator-chain.har", objects: 12, hosts: 4, bytes: 328501, findings: "load-time-after-transfers multiplexed*12"},
	{file: "invalid-utf8-latin1.har", objects: 5, hosts: 2, bytes: 26546, findings: "invalid-utf8*3"},
	{file: "json-but-not-har.har", err: `1:1: JSON, but not a HAR (expected {"log": {"entries": [...]}})`},
	{file: "jsonp-wrapped.har", objects: 1, hosts: 1, bytes: 223 + 106, findings: "jsonp"},
	{file: "log-without-entries.har", err: "1:1: a log without entries"},
	{file: "mimetype-missing.har", objects: 1, hosts: 1, bytes: 401, findings: "no-mime-type"},
	{file: "nan-literal.har", objects: 10, hosts: 2, bytes: 50464, findings: "not-a-number multiplexed*10"},
	{file: "no-log-wrapper.har", objects: 4, hosts: 1, bytes: 46222 + 6992 + 3702 + 6567, findings: "no-log-wrapper not-network*2"},
	{file: "no-version-no-creator.har", findings: "no-creator no-pages no-url", err: nothingWent + "(1 no-url)"},
	{file: "not-json-after-array.har", err: `5:1: '"' is not valid here (expected ',' or '}')`},
	{file: "not-json.har", err: `8:5: 'x' is not valid here (expected ',' or '}')`},
	{file: "numbers-as-strings.har", objects: 10, hosts: 2, bytes: 50464, findings: "number-as-text*10 multiplexed*10"},
	{file: "onload-beyond-entries-safari.har", objects: 3, hosts: 2, bytes: 5495 + 3881 + 1804, findings: "load-time-after-transfers multiplexed*2 from-cache*4 negative-size"},
	{file: "out-of-order.har", objects: 40, hosts: 4, bytes: 831164, findings: "out-of-order*4 headers-estimated*40"},
	{file: "page-ids-not-in-pages.har", objects: 4, hosts: 1, bytes: 514350, findings: "unknown-page*4"},
	{file: "pageref-dangling-url.har", objects: 4, hosts: 2, bytes: 54587, findings: "load-time-after-transfers"},
	{file: "pages-empty-insomnia.har", objects: 1, hosts: 1, bytes: 250 + 131, findings: "no-pages no-load-time size-from-content-length headers-estimated"},
	{file: "pages-null.har", objects: 4, hosts: 2, bytes: 26396, findings: "utf8-mark no-pages no-load-time"},
	{file: "pages-only-no-entries.har", err: "1:1: a log without entries"},
	{file: "pagetimings-missing-fields.har", objects: 2, hosts: 1, bytes: 127 + 90, findings: "no-load-time headers-estimated"},
	{file: "pagetimings-null.har", objects: 2, hosts: 1, bytes: 504683, findings: "no-load-time negative-size*2"},
	{file: "playwright-minimal-mode.har", objects: 2, hosts: 1, bytes: 162 + 336 + 165, findings: "no-pages no-load-time multiplexed*2 size-from-content-length*2 headers-estimated*2"},
	{file: "relative-url.har", objects: 3, hosts: 1, bytes: 2462 + 1405 + 348 + 1057, findings: "relative-url*2 size-from-content-length"},
	{file: "ssl-longer-than-connect-mitmproxy.har", objects: 2, hosts: 2, bytes: 416 + 1256 + 242 + 453, findings: "no-pages no-load-time multiplexed*2 ssl-beside-connect"},
	{file: "status-0-offline.har", findings: "several-pages no-bytes*5", err: nothingWent + "(5 no-bytes)"},
	{file: "status-minus-two-wpt.har", objects: 2, hosts: 1, bytes: 2619 + 3307, findings: "multiplexed*2 no-bytes*12 unknown-http-version*2"},
	{file: "status-string.har", findings: "from-cache*3", err: nothingWent + "(3 from-cache)"},
	{file: "sum-not-time.har", objects: 12, hosts: 1, bytes: 162500, findings: "multiplexed*12 ssl-beside-connect"},
	{file: "time-minus-one-aborted.har", findings: "several-pages no-bytes*5", err: nothingWent + "(5 no-bytes)"},
	{file: "time-negative-fraction.har", objects: 1, hosts: 1, bytes: 224, findings: "time-rebuilt negative-time negative-size"},
	{file: "time-null-firefox54.har", objects: 10, hosts: 3, bytes: 118679 + 64, findings: "no-load-time multiplexed*9 time-rebuilt*10 headers-estimated"},
	{file: "timing-64-bit.har", objects: 2, hosts: 1, bytes: 3774 + 17315, findings: "no-load-time phase-out-of-range"},
	{file: "timing-negative-connect.har", objects: 3, hosts: 3, bytes: 235916, findings: "unknown-page negative-time*3"},
	{file: "timing-negative-send.har", objects: 5, hosts: 2, bytes: 35113, findings: "negative-time*5"},
	{file: "timing-null.har", findings: "no-bytes*4", err: nothingWent + "(4 no-bytes)"},
	{file: "timings-empty-firefox111.har", objects: 3, hosts: 1, bytes: 5509 + 386 + 3756 + 386 + 3756 + 386, findings: "multiplexed*3 from-cache*5 not-modified-with-body*3"},
	{file: "timings-no-time-no-response.har", findings: "no-creator unknown-page several-pages no-response*5", err: nothingWent + "(5 no-response)"},
	{file: "truncated.har", err: "36:183: the file ends here (expected the end of the string opened at 36:111;"},
	{file: "utf8-bom-crlf-fiddler.har", objects: 1, hosts: 1, bytes: 360 + 1256, findings: "utf8-mark no-pages no-load-time"},
	{file: "websocket-wpt.har", findings: "several-pages websocket*2", err: nothingWent + "(2 websocket)"},
	{file: "websocket.har", findings: "no-pages websocket*3", err: nothingWent + "(3 websocket)"},
}

func TestEdges(t *testing.T) {
	files := recordings(t, "edge")
	if len(files) != 60 || len(edges) != 60 {
		t.Errorf("%d files and %d expectations, want 60 of each", len(files), len(edges))
	}
	for _, file := range files {
		name := filepath.Base(file)
		i := slices.IndexFunc(edges, func(e edge) bool { return e.file == name })
		if i < 0 {
			t.Errorf("%s: no expectation", name)
			continue
		}
		want := &edges[i]
		p, found, err := Open(file, Options{})
		if got := rules(found); got != want.findings {
			t.Errorf("%s: findings %q, want %q", name, got, want.findings)
		}
		if want.err != "" {
			checkError(t, file, err, want.err)
			continue
		}
		if err != nil {
			t.Error(err)
			continue
		}
		checkPage(t, p, found)
		if len(p.Objects) != want.objects || p.Hosts() != want.hosts || p.Bytes() != want.bytes {
			t.Errorf("%s: %d objects, %d hosts, %d bytes; want %d, %d, %d", name, len(p.Objects), p.Hosts(), p.Bytes(), want.objects, want.hosts, want.bytes)
		}
	}
}

// rules lists the findings as "rule" and "rule*count".
func rules(found []Finding) string {
	var names []string
	for _, f := range found {
		name := string(f.Rule)
		if f.Count > 1 {
			name += fmt.Sprintf("*%d", f.Count)
		}
		names = append(names, name)
	}
	return strings.Join(names, " ")
}

func checkError(t *testing.T, file string, err error, want string) {
	t.Helper()
	var e *Error
	if !errors.As(err, &e) || !strings.HasPrefix(err.Error(), file+":"+want) {
		t.Errorf("error %v, want %s:%s...", err, file, want)
	}
}

// Times of single objects in the odd files: start, end and the phases that matter, read off the files.
func TestEdgeTimes(t *testing.T) {
	const us = time.Microsecond
	for _, c := range []struct {
		file   string
		object int
		want   page.Recorded // only times that are not 0 are compared, and Start and End
	}{
		{"date-ie11-unpadded-fraction.har", 4, page.Recorded{Start: 249 * ms, End: 265 * ms, Wait: 16 * ms}}, // 11.59 after 10.810
		{"date-ie11-unpadded-fraction.har", 6, page.Recorded{Start: 405 * ms, End: 421 * ms, Wait: 16 * ms}}, // 11.215
		{"date-wpt-1000-milliseconds.har", 3, page.Recorded{Start: 99 * ms, End: 171 * ms, Wait: 72 * ms}},   // 29.1000 after 29.901
		{"exponent-number.har", 0, page.Recorded{End: 100 * ms, Wait: 145 * ms}},                             // 1e2
		{"numbers-as-strings.har", 0, page.Recorded{End: 392 * ms, Connect: 245 * ms}},
		{"sum-not-time.har", 0, page.Recorded{End: 455926 * us, Connect: 190223 * us, TLS: 105735 * us}},  // ssl beside connect
		{"no-log-wrapper.har", 0, page.Recorded{End: 371656 * us, Connect: 37347 * us, TLS: 116409 * us}}, // 153.756 with 116.409 in it
		{"time-null-firefox54.har", 5, page.Recorded{Start: 299 * ms, End: 360 * ms, Blocked: 4 * ms, Wait: 57 * ms}},
		{"time-negative-fraction.har", 0, page.Recorded{End: 1141 * us, Send: 49 * us, Wait: 1092 * us}}, // the negative ones are 0
		{"timing-64-bit.har", 0, page.Recorded{End: 3804 * ms, Wait: 3778 * ms}},
		{"pages-null.har", 1, page.Recorded{Start: 374401 * us, End: 805401 * us, DNS: 217 * ms}}, // 34.583974|0 after 34.209573|3
	} {
		p, _, err := Open(filepath.Join(shared(t), "data", "har", "edge", c.file), Options{})
		if err != nil {
			t.Error(err)
			continue
		}
		got := p.Recorded[c.object]
		for _, x := range []struct {
			name      string
			got, want time.Duration
			always    bool
		}{
			{"start", got.Start, c.want.Start, true}, {"end", got.End, c.want.End, true}, {"blocked", got.Blocked, c.want.Blocked, false},
			{"dns", got.DNS, c.want.DNS, false}, {"connect", got.Connect, c.want.Connect, false}, {"tls", got.TLS, c.want.TLS, false},
			{"send", got.Send, c.want.Send, false}, {"wait", got.Wait, c.want.Wait, false},
		} {
			if (x.always || x.want != 0) && x.got.Round(us) != x.want {
				t.Errorf("%s: object %d: %s %v, want %v", c.file, c.object, x.name, x.got, x.want)
			}
		}
	}
}

const ms = time.Millisecond
