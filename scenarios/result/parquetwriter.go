package result

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
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
