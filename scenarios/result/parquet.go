package result

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress/zstd"
	"github.com/parquet-go/parquet-go/encoding"

	"braid/scenarios"
)

const (
	// rowGroup is the number of rows after which a row group is written out. Until then its compressed pages are kept
	// in memory: about 10 MB for 20 columns. Smaller groups compress worse, larger ones cost memory.
	rowGroup = 128 << 10
	// batch is the number of rows handed to the Parquet writer at once, as many as it takes in one go.
	batch = 64
	// schemaKey is where a file keeps which of its columns are factors and which are metrics.
	schemaKey = "braid.schema"
)

// orderedGroup is a group of columns in the order given. parquet.Group sorts them by name.
type orderedGroup struct {
	parquet.Group
	fields []parquet.Field
}

// Fields implements parquet.Node.
func (g orderedGroup) Fields() []parquet.Field { return g.fields }

func (g *orderedGroup) add(name string, n parquet.Node) {
	g.fields = append(g.fields, parquet.Group{name: n}.Fields()[0])
}

// parquetSchema types the columns. Factors and the columns every row has repeat a few values and are kept in
// dictionaries; metrics are not.
func parquetSchema(s Schema) *parquet.Schema {
	var g orderedGroup
	g.add(RunColumn, parquet.Encoded(parquet.Int(64), &parquet.DeltaBinaryPacked))
	for _, c := range s.Factors {
		g.add(c.Name, parquet.Optional(parquetNode(c.Type, &parquet.RLEDictionary)))
	}
	for _, c := range s.Metrics {
		g.add(c.Name, parquet.Optional(parquetNode(c.Type, &parquet.Plain)))
	}
	g.add(ErrorColumn, parquet.Encoded(parquet.String(), &parquet.RLEDictionary))
	return parquet.NewSchema("rows", g)
}

func parquetNode(t scenarios.ColumnType, e encoding.Encoding) parquet.Node {
	switch t {
	case scenarios.Text:
		return parquet.Encoded(parquet.String(), e)
	case scenarios.Float:
		return parquet.Encoded(parquet.Leaf(parquet.DoubleType), e)
	case scenarios.Integer:
		return parquet.Encoded(parquet.Int(64), e)
	case scenarios.Bool:
		return parquet.Leaf(parquet.BooleanType) // one bit a value; the format has no dictionary for it
	}
	panic(fmt.Sprintf("unknown column type %d", t))
}

// roles says which columns of a Parquet file are factors and which are metrics.
type roles struct {
	Factors []string `json:"factors"`
	Metrics []string `json:"metrics"`
}

type parquetWriter struct {
	schema Schema
	w      *parquet.GenericWriter[any]
	rows   []parquet.Row // up to batch rows not yet handed on
}

func newParquetWriter(w io.Writer, s Schema) Writer {
	r := roles{Factors: []string{}, Metrics: []string{}}
	for _, c := range s.Factors {
		r.Factors = append(r.Factors, c.Name)
	}
	for _, c := range s.Metrics {
		r.Metrics = append(r.Metrics, c.Name)
	}
	meta, err := json.Marshal(r)
	if err != nil {
		panic(err) // a struct of strings
	}
	return &parquetWriter{
		schema: s,
		rows:   make([]parquet.Row, 0, batch),
		w: parquet.NewGenericWriter[any](w, parquetSchema(s),
			// One goroutine: the grid's own workers use the cores.
			parquet.Compression(&zstd.Codec{Level: zstd.SpeedDefault, Concurrency: 1}),
			parquet.MaxRowsPerRowGroup(rowGroup),
			// The bytes of the file must not depend on which build wrote it.
			parquet.CreatedBy("braid", "1", "0"),
			parquet.KeyValueMetadata(schemaKey, string(meta))),
	}
}

// Write implements Writer.
func (w *parquetWriter) Write(r *Row) error {
	if err := w.schema.fits(r); err != nil {
		return err
	}
	n := len(w.rows)
	w.rows = w.rows[:n+1]
	row := append(w.rows[n][:0], parquet.Int64Value(r.Run).Level(0, 0, 0))
	row = appendParquet(row, w.schema.Factors, r.Factors)
	row = appendParquet(row, w.schema.Metrics, r.Metrics)
	row = append(row, parquetText(r.Error).Level(0, 0, len(row)))
	w.rows[n] = row
	if len(w.rows) == batch {
		return w.flush()
	}
	return nil
}

func appendParquet(row parquet.Row, columns []scenarios.Column, values []scenarios.Value) parquet.Row {
	for i, c := range columns {
		if values == nil {
			row = append(row, parquet.NullValue().Level(0, 0, len(row)))
			continue
		}
		var v parquet.Value
		switch c.Type {
		case scenarios.Text:
			v = parquetText(values[i].Text)
		case scenarios.Float:
			v = parquet.DoubleValue(values[i].Float)
		case scenarios.Integer:
			v = parquet.Int64Value(values[i].Integer)
		case scenarios.Bool:
			v = parquet.BooleanValue(values[i].Bool)
		}
		row = append(row, v.Level(0, 1, len(row)))
	}
	return row
}

// parquetText is a text as the format wants it: in UTF-8.
func parquetText(s string) parquet.Value {
	return parquet.ByteArrayValue([]byte(strings.ToValidUTF8(s, "\uFFFD")))
}

func (w *parquetWriter) flush() error {
	_, err := w.w.WriteRows(w.rows)
	w.rows = w.rows[:0]
	return err
}

// Close implements Writer.
func (w *parquetWriter) Close() error { return errors.Join(w.flush(), w.w.Close()) }

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
