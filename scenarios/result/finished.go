package result

import (
	"fmt"
	"slices"
	"sort"
)

// Finished reads the rows that were finished when the journal was opened. It is for one goroutine; there may be several.
type Finished struct {
	journal *Journal
	payload []byte
	end     int64  // behind the last run of the frame that was read
	next    int64  // the run whose outcome comes next in rest
	rest    []byte // of the payload
}

// Finished returns a reader of what was finished when the journal was opened.
func (j *Journal) Finished() *Finished { return &Finished{journal: j} }

// Read fills in metrics and error of the run's row, reusing its slices; false: the run was not finished.
func (f *Finished) Read(run int64, row *Row) (bool, error) {
	if run < f.next || run >= f.end {
		spans := f.journal.spans
		i := sort.Search(len(spans), func(i int) bool { return spans[i].first > run }) - 1
		if i < 0 || run >= spans[i].first+spans[i].count {
			return false, nil
		}
		if err := f.read(spans[i]); err != nil {
			return false, fmt.Errorf("%s: %w", f.journal.path, err)
		}
	}
	for {
		var err error
		if f.rest, err = readOutcome(f.rest, f.journal.schema.Metrics, row); err != nil {
			f.end = f.next
			return false, fmt.Errorf("%s: run %d: %w", f.journal.path, f.next, err)
		}
		f.next++
		if f.next > run {
			return true, nil
		}
	}
}

// read reads a frame.
func (f *Finished) read(s span) error {
	f.end = f.next
	f.payload = slices.Grow(f.payload[:0], int(s.length))[:s.length]
	if _, err := f.journal.file.ReadAt(f.payload, s.at); err != nil {
		return err
	}
	first, count, rest, err := frameRuns(f.payload)
	if err != nil {
		return err
	}
	f.next, f.end, f.rest = first, first+count, rest
	return nil
}
