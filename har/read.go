package har

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"sort"
	"strings"
)

// File is a HAR that was read: its pages, and what is kept of its entries. Bodies are not.
type File struct {
	Name     string
	Producer string // log.creator, with its version: "WebPagetest 2.17"; "" if not known
	Browser  string // log.browser, with its version
	Entries  int    // all of them, transfers or not

	pages   []pageInfo // as listed; one without id if none are
	records records
	of      []int32 // page of each record; nil: all are of the first
	links   []link  // of the entries that have one, in their order
	beside  bool    // ssl is not part of connect
	found   *findings
}

// pageInfo is one page as listed.
type pageInfo struct {
	id     string
	title  string
	start  instant
	onLoad float64 // ms; 0: not known

	entries, transfers int // of its records
}

// Read reads a HAR of any producer: HAR 1.1 or 1.2 as JSON, in UTF-8 or UTF-16, plain or gzip, with or without its
// "log" wrapper, or wrapped in a function call. name is used in errors and findings. Text that is no JSON, that ends
// early, or that is no HAR is an *Error with line and column. It reads entry by entry and drops bodies; memory grows
// with the number of entries, not with their bodies.
func Read(r io.Reader, name string) (*File, error) {
	p := &parser{file: &File{Name: name}, found: newFindings(name), given: map[string]bool{}}
	p.file.found = p.found
	text, err := plainText(r, name, func(rule Rule) { p.found.add(rule, place{}, -1, "") })
	if err != nil {
		return nil, err
	}
	p.scan = newScanner(text, name, func(rule Rule, at place) { p.found.add(rule, at, -1, "") })
	if err := p.document(); err != nil {
		return nil, err
	}
	p.finish()
	return p.file, nil
}

// ReadFile reads the HAR in the named file.
func ReadFile(name string) (*File, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, openError(name, err)
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && info.IsDir() {
		return nil, &Error{File: name, Msg: "is a directory (expected a HAR)"}
	}
	return Read(f, name)
}

func openError(name string, err error) error {
	if errors.Is(err, os.ErrNotExist) {
		return &Error{File: name, Msg: "no such file"}
	}
	var path *os.PathError
	if errors.As(err, &path) {
		err = path.Err
	}
	return &Error{File: name, Msg: err.Error()}
}

// parser walks through one document.
type parser struct {
	scan  *scanner
	file  *File
	found *findings
	text  []byte // of the value that is being decoded

	given              map[string]bool // keys of the log, and "log"
	hasLog, hasEntries bool
	vote               tlsVote
	wrong              error // JSON, but not a HAR; the first reason
}

// document reads the whole text: {"log": {...}}, a log without its wrapper, or either as a function's argument.
func (p *parser) document() error {
	s := p.scan
	c, ok := s.space()
	call := ok && isIdentifierStart(c)
	if call {
		if err := p.callee(); err != nil {
			return err
		}
		c, ok = s.space()
	}
	if !ok || c != '{' {
		return s.fail("'{', the beginning of a HAR")
	}
	start := s.here()
	bare := false
	err := s.object(func(key []byte) error {
		switch string(key) {
		case "log":
			c, _ := s.space()
			p.noteGiven("log")
			p.hasLog = true
			if c != '{' {
				return p.notAn("log", "an object")
			}
			return s.object(p.logField)
		case "entries":
			bare = true
			return p.logField(key)
		}
		if p.hasLog {
			return s.skip()
		}
		return p.logField(key)
	})
	if err != nil {
		return err
	}
	if err := p.rest(call); err != nil {
		return err
	}
	switch {
	case p.wrong != nil:
		return p.wrong
	case p.hasEntries && bare && !p.hasLog:
		p.found.add(RuleNoLog, start, -1, "")
	case !p.hasEntries && p.hasLog:
		return s.failAt(start, "a log without entries (expected {\"log\": {\"entries\": [...]}})")
	case !p.hasEntries:
		return s.failAt(start, "JSON, but not a HAR (expected {\"log\": {\"entries\": [...]}})")
	}
	return nil
}

func isIdentifierStart(c byte) bool {
	return c == '_' || c == '$' || c|0x20 >= 'a' && c|0x20 <= 'z'
}

// callee reads the name of a function up to its opening parenthesis.
func (p *parser) callee() error {
	s := p.scan
	at := s.here()
	for n := 0; n < 256; n++ {
		c, ok := s.peek()
		if !ok || !(isIdentifierStart(c) || c == '.' || c >= '0' && c <= '9') {
			break
		}
		s.pos++
	}
	if c, ok := s.space(); !ok || c != '(' {
		return s.failAt(at, "not JSON (expected '{', the beginning of a HAR)")
	}
	s.pos++
	p.found.add(RuleJSONP, at, -1, "")
	return nil
}

// rest reads what follows the document: nothing, or the end of the function call. Zero bytes pad some files.
func (p *parser) rest(call bool) error {
	s := p.scan
	c, ok := s.space()
	if call {
		if !ok || c != ')' {
			return s.fail("')' after the HAR")
		}
		s.pos++
		if c, ok = s.space(); ok && c == ';' {
			s.pos++
			c, ok = s.space()
		}
	}
	for ok && c == 0 {
		s.pos++
		c, ok = s.space()
	}
	if ok {
		return s.fail("nothing after the HAR")
	}
	if s.err != io.EOF {
		return s.fail("the end of the file")
	}
	return nil
}

// notAn skips a value of the wrong type. That it is wrong becomes the error if the rest of the text is JSON.
func (p *parser) notAn(what, expected string) error {
	s := p.scan
	c, _ := s.space()
	if at := s.here(); c != 'n' && p.wrong == nil { // null stands for nothing
		p.wrong = s.failAt(at, fmt.Sprintf("%q is %s (expected %s)", what, typeName(c), expected))
	}
	return s.skip()
}

func typeName(c byte) string {
	switch {
	case c == '{':
		return "an object"
	case c == '[':
		return "an array"
	case c == '"':
		return "text"
	case c == 't' || c == 'f':
		return "true or false"
	}
	return "a number"
}

// logField reads one field of the log.
func (p *parser) logField(key []byte) error {
	s := p.scan
	c, ok := s.space()
	if !ok {
		return s.fail("a value")
	}
	switch string(key) {
	case "creator", "browser", "pages", "entries":
		p.noteGiven(string(key))
	}
	switch string(key) {
	case "creator":
		return p.readCreator(&p.file.Producer)
	case "browser":
		return p.readCreator(&p.file.Browser)
	case "pages":
		if c != '[' {
			return p.notAn("pages", "an array or null")
		}
		return s.array(p.readPage)
	case "entries":
		p.hasEntries = true
		if c != '[' {
			return p.notAn("entries", "an array")
		}
		return s.array(p.readEntry)
	}
	return s.skip()
}

// noteGiven remembers a key whose value comes next.
func (p *parser) noteGiven(key string) {
	if p.given[key] {
		p.found.add(RuleKeyTwice, p.scan.here(), -1, fmt.Sprintf("%q", key))
	}
	p.given[key] = true
}

// decode reads the next value into v, as far as its fields have the types of HAR.
func (p *parser) decode(keep filter, v any, entry int) error {
	at := p.scan.here()
	var err error
	if p.text, err = p.scan.keep(p.text[:0], keep); err != nil {
		return err
	}
	var wrong *json.UnmarshalTypeError
	if err := json.Unmarshal(p.text, v); errors.As(err, &wrong) {
		p.found.add(RuleType, at, entry, fmt.Sprintf("%s in %q", wrong.Value, wrong.Field))
	} else if err != nil {
		return p.scan.failAt(at, err.Error())
	}
	return nil
}

func (p *parser) readCreator(to *string) error {
	var c creator
	if err := p.decode(keepCreator, &c, -1); err != nil {
		return err
	}
	*to = strings.TrimSpace(c.Name + " " + string(c.Version))
	return nil
}

func (p *parser) readPage() error {
	var e pageEntry
	if err := p.decode(keepPage, &e, -1); err != nil {
		return err
	}
	info := pageInfo{id: string(e.ID), title: string(e.Title), start: parseInstant(string(e.StartedDateTime))}
	if load := e.PageTimings.OnLoad; load.above() && load.v <= maxMillis {
		info.onLoad = load.v
	}
	p.file.pages = append(p.file.pages, info)
	return nil
}

func (p *parser) readEntry() error {
	c, _ := p.scan.space()
	at := p.scan.here()
	p.file.Entries++
	var e entry
	if err := p.decode(keepEntry, &e, p.file.Entries-1); err != nil {
		return err
	}
	if c != '{' {
		return nil // noted by decode
	}
	r := p.record(&e, at)
	if r.stated >= 0 && r.kind == transfer {
		p.vote.add(&r.phases, r.stated)
	}
	if l, ok := readLink(&e, p.file.records.n); ok {
		p.file.links = append(p.file.links, l)
	}
	p.file.records.add(&r)
	return nil
}

// finish decides what depends on the whole file.
func (p *parser) finish() {
	f := p.file
	if f.Producer == "" {
		p.found.add(RuleNoCreator, place{}, -1, "")
	}
	if f.beside = p.vote.decide(f.Producer, f.Browser); f.beside && p.vote.beside > 0 {
		p.found.add(RuleTLSBeside, place{}, -1, fmt.Sprintf("%d transfers", p.vote.beside))
	}
	f.records.finish()
	p.checkTimes()
	p.assign()
}

// checkTimes notes what is odd about the times of all entries.
func (p *parser) checkTimes() {
	f := p.file
	last := int64(math.MinInt64)
	starts, whole := 0, 0
	f.records.each(func(_ int, r *record) bool {
		if r.kind == transfer && r.stated < 0 {
			p.found.add(RuleTime, r.at, int(r.index), short(r.url))
		}
		if !r.start.known() {
			return true
		}
		if r.start.countsMilliseconds(f.Producer) {
			p.found.add(RuleMilliseconds, r.at, int(r.index), "")
		}
		starts++
		if r.start.digits == 0 {
			whole++
		}
		us := f.micros(r)
		if us < last {
			p.found.add(RuleOrder, r.at, int(r.index), "")
		}
		last = us
		return true
	})
	if starts > 1 && whole == starts {
		p.found.add(RuleSeconds, place{}, -1, "")
	}
}

// micros returns when the entry started: Unix time in microseconds.
func (f *File) micros(r *record) int64 {
	if r.start.countsMilliseconds(f.Producer) {
		return r.start.asMilliseconds()
	}
	return r.start.micros()
}

// duration returns how long the entry took: the time it states, else the sum of its phases.
func (f *File) duration(r *record) int64 {
	d := r.stated
	if d < 0 {
		d = r.phases.sum(f.beside)
	}
	return int64(math.Round(float64(d) / 1e3))
}

// assign gives each record its page: the one it names; where that is not listed, the last page that started before
// it, or the first one.
func (p *parser) assign() {
	f := p.file
	if len(f.pages) == 0 {
		p.found.add(RuleNoPages, place{}, -1, "")
		f.pages = []pageInfo{{start: noInstant}}
	} else {
		p.assignListed()
	}
	f.records.each(func(i int, r *record) bool {
		info := &f.pages[f.pageOf(i)]
		info.entries++
		if r.kind == transfer {
			info.transfers++
		}
		return true
	})
}

func (p *parser) assignListed() {
	f := p.file
	byID := map[string]int32{}
	for i, pg := range f.pages {
		if _, ok := byID[pg.id]; !ok {
			byID[pg.id] = int32(i)
		}
	}
	if len(f.pages) > 1 {
		f.of = make([]int32, f.records.n)
	}
	starts := f.pageStarts()
	f.records.each(func(i int, r *record) bool {
		n, ok := byID[r.ref]
		if !ok || r.ref == "" {
			n = starts.before(f, r)
			p.found.add(RulePageRef, r.at, int(r.index), fmt.Sprintf("%q", short(r.ref)))
		}
		if f.of != nil {
			f.of[i] = n
		}
		return true
	})
}

// pageOf returns the page of a record.
func (f *File) pageOf(i int) int {
	if f.of == nil {
		return 0
	}
	return int(f.of[i])
}

// pageStart is when a page started, in microseconds of Unix time.
type pageStart struct {
	micros int64
	page   int32
}

// pageStarts are the pages whose start is known, by start. Of several that started together only the first listed counts.
type pageStarts []pageStart

func (f *File) pageStarts() pageStarts {
	var starts pageStarts
	for i, pg := range f.pages {
		if pg.start.known() {
			starts = append(starts, pageStart{pg.start.micros(), int32(i)})
		}
	}
	slices.SortStableFunc(starts, func(a, b pageStart) int { return cmp.Compare(a.micros, b.micros) })
	return slices.CompactFunc(starts, func(a, b pageStart) bool { return a.micros == b.micros })
}

// before returns the page that started last before the record, or the first page.
func (s pageStarts) before(f *File, r *record) int32 {
	if !r.start.known() {
		return 0
	}
	at := f.micros(r)
	n := sort.Search(len(s), func(i int) bool { return s[i].micros > at })
	if n == 0 {
		return 0
	}
	return s[n-1].page
}
