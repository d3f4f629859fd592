package dataset

import (
	"errors"
	"fmt"
	"io"

	"braid/scenarios/result"
)

// Set is the rows of results: a file of any format, or a directory, also of shards.
type Set struct {
	Path     string
	Schema   result.Schema
	Manifest *result.Manifest // of the first file; nil: there is none
}

// Open looks at results. Rows are read by Each, as often as wanted.
func Open(path string) (*Set, error) {
	r, err := result.Open(path)
	if err != nil {
		return nil, err
	}
	s := &Set{path, r.Schema(), r.Manifest()}
	return s, r.Close()
}

// Baseline returns the policy that speed-ups are over unless another one is named: that of the first row.
func (s *Set) Baseline() (policy string, err error) {
	found := errors.New("found")
	err = s.Each(nil, func(c *Case) error {
		policy = c.Policy(0)
		return found
	})
	if err != nil && !errors.Is(err, found) {
		return "", err
	}
	return policy, nil
}

// Each calls each with the cases of the rows, in their order. An error of each ends it and is returned. Afterwards it is an
// error if the filter, which may be nil, asks for levels that no row has.
func (s *Set) Each(f *Filter, each func(*Case) error) error {
	r, err := result.Open(s.Path)
	if err != nil {
		return err
	}
	err = read(r, NewCases(s.Schema), each)
	if err == nil && f != nil {
		err = f.Unmet()
	}
	if err = errors.Join(err, r.Close()); err != nil {
		return fmt.Errorf("%s: %w", s.Path, err)
	}
	return nil
}

func read(r *result.Reader, cases *Cases, each func(*Case) error) error {
	for row := (result.Row{}); ; {
		err := r.Read(&row)
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		atEnd := err != nil
		done := (*Case)(nil)
		if atEnd {
			done = cases.End()
		} else {
			done = cases.Add(&row)
		}
		if done != nil {
			if err := each(done); err != nil {
				return err
			}
		}
		if atEnd {
			return nil
		}
	}
}
