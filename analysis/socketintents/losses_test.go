package socketintents

import (
	"cmp"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"braid/scenarios"
	"braid/sim/flow"
)

// grid returns the first cases of the sample of Table IV, or of the scenario in BRAID_SCENARIO, under the profile
// dtsimulator. BRAID_CASES says how many there are to be.
func grid(t *testing.T, cases int64) *scenarios.Grid {
	t.Helper()
	scenario, err := scenarios.Load(cmp.Or(os.Getenv("BRAID_SCENARIO"), "socket-intents/table4-small"))
	if err != nil {
		t.Fatal(err)
	}
	if text := os.Getenv("BRAID_CASES"); text != "" {
		if cases, err = strconv.ParseInt(text, 10, 64); err != nil {
			t.Fatal(err)
		}
	}
	g, err := scenario.Grid()
	if err == nil {
		g, err = g.Where("profile=dtsimulator")
	}
	if err == nil {
		g, err = g.Sample(scenarios.Sample{Cases: cases})
	}
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// documented prints a measured line. The package documentation must have it, unless other cases than its own were asked for.
func documented(t *testing.T, format string, args ...any) {
	t.Helper()
	line := fmt.Sprintf(format, args...)
	t.Log(line)
	if os.Getenv("BRAID_SCENARIO") != "" || os.Getenv("BRAID_CASES") != "" {
		return
	}
	doc, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(doc), "//\t"+line+"\n") {
		t.Errorf("the package documentation does not say: %s", line)
	}
}

// share is in %.
func share(n, of int) float64 { return 100 * float64(n) / float64(of) }

// tally counts the losses of a statement.
type tally struct {
	losses, gone int
	causes       [NumCauses]int
	meeting      []int // by the sets of conditions asked for
	fresh        int   // InSlowStart, on a new connection in both runs
	reused       int   // OtherInterface, on a connection that an earlier object had opened
	tempting     int   // interface 2 has neither the longer RTT nor the higher bandwidth
}

// count goes through the first cases and counts their losses, and those in which an object meets each of the sets.
func count(t *testing.T, s Statement, cases int64, sets []Conditions, other func(c Case)) (tally, int64) {
	t.Helper()
	n := tally{meeting: make([]int, len(sets))}
	total, err := s.Losses(grid(t, cases), func(c Case) error {
		n.losses++
		n.causes[c.Loss.Late.Cause]++
		if c.Loss.Gone {
			n.gone++
		}
		switch late := c.Loss.Late; {
		case late.Cause == OtherInterface && late.Reused:
			n.reused++
		case late.Cause == InSlowStart && late.New:
			n.fresh++
		}
		for i, set := range sets {
			if c.Loss.Meets(set) {
				n.meeting[i]++
			}
		}
		if f := c.Run.Spec.Interfaces; f[1].RTT <= f[0].RTT && f[1].Rate <= f[0].Rate {
			n.tempting++
		}
		other(c)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return n, total
}

// explain prints one loss.
func explain(t *testing.T, c Case, s Statement) {
	f, l := c.Run.Spec.Interfaces, c.Loss
	t.Logf("  %s over %v %v, %v %v: %s %v, %s %v: object %d is %v later and %v", c.Run.Spec.Page.Name, f[0].Rate, f[0].RTT,
		f[1].Rate, f[1].RTT, s.Policy, l.Load, s.Over, l.Than, l.Late.Object, l.Late.Lost, l.Late.Cause)
}

// TestStatementEAF holds what the package documentation says about EAF.
func TestStatementEAF(t *testing.T) {
	// Huge, Worse and AtLimit are looked at on the critical path only.
	sets := []Conditions{EAF.Conditions, Huge, Worse, AtLimit, Huge | Worse, Worse | AtLimit, Huge | AtLimit}
	n, cases := count(t, EAF, 4000, sets, func(c Case) { explain(t, c, EAF) })
	documented(t, "eaf is slower than if1 in %d of %d cases", n.losses, cases)
	documented(t, "an object that is huge, on the worse interface, at a limit: in %d of them", n.meeting[0])
	documented(t, "huge in %d, worse in %d, at a limit in %d; huge and worse %d, worse and at a limit %d, huge and at a limit %d",
		n.meeting[1], n.meeting[2], n.meeting[3], n.meeting[4], n.meeting[5], n.meeting[6])
	documented(t, "not slower without limits: %d", n.gone)
	documented(t, "interface 2 has neither the longer RTT nor the higher bandwidth: in %d", n.tempting)
	for c, k := range n.causes {
		documented(t, "the object %v: in %d", Cause(c), k)
	}
	documented(t, "over other interfaces on a connection that an earlier object opened: in %d", n.reused)
	documented(t, "in slow start for longer on a connection that is new in both runs: in %d", n.fresh)
}

// TestStatementEAFMPTCP holds what the package documentation says about EAF with MPTCP.
func TestStatementEAFMPTCP(t *testing.T) {
	sets := []Conditions{EAFMPTCP.Conditions, Later | Second, Critical | Later | Second, Critical | EAFMPTCP.Conditions}
	unexplained := 0
	n, cases := count(t, EAFMPTCP, 500, sets, func(c Case) {
		if !c.Loss.Meets(EAFMPTCP.Conditions) {
			explain(t, c, EAFMPTCP)
			if !c.Loss.Gone {
				unexplained++
			}
		}
	})
	documented(t, "eaf-mptcp is slower than mptcp-if1 in %d of %d cases", n.losses, cases)
	documented(t, "a later transfer on one path that used the second subflow under mptcp-if1: in %d of them (%.1f %%)",
		n.meeting[0], share(n.meeting[0], n.losses))
	documented(t, "the same, whatever its path under eaf-mptcp: in %d (%.1f %%)", n.meeting[1], share(n.meeting[1], n.losses))
	documented(t, "on the critical path of eaf-mptcp: in %d; and on one path: in %d (%.1f %%)",
		n.meeting[2], n.meeting[3], share(n.meeting[3], n.losses))
	documented(t, "not slower where no connection carries a second transfer: %d (%.1f %%)", n.gone, share(n.gone, n.losses))
	documented(t, "neither such a transfer nor gone without reuse: %d", unexplained)
	for c, k := range n.causes {
		documented(t, "the object %v: in %d", Cause(c), k)
	}
	documented(t, "where eaf-mptcp is not slower, such a later transfer on one path is in %.1f %% of the cases",
		withoutLoss(t, EAFMPTCP, 500))
}

// withoutLoss returns in how many per cent of the cases without a loss an object meets the statement's conditions all the
// same: what they say of a loss is worth the difference.
func withoutLoss(t *testing.T, s Statement, cases int64) float64 {
	t.Helper()
	g, e := grid(t, cases), flow.New()
	var r scenarios.Run
	n, meeting := 0, 0
	for i := int64(0); i < g.Len(); i += int64(g.Policies()) {
		if err := g.Run(i, &r); err != nil {
			t.Fatal(err)
		}
		p, err := newPair(e, &r.Spec, s.Policy, s.Over)
		if err != nil {
			t.Fatal(err)
		}
		if p.load > p.than {
			continue
		}
		objects, err := p.conditions(e)
		if err != nil {
			t.Fatal(err)
		}
		if n++; meetsAll(objects, s.Conditions) {
			meeting++
		}
	}
	return share(meeting, n)
}
