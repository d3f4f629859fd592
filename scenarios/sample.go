package scenarios

import (
	"fmt"
	"math"
	"runtime"
	"slices"
	"sort"
	"strconv"
	"strings"
	"time"

	"braid/sim/units"
)

// ParseSample reads a number of cases, like 500, or a share of them, like 2%. None at all is an error.
func ParseSample(text string) (Sample, error) {
	if strings.HasSuffix(strings.TrimSpace(text), "%") {
		share, err := units.ParseShare(text)
		if err == nil && share <= 0 {
			err = fmt.Errorf("%q is not above 0", text)
		}
		if err != nil {
			return Sample{}, fmt.Errorf("sample: %w", err)
		}
		return Sample{Share: share}, nil
	}
	v, err := strconv.ParseInt(text, 10, 64)
	if err != nil || v < 1 || v > maxSample {
		return Sample{}, fmt.Errorf("sample %q (expected a number of cases from 1 to %d, like 500, or a share, like 2%%)", text, int64(maxSample))
	}
	return Sample{Cases: v}, nil
}

// maxVisited bounds the cases a sample may choose among: each is looked at, as its hash says nothing about those of its
// neighbours, which takes about perCase on a core. At the bound that is a minute or two.
const (
	maxVisited = 100_000_000_000
	perCase    = 2 * time.Nanosecond
)

// Sample returns a grid of some cases with all their profiles and policies, or the grid itself where it has no more. Which
// cases are kept depends on their factor values and the seed alone: those with the lowest hashes. A smaller sample is
// part of a larger one, and a case that is in two samples gives the same rows in both. A sample that keeps none, that keeps
// more than can be remembered, or that would choose among more than can be looked at, is an error.
//
// It looks at every case once, on all cores, and remembers those it keeps.
func (g *Grid) Sample(s Sample) (*Grid, error) {
	if s.Cases < 1 && s.Share <= 0 || s.Cases > maxSample {
		return nil, fmt.Errorf("sample of %d cases (expected 1 to %d, or a share)", s.Cases, int64(maxSample))
	}
	h := *g
	if err := h.sample(s); err != nil {
		return nil, err
	}
	return &h, nil
}

// String writes the sample as ParseSample reads it.
func (s Sample) String() string {
	if s.Share > 0 {
		return s.Share.String()
	}
	return strconv.FormatInt(s.Cases, 10)
}

func (g *Grid) sample(s Sample) error {
	if s.Share >= 1 || s.Share == 0 && s.Cases >= g.cases {
		return nil
	}
	if n := float64(s.Share) * float64(g.cases); n > maxSample {
		return fmt.Errorf("sample %v keeps %.3g of %d cases (expected at most %d; take a smaller share, or a number of cases)", s, n, g.cases, int64(maxSample))
	}
	var picked []int64
	switch {
	case g.picked != nil:
		picked = g.again(s)
	case g.cases > maxVisited:
		took := time.Duration(min(float64(g.cases)*float64(perCase)/float64(runtime.GOMAXPROCS(0)), math.MaxInt64))
		return fmt.Errorf("sample %v: the grid has %d cases, and looking at each takes about %s (expected at most %d cases; give factors fewer levels, or keep part of the grid with --where before --sample)",
			s, g.cases, hours(took), int64(maxVisited))
	case s.Share > 0:
		limit := s.threshold()
		picked, _ = newCaseHashes(g).find(limit+1, limit)
	default:
		picked = newCaseHashes(g).lowest(s.Cases)
	}
	if len(picked) == 0 {
		return fmt.Errorf("sample %v keeps none of %d cases (take a larger share, or a number of cases)", s, g.cases)
	}
	slices.Sort(picked)
	g.picked, g.cases = picked, int64(len(picked))
	return nil
}

// hours writes a long time.
func hours(d time.Duration) string {
	if d < 2*time.Hour {
		return fmt.Sprintf("%.0f min", d.Minutes())
	}
	return fmt.Sprintf("%.0f h", d.Hours())
}

// threshold turns a share below 1 into the highest hash it keeps.
func (s Sample) threshold() uint64 { return uint64(float64(s.Share) * (1 << 63) * 2) }

// again takes a sample of a sample.
func (g *Grid) again(s Sample) []int64 {
	c := newCaseHashes(g)
	all := make([]hashedCase, len(g.picked))
	for i, number := range g.picked {
		all[i] = hashedCase{c.of(number), number}
	}
	slices.SortFunc(all, hashedCase.compare)
	n := int(s.Cases)
	if s.Share > 0 {
		n = sort.Search(len(all), func(i int) bool { return all[i].hash > s.threshold() })
	}
	return numbers(all[:n])
}
