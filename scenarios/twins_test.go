package scenarios

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"braid/sim"
	"braid/sim/flow"
	"braid/sim/policy"
)

type twinScenario struct {
	text     string
	where    []string
	sample   int64
	distinct int64 // runs that may differ; 0: counted
}

// twinScenarios have factors that some policies do not read, crossed and zipped.
var twinScenarios = []twinScenario{
	// 2 pages, 3 bandwidths of wifi and 2 of lte with 2 RTTs, 2 repetitions. if1 sees 2*3 = 6, if2 2*2*2 = 8, eaf and
	// round-robin 2*3*2*2 = 24 each, mptcp-rnd also the repetitions, 48; in both profiles.
	{text: `
profile: [linux, dtsimulator]
pages: [n2x1k, n4x10k]
policies: [if1, if2, round-robin, eaf, mptcp-rnd]
interfaces: [{name: wifi, bandwidth: [1Mbit/s, 2Mbit/s, 8Mbit/s], rtt: 20ms}, {name: lte, bandwidth: [3Mbit/s, 9Mbit/s], rtt: [30ms, 70ms]}]
repetitions: 2
`, distinct: 2 * (6 + 8 + 24 + 24 + 48)},
	// One policy and one RTT of lte kept: if2 sees 2*2 = 4.
	{text: `
profile: [linux, dtsimulator]
pages: [n2x1k, n4x10k]
policies: [if1, if2]
interfaces: [{name: wifi, bandwidth: [1Mbit/s, 2Mbit/s, 8Mbit/s], rtt: 20ms}, {name: lte, bandwidth: [3Mbit/s, 9Mbit/s], rtt: [30ms, 70ms]}]
`, where: []string{"policy=if2", "lte.rtt=70ms"}, distinct: 2 * 4},
	// Networks vary together. Of the pairs (1, 3), (2, 3), (1, 9), (2, 9) if1 sees 2, if2 2, eaf 4.
	{text: `
pages: n4x10k
policies: [if1, if2, eaf]
interfaces: [{name: wifi, bandwidth: [1Mbit/s, 2Mbit/s, 1Mbit/s, 2Mbit/s], rtt: 20ms}, {name: lte, bandwidth: [3Mbit/s, 3Mbit/s, 9Mbit/s, 9Mbit/s], rtt: 50ms}]
zip: [[wifi.bandwidth, lte.bandwidth]]
`, distinct: 2 + 2 + 4},
	// Parameters are read by all.
	{text: `
pages: n4x10k
policies: [if1, eaf]
parameters: {max_per_host: [1, 2], knowledge: [exact, estimated]}
interfaces: [{name: wifi, bandwidth: 2Mbit/s, rtt: 20ms}, {name: lte, bandwidth: [3Mbit/s, 9Mbit/s], rtt: 50ms}]
`, distinct: 4 + 8},
	// A sample: counted below.
	{text: `
pages: [n2x1k, n4x10k]
policies: [if1, if2, eaf]
interfaces: [{name: wifi, bandwidth: [1Mbit/s, 2Mbit/s, 8Mbit/s], rtt: 20ms}, {name: lte, bandwidth: [3Mbit/s, 9Mbit/s], rtt: [30ms, 70ms]}]
`, sample: 11},
}

// everyPolicy is a scenario with all policies there are, so that one that declares too little is found.
func everyPolicy() string {
	return fmt.Sprintf(`
profile: [linux, dtsimulator]
pages: [n4x10k, mix28]
policies: [%s]
interfaces:
  - {name: wifi, bandwidth: [1Mbit/s, 8Mbit/s], rtt: [20ms, 90ms]}
  - {name: lte, bandwidth: [3Mbit/s, 9Mbit/s], rtt: [30ms, 70ms]}
  - {name: dsl, bandwidth: [2Mbit/s, 20Mbit/s], rtt: 10ms}
repetitions: 2
`, strings.Join(policy.Names([]string{"wifi", "lte", "dsl"}), ", "))
}

// Every run is computed: those of one class have the same result, and there are as many classes as Distinct says.
func TestTwins(t *testing.T) {
	engine := flow.New()
	list := append(slices.Clone(twinScenarios), twinScenario{text: everyPolicy()})
	for n, c := range list {
		s, err := Parse([]byte("name: twins"+c.text), "twins.yaml")
		if err != nil {
			t.Fatal(err)
		}
		g, err := s.Grid()
		if err != nil {
			t.Fatal(err)
		}
		if g, err = g.Where(c.where...); err != nil {
			t.Fatal(err)
		}
		if c.sample > 0 {
			if g, err = g.Sample(Sample{Cases: c.sample}); err != nil {
				t.Fatal(err)
			}
		}
		twins, err := g.Twins()
		if err != nil {
			t.Fatal(err)
		}
		classes := map[int64]string{}
		distinct := int64(0)
		var run Run
		for i := range g.Len() {
			if err := g.Run(i, &run); err != nil {
				t.Fatal(err)
			}
			r, err := engine.Run(&run.Spec)
			if err != nil {
				t.Fatal(err)
			}
			got := resultText(r)
			class, ok := twins.Of(i)
			if !ok {
				distinct++
				continue
			}
			if want, seen := classes[class]; !seen {
				classes[class] = got
				distinct++
			} else if got != want {
				t.Errorf("scenario %d, run %d of class %d: %s, another one %s", n, i, class, got, want)
			}
		}
		if c.distinct == 0 {
			c.distinct = distinct
		}
		if distinct != c.distinct || twins.Distinct() != c.distinct {
			t.Errorf("scenario %d: %d classes, Distinct says %d, want %d", n, distinct, twins.Distinct(), c.distinct)
		}
		shares := 0.0
		for i := range g.Len() {
			shares += twins.Share(i)
		}
		if diff := shares - float64(c.distinct); diff < -1e-9 || diff > 1e-9 {
			t.Errorf("scenario %d: shares add up to %v, want %d", n, shares, c.distinct)
		}
	}
}

func resultText(r *sim.Result) string {
	return fmt.Sprint(r.LoadTime, slices.Clone(r.End), r.IfaceBytes, r.Connections, r.Events, r.Predictions)
}

// A grid without any says so.
func TestNoTwins(t *testing.T) {
	var none *Twins
	if _, ok := none.Of(3); ok || none.Share(3) != 1 {
		t.Error("no twins were worked out, but there are some")
	}
}
