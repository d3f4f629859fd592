package rng

import (
	"fmt"
	"math"
	"testing"
)

// TestFirstNumbers: the first numbers of streams never change, as results depend on them. The values come from a separate
// implementation (Python) of FNV-1a, the SplitMix64 finaliser and PCG-DXSM.
func TestFirstNumbers(t *testing.T) {
	for _, c := range []struct {
		key  Key
		name string
		want [3]uint64
	}{
		{Key{}, "", [3]uint64{0xffd485febd288227, 0x94362d3d499b1cd0, 0x28c58953497ce90b}},
		{Key{1, 2, "mix52"}, "policy/mptcp-rnd", [3]uint64{0x771b851e89eba821, 0xe36fdc094c09361d, 0x70e9cdea4c086321}},
		{Key{math.MaxUint64, 7, "a/b.har#1"}, "loss/wifi", [3]uint64{0xe6beb29694ae4b84, 0xad163037f1ec182e, 0xda0d3975e05fb354}},
	} {
		s := c.key.Source(c.name)
		r := c.key.Stream(c.name)
		for i, want := range c.want {
			if got, stream := s.Uint64(), r.Uint64(); got != want || stream != want {
				t.Errorf("%+v %q, number %d: %#x from Source, %#x from Stream, want %#x", c.key, c.name, i, got, stream, want)
			}
		}
	}
}

// TestStreamsDiffer: keys that are close, or whose parts run together to the same text, give streams with nothing in
// common.
func TestStreamsDiffer(t *testing.T) {
	streams := map[uint64]string{}
	add := func(k Key, name string) {
		s := k.Source(name)
		what := fmt.Sprintf("%+v %q", k, name)
		for range 100 {
			v := s.Uint64()
			if other, ok := streams[v]; ok { // by chance: 2e5^2 / 2^65, below 1e-8
				t.Fatalf("%s and %s share the number %#x", what, other, v)
			}
			streams[v] = what
		}
	}
	for seed := range uint64(10) {
		for rep := range uint64(10) {
			for _, item := range []string{"", "a", "ab", "b"} {
				for _, name := range []string{"", "b", "x", "bx", "abx"} {
					add(Key{seed, rep, item}, name)
				}
			}
		}
	}
}

// TestStreamsAreIndependent: across neighbouring seeds, repetitions and names, first numbers are spread evenly and do not go
// with each other. The bounds are five standard deviations.
func TestStreamsAreIndependent(t *testing.T) {
	const n = 10_000
	first := map[string]func(i uint64) float64{
		"seeds":       func(i uint64) float64 { return Key{Seed: i}.Stream("x").Float64() },
		"repetitions": func(i uint64) float64 { return Key{Repetition: i}.Stream("x").Float64() },
		"items":       func(i uint64) float64 { return Key{Item: fmt.Sprint("page", i)}.Stream("x").Float64() },
		"names":       func(i uint64) float64 { return Key{}.Stream(fmt.Sprint("loss/", i)).Float64() },
	}
	for what, draw := range first {
		sum, product := 0.0, 0.0
		last := draw(n)
		for i := range uint64(n) {
			v := draw(i)
			sum += v
			product += (v - 0.5) * (last - 0.5)
			last = v
		}
		// A uniform value has variance 1/12; the product of two independent ones around their mean has 1/144.
		if mean, bound := sum/n, 5*math.Sqrt(1.0/12/n); math.Abs(mean-0.5) > bound {
			t.Errorf("%s: mean %v, want 0.5 within %v", what, mean, bound)
		}
		if cov, bound := product/n, 5*math.Sqrt(1.0/144/n); math.Abs(cov) > bound {
			t.Errorf("%s: covariance of neighbours %v, want 0 within %v", what, cov, bound)
		}
	}
}
