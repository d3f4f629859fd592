package scenarios

import (
	"fmt"
	"hash/fnv"
	"slices"
	"strings"
	"testing"
	"time"

	"braid/sim/units"
)

// levelsOf makes a dimension of n values for --set.
func levelsOf(n int, unit string) string {
	texts := make([]string, n)
	for i := range texts {
		texts[i] = fmt.Sprint(i+1) + unit
	}
	return strings.Join(texts, ",")
}

// hashed is the rule of samples, written down once more: the hash of a case is the sum of the hashes of its levels,
// scrambled; the hash of a level is FNV-1a of "factor=level", scrambled. cells are "factor=level", as --where takes them.
func hashed(cells []string) uint64 {
	var sum uint64
	for _, cell := range cells {
		h := fnv.New64a()
		if _, err := h.Write([]byte(cell)); err != nil {
			panic(err)
		}
		sum += scramble(h.Sum64())
	}
	return scramble(sum)
}

// cellsOf are the cells of a case: factor=level for every factor but profile and policy.
func cellsOf(g *Grid, number int64) []string {
	var cells []string
	for i := range g.factors {
		if f := &g.factors[i]; f.name != "profile" && f.name != "policy" {
			cells = append(cells, f.name+"="+f.levels[g.levelOf(number, i)].text)
		}
	}
	return cells
}

// A sample holds the cases with the lowest hashes, whatever the sizes of the dimensions, zips and conditions.
func TestSampleTakesTheLowestHashes(t *testing.T) {
	base := mustParse(t, two)
	for _, set := range [][]string{
		nil,
		{"pages=mix28", "interfaces.wifi.rtt=" + levelsOf(70, "ms"), "interfaces.lte.rtt=" + levelsOf(90, "ms")}, // more than a table holds
		{"pages=mix28", "repetitions=1500", "interfaces.wifi.rtt=" + levelsOf(9, "ms")},                          // a dimension above it
		{"zip=[[wifi.rtt, lte.rtt]]", "repetitions=50"},
		{"repetitions=1", "pages=mix28", "interfaces.wifi.rtt=10ms", "interfaces.wifi.bandwidth=1Mbit/s", "interfaces.lte.rtt=20ms,30ms", "parameters={}"},
	} {
		g := mustGrid(t, base)
		if set != nil {
			s, err := base.Set(set...)
			if err != nil {
				t.Fatal(err)
			}
			g = mustGrid(t, s)
		}
		narrow, err := g.Where("lte.rtt=" + g.Levels("lte.rtt")[1])
		if err != nil {
			t.Fatal(err)
		}
		for _, g := range []*Grid{g, narrow} {
			all := make([]hashedCase, g.Cases())
			for c := range all {
				all[c] = hashedCase{hashed(cellsOf(g, int64(c))), int64(c)}
			}
			slices.SortFunc(all, hashedCase.compare)
			for _, n := range []int64{1, 2, 3, 17, 95, 1000, g.Cases() - 1} {
				if n < 1 || n >= g.Cases() {
					continue
				}
				h, err := g.Sample(Sample{Cases: n})
				if err != nil {
					t.Fatal(err)
				}
				want := numbers(all[:n])
				slices.Sort(want)
				if !slices.Equal(h.picked, want) {
					t.Errorf("%v: %d of %d cases: picked %v, want %v", set, n, g.Cases(), h.picked, want)
				}
				again, err := h.Sample(Sample{Cases: (n + 1) / 2})
				if err != nil {
					t.Fatal(err)
				}
				half := numbers(all[:(n+1)/2])
				slices.Sort(half)
				if n > 1 && !slices.Equal(again.picked, half) {
					t.Errorf("%v: %d of %d of %d cases: picked %v, want %v", set, (n+1)/2, n, g.Cases(), again.picked, half)
				}
			}
			h, err := g.Sample(Sample{Share: 0.25})
			if g.Cases() < 10 {
				continue // may keep none
			}
			if err != nil {
				t.Fatal(err)
			}
			want := slices.DeleteFunc(slices.Clone(all), func(c hashedCase) bool { return c.hash > 1<<62 })
			list := numbers(want)
			slices.Sort(list)
			if !slices.Equal(h.picked, list) {
				t.Errorf("%v: 25%% of %d cases: %d picked, want %d", set, g.Cases(), len(h.picked), len(list))
			}
		}
	}
}

// A sample that would choose among more cases than can be looked at, or keep more than can be remembered, is refused with
// the size of the grid and the ways on; one that has nothing to choose is not.
func TestSampleOfAHugeGrid(t *testing.T) {
	huge := []string{"repetitions=1000000", "interfaces.wifi.rtt=" + levelsOf(1000, "ms"), "interfaces.lte.rtt=" + levelsOf(1000, "us")}
	s, err := mustParse(t, two).Set(huge...)
	if err != nil {
		t.Fatal(err)
	}
	g := mustGrid(t, s) // 3 pages, 2 bandwidths, 1000 and 1000 RTTs, 2 values of max_per_host, 1000000 repetitions: 1.2e13 cases
	for _, c := range []struct {
		sample Sample
		want   []string
	}{
		{Sample{Cases: 1000}, []string{"sample 1000: the grid has 12000000000000 cases", "cases, and looking at each takes about ", "(expected at most 100000000000 cases; give factors fewer levels, or keep part of the grid with --where before --sample)"}},
		{Sample{Share: 1e-9}, []string{"the grid has 12000000000000 cases"}},
		{Sample{Share: 0.5}, []string{"sample 50% keeps 6e+12 of 12000000000000 cases (expected at most 100000000; take a smaller share"}},
	} {
		h, err := g.Sample(c.sample)
		if err == nil {
			t.Errorf("%v: %d cases", c.sample, h.Cases())
			continue
		}
		for _, want := range c.want {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%v: %v, want %q", c.sample, err, want)
			}
		}
	}
	if h, err := g.Sample(Sample{Share: units.Share(1)}); err != nil || h.Cases() != g.Cases() {
		t.Errorf("all of them: %v", err)
	}
	part, err := g.Where("wifi.rtt=5ms", "lte.rtt=6us", "max_per_host=2", "page=mix28")
	if err != nil {
		t.Fatal(err)
	}
	if h, err := part.Sample(Sample{Cases: 10}); err != nil || h.Cases() != 10 {
		t.Errorf("a part of it: %v", err)
	}
	// In the scenario, the place is that of sample.
	if s, err = s.Set("sample=7"); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Grid(); err == nil || !strings.Contains(err.Error(), "sample 7: the grid has 12000000000000 cases") {
		t.Errorf("sample in the scenario: %v", err)
	}
}

// A share that keeps no case is an error in the scenario as it is on the command line.
func TestSampleInScenarioThatKeepsNone(t *testing.T) {
	_, err := mustParse(t, two+"sample: 0.0001%\n").Grid()
	if err == nil || !strings.Contains(err.Error(), "test.yaml:11:9: sample 0.0001% keeps none of 96 cases") {
		t.Errorf("%v", err)
	}
}

func TestHours(t *testing.T) {
	for minutes, want := range map[int]string{1: "1 min", 119: "119 min", 120: "2 h", 60 * 24: "24 h"} {
		if got := hours(time.Duration(minutes) * time.Minute); got != want {
			t.Errorf("%d minutes: %s, want %s", minutes, got, want)
		}
	}
}
