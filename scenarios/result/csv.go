package result

import (
	"bufio"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strconv"
	"strings"

	"braid/scenarios"
)

type csvWriter struct {
	schema Schema
	w      *csv.Writer
	fields []string
	header bool // written
}

func newCSVWriter(w io.Writer, s Schema) Writer { return &csvWriter{schema: s, w: csv.NewWriter(w)} }

func (w *csvWriter) writeHeader() error {
	if w.header {
		return nil
	}
	w.header = true
	return w.w.Write(w.schema.Names())
}

// Write implements Writer.
func (w *csvWriter) Write(r *Row) error {
	if err := errors.Join(w.schema.fits(r), w.writeHeader()); err != nil {
		return err
	}
	w.fields = append(w.fields[:0], strconv.FormatInt(r.Run, 10))
	w.fields = appendText(w.fields, w.schema.Factors, r.Factors)
	w.fields = appendText(w.fields, w.schema.Metrics, r.Metrics)
	w.fields = append(w.fields, strings.ToValidUTF8(r.Error, "\uFFFD"))
	return w.w.Write(w.fields)
}

func appendText(fields []string, columns []scenarios.Column, values []scenarios.Value) []string {
	for i, c := range columns {
		text := ""
		if values != nil {
			text = cellText(c.Type, values[i])
		}
		fields = append(fields, text)
	}
	return fields
}

// cellText writes a value the shortest way that reads back as the same value.
func cellText(t scenarios.ColumnType, v scenarios.Value) string {
	switch t {
	case scenarios.Float:
		// As encoding/json does: 2 Mbit/s are 2000000, not 2e+06.
		if x := math.Abs(v.Float); x != 0 && (x < 1e-6 || x >= 1e21) {
			return strconv.FormatFloat(v.Float, 'e', -1, 64)
		}
		return strconv.FormatFloat(v.Float, 'f', -1, 64)
	case scenarios.Integer:
		return strconv.FormatInt(v.Integer, 10)
	case scenarios.Bool:
		return strconv.FormatBool(v.Bool)
	}
	return strings.ToValidUTF8(v.Text, "\uFFFD")
}

// Close implements Writer.
func (w *csvWriter) Close() error {
	err := w.writeHeader()
	w.w.Flush()
	return errors.Join(err, w.w.Error())
}

// csvRecords reads the records of a CSV file as text.
type csvRecords struct {
	file   *os.File
	r      *csv.Reader
	names  []string
	fields []field
}

func openCSV(path string, declared *Schema) (source, error) {
	return newTextSource(path, declared, func() (records, error) { return newCSVRecords(path) })
}

func newCSVRecords(path string) (*csvRecords, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	r := csv.NewReader(bufio.NewReaderSize(f, 1<<16))
	r.ReuseRecord = true
	header, err := r.Read()
	if errors.Is(err, io.EOF) {
		err = fmt.Errorf("empty (expected a line with the names of the columns)")
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	names := append([]string(nil), header...)
	return &csvRecords{file: f, r: r, names: names, fields: make([]field, len(names))}, nil
}

func (r *csvRecords) columns() []string { return r.names }

func (r *csvRecords) line() int {
	line, _ := r.r.FieldPos(0)
	return line
}

// next returns the fields of the next record. CSV does not tell an empty text from a missing one: an empty field is missing.
func (r *csvRecords) next() ([]field, error) {
	record, err := r.r.Read()
	if err != nil {
		return nil, err
	}
	for i, text := range record {
		r.fields[i] = field{text: text, null: text == "", kind: kindOf(text)}
	}
	return r.fields, nil
}

func (r *csvRecords) Close() error { return r.file.Close() }

// kindOf is the narrowest type a text can be read as.
func kindOf(text string) scenarios.ColumnType {
	if _, err := strconv.ParseInt(text, 10, 64); err == nil {
		return scenarios.Integer
	}
	if _, err := strconv.ParseFloat(text, 64); err == nil {
		return scenarios.Float
	}
	if text == "true" || text == "false" {
		return scenarios.Bool
	}
	return scenarios.Text
}
