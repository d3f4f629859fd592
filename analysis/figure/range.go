package figure

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"braid/analysis/dataset"
)

// limits are the ends of an axis.
type limits struct{ low, high float64 }

// parseLimits reads "1..5" or "10ms..2s" as numbers of a column; nil for an empty text.
func parseLimits(text string, c *dataset.Column) (*limits, error) {
	if text == "" {
		return nil, nil
	}
	low, high, ok := strings.Cut(text, "..")
	if !ok {
		return nil, fmt.Errorf("range %q is not like 1..5", text)
	}
	var l limits
	var errs [2]error
	l.low, errs[0] = c.Parse(strings.TrimSpace(low))
	l.high, errs[1] = c.Parse(strings.TrimSpace(high))
	if err := errors.Join(errs[0], errs[1]); err != nil {
		return nil, fmt.Errorf("range %q: %w", text, err)
	}
	if !(l.low < l.high) || math.IsInf(l.low, 0) || math.IsInf(l.high, 0) {
		return nil, fmt.Errorf("range %q: its end is not above its begin", text)
	}
	return &l, nil
}

// within says whether v is in the range.
func (l *limits) within(v float64) bool { return l == nil || v >= l.low && v <= l.high }
