// Package rng gives seeded, named random streams.
//
// A stream's key is a hash of scenario seed, repetition, item (page or workload item) and stream name, never of
// the run's index, the policy, the scheduler or the engine: runs that differ only in what is compared draw the same
// numbers, and adding a factor level changes no existing run.
package rng

import (
	"encoding/binary"
	"hash/fnv"
	"math/rand/v2"
)

// Key names one family of streams: those of one repetition of one item under one scenario seed.
type Key struct {
	Seed       uint64
	Repetition uint64
	Item       string
}

// Stream returns a new PCG generator for the named stream of the key. Equal keys and names give equal numbers.
func (k Key) Stream(name string) *rand.Rand { return rand.New(k.Source(name)) }

// Source is Stream's underlying generator.
func (k Key) Source(name string) *rand.PCG { return rand.NewPCG(k.Seeds(name)) }

// Seeds are what Source is seeded with, for callers that keep a generator and seed it again.
func (k Key) Seeds(name string) (uint64, uint64) { return k.hash(name, 0), k.hash(name, 1) }

func (k Key) hash(name string, half byte) uint64 {
	h := fnv.New64a()
	var b [17]byte
	binary.LittleEndian.PutUint64(b[0:], k.Seed)
	binary.LittleEndian.PutUint64(b[8:], k.Repetition)
	b[16] = half
	h.Write(b[:])
	// The length of the item separates it from the stream name.
	var n [8]byte
	binary.LittleEndian.PutUint64(n[:], uint64(len(k.Item)))
	h.Write(n[:])
	h.Write([]byte(k.Item))
	h.Write([]byte(name))
	return mix(h.Sum64())
}

// mix is the finaliser of SplitMix64 (Steele, Lea, Flood 2014): FNV alone leaves close keys close.
func mix(x uint64) uint64 {
	x ^= x >> 30
	x *= 0xbf58476d1ce4e5b9
	x ^= x >> 27
	x *= 0x94d049bb133111eb
	return x ^ x>>31
}
