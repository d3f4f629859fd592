package har

import (
	"encoding/binary"
	"strings"
	"time"

	"braid/sim/page"
)

const (
	// chunkSize is how much text of records is allocated at once.
	chunkSize = 256 << 10
	// maxInterned bounds the texts that are kept once and named by number. A recording has a few hundred methods, types
	// and initiators; past the bound they are written out, which costs less than an entry in a table.
	maxInterned = 1 << 14
)

// records holds what is kept of each entry, packed: a file may have millions of them, and most fields of most entries
// are empty. A record is a mask of the fields that are not zero, and those fields, numbers as varints. Records are read
// from the first to the last, as each one's place, start and repeated URL refer to the one before it.
type records struct {
	chunks []string
	n      int

	open     strings.Builder // the chunk that is written
	last     record          // the record before it
	buf      []byte
	interned map[string]int
	texts    []string
}

// Fields of a record's mask, in the order they are written. The seven phases are one bit each, from hasPhases.
const (
	hasURL = 1 << iota
	hasInitiator
	hasRedirect
	hasMethod
	hasMIME
	hasHTTP
	hasRef
	hasStart
	hasStated
	hasBytes
	hasStatus
	hasKind
	hasSecure
	hasIndex
	hasLine
	hasPhases
)

// parts returns the phases in the order they are written.
func (p *phases) parts() [7]*time.Duration {
	return [...]*time.Duration{&p.blocked, &p.dns, &p.connect, &p.ssl, &p.send, &p.wait, &p.receive}
}

// add appends a record.
func (s *records) add(r *record) {
	mask := uint64(0)
	b := s.buf[:0]
	number := func(bit uint64, v int64) {
		if v != 0 {
			mask |= bit
			b = binary.AppendVarint(b, v)
		}
	}
	text := func(bit uint64, v string) {
		if v != "" {
			mask |= bit
			b = s.appendText(b, v)
		}
	}
	switch r.url {
	case "":
	case s.last.url:
		mask |= hasURL
		b = append(b, 0)
	default:
		mask |= hasURL
		b = append(binary.AppendUvarint(b, uint64(len(r.url))), r.url...)
		s.last.url = r.url
	}
	text(hasInitiator, r.initiator)
	text(hasRedirect, r.redirect)
	text(hasMethod, r.method)
	text(hasMIME, r.mime)
	text(hasHTTP, r.http)
	text(hasRef, r.ref)
	if r.start.known() {
		mask |= hasStart
		b = binary.AppendVarint(b, r.start.second-s.last.start.second)
		b = binary.AppendUvarint(b, uint64(r.start.fraction))
		b = append(b, byte(r.start.digits))
	}
	number(hasStated, int64(r.stated+1)) // -1: not stated
	number(hasBytes, r.bytes)
	number(hasStatus, int64(r.status))
	number(hasKind, int64(r.kind))
	number(hasSecure, int64(r.secure))
	number(hasIndex, int64(r.index-s.last.index))
	number(hasLine, int64(r.at.line-s.last.at.line))
	for i, d := range r.phases.parts() {
		number(hasPhases<<i, int64(*d))
	}
	b = binary.AppendVarint(b, int64(r.at.column-s.last.at.column))
	s.buf = b

	var head [binary.MaxVarintLen64]byte
	h := binary.PutUvarint(head[:], mask)
	if s.open.Len() > 0 && s.open.Len()+h+len(b) > s.open.Cap() {
		s.chunks = append(s.chunks, s.open.String())
		s.open = strings.Builder{}
	}
	if s.open.Len() == 0 {
		s.open.Grow(max(chunkSize, h+len(b)))
	}
	s.open.Write(head[:h])
	s.open.Write(b)
	s.n++
	s.last.follow(r)
}

// follow remembers of a record what the next one counts from.
func (r *record) follow(of *record) {
	r.index, r.at = of.index+1, of.at
	if of.start.known() {
		r.start.second = of.start.second
	}
}

// appendText appends a text that others are likely to share: its number from 1, or 0 and the text.
func (s *records) appendText(b []byte, v string) []byte {
	k, ok := s.interned[v]
	if !ok && len(s.texts) < maxInterned {
		if s.interned == nil {
			s.interned = map[string]int{}
		}
		v = strings.Clone(v)
		s.texts = append(s.texts, v)
		k, ok = len(s.texts), true
		s.interned[v] = k
	}
	if ok {
		return binary.AppendUvarint(b, uint64(k))
	}
	return append(binary.AppendUvarint(append(b, 0), uint64(len(v))), v...)
}

// finish ends the writing.
func (s *records) finish() {
	if s.open.Len() > 0 {
		s.chunks = append(s.chunks, s.open.String())
	}
	s.open, s.buf, s.interned, s.last = strings.Builder{}, nil, nil, record{}
}

// each calls f with every record and its number, from 0, until f returns false. The record is the same one each time.
func (s *records) each(f func(i int, r *record) bool) {
	var last, r record
	i := 0
	for _, chunk := range s.chunks {
		for in := (unpacker{chunk, s.texts}); in.rest != ""; i++ {
			in.record(&r, &last)
			if !f(i, &r) {
				return
			}
			last.follow(&r)
		}
	}
}

// unpacker reads records from a chunk.
type unpacker struct {
	rest  string
	texts []string
}

func (u *unpacker) record(r, last *record) {
	mask := u.unsigned()
	has := func(bit uint64) bool { return mask&bit != 0 }
	number := func(bit uint64) int64 {
		if !has(bit) {
			return 0
		}
		return u.signed()
	}
	text := func(bit uint64) string {
		if !has(bit) {
			return ""
		}
		if k := u.unsigned(); k > 0 {
			return u.texts[k-1]
		}
		return u.text()
	}
	*r = record{start: noInstant}
	if has(hasURL) {
		if r.url = u.text(); r.url == "" {
			r.url = last.url
		}
		last.url = r.url
	}
	r.initiator = text(hasInitiator)
	r.redirect = text(hasRedirect)
	r.method = text(hasMethod)
	r.mime = text(hasMIME)
	r.http = text(hasHTTP)
	r.ref = text(hasRef)
	if has(hasStart) {
		r.start.second = last.start.second + u.signed()
		r.start.fraction = int32(u.unsigned())
		r.start.digits = int8(u.unsigned())
	}
	r.stated = time.Duration(number(hasStated)) - 1
	r.bytes = number(hasBytes)
	r.status = int32(number(hasStatus))
	r.kind = kind(number(hasKind))
	r.secure = page.TLSVersion(number(hasSecure))
	r.index = last.index + int32(number(hasIndex))
	r.at.line = last.at.line + int32(number(hasLine))
	for i, d := range r.phases.parts() {
		*d = time.Duration(number(hasPhases << i))
	}
	r.at.column = last.at.column + int32(u.signed())
}

func (u *unpacker) unsigned() (v uint64) {
	for shift := 0; ; shift += 7 {
		c := u.rest[0]
		u.rest = u.rest[1:]
		v |= uint64(c&0x7f) << shift
		if c < 0x80 {
			return v
		}
	}
}

func (u *unpacker) signed() int64 {
	v := u.unsigned()
	return int64(v>>1) ^ -int64(v&1)
}

func (u *unpacker) text() string {
	n := u.unsigned()
	s := u.rest[:n]
	u.rest = u.rest[n:]
	return s
}
