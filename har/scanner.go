package har

import (
	"fmt"
	"io"
	"math"
	"strings"
	"unicode/utf8"
)

const (
	// maxString is how much of one string is kept, in bytes of JSON text. Bodies are dropped before; the longest URL
	// met in a recording has 17423 characters.
	maxString = 32 << 10
	// maxKept is how much text of one value may be kept. Without bodies an entry of a browser has a few kB; a file
	// that needs more is refused, so that memory stays bounded.
	maxKept = 16 << 20
	// maxDepth is how deep arrays and objects may be nested.
	maxDepth = 1000
)

// fields says which keys of an object are kept, and of their values in turn; nil keeps a value as it is. Elements of
// an array are filtered like the array.
type fields map[string]fields

// filter is fields, with a number for each key of an object, from 0 to below maxKeys.
type filter map[string]kept

const maxKeys = 32

type kept struct {
	number int
	sub    filter
}

// filter numbers the keys. More than maxKeys are a programming error and panic.
func (f fields) filter() filter {
	if f == nil {
		return nil
	}
	if len(f) > maxKeys {
		panic("har: too many keys are kept of one object")
	}
	numbered := make(filter, len(f))
	for key, sub := range f {
		numbered[key] = kept{len(numbered), sub.filter()}
	}
	return numbered
}

// scanner reads JSON (RFC 8259) from a stream: it checks the grammar, knows its place, and copies only the text it is
// asked for. It also takes what producers write beside the grammar (NaN, control characters in strings, invalid
// UTF-8), notes it, and copies valid JSON in its place.
type scanner struct {
	file string
	r    io.Reader
	note func(rule Rule, at place)

	buf      []byte // buf[pos:end] is read and not yet used
	pos, end int
	err      error // why no more can be read

	offset    int64 // of buf[0]
	line      int32
	lineStart int64 // offset of the line's first byte
	depth     int
	key       []byte
}

func newScanner(r io.Reader, file string, note func(Rule, place)) *scanner {
	return &scanner{file: file, r: r, note: note, buf: make([]byte, 64<<10), line: 1}
}

// fill makes at least n bytes available if the stream has them.
func (s *scanner) fill(n int) {
	for s.end-s.pos < n && s.err == nil {
		if s.pos > 0 {
			copy(s.buf, s.buf[s.pos:s.end])
			s.offset += int64(s.pos)
			s.end -= s.pos
			s.pos = 0
		}
		k, err := s.r.Read(s.buf[s.end:])
		s.end += k
		s.err = err
	}
}

// peek returns the next byte, or false at the end of the text.
func (s *scanner) peek() (byte, bool) {
	if s.pos == s.end {
		if s.fill(1); s.pos == s.end {
			return 0, false
		}
	}
	return s.buf[s.pos], true
}

// here is the place of the next byte.
func (s *scanner) here() place {
	return place{s.line, int32(min(s.offset+int64(s.pos)-s.lineStart+1, math.MaxInt32))}
}

func (s *scanner) newline() {
	s.line++
	s.lineStart = s.offset + int64(s.pos) + 1
}

// fail returns an error at the next byte: what is there, and what was expected.
func (s *scanner) fail(expected string) error {
	at := s.here()
	c, ok := s.peek()
	switch {
	case ok && c >= 0x20 && c < 0x7f:
		return s.failAt(at, fmt.Sprintf("%q is not valid here (expected %s)", c, expected))
	case ok:
		return s.failAt(at, fmt.Sprintf("byte 0x%02x is not valid here (expected %s)", c, expected))
	case s.err != nil && s.err != io.EOF:
		return s.failAt(at, fmt.Sprintf("cannot be read further: %v (expected %s)", s.err, expected))
	}
	return s.failAt(at, fmt.Sprintf("the file ends here (expected %s; was it cut off while it was written?)", expected))
}

func (s *scanner) failAt(at place, msg string) error {
	return &Error{s.file, int(at.line), int(at.column), msg}
}

// space skips white space and returns the byte after it, or false at the end of the text.
func (s *scanner) space() (byte, bool) {
	for {
		c, ok := s.peek()
		if !ok {
			return 0, false
		}
		switch c {
		case '\n':
			s.newline()
		case ' ', '\t', '\r':
		default:
			return c, true
		}
		s.pos++
	}
}

// object reads an object and calls each for every key, with the value next.
func (s *scanner) object(each func(key []byte) error) error {
	if err := s.enter(); err != nil {
		return err
	}
	for first := true; ; first = false {
		c, ok := s.space()
		if ok && c == '}' && first {
			break
		}
		if !ok || c != '"' {
			if first {
				return s.fail("a key in double quotes or '}'")
			}
			return s.fail("a key in double quotes")
		}
		key, err := s.str(s.key[:0], true)
		if err != nil {
			return err
		}
		s.key = key
		if c, ok := s.space(); !ok || c != ':' {
			return s.fail("':' after the key")
		}
		s.pos++
		if err := each(key[1 : len(key)-1]); err != nil {
			return err
		}
		c, ok = s.space()
		if ok && c == '}' {
			break
		}
		if !ok || c != ',' {
			return s.fail("',' or '}'")
		}
		s.pos++
	}
	s.leave()
	return nil
}

// array reads an array and calls each for every element, with the element next.
func (s *scanner) array(each func() error) error {
	if err := s.enter(); err != nil {
		return err
	}
	for first := true; ; first = false {
		c, ok := s.space()
		if ok && c == ']' && first {
			break
		}
		if err := each(); err != nil {
			return err
		}
		c, ok = s.space()
		if ok && c == ']' {
			break
		}
		if !ok || c != ',' {
			return s.fail("',' or ']'")
		}
		s.pos++
	}
	s.leave()
	return nil
}

func (s *scanner) enter() error {
	if s.depth++; s.depth > maxDepth {
		return s.failAt(s.here(), fmt.Sprintf("nested more than %d deep", maxDepth))
	}
	s.pos++
	return nil
}

func (s *scanner) leave() {
	s.depth--
	s.pos++
}

// skip checks a value and drops it.
func (s *scanner) skip() error {
	_, err := s.value(nil, false, nil)
	return err
}

// keep appends the text of a value to dst, filtered by f.
func (s *scanner) keep(dst []byte, f filter) ([]byte, error) { return s.value(dst, true, f) }

func (s *scanner) value(dst []byte, keep bool, f filter) ([]byte, error) {
	c, ok := s.space()
	if !ok {
		return dst, s.fail("a value")
	}
	if len(dst) > maxKept {
		return dst, s.failAt(s.here(), fmt.Sprintf("more than %d MiB in one entry besides its bodies (expected a few kB)", maxKept>>20))
	}
	put := func(c byte) {
		if keep {
			dst = append(dst, c)
		}
	}
	var err error
	switch {
	case c == '"':
		return s.str(dst, keep)
	case c == '{':
		put('{')
		first := true
		var names [maxKeys]int // where in dst the name of each key is, 0: nowhere yet
		err = s.object(func(key []byte) error {
			wanted, ok := f[string(key)]
			if !keep || f != nil && !ok {
				return s.skip()
			}
			if !first {
				put(',')
			}
			first = false
			if f != nil {
				if at := names[wanted.number]; at > 0 {
					s.space()
					s.note(RuleKeyTwice, s.here())
					copy(dst[at:], strings.Repeat(dropped, len(key)))
				}
				names[wanted.number] = len(dst) + 1
			}
			dst = append(append(append(dst, '"'), key...), '"', ':')
			dst, err = s.value(dst, true, wanted.sub)
			return err
		})
		put('}')
		return dst, err
	case c == '[':
		put('[')
		first := true
		err = s.array(func() error {
			if !first {
				put(',')
			}
			first = false
			dst, err = s.value(dst, keep, f)
			return err
		})
		put(']')
		return dst, err
	case c == '-' || c >= '0' && c <= '9':
		return s.number(dst, keep)
	}
	for _, w := range literals {
		if c == w.text[0] {
			return s.literal(dst, keep, w.text, w.as)
		}
	}
	return dst, s.fail("a value")
}

// dropped takes the place of each byte of a key that is given again, so that decoding knows it no more.
const dropped = "-"

var literals = []struct{ text, as string }{{"null", "null"}, {"true", "true"}, {"false", "false"}, {"NaN", ""}, {"Infinity", ""}}

// literal reads a word. as is what is copied; empty marks a word that is no JSON and copied as null.
func (s *scanner) literal(dst []byte, keep bool, word, as string) ([]byte, error) {
	at := s.here()
	for i := range word {
		if c, ok := s.peek(); !ok || c != word[i] {
			return dst, s.fail("a value")
		}
		s.pos++
	}
	if as == "" {
		s.note(RuleNaN, at)
		as = "null"
	}
	if keep {
		dst = append(dst, as...)
	}
	return dst, nil
}

// number reads a number by the grammar of RFC 8259, section 6, or -Infinity.
func (s *scanner) number(dst []byte, keep bool) ([]byte, error) {
	start := len(dst)
	take := func() {
		if keep {
			dst = append(dst, s.buf[s.pos])
		}
		s.pos++
	}
	digits := func() error {
		for n := 0; ; n++ {
			c, ok := s.peek()
			if !ok || c < '0' || c > '9' {
				if n == 0 {
					return s.fail("a digit")
				}
				return nil
			}
			if len(dst)-start > maxString {
				return s.failAt(s.here(), "a number of more than 32 kB")
			}
			take()
		}
	}
	c, _ := s.peek()
	if c == '-' {
		take()
		if c, ok := s.peek(); ok && c == 'I' {
			return s.literal(dst[:start], keep, "Infinity", "")
		}
	}
	if c, ok := s.peek(); ok && c == '0' {
		take()
	} else if err := digits(); err != nil {
		return dst, err
	}
	if c, ok := s.peek(); ok && c == '.' {
		take()
		if err := digits(); err != nil {
			return dst, err
		}
	}
	if c, ok := s.peek(); ok && (c == 'e' || c == 'E') {
		take()
		if c, ok := s.peek(); ok && (c == '+' || c == '-') {
			take()
		}
		if err := digits(); err != nil {
			return dst, err
		}
	}
	return dst, nil
}

// str reads a string and appends its JSON text, quotes included, up to maxString bytes.
func (s *scanner) str(dst []byte, keep bool) ([]byte, error) {
	opened := s.here()
	s.pos++
	limit := len(dst) + maxString
	if keep {
		dst = append(dst, '"')
	}
	for {
		if s.pos == s.end {
			if s.fill(1); s.pos == s.end {
				return dst, s.fail(fmt.Sprintf("the end of the string opened at %d:%d", opened.line, opened.column))
			}
		}
		run := s.buf[s.pos:s.end]
		n := 0
		for n < len(run) && plain[run[n]] {
			n++
		}
		if n > 0 {
			if keep {
				dst = append(dst, run[:max(0, min(n, limit-len(dst)))]...)
			}
			s.pos += n
			continue
		}
		var unit [8]byte
		u := unit[:0]
		switch c := run[0]; {
		case c == '"':
			s.pos++
			if keep {
				dst = append(dst, '"')
			}
			return dst, nil
		case c == '\\':
			var err error
			if u, err = s.escape(u); err != nil {
				return dst, err
			}
		case c < 0x20:
			s.note(RuleControl, s.here())
			if c == '\n' {
				s.newline()
			}
			s.pos++
			u = fmt.Appendf(u, `\u%04x`, c)
		default:
			s.fill(utf8.UTFMax)
			r, size := utf8.DecodeRune(s.buf[s.pos:s.end])
			if r == utf8.RuneError && size == 1 {
				s.note(RuleInvalidUTF8, s.here())
			}
			s.pos += size
			u = utf8.AppendRune(u, r)
		}
		if keep && len(dst)+len(u) <= limit {
			dst = append(dst, u...)
		} else {
			limit = min(limit, len(dst)) // nothing after a gap
		}
	}
}

// plain marks the bytes of a string that stand for themselves.
var plain = func() (t [256]bool) {
	for c := 0x20; c < 0x80; c++ {
		t[c] = c != '"' && c != '\\'
	}
	return
}()

// escape reads an escape sequence and appends it as it is.
func (s *scanner) escape(u []byte) ([]byte, error) {
	s.pos++
	c, ok := s.peek()
	if !ok {
		return u, s.fail("an escape sequence")
	}
	u = append(u, '\\', c)
	switch c {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		s.pos++
		return u, nil
	case 'u':
		s.pos++
		for range 4 {
			c, ok := s.peek()
			if !ok || !(c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F') {
				return u, s.fail("four hexadecimal digits after \\u")
			}
			u = append(u, c)
			s.pos++
		}
		return u, nil
	}
	return u, s.fail(`one of "\/bfnrtu after a backslash`)
}
