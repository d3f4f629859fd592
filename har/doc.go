// Package har reads HTTP Archives of any producer into pages, and writes simulated loads as HAR 1.2.
//
// Open, or Read and File.Page, turn a recording into a page.Page: its objects with host, TLS, bytes on the wire and
// what they wait for, and what was recorded of each. Real files differ in ways that change results silently; whatever
// the reader had to decide is a Finding, and Rules lists every kind with the producers it was seen in. What is not a HAR
// is an *Error with file, line and column. The names of producers below are those of log.creator; "WebInspector" is
// Chrome's developer tools.
//
// # Text
//
// UTF-8 with or without a byte order mark (Fiddler), UTF-16, gzip; a missing "log" around entries and pages (Clip); a
// function call around it all (JSONP, HARP). Bytes that are not UTF-8 become U+FFFD (Firebug's Latin-1 titles). NaN and
// Infinity stand for missing numbers. Numbers may be text, null or have exponents. Of a key that is given twice in one object
// the last value counts, of entries and pages both. A file that is cut off is an error: a
// page that lacks its end would load too fast.
//
// Files are read entry by entry; bodies, cookies and whatever else the reader does not need are dropped while they are
// read, and of other strings the first 32 KiB are kept. Of 200 MB, with the page that is made of them, entries with
// bodies of 20 kB took 0.04 times their size, entries as browsers write them but without bodies 0.5 times, minimal ones
// of 150 bytes 1.8 times, and the least that is a transfer, 58 bytes, 3.8 times (go test -bench 200MB ./har; 2026-12-01).
//
// # Pages
//
// Each page of a file is a page of its own. Default is the first one that has a transfer; FILE#id, FILE#number (from 1)
// and FILE#* (all as one) choose. An id comes before a number. A file without pages is one page (hdrgrab, mitmproxy). An
// entry whose page is not listed belongs to the one that started last before it (Chrome 16 names frames by their URL).
//
// # Transfers
//
// An entry is a transfer unless
//   - its URL does not go over the network: data:, about:, blob:, chrome-extension:;
//   - it is a WebSocket: ws:, wss:, status 101, _webSocketMessages (mitmproxy), _resourceType (Chrome);
//   - it came from a cache: 304 without a body, _fromCache (Chrome), _fetchType other than "Network Load" (Safari), the
//     status "(cache)" (Eyeball), or nothing at all was measured (Firefox 111);
//   - it has status 0 or below and no bytes: blocked, aborted, offline (Chrome), pushed (WebPageTest writes -2);
//   - it has no response, or no URL.
//
// A URL without scheme and host is relative to the page's first URL.
//
// # Bytes
//
// The size on the wire is _transferSize when above 0; it includes the header (Chrome, Playwright, Safari). Else it is the
// body, plus the header. The body is bodySize when above 0, else Content-Length (any letter case; IE 11 writes "6,219"),
// else content.size less content.compression. The header is headersSize when above 0; when it is not known (-1) it is
// estimated from the header fields as HTTP/1.1 writes them (RFC 9112). A headersSize of 0 stays 0 (BrowserMob). A
// response to HEAD, a 204 and a 304 have no body but what bodySize says (RFC 9110, section 6.4.1). A size above 2^40 counts
// as unknown; where nothing else tells the size, the page is refused.
//
// # Times
//
// A start time has "Z", "+02:00", "+0000" (BrowserMob) or no zone, which is UTC, and any number of fraction digits. IE 11
// writes milliseconds without leading zeros, so that .59 is 59 ms; WebPageTest rounds up to .1000, which is 1000 ms. An
// entry ends when its time is over; a time that is null, missing or negative is rebuilt from the phases. Phases that are
// null, missing or negative count as 0, and so does what is above three years (Firebug 1.12).
//
// HAR 1.2 has ssl inside connect. So do Chrome 47 and later, WebPageTest, Safari and Charles; Firefox 62 and later,
// Playwright and mitmproxy measure them apart. The stated times tell: each entry with both votes for the sum that comes
// closer to its time, and the file follows the majority; without votes, the producer counts. page.Recorded.Connect never
// includes TLS.
//
// # Dependencies
//
// By time (ByTime): the recording client is assumed not to be limited by bandwidth. An object waits for the one that,
// among those that ended strictly before it started, ended last; of several that ended together, the one that started
// last. No such object: it starts at 0. Times compare as whole microseconds. Of the links the published simulator made
// from 29 of the recordings at hand, 97.4 % are the same.
//
// By initiator (ByInitiator), the first of these that names a URL:
//   - _initiator as text (chrome-har, WebPageTest, Browsertime);
//   - _initiator as an object (Chrome, chrome-har-capturer): its url, else the innermost frame of stack, or of the
//     stack's parents, that has one;
//   - the same of _initiator_detail, which chrome-har writes as text.
//
// The object waits for the entry of that URL that started last before it. Where that is no transfer, its own initiator
// counts. An object without an initiator (Chrome's type "other": the document, icons, what was pushed) waits for the
// redirect that led to it, or, without one, as by time; so does one whose initiator was not recorded. Of a cycle the
// youngest edge is dropped, the one whose object started last.
//
// What braid itself wrote says of each object its index, that of the one it waits for, and the times of client and
// server. Where these fit together, they count, not times or initiators: the page is the one that was loaded, its objects
// in their order.
//
// # Writing
//
// Write writes a sim.Trace; see there.
package har
