package page

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"time"
	"unicode/utf8"

	"braid/sim/units"
)

// Keys of a page and of its objects.
var (
	pageKeys   = []string{"name", "objects"}
	objectKeys = []string{"host", "tls", "bytes", "after", "think", "server"}
)

// writtenPage is a page as it is written.
type writtenPage struct {
	Name    string          `json:"name"`
	Objects []writtenObject `json:"objects"`
}

type writtenObject struct {
	Host   string `json:"host"`
	TLS    bool   `json:"tls"`
	Bytes  int64  `json:"bytes"`
	After  *int32 `json:"after"`
	Think  string `json:"think,omitempty"`
	Server string `json:"server,omitempty"`
}

// ReadJSON reads one page in JSON, in UTF-8 with or without a byte order mark. file is used in errors only; name is the
// page's name where the JSON has none. What is no JSON, keys that are unknown or given twice, a missing size, trailing text
// and everything New refuses are errors with line and column where known.
func ReadJSON(r io.Reader, file, name string) (*Page, error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	data = bytes.TrimPrefix(data, utf8Mark)
	p, err := readPage(data, name)
	if err != nil {
		return nil, placed(file, data, err)
	}
	return p, nil
}

// Byte order marks (RFC 3629, section 6; RFC 2781, section 3.2).
var (
	utf8Mark   = []byte{0xef, 0xbb, 0xbf}
	utf16Marks = [][]byte{{0xff, 0xfe}, {0xfe, 0xff}}
)

func readPage(data []byte, name string) (*Page, error) {
	if err := checkUTF8(data); err != nil {
		return nil, err
	}
	t := newJSONText(data)
	first, err := t.token()
	if err != nil {
		return nil, err
	}
	var objects []Object
	var starts []int // where each object begins
	err = t.object(first, "the page", pageKeys, func(key string, value json.Token) (err error) {
		if key == "name" {
			var given string
			if given, err = t.text(value, key); given != "" {
				name = given
			}
			return err
		}
		objects, starts, err = readObjects(t, value)
		return err
	})
	if err != nil {
		return nil, err
	}
	if end := t.skip(" \t\r\n"); end < len(data) {
		return nil, errorAt(end, "text after the page (expected one page)")
	}
	p, err := New(name, objects)
	if of, ok := errors.AsType[*ObjectError](err); ok {
		return nil, errorAt(starts[of.Object], "%v", err)
	}
	return p, err
}

// checkUTF8 says where the text is not UTF-8; encoding/json would put U+FFFD there.
func checkUTF8(data []byte) error {
	for _, mark := range utf16Marks {
		if bytes.HasPrefix(data, mark) {
			return errorAt(0, "the text is UTF-16 (save the file as UTF-8)")
		}
	}
	for at := 0; at < len(data); {
		r, size := utf8.DecodeRune(data[at:])
		if r == utf8.RuneError && size == 1 {
			return errorAt(at, "byte 0x%02x in text is not UTF-8 (save the file as UTF-8)", data[at])
		}
		at += size
	}
	return nil
}

// readObjects reads the list of objects that begins with open, and where each of them begins.
func readObjects(t *jsonText, open json.Token) (objects []Object, starts []int, err error) {
	if open != json.Delim('[') {
		return nil, nil, t.wrongType(open, "objects", "a list in [ ]")
	}
	for {
		token, err := t.token()
		if err != nil || token == json.Delim(']') {
			return objects, starts, err
		}
		starts = append(starts, t.at)
		o, err := readObject(t, token, len(objects))
		if err != nil {
			return nil, nil, err
		}
		objects = append(objects, o)
	}
}

// readObject reads the i-th object, which begins with open.
func readObject(t *jsonText, open json.Token, i int) (Object, error) {
	o := Object{Bytes: -1, After: None}
	start := t.at
	err := t.object(open, "it", objectKeys, func(key string, value json.Token) (err error) {
		switch key {
		case "host":
			o.Host, err = t.text(value, key)
		case "tls":
			o.TLS, err = scalar[bool](t, value, key, "true or false")
		case "bytes":
			o.Bytes, err = t.whole(value, key, 0, MaxBytes, "a whole number from 0 to 2^40")
		case "after":
			var after int64
			after, err = t.whole(value, key, 0, math.MaxInt32, "null or the index of an object")
			o.After = int32(after)
		case "think":
			o.Think, err = readDuration(t, value, key)
		case "server":
			o.Server, err = readDuration(t, value, key)
		}
		return err
	})
	if at, ok := errors.AsType[*textError](err); ok {
		at.text = fmt.Sprintf("object %d: %s", i, at.text)
	}
	if err == nil && o.Bytes < 0 {
		err = errorAt(start, "object %d has no \"bytes\"", i)
	}
	return o, err
}

// readDuration reads a duration with its unit; an empty one is none.
func readDuration(t *jsonText, value json.Token, what string) (time.Duration, error) {
	text, err := t.text(value, what)
	if err != nil || text == "" {
		return 0, err
	}
	d, err := units.ParseDuration(text)
	if err != nil {
		return 0, errorAt(t.at, "%s: %v", what, err)
	}
	return d, nil
}

// placed puts the file and the place of an error before it.
func placed(file string, data []byte, err error) error {
	if at, ok := errors.AsType[*textError](err); ok {
		line, col := LineColumn(data, int64(at.offset))
		return fmt.Errorf("%s:%d:%d: %w", file, line, col, err)
	}
	return fmt.Errorf("%s: %w", file, err)
}

// WriteJSON writes the page in the form ReadJSON reads.
func (p *Page) WriteJSON(to io.Writer) error {
	w := writtenPage{Name: p.Name, Objects: make([]writtenObject, len(p.Objects))}
	for i := range p.Objects {
		o := &p.Objects[i]
		wo := writtenObject{Host: o.Host, TLS: o.TLS, Bytes: o.Bytes}
		if o.After != None {
			wo.After = &o.After
		}
		if o.Think > 0 {
			wo.Think = o.Think.String()
		}
		if o.Server > 0 {
			wo.Server = o.Server.String()
		}
		w.Objects[i] = wo
	}
	enc := json.NewEncoder(to)
	enc.SetEscapeHTML(false)
	return enc.Encode(w)
}

// LineColumn turns a byte offset into a line and a column, both from 1; the column counts bytes.
func LineColumn(data []byte, offset int64) (line, column int) {
	offset = min(max(offset, 0), int64(len(data)))
	before := data[:offset]
	return 1 + bytes.Count(before, []byte{'\n'}), int(offset) - bytes.LastIndexByte(before, '\n')
}
