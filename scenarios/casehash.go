package scenarios

import (
	"cmp"
	"math"
	"runtime"
	"slices"
	"sync"
)

// caseHashes are the hashes of a grid's cases. The hash of a case is made of the hashes of its levels, in any order, and
// the seed: a case has the same one in every grid. Hashes are spread evenly over all 64 bits.
type caseHashes struct {
	dims []hashedDimension // slowest first, as in the grid
}

// hashedDimension is an outer dimension: the hashes of its levels, and how far apart in a case's number they are.
type hashedDimension struct {
	hashes []uint64
	stride int64
}

// hashedCase is a case, by its number, and its hash.
type hashedCase struct {
	hash   uint64
	number int64
}

func (c hashedCase) compare(d hashedCase) int {
	return cmp.Or(cmp.Compare(c.hash, d.hash), cmp.Compare(c.number, d.number))
}

func numbers(cases []hashedCase) []int64 {
	list := make([]int64, len(cases))
	for i, c := range cases {
		list[i] = c.number
	}
	return list
}

func newCaseHashes(g *Grid) *caseHashes {
	c := &caseHashes{dims: make([]hashedDimension, len(g.outer))}
	stride := int64(1)
	for d := len(g.outer) - 1; d >= 0; d-- {
		hashes := make([]uint64, g.outer[d].len())
		for k := range hashes {
			hashes[k] = g.outer[d].hash(g, int64(k))
		}
		c.dims[d] = hashedDimension{hashes, stride}
		stride *= int64(len(hashes))
	}
	return c
}

// of returns the hash of a case.
func (c *caseHashes) of(number int64) uint64 {
	var sum uint64
	for _, d := range c.dims {
		sum += d.hashes[number/d.stride%int64(len(d.hashes))]
	}
	return scramble(sum)
}

// len is the number of cases.
func (c *caseHashes) len() int64 {
	n := int64(1)
	for _, d := range c.dims {
		n *= int64(len(d.hashes))
	}
	return n
}

// lowest returns the n cases with the lowest hashes, in any order.
//
// As hashes are spread evenly, the n-th lowest is near n/len of 2^64. Cases well below are kept as they come, those around
// it are sorted; should the n-th lowest not be among these, more are.
func (c *caseHashes) lowest(n int64) []int64 {
	total := float64(c.len())
	hash := func(rank float64) uint64 {
		if rank >= total {
			return math.MaxUint64
		}
		return uint64(max(rank, 0) / total * (1 << 63) * 2)
	}
	// Ranks vary by the square root of their number.
	for around := 6*math.Sqrt(float64(n)) + 16; ; around *= 8 {
		kept, between := c.find(hash(float64(n)-around), hash(float64(n)+around))
		missing := n - int64(len(kept))
		if missing < 0 || missing > int64(len(between)) {
			continue
		}
		slices.SortFunc(between, hashedCase.compare)
		return append(kept, numbers(between[:missing])...)
	}
}

// tableSize is how many sums of level hashes are kept: as many as a core's first cache holds.
const tableSize = 1024

// find returns the cases with hashes below low, and those from low to high.
func (c *caseHashes) find(low, high uint64) (below []int64, between []hashedCase) {
	table, rest := c.split()
	blocks := int64(1)
	for _, d := range rest {
		blocks *= int64(len(d.hashes))
	}
	workers := min(int64(runtime.GOMAXPROCS(0)), blocks)
	belows, betweens := make([][]int64, workers), make([][]hashedCase, workers)
	var wait sync.WaitGroup
	for w := range workers {
		wait.Go(func() {
			for block := w * blocks / workers; block < (w+1)*blocks/workers; block++ {
				first := hashedCase{}
				at := block
				for _, d := range rest {
					k := at % int64(len(d.hashes))
					at /= int64(len(d.hashes))
					first.hash += d.hashes[k]
					first.number += k * d.stride
				}
				for i := range table {
					hash := scramble(first.hash + table[i].hash)
					if hash > high {
						continue
					}
					if number := first.number + table[i].number; hash < low {
						belows[w] = append(belows[w], number)
					} else {
						betweens[w] = append(betweens[w], hashedCase{hash, number})
					}
				}
			}
		})
	}
	wait.Wait()
	return slices.Concat(belows...), slices.Concat(betweens...)
}

// split puts the largest dimension, and others as far as they fit, into a table of all their combinations: the sums of
// hashes, not scrambled yet, and of numbers. It returns the other dimensions as they are.
func (c *caseHashes) split() (table []hashedCase, rest []hashedDimension) {
	bySize := slices.Clone(c.dims)
	slices.SortStableFunc(bySize, func(a, b hashedDimension) int { return cmp.Compare(len(b.hashes), len(a.hashes)) })
	table = []hashedCase{{}}
	for _, d := range bySize {
		if len(table) > 1 && len(table)*len(d.hashes) > tableSize {
			rest = append(rest, d)
			continue
		}
		combined := make([]hashedCase, 0, len(table)*len(d.hashes))
		for _, t := range table {
			for k, h := range d.hashes {
				combined = append(combined, hashedCase{t.hash + h, t.number + int64(k)*d.stride})
			}
		}
		table = combined
	}
	return table, rest
}
