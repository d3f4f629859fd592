package fast

import (
	"testing"

	"braid/sim"
)

// TestNoAllocations: a warm engine allocates nothing in a load.
func TestNoAllocations(t *testing.T) {
	p := page50(t)
	for _, profile := range sim.Profiles {
		for _, policy := range []string{"if1", "round-robin", "eaf", "mptcp-if1", "mptcp-rnd", "eaf-mptcp"} {
			s := &sim.Spec{Page: p, Policy: policy, Params: profile.New(), Interfaces: networks()}
			e := New()
			got := testing.AllocsPerRun(3, func() {
				if _, err := e.Run(s); err != nil {
					t.Fatal(err)
				}
			})
			if got != 0 {
				t.Errorf("%s, %s: %v allocations in a load", profile.Name, policy, got)
			}
		}
	}
}
