package fast

import (
	"testing"

	"braid/sim"
)

// TestNoAllocations: a warm engine allocates nothing in a load. The seed of a policy that draws is one allocation.
func TestNoAllocations(t *testing.T) {
	p := page50(t)
	for _, profile := range sim.Profiles {
		for policy, most := range map[string]float64{"if1": 0, "round-robin": 0, "eaf": 0, "mptcp-if1": 0, "eaf-mptcp": 0, "mptcp-rnd": 1} {
			s := &sim.Spec{Page: p, Policy: policy, Params: profile.New(), Interfaces: networks()}
			e := New()
			got := testing.AllocsPerRun(3, func() {
				if _, err := e.Run(s); err != nil {
					t.Fatal(err)
				}
			})
			if got > most {
				t.Errorf("%s, %s: %v allocations in a load, want %v", profile.Name, policy, got, most)
			}
		}
	}
}
