package result

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Dir is a directory of results that rows are written into, those of the whole grid or of one shard. Finished rows go
// into the journal at once, so that a run that was killed goes on where it was; the file of rows gets its name when it is
// whole.
type Dir struct {
	path     string
	made     bool      // by OpenDir
	manifest *Manifest // of the rows to be
	complete bool      // there already: nothing is to be written
	merges   bool      // shards in the directory are what the rows are made of
	begun    bool      // the journal, by this program
	by       string    // version of the program that began the rows, empty: this run
	journal  *Journal
	rows     *file
	writer   Writer
	err      error // the first failure to write
}

// Plan says in the manifest which rows are to be written: the runs [first, first+planned) of a grid, in this format.
func (m *Manifest) Plan(f Format, shard Shard, grid, first, planned int64) {
	m.Rows = Rows{File: shard.file(rowsBase, string(f)), Format: f, Grid: grid, First: first, Planned: planned}
	if !shard.Whole() {
		m.Rows.Shard = &shard
	}
}

// OpenDir begins the rows that the manifest plans, or goes on with them where an earlier run was interrupted or killed. It
// fails before anything is run when files cannot be written into the directory, and, with an explanation, when it holds
// rows that do not belong to these. Files that are no results are left alone.
func OpenDir(path string, m *Manifest, s Schema) (*Dir, error) {
	return openDir(&Dir{path: path, manifest: m}, s)
}

func openDir(d *Dir, s Schema) (*Dir, error) {
	if err := d.prepare(); err != nil {
		return nil, err
	}
	if err := d.begin(s); err != nil {
		return nil, errors.Join(err, d.unmake())
	}
	return d, nil
}

// prepare makes the directory, or looks for what must not be in it.
func (d *Dir) prepare() error {
	entries, err := os.ReadDir(d.path)
	if errors.Is(err, fs.ErrNotExist) {
		if err := os.MkdirAll(d.path, 0o777); err != nil {
			return fmt.Errorf("the directory of the results cannot be made: %w", err)
		}
		d.made = true
		return nil
	}
	if err != nil {
		return fmt.Errorf("results go into a directory: %w", err)
	}
	for _, e := range entries {
		if err := d.tolerates(e.Name()); err != nil {
			return err
		}
	}
	return nil
}

// tolerates returns an error for a file that would get mixed up with these results.
func (d *Dir) tolerates(name string) error {
	mine := d.manifest.shard()
	p, ok := parsePart(name)
	_, isRows := formatOf(name)
	switch {
	case ok && p.shard == mine, !ok && !isRows, ok && d.merges:
		return nil
	case !ok:
		return fmt.Errorf("%s holds other rows (%s): name another directory, or remove them", d.path, name)
	case mine.Whole():
		return fmt.Errorf("%s holds shards of %d (%s): join them with braid merge %s, give --shard i/%d to repeat one of them, or name another directory",
			d.path, p.shard.Count, name, d.path, p.shard.Count)
	case p.shard.Whole():
		return fmt.Errorf("%s holds the rows of a whole grid (%s), and this is shard %s: name another directory", d.path, name, mine)
	case p.shard.Count != mine.Count:
		return fmt.Errorf("%s holds shards of %d (%s), and this is shard %s: give --shard i/%d to repeat one of them, or name another directory",
			d.path, p.shard.Count, name, mine, p.shard.Count)
	}
	return nil // another shard of the same grid
}

// begin opens the journal and the file of rows, unless the rows are there already.
func (d *Dir) begin(s Schema) error {
	if err := d.look(); err != nil {
		return err
	}
	if d.complete {
		// A run may have been killed when nothing but the journal was left to be removed.
		if _, err := os.Lstat(d.journalPath()); err == nil {
			return os.Remove(d.journalPath())
		}
		return nil
	}
	j, begun, err := openJournal(d.journalPath(), d.manifest, s)
	if errors.Is(err, errLocked) {
		return fmt.Errorf("%w: wait until it is done, or name another directory", err)
	}
	if err != nil {
		return fmt.Errorf("results cannot be written: %w", err)
	}
	d.journal, d.begun = j, begun == d.manifest
	// Whoever had the journal until now may have completed the rows.
	err = d.look()
	switch {
	case err != nil || d.complete:
	case !d.begun:
		d.by = begun.Braid
		if err = d.belongs(begun, d.journalPath()); err == nil {
			err = j.within(d.manifest.Rows.First, d.manifest.Rows.First+d.manifest.Rows.Planned)
		}
	case d.stray() != "":
		err = fmt.Errorf("%s holds rows (%s) without the journal to go on from: remove them, or name another directory", d.path, d.stray())
	}
	if err == nil && !d.complete {
		err = d.create(s)
	}
	if err == nil && !d.complete {
		return nil
	}
	// Nothing was added: a journal that was there stays as it is.
	if d.begun {
		return errors.Join(err, j.remove())
	}
	return errors.Join(err, j.close())
}

// look reads the manifest, if there is one, to see whether the rows are there already.
func (d *Dir) look() error {
	path := filepath.Join(d.path, d.manifest.shard().file(manifestBase, manifestEnding))
	there, err := readManifest(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if err := d.belongs(there, path); err != nil || !there.Rows.Complete {
		return err
	}
	info, err := os.Stat(d.Place())
	if err != nil {
		return fmt.Errorf("%s says that the rows are complete: %w (remove the manifest to compute them again)", path, err)
	}
	if info.Size() != there.Rows.Bytes {
		return fmt.Errorf("%s has %d bytes, %s says %d: it was changed or damaged (remove both to compute the rows again)",
			d.Place(), info.Size(), filepath.Base(path), there.Rows.Bytes)
	}
	d.complete, d.manifest.Rows, d.by = true, there.Rows, there.Braid
	return nil
}

// belongs explains why rows begun with another manifest cannot be gone on with.
func (d *Dir) belongs(there *Manifest, path string) error {
	differences := there.Differences(d.manifest)
	if len(differences) == 0 && (there.Rows.First != d.manifest.Rows.First || there.Rows.Planned != d.manifest.Rows.Planned) {
		differences = []string{fmt.Sprintf("runs of shard %s: was %d from %d on, is %d from %d on", d.manifest.shard(),
			there.Rows.Planned, there.Rows.First, d.manifest.Rows.Planned, d.manifest.Rows.First)}
	}
	if len(differences) == 0 {
		return nil
	}
	text := fmt.Sprintf("%s is of another run (%s):", path, there.Scenario.Name)
	for _, line := range differences {
		text += "\n  " + line
	}
	return errors.New(text + "\ngo on with the run as it was, name another directory, or remove the old rows to begin anew")
}

// stray returns the name of a file of these rows that is there although no run goes on, empty if there is none.
func (d *Dir) stray() string {
	shard := d.manifest.shard()
	for _, f := range Formats {
		name := shard.file(rowsBase, string(f.Format))
		if _, err := os.Lstat(filepath.Join(d.path, name)); err == nil {
			return name
		}
	}
	return ""
}

// create begins the file of rows, and removes what a run that was killed left of one.
func (d *Dir) create(s Schema) error {
	err := errors.Join(removeTemporary(d.path, d.manifest.Rows.File), removeTemporary(d.path, d.manifest.shard().file(manifestBase, manifestEnding)))
	if err != nil {
		return err
	}
	if d.rows, err = createFile(d.Place()); err != nil {
		return fmt.Errorf("results cannot be written: %w (name another directory)", err)
	}
	if d.writer, err = NewWriter(d.rows, d.manifest.Rows.Format, s); err != nil {
		return errors.Join(err, d.rows.abort())
	}
	return nil
}

func (d *Dir) journalPath() string {
	return filepath.Join(d.path, d.manifest.shard().file(rowsBase, journalEnding))
}

// Complete says whether the rows were all there when the directory was opened. Then nothing may be written, and neither
// Commit nor Abort does anything.
func (d *Dir) Complete() bool { return d.complete }

// By returns the version of the program that wrote what is there already; empty when nothing was.
func (d *Dir) By() string { return d.by }

// Journal returns the journal, in which the rows of finished runs are to be kept; nil when the rows are complete.
func (d *Dir) Journal() *Journal { return d.journal }

// Write appends a row.
func (d *Dir) Write(r *Row) error {
	if d.err != nil {
		return d.err
	}
	if err := d.writer.Write(r); err != nil {
		d.err = d.failure(err)
		return d.err
	}
	d.manifest.Rows.Written++
	if r.Error != "" {
		d.manifest.Rows.Failed++
	}
	return nil
}

// failure names the file that could not be written, without the temporary name that the system's error has.
func (d *Dir) failure(err error) error {
	return fmt.Errorf("write %s: %w (finished runs are kept: make room, and repeat the command)", d.Place(), withoutPath(err))
}

// Commit gives the rows their name and writes the manifest. When all planned runs are there the journal is removed;
// otherwise it stays, to go on from. When it fails, nothing is left under the final names that is not whole.
func (d *Dir) Commit() error {
	if d.complete {
		return nil
	}
	err := d.commit()
	if err == nil && d.manifest.Rows.Complete {
		return d.journal.remove()
	}
	return errors.Join(err, d.journal.Sync(), d.journal.close())
}

func (d *Dir) commit() error {
	if d.err != nil {
		return errors.Join(d.err, d.rows.abort())
	}
	if err := d.writer.Close(); err != nil {
		return errors.Join(d.failure(err), d.rows.abort())
	}
	info, err := d.rows.Stat()
	if err != nil {
		return errors.Join(err, d.rows.abort())
	}
	if err := d.rows.commit(); err != nil {
		return d.failure(err)
	}
	r := &d.manifest.Rows
	r.Bytes, r.Complete = info.Size(), r.Written == r.Planned
	if err := d.manifest.write(d.path); err != nil {
		return fmt.Errorf("the rows are in %s, but not the manifest: %w", d.Place(), err)
	}
	return nil
}

// Abort gives up the file of rows. What is finished stays in the journal; where nothing is, no trace is left.
func (d *Dir) Abort() error {
	if d.complete {
		return nil
	}
	err := d.rows.abort()
	if d.begun && !d.journal.added {
		return errors.Join(err, d.journal.remove(), d.unmake())
	}
	if d.journal.err == nil { // otherwise that is why the run ended
		err = errors.Join(err, d.journal.Sync())
	}
	return errors.Join(err, d.journal.close())
}

func (d *Dir) unmake() error {
	if !d.made {
		return nil
	}
	err := os.Remove(d.path)
	if entries, readErr := os.ReadDir(d.path); readErr == nil && len(entries) > 0 {
		return nil // another shard writes into it by now
	}
	return err
}

// Describe says where the rows are, how many, in which format and how large; to be called after Commit.
func (d *Dir) Describe() string {
	r := &d.manifest.Rows
	rows := "rows"
	if r.Written == 1 {
		rows = "row"
	}
	did := "wrote"
	if d.complete {
		did = "nothing to compute: all rows are in"
	}
	return fmt.Sprintf("%s %s (%d %s, %s, %s) and %s", did, d.Place(), r.Written, rows, r.Format, Size(r.Bytes),
		d.manifest.shard().file(manifestBase, manifestEnding))
}

// Place returns the file of the rows, under its final name.
func (d *Dir) Place() string { return filepath.Join(d.path, d.manifest.Rows.File) }
