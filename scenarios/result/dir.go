package result

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Dir is a directory of results being written: one file of rows and the manifest.
type Dir struct {
	path    string
	made    bool // by Create
	rows    *file
	writer  Writer
	name    string // of the file of rows
	format  Format
	written int64
	failed  int64
	err     error // the first failure to write
}

// Create begins results in a directory that is empty or does not exist yet. It fails before anything is run when the
// directory holds something, or when files cannot be written into it.
func Create(path string, f Format, s Schema) (*Dir, error) {
	made, err := prepare(path)
	if err != nil {
		return nil, err
	}
	d := &Dir{path: path, made: made, name: "rows." + string(f), format: f}
	if d.rows, err = createFile(filepath.Join(path, d.name)); err != nil {
		return nil, errors.Join(fmt.Errorf("results cannot be written: %w (name another directory)", err), d.unmake())
	}
	if d.writer, err = NewWriter(d.rows, f, s); err != nil {
		return nil, errors.Join(err, d.Abort())
	}
	return d, nil
}

// prepare makes the directory, or looks whether it is empty.
func prepare(path string) (made bool, err error) {
	entries, err := os.ReadDir(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if err := os.MkdirAll(path, 0o777); err != nil {
			return false, fmt.Errorf("the directory of the results cannot be made: %w", err)
		}
		return true, nil
	case err != nil:
		return false, fmt.Errorf("results go into a directory: %w", err)
	}
	for _, e := range entries {
		if _, ok := formatOf(e.Name()); ok || e.Name() == ManifestName {
			return false, fmt.Errorf("%s has results in it already (%s): name another directory, or remove them first", path, e.Name())
		}
	}
	if len(entries) > 0 && temporary(entries[0].Name()) {
		return false, fmt.Errorf("%s holds the rows of a run that is under way or was killed (%s): name another directory, or remove them when nothing runs", path, entries[0].Name())
	}
	if len(entries) > 0 {
		return false, fmt.Errorf("%s is not empty (%s): name another directory, or remove what is in it", path, entries[0].Name())
	}
	return false, nil
}

// Write appends a row.
func (d *Dir) Write(r *Row) error {
	if d.err != nil {
		return d.err
	}
	if err := d.writer.Write(r); err != nil {
		d.err = d.failure(err)
		return d.err
	}
	d.written++
	if r.Error != "" {
		d.failed++
	}
	return nil
}

// failure names the file that could not be written, without the temporary name that the system's error has.
func (d *Dir) failure(err error) error {
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		err = pe.Err
	}
	return fmt.Errorf("write %s: %w (nothing of it is kept)", d.Place(), err)
}

// Commit completes the rows and writes the manifest, in which it fills in Rows; planned is the number of runs of the
// grid. When it fails, nothing is left under the final names that is not whole.
func (d *Dir) Commit(m *Manifest, planned int64) error {
	if d.err != nil {
		return errors.Join(d.err, d.Abort())
	}
	if err := d.writer.Close(); err != nil {
		return errors.Join(d.failure(err), d.Abort())
	}
	if err := d.rows.commit(); err != nil {
		return errors.Join(d.failure(err), d.unmake())
	}
	m.Rows = Rows{File: d.name, Format: d.format, Planned: planned, Written: d.written, Failed: d.failed, Complete: d.written == planned}
	if err := m.write(d.path); err != nil {
		return fmt.Errorf("the rows are in %s, but not the manifest: %w", filepath.Join(d.path, d.name), err)
	}
	return nil
}

// Abort removes what was written, and the directory if Create made it.
func (d *Dir) Abort() error { return errors.Join(d.rows.abort(), d.unmake()) }

func (d *Dir) unmake() error {
	if !d.made {
		return nil
	}
	return os.Remove(d.path)
}

// Describe says where the rows are, how many, in which format and how large; to be called after Commit.
func (d *Dir) Describe() (string, error) {
	info, err := os.Stat(d.Place())
	if err != nil {
		return "", fmt.Errorf("the rows that were written are gone: %w", err)
	}
	rows := "rows"
	if d.written == 1 {
		rows = "row"
	}
	return fmt.Sprintf("wrote %s (%d %s, %s, %s) and %s", d.Place(), d.written, rows, d.format, Size(info.Size()), ManifestName), nil
}

// Place returns the file of the rows, under its final name.
func (d *Dir) Place() string { return filepath.Join(d.path, d.name) }
