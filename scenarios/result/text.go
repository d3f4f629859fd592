package result

import (
	"errors"
	"fmt"
	"io"
	"strconv"

	"braid/scenarios"
)

// field is one cell of a file that keeps cells as text.
type field struct {
	text string
	null bool
	kind scenarios.ColumnType // the narrowest type it can be read as
}

// records reads a file record by record. The fields are valid until the next call.
type records interface {
	columns() []string
	next() ([]field, error)
	line() int // of the last record
	Close() error
}

// textSource reads rows from a file that keeps cells as text, so that the types of its columns must be declared or inferred.
type textSource struct {
	path   string
	schema Schema
	r      records
}

// newTextSource reads the rows of a file. Without a declared schema it first reads the file once to infer one.
func newTextSource(path string, declared *Schema, open func() (records, error)) (source, error) {
	if declared == nil {
		s, err := inferSchema(open)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		declared = &s
	}
	r, err := open()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if err := sameNames(r.columns(), declared.Names()); err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", path, err), r.Close())
	}
	return &textSource{path: path, schema: *declared, r: r}, nil
}

func sameNames(got, want []string) error {
	if len(got) != len(want) {
		return fmt.Errorf("%d columns (expected %d)", len(got), len(want))
	}
	for i := range want {
		if got[i] != want[i] {
			return fmt.Errorf("column %d is %q (expected %q)", i+1, got[i], want[i])
		}
	}
	return nil
}

// inferSchema reads all records. A column's type is the narrowest that all of its values have: Integer, Float, Bool,
// else Text. The metrics begin with load_time_s; without it there are none.
func inferSchema(open func() (records, error)) (s Schema, err error) {
	r, err := open()
	if err != nil {
		return s, err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	names := r.columns()
	if len(names) <= leading || names[0] != RunColumn || names[len(names)-1] != ErrorColumn {
		return s, fmt.Errorf("not rows of braid (expected the columns %s, factors, metrics, %s)", RunColumn, ErrorColumn)
	}
	columns := make([]scenarios.Column, len(names))
	seen := make([]bool, len(names))
	for i, name := range names {
		columns[i].Name = name
	}
	for {
		fields, err := r.next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return s, err
		}
		for i, f := range fields {
			switch c := &columns[i]; {
			case f.null:
			case !seen[i]:
				c.Type, seen[i] = f.kind, true
			case c.Type != f.kind:
				c.Type = wider(c.Type, f.kind)
			}
		}
	}
	inner := columns[leading : len(columns)-1]
	metrics := len(inner)
	if i := index(inner, LoadTime); i >= 0 {
		metrics = i
		inner[i].Type = scenarios.Float // also where every load took whole seconds
	}
	return NewSchema(inner[:metrics], inner[metrics:])
}

// wider is the type of a column that holds values of two different types.
func wider(a, b scenarios.ColumnType) scenarios.ColumnType {
	number := func(t scenarios.ColumnType) bool { return t == scenarios.Integer || t == scenarios.Float }
	if number(a) && number(b) {
		return scenarios.Float
	}
	return scenarios.Text
}

// Schema implements source.
func (s *textSource) Schema() Schema { return s.schema }

// Read implements source.
func (s *textSource) Read(r *Row) error {
	fields, err := s.r.next()
	if err == nil {
		err = s.parse(r, fields)
		if err != nil {
			err = fmt.Errorf("line %d: %w", s.r.line(), err)
		}
	}
	if err != nil && !errors.Is(err, io.EOF) {
		return fmt.Errorf("%s: %w", s.path, err)
	}
	return err
}

func (s *textSource) parse(r *Row, fields []field) error {
	var err error
	if r.Run, err = strconv.ParseInt(fields[0].text, 10, 64); err != nil {
		return fmt.Errorf("%s: %w", RunColumn, err)
	}
	r.Error = fields[len(fields)-1].text
	metrics := leading + len(s.schema.Factors)
	if r.Factors, err = parseFields(r.Factors, s.schema.Factors, fields[leading:metrics]); err != nil {
		return err
	}
	r.Metrics, err = parseFields(r.Metrics, s.schema.Metrics, fields[metrics:len(fields)-1])
	return err
}

func parseFields(values []scenarios.Value, columns []scenarios.Column, fields []field) ([]scenarios.Value, error) {
	values = values[:0]
	nulls, empty := 0, 0
	for i, c := range columns {
		f := fields[i]
		var v scenarios.Value
		var err error
		switch {
		case f.null && c.Type == scenarios.Text:
			empty++ // an empty text, unless all the others are missing too
		case f.null:
			nulls++
		case c.Type == scenarios.Text:
			v.Text = f.text
		case c.Type == scenarios.Float:
			v.Float, err = strconv.ParseFloat(f.text, 64)
		case c.Type == scenarios.Integer:
			v.Integer, err = strconv.ParseInt(f.text, 10, 64)
		case c.Type == scenarios.Bool:
			v.Bool, err = strconv.ParseBool(f.text)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", c.Name, err)
		}
		values = append(values, v)
	}
	if nulls+empty == len(columns) {
		nulls = len(columns)
	}
	return allOrNone(values, nulls)
}

// Close implements source.
func (s *textSource) Close() error { return s.r.Close() }
