package dataset

import (
	"errors"
	"fmt"
	"io"

	"braid/scenarios/result"
)

// Find returns the row with this run number, and the manifest of the file it is in, nil if there is none. It reads the rows
// up to it. A number that no row has is an error that says which there are.
func (s *Set) Find(run int64) (row result.Row, m *result.Manifest, err error) {
	r, err := result.Open(s.Path)
	if err != nil {
		return row, nil, err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	for n, first, last := int64(0), int64(0), int64(0); ; n++ {
		switch err := r.Read(&row); {
		case errors.Is(err, io.EOF) && n == 0:
			return row, nil, fmt.Errorf("%s: no run %d: it has no rows", s.Path, run)
		case errors.Is(err, io.EOF):
			return row, nil, fmt.Errorf("%s: no run %d (its %d rows are of runs %d to %d)", s.Path, run, n, first, last)
		case err != nil:
			return row, nil, fmt.Errorf("%s: %w", s.Path, err)
		}
		if row.Run == run {
			return row, r.Manifest(), nil
		}
		if n == 0 {
			first, last = row.Run, row.Run
		}
		first, last = min(first, row.Run), max(last, row.Run)
	}
}
