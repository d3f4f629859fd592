package result

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// ErrIncomplete says that shards are missing or not finished.
var ErrIncomplete = errors.New("the shards are not complete")

// Merge joins the shards in a directory into the rows of the whole grid, byte for byte what one run of it writes. With an
// empty to they are joined in place, and the shards' files are removed once everything is on the disk; otherwise the rows go
// into that directory and the shards stay. Memory does not depend on the number of rows. It returns the manifest.
//
// Shards that are missing or unfinished give an ErrIncomplete that names them. Shards that do not belong together, by what
// Differences says, are an error too. Before everything is on the disk nothing that was there is changed. A merge that was
// killed is repeated.
func Merge(from, to string) (*Manifest, error) {
	set, err := findShards(from)
	if err != nil {
		return nil, err
	}
	inPlace := to == "" || sameDir(from, to)
	if inPlace {
		to = from
	}
	m := set.whole
	if m == nil || !inPlace {
		if err := set.check(); err != nil {
			return nil, err
		}
		first := *set.shards[0]
		m = &first
		m.Plan(m.Rows.Format, Shard{}, m.Rows.Grid, 0, m.Rows.Grid)
	}
	if m, err = set.join(m, to); err != nil {
		return nil, err
	}
	if inPlace {
		return m, set.clear(m)
	}
	return m, nil
}

func sameDir(a, b string) bool {
	x, err := os.Stat(a)
	y, err2 := os.Stat(b)
	return err == nil && err2 == nil && os.SameFile(x, y)
}

// shardSet is what a directory holds of the shards of a grid.
type shardSet struct {
	dir    string
	count  int
	shards []*Manifest // by shard; nil: not there
	begun  []bool      // by shard: there is a journal
	whole  *Manifest   // of the merged rows; nil: not merged yet
}

// findShards looks which shards a directory holds.
func findShards(dir string) (*shardSet, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	set := &shardSet{dir: dir}
	for _, e := range entries {
		p, ok := parsePart(e.Name())
		if !ok {
			continue
		}
		if p.shard.Whole() {
			if p.base == manifestBase {
				if set.whole, err = readManifest(filepath.Join(dir, e.Name())); err != nil {
					return nil, err
				}
			}
			continue
		}
		if err := set.add(p, e.Name()); err != nil {
			return nil, err
		}
	}
	switch {
	case set.whole != nil && !set.whole.Rows.Complete:
		return nil, fmt.Errorf("%s holds the rows of an interrupted run of the whole grid: repeat its command to complete them", dir)
	case set.count == 0 && set.whole == nil:
		return nil, fmt.Errorf("%s holds no shards (braid run -o %s --shard 1/8 writes the first of 8)", dir, dir)
	}
	return set, nil
}

func (set *shardSet) add(p part, name string) error {
	if set.count == 0 {
		set.count = p.shard.Count
		set.shards, set.begun = make([]*Manifest, set.count), make([]bool, set.count)
	}
	if p.shard.Count != set.count {
		return fmt.Errorf("%s holds shards of %d and of %d (%s): keep those of one run", set.dir, set.count, p.shard.Count, name)
	}
	i := p.shard.Index - 1
	switch {
	case p.ending == journalEnding:
		set.begun[i] = true
	case p.base == manifestBase:
		m, err := readManifest(filepath.Join(set.dir, name))
		if err != nil {
			return err
		}
		if m.shard() != p.shard || m.Rows.File != p.shard.file(rowsBase, string(m.Rows.Format)) {
			return fmt.Errorf("%s says that it is of shard %s, in %s: it was renamed", filepath.Join(set.dir, name), m.shard(), m.Rows.File)
		}
		set.shards[i] = m
	}
	return nil
}

// check holds that all shards are there, whole, and parts of one grid.
func (set *shardSet) check() error {
	if set.count == 0 {
		return fmt.Errorf("%s holds no shards: it is merged already", set.dir)
	}
	var missing, unfinished []int
	for i, m := range set.shards {
		switch {
		case m != nil && m.Rows.Complete:
		case m != nil || set.begun[i]:
			unfinished = append(unfinished, i+1)
		default:
			missing = append(missing, i+1)
		}
	}
	if len(missing)+len(unfinished) > 0 {
		return fmt.Errorf("%s: %w: %s of %d; repeat the command of each with --shard i/%d", set.dir, ErrIncomplete,
			strings.Join(slices.DeleteFunc([]string{numbers("missing", missing), numbers("unfinished", unfinished)},
				func(s string) bool { return s == "" }), ", "), set.count, set.count)
	}
	next := int64(0)
	for i, m := range set.shards {
		if d := set.shards[0].Differences(m); len(d) > 0 {
			return fmt.Errorf("%s: shards 1 and %d are of different runs:\n  %s\ncompute one of them again", set.dir, i+1, strings.Join(d, "\n  "))
		}
		if m.Rows.First != next {
			return fmt.Errorf("%s: shard %d begins with run %d (expected %d): it was made with another division of the grid; compute it again", set.dir, i+1, m.Rows.First, next)
		}
		next += m.Rows.Planned
		if info, err := os.Stat(filepath.Join(set.dir, m.Rows.File)); err != nil {
			return fmt.Errorf("shard %d: its manifest says that the rows are complete: %w (remove the manifest and compute it again)", i+1, err)
		} else if info.Size() != m.Rows.Bytes {
			return fmt.Errorf("%s has %d bytes, its manifest says %d: it was changed or damaged (remove both and compute shard %d again)",
				filepath.Join(set.dir, m.Rows.File), info.Size(), m.Rows.Bytes, i+1)
		}
	}
	if grid := set.shards[0].Rows.Grid; next != grid {
		return fmt.Errorf("%s: the shards have %d runs (expected %d)", set.dir, next, grid)
	}
	return nil
}

// numbers writes "missing 2, 5-7", or nothing when there are none.
func numbers(what string, list []int) string {
	if len(list) == 0 {
		return ""
	}
	var parts []string
	for i := 0; i < len(list); {
		k := i
		for k+1 < len(list) && list[k+1] == list[k]+1 {
			k++
		}
		if k > i {
			parts = append(parts, fmt.Sprintf("%d-%d", list[i], list[k]))
		} else {
			parts = append(parts, fmt.Sprint(list[i]))
		}
		i = k + 1
	}
	return what + " " + strings.Join(parts, ", ")
}

// join writes the rows of all shards into a directory, unless they are there already. Like any run it holds the lock of the
// rows meanwhile.
func (set *shardSet) join(m *Manifest, to string) (*Manifest, error) {
	s, err := m.Schema()
	if err != nil {
		return nil, err
	}
	d, err := openDir(&Dir{path: to, manifest: m, merges: to == set.dir}, s)
	if err != nil {
		return nil, err
	}
	if d.complete {
		return m, nil
	}
	// Another merge may have done it all since the directory was read.
	if err := set.check(); err != nil {
		return nil, errors.Join(err, d.Abort())
	}
	if err := set.copy(d, s); err != nil {
		return nil, errors.Join(err, d.Abort())
	}
	return m, d.Commit()
}

// copy writes the rows of all shards, in order.
func (set *shardSet) copy(to *Dir, s Schema) error {
	for _, shard := range set.shards {
		if shard.Rows.Planned == 0 {
			continue // a file of JSON lines without any has no columns
		}
		r, err := openFile(filepath.Join(set.dir, shard.Rows.File), &s)
		if err != nil {
			return err
		}
		err = copyRows(to, r, shard)
		if err = errors.Join(err, r.Close()); err != nil {
			return fmt.Errorf("%s: %w", shard.Rows.File, err)
		}
	}
	return nil
}

// copyRows writes the rows of one shard. They have to be the next ones of the grid.
func copyRows(to *Dir, r source, shard *Manifest) error {
	next := shard.Rows.First
	end := next + shard.Rows.Planned
	for row := (Row{}); ; next++ {
		err := r.Read(&row)
		switch {
		case errors.Is(err, io.EOF) && next == end:
			return nil
		case errors.Is(err, io.EOF):
			return fmt.Errorf("%d of %d rows are not there", end-next, shard.Rows.Planned)
		case err != nil:
			return err
		case row.Run != next || next == end:
			return fmt.Errorf("a row of run %d (expected run %d of %d)", row.Run, next, end)
		}
		if err := to.Write(&row); err != nil {
			return err
		}
	}
}

// clear removes the files of shards that are in the merged rows, the manifest of each last: what has one is known to be in
// them.
func (set *shardSet) clear(whole *Manifest) error {
	for i, m := range set.shards {
		if m == nil {
			continue
		}
		if d := m.Differences(whole); len(d) > 0 {
			return fmt.Errorf("%s holds the rows of a whole grid, and shard %d of another run:\n  %s\nkeep one of them", set.dir, i+1, strings.Join(d, "\n  "))
		}
		for _, name := range []string{m.Rows.File, m.shard().file(rowsBase, journalEnding), m.shard().file(manifestBase, manifestEnding)} {
			if err := os.Remove(filepath.Join(set.dir, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		}
	}
	return nil
}
