package scenarios

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"
)

const two = `
name: two networks
pages: [mix28, n2x1k, n8x10k]
policies: [if1, eaf]
profile: [linux, dtsimulator]
interfaces:
  - {name: wifi, bandwidth: [6Mbit/s, 20Mbit/s], rtt: [20ms, 50ms]}
  - {name: lte, bandwidth: 5Mbit/s, rtt: [50ms, 100ms]}
parameters: {max_per_host: [2, 6]}
repetitions: 2
`

func mustParse(t testing.TB, text string) *Scenario {
	t.Helper()
	s, err := Parse([]byte(text), "test.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func mustGrid(t testing.TB, s *Scenario) *Grid {
	t.Helper()
	g, err := s.Grid()
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// rows lists a grid, each run as the text of its factors.
func rows(t testing.TB, g *Grid) []string {
	t.Helper()
	var all []string
	var r Run
	for i := range g.Len() {
		if err := g.Run(i, &r); err != nil {
			t.Fatal(err)
		}
		all = append(all, row(g, &r))
	}
	return all
}

func row(g *Grid, r *Run) string {
	var b strings.Builder
	for c, col := range g.Columns() {
		v := r.Factors[c]
		fmt.Fprintf(&b, "%s=%v ", col.Name, [...]any{v.Text, v.Float, v.Integer, v.Bool}[col.Type])
	}
	return strings.TrimSpace(b.String())
}

func TestGridIsTheProductOfItsFactors(t *testing.T) {
	g := mustGrid(t, mustParse(t, two))
	// 3 pages x 2 bandwidths x 2 RTTs x 2 RTTs x 2 values of max_per_host x 2 repetitions = 96 cases; 2 profiles, 2 policies.
	if g.Cases() != 96 || g.Len() != 384 || g.Policies() != 2 {
		t.Fatalf("%d cases, %d runs, %d policies", g.Cases(), g.Len(), g.Policies())
	}
	all := rows(t, g)
	seen := map[string]bool{}
	for _, r := range all {
		seen[r] = true
	}
	if len(seen) != 384 {
		t.Errorf("%d distinct rows of 384", len(seen))
	}
	want := "page=mix28 wifi_bandwidth_bit_s=6e+06 wifi_rtt_s=0.02 lte_bandwidth_bit_s=5e+06 lte_rtt_s=0.05 max_per_host=2 seed=1 repetition=0 profile=linux policy=if1"
	if all[0] != want {
		t.Errorf("first row\n%s, want\n%s", all[0], want)
	}
	want = "page=n8x10k wifi_bandwidth_bit_s=2e+07 wifi_rtt_s=0.05 lte_bandwidth_bit_s=5e+06 lte_rtt_s=0.1 max_per_host=6 seed=1 repetition=1 profile=dtsimulator policy=eaf"
	if all[383] != want {
		t.Errorf("last row\n%s, want\n%s", all[383], want)
	}
}

func TestPoliciesOfOneCaseAreConsecutive(t *testing.T) {
	g := mustGrid(t, mustParse(t, two))
	all := rows(t, g)
	for i := 0; i < len(all); i += g.Policies() {
		a, b := strings.TrimSuffix(all[i], " policy=if1"), strings.TrimSuffix(all[i+1], " policy=eaf")
		if a != b {
			t.Fatalf("runs %d and %d differ in more than the policy:\n%s\n%s", i, i+1, all[i], all[i+1])
		}
	}
}

func TestRunFillsTheSpec(t *testing.T) {
	g := mustGrid(t, mustParse(t, two))
	var r Run
	for i := range g.Len() {
		if err := g.Run(i, &r); err != nil {
			t.Fatal(err)
		}
		s := &r.Spec
		got := fmt.Sprintf("page=%s wifi_bandwidth_bit_s=%v wifi_rtt_s=%v lte_bandwidth_bit_s=%v lte_rtt_s=%v max_per_host=%d seed=%d repetition=%d profile=%s policy=%s",
			s.Page.Name, s.Interfaces[0].Rate.BitPerSecond(), s.Interfaces[0].RTT.Seconds(), s.Interfaces[1].Rate.BitPerSecond(), s.Interfaces[1].RTT.Seconds(),
			s.Params.MaxPerHost, s.Key.Seed, s.Key.Repetition, s.Params.Profile, s.Policy)
		if want := row(g, &r); got != want {
			t.Fatalf("run %d: spec\n%s, factors\n%s", i, got, want)
		}
		if s.Key.Item != s.Page.Name || r.Index != i || s.Interfaces[0].Name != "wifi" {
			t.Fatalf("run %d: key item %q, index %d, interface %q", i, s.Key.Item, r.Index, s.Interfaces[0].Name)
		}
		if want := map[string]time.Duration{"linux": 1, "dtsimulator": 2}[s.Params.Profile]; time.Duration(s.Params.HandshakeRTTs) != want {
			t.Fatalf("run %d: profile %s with a handshake of %d RTTs", i, s.Params.Profile, s.Params.HandshakeRTTs)
		}
	}
}

func TestRunsDoNotDependOnWhatRanBefore(t *testing.T) {
	g := mustGrid(t, mustParse(t, two))
	all := rows(t, g)
	var r Run
	for k := range g.Len() {
		i := (k*151 + 7) % g.Len() // 151 and 384 have no common factor: every run once, out of order
		if err := g.Run(i, &r); err != nil {
			t.Fatal(err)
		}
		if row(g, &r) != all[i] {
			t.Fatalf("run %d differs out of order", i)
		}
	}
}

// Workers ask one grid for runs at the same time, generated pages included.
func TestGridIsSafeForConcurrentUse(t *testing.T) {
	s := mustParse(t, strings.Replace(two, "pages: [mix28, n2x1k, n8x10k]", "workload: {like: alexa-2015, pages: 150}", 1))
	g := mustGrid(t, s)
	want := rows(t, g)
	var wait sync.WaitGroup
	for w := range 8 {
		wait.Go(func() {
			var r Run
			for k := range g.Len() / 4 {
				i := (k*7919 + int64(w)) % g.Len()
				if err := g.Run(i, &r); err != nil || row(g, &r) != want[i] || r.Spec.Page.Name != r.Factors[0].Text {
					t.Errorf("run %d: %v", i, err)
					return
				}
			}
		})
	}
	wait.Wait()
}

// A run is computed without allocating once its slices are there.
func TestRunAllocatesNothing(t *testing.T) {
	g := mustGrid(t, mustParse(t, strings.Replace(two, "parameters: {max_per_host: [2, 6]}\n", "", 1)))
	var r Run
	i := int64(0)
	allocs := testing.AllocsPerRun(1000, func() {
		if err := g.Run(i%g.Len(), &r); err != nil {
			t.Fatal(err)
		}
		i += 7
	})
	if allocs > 0 {
		t.Errorf("%v allocations a run", allocs)
	}
}

func BenchmarkRun(b *testing.B) {
	s, err := Load("socket-intents/table4")
	if err != nil {
		b.Fatal(err)
	}
	g := mustGrid(b, s)
	var r Run
	for i := int64(0); b.Loop(); i++ {
		if err := g.Run(i%g.Len(), &r); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkSample(b *testing.B) {
	s, err := Load("socket-intents/table4")
	if err != nil {
		b.Fatal(err)
	}
	g := mustGrid(b, s)
	for b.Loop() {
		if _, err := g.Sample(Sample{Cases: 1000}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(g.Cases()), "ns/case")
}
