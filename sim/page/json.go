package page

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"braid/sim/units"
)

// jsonPage is a page in JSON: {"name": "...", "objects": [{"host": "a.example", "tls": true, "bytes": 1234, "after": null}]}.
// think and server are durations with a unit ("20ms"), both optional.
type jsonPage struct {
	Name    string       `json:"name"`
	Objects []jsonObject `json:"objects"`
}

type jsonObject struct {
	Host   string `json:"host"`
	TLS    bool   `json:"tls"`
	Bytes  *int64 `json:"bytes"`
	After  *int32 `json:"after"`
	Think  string `json:"think,omitempty"`
	Server string `json:"server,omitempty"`
}

// ReadJSON reads one page in JSON. file is used in errors only; name is the page's name where the JSON has none.
// Unknown keys, a missing size, trailing text and everything New refuses are errors with line and column where known.
func ReadJSON(r io.Reader, file, name string) (*Page, error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	var jp jsonPage
	if err := dec.Decode(&jp); err != nil {
		return nil, fmt.Errorf("%s:%s: not a page in JSON: %w", file, position(data, dec, err), err)
	}
	if rest := bytes.TrimSpace(data[dec.InputOffset():]); len(rest) > 0 {
		line, col := LineColumn(data, int64(len(data)-len(bytes.TrimLeft(data[dec.InputOffset():], " \t\r\n"))))
		return nil, fmt.Errorf("%s:%d:%d: text after the page (expected one JSON object)", file, line, col)
	}
	if jp.Name == "" {
		jp.Name = name
	}
	p, err := jp.page()
	if err != nil {
		return nil, placed(file, data, err)
	}
	return p, nil
}

// page turns the JSON form into a page.
func (jp *jsonPage) page() (*Page, error) {
	objects := make([]Object, len(jp.Objects))
	for i, jo := range jp.Objects {
		o := Object{Host: jo.Host, TLS: jo.TLS, After: None}
		if jo.Bytes == nil {
			return nil, wrong(jp.Name, i, `has no "bytes"`)
		}
		o.Bytes = *jo.Bytes
		if jo.After != nil {
			o.After = *jo.After
			if o.After < 0 {
				return nil, wrong(jp.Name, i, "is after %d (expected null or an index from 0 to %d)", o.After, len(objects)-1)
			}
		}
		for _, d := range []struct {
			name, text string
			to         *time.Duration
		}{{"think", jo.Think, &o.Think}, {"server", jo.Server, &o.Server}} {
			if d.text == "" {
				continue
			}
			var err error
			if *d.to, err = units.ParseDuration(d.text); err != nil {
				return nil, wrong(jp.Name, i, "has a wrong %q: %v", d.name, err)
			}
		}
		objects[i] = o
	}
	return New(jp.Name, objects)
}

// placed puts the file and, for an error of one object, the place of that object before the error.
func placed(file string, data []byte, err error) error {
	var of *objectError
	if errors.As(err, &of) {
		if offset, ok := objectOffset(data, of.object); ok {
			line, col := LineColumn(data, offset)
			return fmt.Errorf("%s:%d:%d: %w", file, line, col, err)
		}
	}
	return fmt.Errorf("%s: %w", file, err)
}

// objectOffset returns where the n-th element of "objects" begins in the text of a page.
func objectOffset(data []byte, n int) (offset int64, ok bool) {
	dec := json.NewDecoder(bytes.NewReader(data))
	var skipped json.RawMessage
	if _, err := dec.Token(); err != nil { // the page's brace
		return 0, false
	}
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return 0, false
		}
		if name, _ := key.(string); strings.EqualFold(name, "objects") {
			break
		}
		if dec.Decode(&skipped) != nil {
			return 0, false
		}
	}
	if _, err := dec.Token(); err != nil { // the list's bracket
		return 0, false
	}
	for range n {
		if dec.Decode(&skipped) != nil {
			return 0, false
		}
	}
	between := data[dec.InputOffset():]
	return dec.InputOffset() + int64(len(between)-len(bytes.TrimLeft(between, " \t\r\n,"))), true
}

// WriteJSON writes the page in the form ReadJSON reads.
func (p *Page) WriteJSON(w io.Writer) error {
	jp := jsonPage{Name: p.Name, Objects: make([]jsonObject, len(p.Objects))}
	for i := range p.Objects {
		o := &p.Objects[i]
		jo := jsonObject{Host: o.Host, TLS: o.TLS, Bytes: &o.Bytes}
		if o.After != None {
			jo.After = &o.After
		}
		if o.Think > 0 {
			jo.Think = o.Think.String()
		}
		if o.Server > 0 {
			jo.Server = o.Server.String()
		}
		jp.Objects[i] = jo
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return enc.Encode(jp)
}

func position(data []byte, dec *json.Decoder, err error) string {
	offset := dec.InputOffset()
	var syntax *json.SyntaxError
	var typ *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		offset = syntax.Offset - 1
	case errors.As(err, &typ):
		offset = typ.Offset - 1
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		offset = int64(len(data))
	default:
		// An unknown field: the decoder gives its name but no place.
		if _, name, ok := strings.Cut(err.Error(), `unknown field `); ok {
			if at := keyOffset(data, name); at >= 0 {
				offset = int64(at)
			}
		}
	}
	line, col := LineColumn(data, offset)
	return fmt.Sprintf("%d:%d", line, col)
}

// keyOffset returns where the quoted name first stands as a key; -1: nowhere, as it is written with escapes.
func keyOffset(data []byte, name string) int {
	for from := 0; ; {
		at := bytes.Index(data[from:], []byte(name))
		if at < 0 {
			return -1
		}
		at += from
		from = at + len(name)
		if rest := bytes.TrimLeft(data[from:], " \t\r\n"); len(rest) > 0 && rest[0] == ':' {
			return at
		}
	}
}

// LineColumn turns a byte offset into a line and a column, both from 1; the column counts bytes.
func LineColumn(data []byte, offset int64) (line, column int) {
	offset = min(max(offset, 0), int64(len(data)))
	before := data[:offset]
	return 1 + bytes.Count(before, []byte{'\n'}), int(offset) - bytes.LastIndexByte(before, '\n')
}
