package result

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/parquet-go/parquet-go"

	"braid/scenarios"
)

type parquetSource struct {
	file   *os.File
	schema Schema
	rows   *parquet.GenericReader[any]
	next   []parquet.Row
	at     int
}

func openParquet(path string, _ *Schema) (source, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	var s *parquetSource
	err = guard(func() (err error) {
		s, err = newParquetSource(f)
		return err
	})
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", path, err), f.Close())
	}
	return s, nil
}

// guard turns a panic of the Parquet reader, which trusts what files say of themselves, into an error.
func guard(read func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("damaged Parquet file: %v", p)
		}
	}()
	return read()
}

func newParquetSource(f *os.File) (*parquetSource, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if err := checkFooter(f, info.Size()); err != nil {
		return nil, fmt.Errorf("not a whole Parquet file: %w", err)
	}
	file, err := parquet.OpenFile(f, info.Size())
	if err != nil {
		return nil, fmt.Errorf("not a whole Parquet file: %w", err)
	}
	s, err := schemaOfParquet(file)
	if err != nil {
		return nil, err
	}
	return &parquetSource{file: f, schema: s, rows: parquet.NewGenericReader[any](file), next: make([]parquet.Row, 0, batch)}, nil
}

// checkFooter looks at the length of the metadata, which the last 8 bytes give together with the format's mark. The
// Parquet reader allocates whatever length stands there.
func checkFooter(f io.ReaderAt, size int64) error {
	const mark = "PAR1"
	var end [8]byte
	if size < int64(len(mark)+len(end)) {
		return fmt.Errorf("%d bytes", size)
	}
	if _, err := f.ReadAt(end[:], size-int64(len(end))); err != nil {
		return err
	}
	if string(end[4:]) != mark {
		return fmt.Errorf("it does not end in %q", mark)
	}
	if n := int64(binary.LittleEndian.Uint32(end[:4])); n > size-int64(len(mark)+len(end)) {
		return fmt.Errorf("metadata of %d bytes in a file of %d", n, size)
	}
	return nil
}

// schemaOfParquet reads the columns of a file and what they are from its metadata.
func schemaOfParquet(f *parquet.File) (Schema, error) {
	text, ok := f.Lookup(schemaKey)
	if !ok {
		return Schema{}, fmt.Errorf("not rows of braid (no %s in its metadata)", schemaKey)
	}
	var r roles
	if err := json.Unmarshal([]byte(text), &r); err != nil {
		return Schema{}, fmt.Errorf("%s in its metadata: %w", schemaKey, err)
	}
	fields := f.Root().Columns()
	want := leading + len(r.Factors) + len(r.Metrics) + 1
	if len(fields) != want {
		return Schema{}, fmt.Errorf("%d columns (expected %d, as %s in its metadata says)", len(fields), want, schemaKey)
	}
	columns := make([]scenarios.Column, 0, len(fields))
	for _, c := range fields {
		if !c.Leaf() || c.Repeated() {
			return Schema{}, fmt.Errorf("column %q holds more than one value a row", c.Name())
		}
		t, err := columnType(c.Type().Kind())
		if err != nil {
			return Schema{}, fmt.Errorf("column %q: %w", c.Name(), err)
		}
		columns = append(columns, scenarios.Column{Name: c.Name(), Type: t})
	}
	s, err := NewSchema(columns[leading:leading+len(r.Factors)], columns[leading+len(r.Factors):len(columns)-1])
	if err != nil {
		return Schema{}, err
	}
	for i, name := range s.Names() {
		if columns[i].Name != name {
			return Schema{}, fmt.Errorf("column %d is %q (expected %q)", i+1, columns[i].Name, name)
		}
	}
	return s, nil
}

func columnType(k parquet.Kind) (scenarios.ColumnType, error) {
	switch k {
	case parquet.ByteArray:
		return scenarios.Text, nil
	case parquet.Double:
		return scenarios.Float, nil
	case parquet.Int64:
		return scenarios.Integer, nil
	case parquet.Boolean:
		return scenarios.Bool, nil
	}
	return 0, fmt.Errorf("unexpected type %v", k)
}

// Schema implements source.
func (s *parquetSource) Schema() Schema { return s.schema }

// Read implements source.
func (s *parquetSource) Read(r *Row) error {
	err := s.read(r)
	if err != nil && !errors.Is(err, io.EOF) {
		return fmt.Errorf("%s: %w", s.file.Name(), err)
	}
	return err
}

func (s *parquetSource) read(r *Row) error {
	if s.at == len(s.next) {
		s.next, s.at = s.next[:cap(s.next)], 0
		n := 0
		err := guard(func() (err error) {
			n, err = s.rows.ReadRows(s.next)
			return err
		})
		s.next = s.next[:n]
		if n == 0 {
			if err == nil {
				err = io.ErrUnexpectedEOF
			}
			return err // io.EOF at the end
		}
	}
	row := s.next[s.at]
	s.at++
	if len(row) != leading+len(s.schema.Factors)+len(s.schema.Metrics)+1 {
		return fmt.Errorf("a row of %d values", len(row))
	}
	factors, metrics := row[leading:leading+len(s.schema.Factors)], row[leading+len(s.schema.Factors):len(row)-1]
	r.Run = row[0].Int64()
	r.Error = string(row[len(row)-1].ByteArray())
	var err error
	if r.Factors, err = fromParquet(r.Factors, s.schema.Factors, factors); err != nil {
		return fmt.Errorf("run %d: %w", r.Run, err)
	}
	if r.Metrics, err = fromParquet(r.Metrics, s.schema.Metrics, metrics); err != nil {
		return fmt.Errorf("run %d: %w", r.Run, err)
	}
	return nil
}

func fromParquet(values []scenarios.Value, columns []scenarios.Column, cells parquet.Row) ([]scenarios.Value, error) {
	values = values[:0]
	nulls := 0
	for i, c := range columns {
		cell := cells[i]
		var v scenarios.Value
		switch {
		case cell.IsNull():
			nulls++
		case c.Type == scenarios.Text:
			v.Text = string(cell.ByteArray())
		case c.Type == scenarios.Float:
			v.Float = cell.Double()
		case c.Type == scenarios.Integer:
			v.Integer = cell.Int64()
		case c.Type == scenarios.Bool:
			v.Bool = cell.Boolean()
		}
		values = append(values, v)
	}
	return allOrNone(values, nulls)
}

// allOrNone returns nil for a row whose factors (or metrics) are all null; some but not all is an error.
func allOrNone(values []scenarios.Value, nulls int) ([]scenarios.Value, error) {
	switch nulls {
	case 0:
		return values, nil
	case len(values):
		return nil, nil
	}
	return nil, fmt.Errorf("%d of %d values are missing (expected all or none)", nulls, len(values))
}

// Close implements source.
func (s *parquetSource) Close() error { return errors.Join(s.rows.Close(), s.file.Close()) }
