package result

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
)

// scan reads the whole file and finds its frames. It returns the manifest, nil if there is no whole one.
func (j *Journal) scan() (*Manifest, error) {
	r := bufio.NewReaderSize(io.NewSectionReader(j.file, 0, math.MaxInt64), 1<<20)
	mark := make([]byte, len(journalMark))
	n, err := io.ReadFull(r, mark)
	if err != nil && !errors.Is(cut(err), errCut) {
		return nil, err
	}
	if !bytes.HasPrefix([]byte(journalMark), mark[:n]) {
		return nil, errors.New("not a journal of braid (remove it, or name another directory)")
	}
	payload, err := readFrame(r, nil)
	if errors.Is(err, errDamaged) {
		err = j.zeros(int64(n))
	}
	if errors.Is(err, errCut) {
		return nil, nil // killed while it was begun
	}
	if err != nil {
		return nil, fmt.Errorf("%w (remove it to begin anew)", err)
	}
	m, err := parseManifest(payload)
	if err != nil {
		return nil, err
	}
	j.size = int64(len(journalMark)) + frameHead + int64(len(payload))
	for {
		payload, err = readFrame(r, payload)
		if errors.Is(err, errDamaged) {
			err = j.zeros(j.size)
		}
		switch {
		case errors.Is(err, errDamaged):
			info, err := j.file.Stat()
			if err != nil {
				return nil, err
			}
			j.damaged = info.Size() - j.size
			return m, j.index()
		case errors.Is(err, errCut):
			return m, j.index()
		}
		if err != nil {
			return nil, err
		}
		first, count, _, err := frameRuns(payload)
		if err != nil {
			return nil, err
		}
		j.spans = append(j.spans, span{first, count, j.size + frameHead, int64(len(payload))})
		j.size += frameHead + int64(len(payload))
	}
}

// zeros returns errCut where the file holds nothing but zeros from the offset on, as some file systems leave one after a
// crash, and errDamaged otherwise.
func (j *Journal) zeros(from int64) error {
	r := bufio.NewReader(io.NewSectionReader(j.file, from, math.MaxInt64-from))
	for {
		b, err := r.ReadByte()
		switch {
		case errors.Is(err, io.EOF):
			return errCut
		case err != nil:
			return err
		case b != 0:
			return errDamaged
		}
	}
}

// index sorts the frames by run.
func (j *Journal) index() error {
	slices.SortFunc(j.spans, func(a, b span) int { return cmp.Compare(a.first, b.first) })
	for i, s := range j.spans {
		if i > 0 && s.first < j.spans[i-1].first+j.spans[i-1].count {
			return fmt.Errorf("run %d is in it twice (remove it to begin anew)", s.first)
		}
		j.rows += s.count
	}
	return nil
}
