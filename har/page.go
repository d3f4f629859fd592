package har

import (
	"errors"
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
		infos[i] = PageInfo{ID: p.id, Title: p.title, Load: fromMillis(p.onLoad), Entries: p.entries, Transfers: p.transfers}
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
// that has a transfer. Times start with the page's first transfer; objects are in the order they started, those of a
// simulated load in the order of the page that was loaded. The findings are the file's and the page's. A selector that names no page, and a page without transfers, are errors.
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
	d, counts := f.gather(chosen, found)
	if len(d.objects) == 0 {
		return nil, f.noTransfers(chosen, counts)
	}
	if !d.linked(f, found) {
		d.sort(d.byStart)
		if o.Deps == ByInitiator {
			f.initiatorParents(chosen, d, found)
		} else {
			timeParents(d)
		}
	}
	last := d.settle()
	p, err := page.New(f.pageName(selector), d.objects)
	if err != nil {
		return nil, f.refused(err, chosen)
	}
	p.Recorded = d.recorded
	p.RecordedLoad = f.load(chosen, last, found)
	return p, nil
}

// refused gives an error of page.New the place of the entry it is about.
func (f *File) refused(err error, chosen int) error {
	e := &Error{File: f.Name, Msg: err.Error()}
	of, ok := errors.AsType[*page.ObjectError](err)
	if !ok {
		return e
	}
	number := f.recordOf(chosen, of.Object)
	f.records.each(func(i int, r *record) bool {
		if i == number {
			e.Line, e.Column = int(r.at.line), int(r.at.column)
			e.Msg = fmt.Sprintf("entry %d (%s) %s; correct it, or take it out of the file", r.index, short(r.url), of.Fault)
		}
		return i < number
	})
	return e
}

// recordOf returns the number of an object's record. It makes the draft once more, as keeping these numbers takes memory
// that only errors need.
func (f *File) recordOf(chosen, object int) int {
	found := newFindings(f.Name)
	d, _ := f.gather(chosen, found)
	f.eachOf(chosen, found, func(i int, r *record) {
		if r.kind == transfer {
			d.traced = append(d.traced, int32(i))
		}
	})
	if !d.linked(f, found) {
		d.sort(d.byStart)
	}
	return int(d.traced[object])
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

// noTransfers says what there is instead.
func (f *File) noTransfers(chosen int, counts [numKinds]int) error {
	what := "the file"
	if chosen >= 0 && len(f.pages) > 1 {
		what = fmt.Sprintf("page %d (%q)", chosen+1, f.pages[chosen].id)
		if !slices.ContainsFunc(f.pages, func(p pageInfo) bool { return p.transfers > 0 }) {
			what = "the file"
			_, counts = f.gather(-1, newFindings(f.Name))
		}
	}
	var parts []string
	for k, n := range counts {
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, kindRules[k]))
		}
	}
	msg := fmt.Sprintf("no transfers: %s has no entries", what)
	if len(parts) > 0 {
		msg = fmt.Sprintf("no transfers: none of the entries of %s went over the network (%s)", what, strings.Join(parts, ", "))
	}
	return &Error{File: f.Name, Msg: msg + "; expected at least one http or https response with a status or bytes"}
}

// pageName is the file's name, with the page where one was chosen.
func (f *File) pageName(selector string) string {
	name := filepath.Base(f.Name)
	if selector != "" {
		name += "#" + selector
	}
	return name
}
