package result

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"
)

// Format is a file format of rows. Its value is the ending of the file's name, without the dot.
type Format string

// Formats, the default first.
const (
	Parquet   Format = "parquet" // compressed with zstd
	CSV       Format = "csv"     // RFC 4180, lines end in \n; null is an empty field
	JSONLines Format = "jsonl"   // one object a line
)

// Formats lists the formats by name, the default first, with what writes and reads each.
var Formats = []struct {
	Format Format
	write  func(io.Writer, Schema) Writer
	read   func(path string, declared *Schema) (source, error)
}{
	{Parquet, newParquetWriter, openParquet},
	{CSV, newCSVWriter, openCSV},
	{JSONLines, newJSONWriter, openJSON},
}

// ParseFormat returns the format of that name.
func ParseFormat(name string) (Format, error) {
	for _, f := range Formats {
		if string(f.Format) == name {
			return f.Format, nil
		}
	}
	return "", fmt.Errorf("unknown format %q (formats: %s)", name, strings.Join(FormatNames(), ", "))
}

// FormatNames returns the names of Formats.
func FormatNames() []string {
	names := make([]string, len(Formats))
	for i, f := range Formats {
		names[i] = string(f.Format)
	}
	return names
}

// formatOf returns the format that the ending of a file's name says, false for any other file.
func formatOf(path string) (Format, bool) {
	f, err := ParseFormat(strings.TrimPrefix(filepath.Ext(path), "."))
	return f, err == nil
}

// Writer writes rows in one format.
type Writer interface {
	// Write appends a row.
	Write(*Row) error
	// Close writes what the format still needs. It leaves the underlying writer open.
	Close() error
}

// NewWriter returns a writer of rows to w. What it keeps in memory does not grow with the number of rows.
func NewWriter(w io.Writer, f Format, s Schema) (Writer, error) {
	for _, known := range Formats {
		if known.Format == f {
			return known.write(w, s), nil
		}
	}
	_, err := ParseFormat(string(f))
	return nil, err
}
