package har

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"braid/sim/page"
)

// Options say how a page is made of a file.
type Options struct {
	Deps Deps // where dependencies come from; the zero value is ByTime
}

// PageInfo describes one page of a file.
type PageInfo struct {
	ID        string        // as the file has it; "" in a file without pages
	Title     string        // as the file has it
	Entries   int           // that belong to it
	Transfers int           // of these, what went over the network
	Load      time.Duration // its load time (onLoad); 0: not recorded
}

// Pages returns the file's pages, as listed. A file that lists none has one.
func (f *File) Pages() []PageInfo {
	infos := make([]PageInfo, len(f.pages))
	for i, p := range f.pages {
		infos[i] = PageInfo{ID: p.id, Title: p.title, Load: fromMillis(p.onLoad)}
	}
	for i := range f.records {
		info := &infos[f.of[i]]
		info.Entries++
		if f.records[i].kind == transfer {
			info.Transfers++
		}
	}
	return infos
}

func fromMillis(ms float64) time.Duration { d, _ := millis(number{v: ms, ok: true}); return d }

// Findings returns what was found in the file, in the order of Rules. What depends on the choice of a page is added
// by Page.
func (f *File) Findings() []Finding { return f.found.list() }

// All is the selector of all pages as one.
const All = "*"

// Page makes a page of the transfers. The selector is a page's id, its number from 1, All, or "" for the first page
// that has a transfer. Times start with the page's first transfer; objects are in the order they started. The findings
// are the file's and the page's. A selector that names no page, and a page without transfers, are errors.
func (f *File) Page(selector string, o Options) (*page.Page, []Finding, error) {
	found := newFindings(f.Name)
	for rule, x := range f.found.at {
		c := *x
		found.at[rule] = &c
	}
	chosen, err := f.choose(selector, found)
	if err != nil {
		return nil, found.list(), err
	}
	p, err := f.build(chosen, selector, o, found)
	return p, found.list(), err
}

// choose returns the index of the selected page, or -1 for all.
func (f *File) choose(selector string, found *findings) (int, error) {
	if selector == All {
		return -1, nil
	}
	infos := f.Pages()
	if selector != "" {
		for i := range infos {
			if infos[i].ID == selector {
				return i, nil
			}
		}
		if n, err := strconv.Atoi(selector); err == nil && n >= 1 && n <= len(infos) {
			return n - 1, nil
		}
		return 0, &Error{File: f.Name, Msg: fmt.Sprintf("no page %q (pages: %s; or a number from 1 to %d, or * for all)", selector, listPages(infos), len(infos))}
	}
	chosen := max(0, slices.IndexFunc(infos, func(p PageInfo) bool { return p.Transfers > 0 }))
	if len(infos) > 1 {
		for i := range infos[:chosen] {
			found.add(RulePassedOver, place{}, -1, fmt.Sprintf("page %d (%q)", i+1, infos[i].ID))
		}
		found.add(RuleSeveral, place{}, -1, fmt.Sprintf("page %d is read; pages: %s; add #2 to the file's name for the second, #* for all", chosen+1, listPages(infos)))
	}
	return chosen, nil
}

// listPages names the pages for a message.
func listPages(infos []PageInfo) string {
	var b strings.Builder
	for i, p := range infos {
		if i == 10 {
			fmt.Fprintf(&b, " and %d more", len(infos)-i)
			break
		}
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%q (%d transfers)", short(p.ID), p.Transfers)
	}
	return b.String()
}

// build makes the page; chosen is -1 for all pages.
func (f *File) build(chosen int, selector string, o Options, found *findings) (*page.Page, error) {
	all := f.inOrder(chosen, found)
	var rows []*record
	of := make([]int32, len(all))
	for i, r := range all {
		of[i] = page.None
		if r.kind == transfer {
			of[i] = int32(len(rows))
			rows = append(rows, r)
		}
	}
	if len(rows) == 0 {
		return nil, f.noTransfers(chosen, all)
	}
	spans := f.spans(rows)
	var parents []int32
	if o.Deps == ByInitiator {
		parents = initiatorParents(all, of, spans, func(rule Rule, r *record, detail string) {
			if r == nil {
				found.add(rule, place{}, -1, detail)
				return
			}
			found.add(rule, r.at, int(r.index), detail)
		})
	} else {
		parents = timeParents(spans)
	}
	objects := make([]page.Object, len(rows))
	recorded := make([]page.Recorded, len(rows))
	var last time.Duration
	for i, r := range rows {
		og := parseOrigin(r.url)
		objects[i] = page.Object{Host: og.host, TLS: og.scheme == "https", Bytes: r.bytes, After: parents[i], Secure: r.secure}
		recorded[i] = f.recorded(r, spans[i])
		last = max(last, recorded[i].End)
	}
	p, err := page.New(f.pageName(selector), objects)
	if err != nil {
		return nil, &Error{File: f.Name, Msg: err.Error()}
	}
	p.Recorded = recorded
	p.RecordedLoad = f.load(chosen, last, found)
	return p, nil
}

// inOrder returns the records of the chosen page by start, those without one first, with relative URLs resolved.
func (f *File) inOrder(chosen int, found *findings) []*record {
	var all []*record
	base := ""
	for i := range f.records {
		if chosen >= 0 && int(f.of[i]) != chosen {
			continue
		}
		r := &f.records[i]
		all = append(all, r)
		if base == "" && r.kind == transfer && !r.relative() {
			base = r.url
		}
	}
	for i, r := range all {
		if r.kind == transfer && r.relative() {
			all[i] = resolved(r, base, found)
		}
	}
	slices.SortStableFunc(all, func(a, b *record) int {
		if !a.start.known() || !b.start.known() {
			return cmp.Compare(btoi(a.start.known()), btoi(b.start.known()))
		}
		return cmp.Compare(f.micros(a), f.micros(b))
	})
	return all
}

// resolved returns a copy of a record whose URL is relative; with another choice of pages it may be relative to
// another one.
func resolved(r *record, base string, found *findings) *record {
	c := *r
	found.add(RuleRelativeURL, r.at, int(r.index), short(r.url))
	if c.url = resolve(r.url, base); parseOrigin(c.url).host == "" {
		c.kind = noURL
		found.add(RuleNoURL, r.at, int(r.index), short(r.url))
	}
	return &c
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// spans returns when the transfers started and ended, in microseconds since the first one started.
func (f *File) spans(rows []*record) []span {
	var zero int64
	for _, r := range rows {
		if r.start.known() {
			zero = f.micros(r)
			break
		}
	}
	spans := make([]span, len(rows))
	for i, r := range rows {
		if r.start.known() {
			spans[i] = span{start: f.micros(r) - zero, known: true}
		}
		spans[i].end = spans[i].start + f.duration(r)
	}
	return spans
}

// recorded is what the recording measured. Connect is without TLS.
func (f *File) recorded(r *record, s span) page.Recorded {
	connect := r.phases.connect
	if !f.beside {
		connect = max(0, connect-r.phases.ssl)
	}
	return page.Recorded{
		URL: r.url, HTTP: r.http, Method: r.method, Status: int(r.status), MIME: r.mime,
		Start: fromMicros(s.start), End: fromMicros(s.end),
		Blocked: r.phases.blocked, DNS: r.phases.dns, Connect: connect, TLS: r.phases.ssl,
		Send: r.phases.send, Wait: r.phases.wait, Receive: r.phases.receive,
	}
}

// fromMicros saturates: entries of one page may claim to be centuries apart.
func fromMicros(us int64) time.Duration {
	return time.Duration(min(us, maxMillis*1000)) * time.Microsecond
}

// load returns the load time the page states. Several pages as one have none.
func (f *File) load(chosen int, last time.Duration, found *findings) time.Duration {
	if chosen < 0 && len(f.pages) == 1 {
		chosen = 0
	}
	if chosen < 0 {
		return 0
	}
	load := fromMillis(f.pages[chosen].onLoad)
	switch {
	case load == 0:
		found.add(RuleNoLoad, place{}, -1, "")
	case load > 2*last && load > last+time.Second:
		found.add(RuleLateLoad, place{}, -1, fmt.Sprintf("load time %v, last transfer ends at %v", load.Round(time.Millisecond), last.Round(time.Millisecond)))
	}
	return load
}

// pageName is the file's name, with the page where one was chosen.
func (f *File) pageName(selector string) string {
	name := filepath.Base(f.Name)
	if selector != "" {
		name += "#" + selector
	}
	return name
}

// noTransfers says what there is instead.
func (f *File) noTransfers(chosen int, all []*record) error {
	what := "the file"
	if chosen >= 0 && len(f.pages) > 1 {
		what = fmt.Sprintf("page %d (%q)", chosen+1, f.pages[chosen].id)
		if !slices.ContainsFunc(f.records, func(r record) bool { return r.kind == transfer }) {
			what, all = "the file", f.inOrder(-1, newFindings(f.Name))
		}
	}
	var counts [numKinds]int
	for _, r := range all {
		counts[r.kind]++
	}
	msg := fmt.Sprintf("no transfers: %s has no entries", what)
	if len(all) > 0 {
		var parts []string
		for k, n := range counts {
			if n > 0 {
				parts = append(parts, fmt.Sprintf("%d %s", n, kindRules[k]))
			}
		}
		msg = fmt.Sprintf("no transfers: none of the entries of %s went over the network (%s)", what, strings.Join(parts, ", "))
	}
	return &Error{File: f.Name, Msg: msg + "; expected at least one http or https response with a status or bytes"}
}
