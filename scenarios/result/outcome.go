package result

import (
	"encoding/binary"
	"errors"
	"math"

	"braid/scenarios"
)

// An outcome is a row without its run and factors, as bytes: a kind, then the error's text or the metrics.
const (
	outcomeMetrics = 0
	outcomeError   = 1
)

var errOutcome = errors.New("not the outcome of a run (remove the journal to begin anew)")

// appendOutcome appends what a run gave.
func appendOutcome(b []byte, columns []scenarios.Column, r *Row) []byte {
	if r.Error != "" {
		return appendString(append(b, outcomeError), r.Error)
	}
	b = append(b, outcomeMetrics)
	for i, c := range columns {
		v := &r.Metrics[i]
		switch c.Type {
		case scenarios.Text:
			b = appendString(b, v.Text)
		case scenarios.Float:
			b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v.Float))
		case scenarios.Integer:
			b = binary.AppendVarint(b, v.Integer)
		case scenarios.Bool:
			b = append(b, 0)
			if v.Bool {
				b[len(b)-1] = 1
			}
		}
	}
	return b
}

func appendString(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

// readOutcome reads one outcome into the row, reusing its slices, and returns what is behind it.
func readOutcome(b []byte, columns []scenarios.Column, r *Row) ([]byte, error) {
	r.Error, r.Metrics = "", r.Metrics[:0]
	if len(b) == 0 || b[0] > outcomeError {
		return nil, errOutcome
	}
	kind, b := b[0], b[1:]
	var err error
	if kind == outcomeError {
		r.Metrics = nil
		r.Error, b, err = readString(b)
		return b, err
	}
	for _, c := range columns {
		var v scenarios.Value
		switch c.Type {
		case scenarios.Text:
			if v.Text, b, err = readString(b); err != nil {
				return nil, err
			}
		case scenarios.Float:
			if len(b) < 8 {
				return nil, errOutcome
			}
			v.Float, b = math.Float64frombits(binary.LittleEndian.Uint64(b)), b[8:]
		case scenarios.Integer:
			x, n := binary.Varint(b)
			if n <= 0 {
				return nil, errOutcome
			}
			v.Integer, b = x, b[n:]
		case scenarios.Bool:
			if len(b) == 0 || b[0] > 1 {
				return nil, errOutcome
			}
			v.Bool, b = b[0] == 1, b[1:]
		}
		r.Metrics = append(r.Metrics, v)
	}
	return b, nil
}

func readString(b []byte) (string, []byte, error) {
	n, k := binary.Uvarint(b)
	if k <= 0 || n > uint64(len(b)-k) {
		return "", nil, errOutcome
	}
	b = b[k:]
	return string(b[:n]), b[n:], nil
}
