package result

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strconv"
	"strings"

	"braid/scenarios"
)

type jsonWriter struct {
	schema Schema
	w      *bufio.Writer
	keys   [][]byte // of all columns, each with its quotes and colon
	line   []byte
}

func newJSONWriter(w io.Writer, s Schema) Writer {
	j := &jsonWriter{schema: s, w: bufio.NewWriterSize(w, 1<<16)}
	for _, name := range s.Names() {
		j.keys = append(j.keys, append(appendJSONText(nil, name), ':'))
	}
	return j
}

// Write implements Writer.
func (w *jsonWriter) Write(r *Row) error {
	if err := w.schema.fits(r); err != nil {
		return err
	}
	b := append(w.line[:0], '{')
	b = strconv.AppendInt(append(b, w.keys[0]...), r.Run, 10)
	keys := w.keys[leading:]
	var err error
	if b, err = appendJSON(b, keys, w.schema.Factors, r.Factors); err != nil {
		return fmt.Errorf("run %d: %w", r.Run, err)
	}
	keys = keys[len(w.schema.Factors):]
	if b, err = appendJSON(b, keys, w.schema.Metrics, r.Metrics); err != nil {
		return fmt.Errorf("run %d: %w", r.Run, err)
	}
	b = append(append(b, ','), keys[len(w.schema.Metrics)]...)
	b = append(appendJSONText(b, r.Error), '}', '\n')
	w.line = b
	_, err = w.w.Write(b)
	return err
}

func appendJSON(b []byte, keys [][]byte, columns []scenarios.Column, values []scenarios.Value) ([]byte, error) {
	for i, c := range columns {
		b = append(append(b, ','), keys[i]...)
		switch {
		case values == nil:
			b = append(b, "null"...)
		case c.Type == scenarios.Text:
			b = appendJSONText(b, values[i].Text)
		case c.Type == scenarios.Float && (math.IsNaN(values[i].Float) || math.IsInf(values[i].Float, 0)):
			return b, fmt.Errorf("column %s is %v, which JSON cannot hold (use parquet or csv)", c.Name, values[i].Float)
		default:
			b = append(b, cellText(c.Type, values[i])...)
		}
	}
	return b, nil
}

// appendJSONText appends s in quotes, with <, > and & as they are.
func appendJSONText(b []byte, s string) []byte {
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	if err := e.Encode(strings.ToValidUTF8(s, "\uFFFD")); err != nil {
		panic(err) // a string always encodes
	}
	return append(b, bytes.TrimSuffix(text.Bytes(), []byte{'\n'})...)
}

// Close implements Writer.
func (w *jsonWriter) Close() error { return w.w.Flush() }

// jsonRecords reads the records of a file of JSON lines as text.
type jsonRecords struct {
	file   *os.File
	r      *bufio.Reader
	names  []string
	fields []field
	first  []byte // the first line, read for its names and not yet handed out
	at     int    // line number of the last line read
}

func openJSON(path string, declared *Schema) (source, error) {
	return newTextSource(path, declared, func() (records, error) { return newJSONRecords(path) })
}

func newJSONRecords(path string) (*jsonRecords, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	r := &jsonRecords{file: f, r: bufio.NewReaderSize(f, 1<<16)}
	if r.first, err = r.r.ReadBytes('\n'); errors.Is(err, io.EOF) {
		err = nil
	}
	if err == nil {
		r.names, err = jsonNames(r.first)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	r.fields = make([]field, len(r.names))
	return r, nil
}

// jsonNames returns the names of an object's members, in their order. An empty file has none.
func jsonNames(line []byte) ([]string, error) {
	if len(bytes.TrimSpace(line)) == 0 {
		return nil, fmt.Errorf("line 1: empty (expected one JSON object a line)")
	}
	d := json.NewDecoder(bytes.NewReader(line))
	open, err := d.Token()
	if err == nil && open != json.Delim('{') {
		err = fmt.Errorf("expected an object")
	}
	if err != nil {
		return nil, fmt.Errorf("line 1: %w", err)
	}
	var names []string
	for d.More() {
		name, err := d.Token()
		if err == nil {
			var value json.RawMessage
			err = d.Decode(&value)
		}
		if err != nil {
			return nil, fmt.Errorf("line 1: %w", err)
		}
		names = append(names, name.(string))
	}
	return names, nil
}

func (r *jsonRecords) columns() []string { return r.names }

func (r *jsonRecords) line() int { return r.at }

func (r *jsonRecords) next() ([]field, error) {
	line := r.first
	r.first = nil
	if line == nil {
		var err error
		if line, err = r.r.ReadBytes('\n'); err != nil && !(errors.Is(err, io.EOF) && len(line) > 0) {
			return nil, err
		}
	}
	r.at++
	var object map[string]json.RawMessage
	if err := json.Unmarshal(line, &object); err != nil {
		return nil, fmt.Errorf("line %d: %w", r.at, err)
	}
	if len(object) != len(r.names) {
		return nil, fmt.Errorf("line %d: %d members (expected %d, as in line 1)", r.at, len(object), len(r.names))
	}
	for i, name := range r.names {
		raw, ok := object[name]
		if !ok {
			return nil, fmt.Errorf("line %d: no member %q, which line 1 has", r.at, name)
		}
		f, err := jsonField(raw)
		if err != nil {
			return nil, fmt.Errorf("line %d: %s: %w", r.at, name, err)
		}
		r.fields[i] = f
	}
	return r.fields, nil
}

func jsonField(raw json.RawMessage) (field, error) {
	switch raw[0] {
	case 'n':
		return field{null: true}, nil
	case 't', 'f':
		return field{text: string(raw), kind: scenarios.Bool}, nil
	case '"':
		var s string
		err := json.Unmarshal(raw, &s)
		return field{text: s, kind: scenarios.Text}, err
	case '{', '[':
		return field{}, fmt.Errorf("an object or array (expected one value)")
	}
	text := string(raw)
	if kindOf(text) == scenarios.Integer {
		return field{text: text, kind: scenarios.Integer}, nil
	}
	return field{text: text, kind: scenarios.Float}, nil
}

func (r *jsonRecords) Close() error { return r.file.Close() }
