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
	if err != nil && torn(err) != errTorn {
		return nil, err
	}
	if !bytes.HasPrefix([]byte(journalMark), mark[:n]) {
		return nil, errors.New("not a journal of braid (remove it, or name another directory)")
	}
	payload, err := readFrame(r, nil)
	if errors.Is(err, errTorn) {
		return nil, nil // killed while it was begun
	}
	if err != nil {
		return nil, err
	}
	m, err := parseManifest(payload)
	if err != nil {
		return nil, err
	}
	j.size = int64(len(journalMark)) + frameHead + int64(len(payload))
	for {
		payload, err = readFrame(r, payload)
		if errors.Is(err, errTorn) {
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
