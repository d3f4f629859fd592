package result

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/gofrs/flock"
)

// Journal keeps the rows that are finished while a grid runs, in whatever order they come. It is what a run that was
// killed goes on from. Factors are not in it: they follow from the grid.
//
// The file begins with a line, then come frames: the length of the payload and its CRC-32C, four bytes each, little
// endian, and the payload. The first payload is the manifest of the rows to be; every other one is the number of a run,
// a count, and what so many consecutive runs gave. A file that ends in the middle of a frame, or in bytes that are none,
// counts up to there.
type Journal struct {
	path    string
	file    *os.File
	lock    *flock.Flock // nil: the file system has no locks
	schema  Schema
	spans   []span // what was finished when it was opened, by run, without overlaps
	rows    int64  // in spans
	size    int64  // bytes that are whole on the disk
	damaged int64  // bytes behind them that were no frames, and not because the program was killed
	pending []byte // whole frames not yet written
	added   bool   // rows were appended
	cut     bool   // nothing is behind what is whole
	dirty   bool   // written, but not synced
	err     error  // the first failure to write
}

// span is a frame of finished rows.
type span struct {
	first, count int64
	at           int64 // offset of the payload
	length       int64 // of the payload
}

const (
	journalMark = "braid journal 1\n"
	// pendingLimit is how many bytes of frames are kept until they are written: about 700 rows, which are all that a killed
	// program loses. What a crash of the machine loses is up to Sync.
	pendingLimit = 16 << 10
)

// errLocked says that another process has the journal open.
var errLocked = errors.New("another braid is writing it")

// openJournal opens the journal, which stays locked until it is closed, or begins one for rows with this manifest. It
// returns the manifest the journal was begun with, which may be another. What is behind the last whole frame is cut off
// with the first Append.
func openJournal(path string, m *Manifest, s Schema) (*Journal, *Manifest, error) {
	j := &Journal{path: path, schema: s}
	if err := j.open(); err != nil {
		return nil, nil, err
	}
	begun, err := j.scan()
	if err == nil && begun == nil {
		if begun, err = m, j.begin(m); err == nil {
			err = syncDir(path)
		}
	}
	if err != nil {
		return nil, nil, errors.Join(fmt.Errorf("%s: %w", path, err), j.close())
	}
	return j, begun, nil
}

// open opens and locks the file.
func (j *Journal) open() error {
	for {
		l := flock.New(j.path, flock.SetFlag(os.O_RDWR|os.O_CREATE), flock.SetPermissions(0o666))
		locked, err := l.TryLock()
		if errors.Is(err, errors.ErrUnsupported) {
			// Some network file systems have no locks: there the user has to see to it that only one braid writes.
			j.file, err = os.OpenFile(j.path, os.O_RDWR|os.O_CREATE, 0o666)
			return errors.Join(err, l.Close())
		}
		if err == nil && !locked {
			err = fmt.Errorf("%s: %w", j.path, errLocked)
		}
		if err != nil {
			return errors.Join(err, l.Close())
		}
		// Between opening and locking, who held it may have completed the rows and removed it.
		j.file, err = os.OpenFile(j.path, os.O_RDWR, 0)
		if err == nil {
			var mine, locked fs.FileInfo
			if mine, err = j.file.Stat(); err == nil {
				locked, err = l.Stat()
			}
			if err == nil && os.SameFile(mine, locked) {
				j.lock = l
				return nil
			}
			err = errors.Join(err, j.file.Close())
		} else if errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
		if err = errors.Join(err, l.Close()); err != nil {
			return err
		}
	}
}

// begin writes line and manifest.
func (j *Journal) begin(m *Manifest) error {
	text, err := json.Marshal(m)
	if err != nil {
		return err
	}
	j.size = 0
	j.pending = appendFrame([]byte(journalMark), func(b []byte) []byte { return append(b, text...) })
	return j.Sync()
}

// Append adds the rows of consecutive runs. They are on the disk after the next Sync.
func (j *Journal) Append(rows []Row) error {
	if j.err != nil || len(rows) == 0 {
		return j.err
	}
	j.added = true
	j.pending = appendFrame(j.pending, func(b []byte) []byte {
		b = binary.AppendUvarint(b, uint64(rows[0].Run))
		b = binary.AppendUvarint(b, uint64(len(rows)))
		for i := range rows {
			b = appendOutcome(b, j.schema.Metrics, &rows[i])
		}
		return b
	})
	if len(j.pending) < pendingLimit {
		return nil
	}
	return j.flush()
}

// flush writes the pending frames.
func (j *Journal) flush() error {
	if j.err != nil || len(j.pending) == 0 {
		return j.err
	}
	var err error
	if !j.cut {
		// Behind what is whole there may be the rest of a frame from a run that was killed.
		err = j.file.Truncate(j.size)
		j.cut = err == nil
	}
	if err == nil {
		_, err = j.file.WriteAt(j.pending, j.size)
	}
	if err != nil {
		j.err = j.failure(err)
		return j.err
	}
	j.size += int64(len(j.pending))
	j.pending, j.dirty = j.pending[:0], true
	return nil
}

// Sync writes everything appended so far to the disk.
func (j *Journal) Sync() error {
	if err := j.flush(); err != nil || !j.dirty {
		return err
	}
	j.dirty = false
	if err := j.file.Sync(); err != nil {
		j.err = j.failure(err)
	}
	return j.err
}

func (j *Journal) failure(err error) error {
	return fmt.Errorf("write %s: %w (what is in it is kept: make room, and repeat the command)", j.path, withoutPath(err))
}

// Damaged returns how many bytes at the end of the journal were damaged when it was opened: what they held is computed again.
func (j *Journal) Damaged() int64 { return j.damaged }

// Rows returns how many rows were finished when the journal was opened.
func (j *Journal) Rows() int64 { return j.rows }

// within returns an error if it holds a run that is not one of these.
func (j *Journal) within(first, end int64) error {
	for _, s := range j.spans {
		if s.first < first || s.first+s.count > end {
			return fmt.Errorf("%s holds runs %d to %d, which are not among runs %d to %d (remove it to begin anew)", j.path, s.first, s.first+s.count-1, first, end-1)
		}
	}
	return nil
}

// close closes and unlocks the file.
func (j *Journal) close() error {
	err := j.file.Close()
	if j.lock != nil {
		err = errors.Join(err, j.lock.Close())
	}
	return err
}

// remove removes the file, and unlocks it.
func (j *Journal) remove() error {
	err := os.Remove(j.path)
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return errors.Join(err, j.close())
}
