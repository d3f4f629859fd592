package result

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
)

// A frame is the length of a payload and its CRC-32C, four bytes each, little endian, and the payload.
const (
	frameHead = 8
	maxFrame  = 1 << 30 // above what a frame can be: a length beyond it is no length
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// appendFrame appends a frame with the payload that fill appends.
func appendFrame(b []byte, fill func([]byte) []byte) []byte {
	at := len(b)
	b = fill(append(b, make([]byte, frameHead)...))
	payload := b[at+frameHead:]
	binary.LittleEndian.PutUint32(b[at:], uint32(len(payload)))
	binary.LittleEndian.PutUint32(b[at+4:], crc32.Checksum(payload, castagnoli))
	return b
}

// What is wrong with a frame.
var (
	errCut     = errors.New("the file ends before the frame does")
	errDamaged = errors.New("a frame is damaged")
)

// readFrame reads the payload of the next frame into buf.
func readFrame(r io.Reader, buf []byte) ([]byte, error) {
	var head [frameHead]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return nil, cut(err)
	}
	n := binary.LittleEndian.Uint32(head[:4])
	if n == 0 || n > maxFrame {
		return nil, errDamaged
	}
	// Read bit by bit: the length may be none, and far more than the file holds.
	b := bytes.NewBuffer(buf[:0])
	if _, err := io.CopyN(b, r, int64(n)); err != nil {
		return nil, cut(err)
	}
	if crc32.Checksum(b.Bytes(), castagnoli) != binary.LittleEndian.Uint32(head[4:]) {
		return nil, errDamaged
	}
	return b.Bytes(), nil
}

func cut(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errCut
	}
	return err
}

// frameRuns reads which runs a payload is of.
func frameRuns(payload []byte) (first, count int64, rest []byte, err error) {
	u, n := binary.Uvarint(payload)
	c, k := binary.Uvarint(payload[max(n, 0):])
	if n <= 0 || k <= 0 || c == 0 || u > 1<<62 || c > uint64(len(payload)) {
		return 0, 0, nil, errors.New("a frame of no runs (remove the journal to begin anew)")
	}
	return int64(u), int64(c), payload[n+k:], nil
}
