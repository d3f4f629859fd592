package page

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"time"

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
	t := &jsonText{data: data}
	for _, mark := range utf16Marks {
		if bytes.HasPrefix(data, mark) {
			return nil, t.errorAt(0, "the text is UTF-16 (save the file as UTF-8)")
		}
	}
	var objects []Object
	var starts []int // where each object begins
	err := t.object("the page", pageKeys, func(key int) (err error) {
		if pageKeys[key] == "name" {
			var given string
			if given, err = t.text("name"); given != "" {
				name = given
			}
			return err
		}
		return t.list("objects", func() error {
			t.next()
			starts = append(starts, t.pos)
			o, err := readObject(t, len(objects))
			objects = append(objects, o)
			return err
		})
	})
	if err != nil {
		return nil, err
	}
	if t.next(); t.pos < len(data) {
		return nil, t.errorAt(t.pos, "text after the page (expected one page)")
	}
	p, err := New(name, objects)
	if of, ok := errors.AsType[*ObjectError](err); ok {
		return nil, t.errorAt(starts[of.Object], "%v", err)
	}
	return p, err
}

// readObject reads the i-th object.
func readObject(t *jsonText, i int) (Object, error) {
	o := Object{Bytes: -1, After: None}
	start := t.pos
	err := t.object("it", objectKeys, func(key int) (err error) {
		switch name := objectKeys[key]; name {
		case "host":
			o.Host, err = t.text(name)
		case "tls":
			o.TLS, err = t.boolean(name)
		case "bytes":
			o.Bytes, err = t.whole(name, 0, MaxBytes, "a whole number from 0 to 2^40")
		case "after":
			var after int64
			after, err = t.whole(name, 0, math.MaxInt32, "null or the index of an object")
			o.After = int32(after)
		case "think":
			o.Think, err = readDuration(t, name)
		case "server":
			o.Server, err = readDuration(t, name)
		}
		return err
	})
	if at, ok := errors.AsType[*textError](err); ok {
		at.text = fmt.Sprintf("object %d: %s", i, at.text)
	}
	if err == nil && o.Bytes < 0 {
		err = t.errorAt(start, "object %d has no \"bytes\"", i)
	}
	return o, err
}

// readDuration reads a duration with its unit; an empty one is none.
func readDuration(t *jsonText, what string) (time.Duration, error) {
	at := t.pos
	text, err := t.text(what)
	if err != nil || text == "" {
		return 0, err
	}
	d, err := units.ParseDuration(text)
	if err != nil {
		return 0, t.errorAt(at, "%s: %v", what, err)
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
