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
	objects := make([]Object, len(jp.Objects))
	for i, jo := range jp.Objects {
		o := Object{Host: jo.Host, TLS: jo.TLS, After: None}
		if jo.Bytes == nil {
			return nil, fmt.Errorf("%s: object %d has no \"bytes\"", file, i)
		}
		o.Bytes = *jo.Bytes
		if jo.After != nil {
			o.After = *jo.After
			if o.After < 0 {
				return nil, fmt.Errorf("%s: object %d is after %d (expected null or an index from 0 to %d)", file, i, o.After, len(objects)-1)
			}
		}
		for _, d := range []struct {
			name, text string
			to         *time.Duration
		}{{"think", jo.Think, &o.Think}, {"server", jo.Server, &o.Server}} {
			if d.text == "" {
				continue
			}
			if *d.to, err = units.ParseDuration(d.text); err != nil {
				return nil, fmt.Errorf("%s: object %d: %s: %w", file, i, d.name, err)
			}
		}
		objects[i] = o
	}
	p, err := New(jp.Name, objects)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return p, nil
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
			if at := bytes.Index(data, []byte(name)); at >= 0 {
				offset = int64(at)
			}
		}
	}
	line, col := LineColumn(data, offset)
	return fmt.Sprintf("%d:%d", line, col)
}

// LineColumn turns a byte offset into a line and a column, both from 1; the column counts bytes.
func LineColumn(data []byte, offset int64) (line, column int) {
	offset = min(max(offset, 0), int64(len(data)))
	before := data[:offset]
	return 1 + bytes.Count(before, []byte{'\n'}), int(offset) - bytes.LastIndexByte(before, '\n')
}
