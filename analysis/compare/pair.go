package compare

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"iter"
)

// MaxWaiting is how many rows may wait for their partners: up to 100 bytes each, 500 MB.
const MaxWaiting = 5_000_000

// digest stands for a key while a row waits: 128 bits, which no two keys share.
type digest [16]byte

func digestOf(key []byte) (d digest) {
	sum := sha256.Sum256(key)
	copy(d[:], sum[:])
	return d
}

// waiter is a row that waits for its partner.
type waiter struct {
	run   int64
	value float64
	ok    bool
}

// stream is the rows of one set, of which the current one has no partner yet.
type stream struct {
	*side
	next    func() (*row, error, bool)
	now     *row // nil: there are no more
	waiting map[digest]waiter
	only    Only
}

// advance turns to the next row that may have a partner.
func (s *stream) advance() error {
	for {
		r, err, ok := s.next()
		switch {
		case !ok:
			s.now = nil
			return nil
		case err != nil:
			return fmt.Errorf("%s: %w", s.name, err)
		case r.lost:
			s.only.Unknown++
		case r.lone != "":
			s.only.addLevel(r.lone)
		default:
			s.now = r
			return nil
		}
	}
}

// pairs reads both sets in step and calls pair with the values of each pair, and a row of it. At most so many rows may wait.
func pairs(older, newer *side, limit int, pair func(of *side, r *row, was, is waiter) error) (onlyOld, onlyNew Only, err error) {
	a := &stream{side: older, waiting: map[digest]waiter{}}
	b := &stream{side: newer, waiting: map[digest]waiter{}}
	for _, s := range []*stream{a, b} {
		var stop func()
		s.next, stop = iter.Pull2(s.rows())
		defer stop()
		if err := s.advance(); err != nil {
			return onlyOld, onlyNew, err
		}
	}
	for a.now != nil || b.now != nil {
		if a.now != nil && b.now != nil && bytes.Equal(a.now.key, b.now.key) {
			err = pair(a.side, a.now, a.now.waiter(), b.now.waiter())
		} else {
			// Each looks among those of the other set that came before it, the older one first.
			err = a.meet(b, pair, false)
			if err == nil {
				err = b.meet(a, pair, true)
			}
		}
		for _, s := range []*stream{a, b} {
			if err == nil && s.now != nil {
				err = s.advance()
			}
		}
		if err == nil && len(a.waiting)+len(b.waiting) > limit {
			err = fmt.Errorf("more than %d rows wait for their partners: the sets are in different orders, or have few rows in common (take them part by part with --where)", limit)
		}
		if err != nil {
			return onlyOld, onlyNew, err
		}
	}
	return a.end(), b.end(), nil
}

// meet pairs the current row with one of the other set that waits for it, or has it wait.
func (s *stream) meet(other *stream, pair func(*side, *row, waiter, waiter) error, newer bool) error {
	if s.now == nil {
		return nil
	}
	d := digestOf(s.now.key)
	now := s.now.waiter()
	if partner, ok := other.waiting[d]; ok {
		delete(other.waiting, d)
		if newer {
			return pair(s.side, s.now, partner, now)
		}
		return pair(s.side, s.now, now, partner)
	}
	if other.now == nil {
		s.only.addRun(now.run) // nobody will come
		return nil
	}
	if twin, ok := s.waiting[d]; ok {
		return fmt.Errorf("%s: runs %d and %d have the same factors", s.name, twin.run, now.run)
	}
	s.waiting[d] = now
	return nil
}

// end counts those that still wait.
func (s *stream) end() Only {
	for _, w := range s.waiting {
		s.only.addRun(w.run)
	}
	return s.only
}

func (r *row) waiter() waiter { return waiter{r.run, r.value, r.ok} }
