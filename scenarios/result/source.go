package result

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// source reads the rows of one file.
type source interface {
	Schema() Schema
	// Read fills the row, reusing its slices; io.EOF after the last.
	Read(*Row) error
	Close() error
}

// Reader reads rows back, one at a time, from a file of any format or a directory of results.
type Reader struct {
	manifest *Manifest
	paths    []string // files not yet opened
	schema   Schema
	current  source
}

// Open opens a file of rows, or a directory of results: the rows of the whole grid where they are there, otherwise all
// files of rows in the order of their names, as shards leave them. The manifest beside a file gives the types of the columns
// of CSV and JSON lines; without one they are inferred from the values, which reads the file twice.
func Open(path string) (*Reader, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	r := &Reader{paths: []string{path}}
	if info.IsDir() {
		if r.paths, err = rowFiles(path); err != nil {
			return nil, err
		}
	} else if _, ok := formatOf(path); !ok {
		return nil, fmt.Errorf("%s: not a file of rows (expected a name ending in .%s)", path, strings.Join(FormatNames(), ", ."))
	}
	if err := r.open(); err != nil {
		return nil, err
	}
	return r, nil
}

// rowFiles lists the files of rows in a directory that are to be read, by name.
func rowFiles(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var paths, whole []string
	for _, e := range entries {
		if _, ok := formatOf(e.Name()); !ok || e.IsDir() {
			continue
		}
		path := filepath.Join(dir, e.Name())
		paths = append(paths, path)
		if p, ok := parsePart(e.Name()); ok && p.shard.Whole() {
			whole = append(whole, path)
		}
	}
	if len(paths) == 0 {
		return nil, fmt.Errorf("%s: no rows in it (expected a file ending in .%s)", dir, strings.Join(FormatNames(), ", ."))
	}
	if len(whole) > 0 {
		return whole, nil // what shards are beside it are in it
	}
	return paths, nil
}

// manifestOf reads the manifest of a file of rows; nil if it has none.
func manifestOf(path string) (*Manifest, error) {
	shard := Shard{}
	if p, ok := parsePart(filepath.Base(path)); ok {
		shard = p.shard
	}
	m, err := readManifest(filepath.Join(filepath.Dir(path), shard.file(manifestBase, manifestEnding)))
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, err
	case m.Rows.File != filepath.Base(path):
		return nil, nil // of other rows in the same directory
	}
	return m, nil
}

// open turns to the next file.
func (r *Reader) open() error {
	path := r.paths[0]
	r.paths = r.paths[1:]
	m, err := manifestOf(path)
	if err != nil {
		return err
	}
	var declared *Schema
	if m != nil {
		s, err := m.Schema()
		if err != nil {
			return fmt.Errorf("the manifest of %s: %w", path, err)
		}
		declared = &s
	}
	next, err := openFile(path, declared)
	if err != nil {
		return err
	}
	if r.current != nil && !r.schema.equal(next.Schema()) {
		return errors.Join(fmt.Errorf("%s: its columns are not those of the files before it", path), next.Close())
	}
	r.current, r.schema, r.manifest = next, next.Schema(), m
	return nil
}

// openFile opens a file of rows by the ending of its name. With declared columns the file has to have these.
func openFile(path string, declared *Schema) (source, error) {
	format, _ := formatOf(path)
	for _, f := range Formats {
		if f.Format != format {
			continue
		}
		s, err := f.read(path, declared)
		if err == nil && declared != nil && !declared.equal(s.Schema()) {
			return nil, errors.Join(fmt.Errorf("%s: its columns are not those of its manifest", path), s.Close())
		}
		return s, err
	}
	return nil, fmt.Errorf("%s: not a file of rows (expected a name ending in .%s)", path, strings.Join(FormatNames(), ", ."))
}

// Schema returns the columns of the rows.
func (r *Reader) Schema() Schema { return r.schema }

// Manifest returns the manifest of the file that is being read, nil if there is none.
func (r *Reader) Manifest() *Manifest { return r.manifest }

// Read fills row, reusing its slices. It returns io.EOF after the last row.
func (r *Reader) Read(row *Row) error {
	for {
		err := r.current.Read(row)
		if !errors.Is(err, io.EOF) || len(r.paths) == 0 {
			return err
		}
		if err := r.current.Close(); err != nil {
			return err
		}
		if err := r.open(); err != nil {
			return err
		}
	}
}

// Close closes the file that is being read.
func (r *Reader) Close() error { return r.current.Close() }
