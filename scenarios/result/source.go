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

// Open opens a file of rows, or a directory of results, whose files are read in the order of their names. The manifest
// of the directory, if there is one, gives the types of the columns of CSV and JSON lines; without it they are inferred
// from the values, which reads the file twice.
func Open(path string) (*Reader, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	r := &Reader{}
	dir := path
	if info.IsDir() {
		if r.paths, err = rowFiles(path); err != nil {
			return nil, err
		}
	} else {
		if _, ok := formatOf(path); !ok {
			return nil, fmt.Errorf("%s: not a file of rows (expected a name ending in .%s)", path, strings.Join(FormatNames(), ", ."))
		}
		r.paths, dir = []string{path}, filepath.Dir(path)
	}
	if r.manifest, err = ReadManifest(dir); err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	if !info.IsDir() && r.manifest != nil && r.manifest.Rows.File != filepath.Base(path) {
		r.manifest = nil // of other rows in the same directory
	}
	if err := r.open(); err != nil {
		return nil, err
	}
	return r, nil
}

// rowFiles lists the files of rows in a directory, by name.
func rowFiles(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var paths []string
	for _, e := range entries {
		if _, ok := formatOf(e.Name()); ok && !e.IsDir() {
			paths = append(paths, filepath.Join(dir, e.Name()))
		}
	}
	if len(paths) == 0 {
		return nil, fmt.Errorf("%s: no rows in it (expected a file ending in .%s)", dir, strings.Join(FormatNames(), ", ."))
	}
	return paths, nil
}

// open turns to the next file.
func (r *Reader) open() error {
	path := r.paths[0]
	r.paths = r.paths[1:]
	var declared *Schema
	if r.manifest != nil {
		s, err := r.manifest.Schema()
		if err != nil {
			return fmt.Errorf("%s: %w", filepath.Join(filepath.Dir(path), ManifestName), err)
		}
		declared = &s
	}
	format, _ := formatOf(path)
	for _, f := range Formats {
		if f.Format != format {
			continue
		}
		next, err := f.read(path, declared)
		if err != nil {
			return err
		}
		if r.current != nil && !r.schema.equal(next.Schema()) {
			return errors.Join(fmt.Errorf("%s: its columns are not those of the files before it", path), next.Close())
		}
		r.current, r.schema = next, next.Schema()
	}
	return nil
}

// Schema returns the columns of the rows.
func (r *Reader) Schema() Schema { return r.schema }

// Manifest returns the manifest beside the rows, nil if there is none.
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
