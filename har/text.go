package har

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"io"

	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

var (
	gzipMagic = []byte{0x1f, 0x8b}
	zipMagic  = []byte{'P', 'K', 3, 4}
	utf8BOM   = []byte{0xef, 0xbb, 0xbf}
)

// plainText returns the file's text as UTF-8 without a byte order mark, whatever it was wrapped in: gzip, UTF-8 with a
// mark, UTF-16 with or without one. Invalid bytes are left for the scanner to report.
func plainText(r io.Reader, file string, note func(rule Rule)) (io.Reader, error) {
	b := bufio.NewReader(r)
	head, err := b.Peek(4)
	if err != nil && err != io.EOF {
		return nil, &Error{File: file, Msg: err.Error()}
	}
	switch {
	case bytes.HasPrefix(head, zipMagic):
		return nil, &Error{File: file, Msg: "a ZIP archive (expected a HAR; unpack it first)"}
	case bytes.HasPrefix(head, gzipMagic):
		note(RuleGzip)
		z, err := gzip.NewReader(b)
		if err != nil {
			return nil, &Error{File: file, Msg: "gzip header not readable: " + err.Error()}
		}
		b = bufio.NewReader(z)
		if head, err = b.Peek(4); err != nil && err != io.EOF {
			return nil, &Error{File: file, Msg: "gzip data not readable: " + err.Error()}
		}
	}
	if bytes.HasPrefix(head, utf8BOM) {
		note(RuleUTF8Mark)
		_, err := b.Discard(len(utf8BOM))
		return b, err
	}
	if order, ok := utf16Order(head); ok {
		note(RuleUTF16)
		return transform.NewReader(b, unicode.UTF16(order, unicode.UseBOM).NewDecoder()), nil
	}
	return b, nil
}

// utf16Order tells UTF-16 from the mark, or, as JSON starts with an ASCII character, from where the zero byte is.
func utf16Order(head []byte) (unicode.Endianness, bool) {
	if len(head) < 2 {
		return unicode.BigEndian, false
	}
	switch a, b := head[0], head[1]; {
	case a == 0xff && b == 0xfe, a != 0 && b == 0:
		return unicode.LittleEndian, true
	case a == 0xfe && b == 0xff, a == 0 && b != 0:
		return unicode.BigEndian, true
	}
	return unicode.BigEndian, false
}
