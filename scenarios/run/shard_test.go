package run

import (
	"fmt"
	"strings"
	"testing"

	"braid/scenarios"
	"braid/scenarios/result"
	"braid/sim/fast"
)

func gridOf(t *testing.T, text string) *scenarios.Grid {
	t.Helper()
	s, err := scenarios.Parse([]byte("name: grid\n"+text), "grid.yaml")
	if err != nil {
		t.Fatal(err)
	}
	g, err := s.Grid()
	if err != nil {
		t.Fatal(err)
	}
	return g
}

const unequalPages = `
pages: [n1x1k, n2x1k, n4x10k, n16x10k, mix28, n32x1k, mix52, n64x10k]
policies: [if1, eaf, mptcp-if1]
interfaces: [{name: wifi, bandwidth: [1Mbit/s, 2Mbit/s, 6Mbit/s, 20Mbit/s], rtt: [20ms, 50ms]}, {name: lte, bandwidth: [5Mbit/s, 9Mbit/s], rtt: [50ms, 70ms]}]
`

// For any number of shards, each run is in one, and no case is divided.
func TestShardsTileTheGrid(t *testing.T) {
	for name, g := range map[string]Divisible{
		"whole":   gridOf(t, unequalPages),
		"sampled": gridOf(t, unequalPages+"sample: 37\n"),
		"zipped": gridOf(t, `
pages: [n1x1k, n8x10k, n4x10k]
policies: [if1]
interfaces: [{name: wifi, bandwidth: [1Mbit/s, 2Mbit/s, 9Mbit/s], rtt: [20ms, 30ms]}]
zip: [[page, wifi.bandwidth]]
`),
	} {
		for _, n := range []int{1, 2, 3, 7, 64, 1000} {
			next := int64(0)
			for i := 1; i <= n; i++ {
				s, err := result.NewShard(i, n)
				if err != nil {
					t.Fatal(err)
				}
				p := PartOf(g, s)
				if p.First != next || p.Runs < 0 || p.Runs%g.CaseRuns() != 0 {
					t.Fatalf("%s: shard %v is %+v, expected it to begin with run %d", name, s, p, next)
				}
				next += p.Runs
			}
			if next != g.Len() {
				t.Errorf("%s: %d shards have %d of %d runs", name, n, next, g.Len())
			}
		}
	}
}

// largeGrid is a grid of which only the size counts: cases of 2^40 of one page.
type largeGrid struct{ Divisible }

func (largeGrid) Blocks() []scenarios.Block { return []scenarios.Block{{First: 0, Cases: 1<<40 + 37}} }
func (largeGrid) Len() int64                { return (1<<40 + 37) * 3 }

// Rounding leaves no case of a large grid without a shard.
func TestTheLastShardEndsWithTheGrid(t *testing.T) {
	g := largeGrid{gridOf(t, unequalPages)}
	for n := 2; n < 400; n++ {
		if p := PartOf(g, result.Shard{Index: n, Count: n}); p.First+p.Runs != g.Len() {
			t.Errorf("shard %d of %d ends with %d of %d", n, n, p.First+p.Runs, g.Len())
		}
	}
}

// Shards are equal in work, not in number: in what the engine compares and handles, no shard of these grids has more than
// twice the mean, and the smallest shard in runs has less than half the runs of the largest. The second grid has pages of
// few but large objects.
func TestShardsAreBalancedByCost(t *testing.T) {
	for _, text := range []string{unequalPages, strings.Replace(unequalPages, "n1x1k,", "n4x1024k, n8x1024k, n1x1k, n2x10k, n2x2k,", 1)} {
		balanced(t, gridOf(t, text))
	}
}

func balanced(t *testing.T, g *scenarios.Grid) {
	t.Helper()
	const n = 4
	engine := fast.New()
	var work [n]float64
	var runs [n]int64
	total := 0.0
	for i := range n {
		p := PartOf(g, result.Shard{Index: i + 1, Count: n})
		runs[i] = p.Runs
		var r scenarios.Run
		for k := p.First; k < p.First+p.Runs; k++ {
			if err := g.Run(k, &r); err != nil {
				t.Fatal(err)
			}
			out, err := engine.Run(&r.Spec)
			if err != nil {
				t.Fatal(err)
			}
			// A prediction handles what is under way: about as many events as there are connections.
			work[i] += float64(out.Events) + float64(out.Predictions)*float64(out.Connections)
		}
		total += work[i]
	}
	text := fmt.Sprintf("runs %v, work %.0f", runs, work)
	for i := range n {
		if work[i] > 2*total/n {
			t.Errorf("shard %d has more than twice the mean: %s", i+1, text)
		}
	}
	if least, most := min(runs[0], runs[1], runs[2], runs[3]), max(runs[0], runs[1], runs[2], runs[3]); 2*least > most {
		t.Errorf("divided by number: %s", text)
	}
	t.Log(text)
}
