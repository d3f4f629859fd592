package scenarios

import (
	"container/heap"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

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

// threshold turns a share into the threshold a hash is compared with.
func (s Sample) threshold() uint64 {
	if s.Share >= 1 {
		return math.MaxUint64
	}
	return uint64(float64(s.Share) * (1 << 63) * 2)
}

// Sample returns a grid of some cases with all their profiles and policies, or the grid itself where it has no more. Which
// cases are kept depends on their factor values and the seed alone: those with the lowest hashes. A smaller sample is
// part of a larger one, and a case that is in two samples gives the same rows in both. A sample that keeps none is an error.
//
// It looks at every case once (about 10 ns each) and remembers those it keeps.
func (g *Grid) Sample(s Sample) (*Grid, error) {
	if s.Cases < 1 && s.Share <= 0 || s.Cases > maxSample {
		return nil, fmt.Errorf("sample of %d cases (expected 1 to %d, or a share)", s.Cases, int64(maxSample))
	}
	h := *g
	h.sample(s)
	if h.cases == 0 {
		return nil, fmt.Errorf("sample %v keeps none of %d cases (take a larger share, or a number of cases)", s.Share, g.cases)
	}
	return &h, nil
}

func (g *Grid) sample(s Sample) {
	if s.Share == 0 && s.Cases >= g.cases {
		return
	}
	var picked []int64
	if s.Share > 0 {
		limit := s.threshold()
		g.eachCase(func(number int64, hash uint64) {
			if hash <= limit {
				picked = append(picked, number)
			}
		})
		if picked == nil {
			picked = []int64{}
		}
	} else {
		low := make(lowest, 0, s.Cases)
		g.eachCase(func(number int64, hash uint64) { low.offer(hashedCase{hash, number}) })
		for _, c := range low {
			picked = append(picked, c.number)
		}
	}
	slices.Sort(picked)
	g.picked, g.cases = picked, int64(len(picked))
}

// eachCase calls f with the number and hash of every case. The hash of a case is made of the hashes of its levels, in any
// order, and the seed.
func (g *Grid) eachCase(f func(number int64, hash uint64)) {
	hashes := make([][]uint64, len(g.outer))
	for d := range g.outer {
		hashes[d] = make([]uint64, g.outer[d].len())
		for k := range hashes[d] {
			hashes[d][k] = g.outer[d].hash(g, int64(k))
		}
	}
	if g.picked != nil {
		for _, c := range g.picked {
			var sum uint64
			rest := c
			for d := len(g.outer) - 1; d >= 0; d-- {
				n := int64(len(hashes[d]))
				sum += hashes[d][rest%n]
				rest /= n
			}
			f(c, scramble(sum))
		}
		return
	}
	// An odometer: the last dimension turns fastest.
	index := make([]int, len(g.outer))
	var sum uint64
	for d := range hashes {
		sum += hashes[d][0]
	}
	for c := range g.cases {
		f(c, scramble(sum))
		for d := len(index) - 1; d >= 0; d-- {
			sum -= hashes[d][index[d]]
			if index[d]++; index[d] < len(hashes[d]) {
				sum += hashes[d][index[d]]
				break
			}
			index[d] = 0
			sum += hashes[d][0]
		}
	}
}

type hashedCase struct {
	hash   uint64
	number int64
}

// lowest keeps the cases with the lowest hashes, the highest of them on top.
type lowest []hashedCase

func (l *lowest) offer(c hashedCase) {
	if len(*l) < cap(*l) {
		heap.Push(l, c)
	} else if h := (*l)[0]; c.hash < h.hash {
		(*l)[0] = c
		heap.Fix(l, 0)
	}
}

func (l lowest) Len() int           { return len(l) }
func (l lowest) Less(i, j int) bool { return l[i].hash > l[j].hash }
func (l lowest) Swap(i, j int)      { l[i], l[j] = l[j], l[i] }
func (l *lowest) Push(x any)        { *l = append(*l, x.(hashedCase)) }
func (l *lowest) Pop() any {
	last := len(*l) - 1
	x := (*l)[last]
	*l = (*l)[:last]
	return x
}
