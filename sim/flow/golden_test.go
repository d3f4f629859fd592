package flow_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"braid/sim"
	"braid/sim/flow"
	"braid/sim/page"
	"braid/sim/rng"
)

var update = flag.Bool("update", false, "rewrite the golden results")

const goldenFile = "testdata/golden/runs.tsv"

// goldenHeader opens the golden file: the model version its results belong to.
const goldenHeader = "# sim.ModelVersion %d; profile, variant, network, page, policy, load time in ns, digest of all ends in ns\n"

// TestGolden holds a fixed set of runs against their stored results, to the nanosecond: whoever changes a result must
// raise sim.ModelVersion, so that results of different models are never mixed. CI runs this test under GOAMD64=v1 and v3: where
// these differ, the compiler has fused a product into a sum (write float64(x*y) + z).
func TestGolden(t *testing.T) {
	runs := goldenRuns(t)
	t.Logf("digest %x", sha256.Sum256([]byte(runs)))
	text := fmt.Sprintf(goldenHeader, sim.ModelVersion) + runs
	if *update {
		if err := os.MkdirAll(filepath.Dir(goldenFile), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(goldenFile, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	stored, err := os.ReadFile(goldenFile)
	if err != nil {
		t.Fatal(err)
	}
	header, want, _ := strings.Cut(string(stored), "\n")
	var version int
	if _, err := fmt.Sscanf(header, "# sim.ModelVersion %d;", &version); err != nil {
		t.Fatalf("%s: %v", goldenFile, err)
	}
	const rewrite = "go test ./sim/flow -run Golden -update"
	switch changed := changedLines(want, runs); {
	case want != runs && version == sim.ModelVersion:
		t.Errorf("results changed, but sim.ModelVersion is still %d. If the change is meant, raise it in sim/sim.go and run\n\t%s\n%s", version, rewrite, changed)
	case want != runs:
		t.Errorf("results changed with sim.ModelVersion (%d to %d): look at them, then run\n\t%s\n%s", version, sim.ModelVersion, rewrite, changed)
	case version != sim.ModelVersion:
		t.Errorf("sim.ModelVersion went from %d to %d, the results are the same: %s is out of date, run\n\t%s", version, sim.ModelVersion, goldenFile, rewrite)
	}
}

// goldenRuns is one line for each run.
func goldenRuns(t *testing.T) string {
	pages := append(handcraftedPages(t), page50(t))
	three := network{"three", []sim.Interface{iface("one", 750_000, 30_000_000), iface("two", 250_000, 10_000_000), iface("three", 2_500_000, 100_000_000)}}
	var b bytes.Buffer
	e := flow.New()
	run := func(profile, variant string, change func(*sim.Params), n network, p *page.Page, policy string) {
		params, err := sim.NewParams(profile)
		if err != nil {
			t.Fatal(err)
		}
		change(&params)
		s := &sim.Spec{Page: p, Policy: policy, Params: params, Interfaces: n.ifaces, Key: rng.Key{Seed: 1, Item: p.Name}}
		res, err := e.Run(s)
		if err != nil {
			t.Fatalf("%v\n%s", err, describe(s))
		}
		h := sha256.New()
		for _, end := range res.End {
			fmt.Fprintln(h, end.Nanoseconds())
		}
		fmt.Fprintf(&b, "%s\t%s\t%s\t%s\t%s\t%d\t%s\n", profile, variant, n.name, p.Name, policy, res.LoadTime.Nanoseconds(), hex.EncodeToString(h.Sum(nil)[:6]))
	}
	for _, profile := range sim.ProfileNames() {
		for _, policy := range allPolicies {
			for _, p := range pages {
				for _, n := range append(networks, three) {
					run(profile, "-", func(*sim.Params) {}, n, p, policy)
				}
			}
			for variant, change := range goldenVariants {
				run(profile, goldenVariantNames[variant], change, three, pages[len(pages)-1], policy)
			}
		}
	}
	return b.String()
}

// Variants of the parameters, on one page and network.
var (
	goldenVariantNames = []string{"estimated", "once", "few"}
	goldenVariants     = []func(*sim.Params){
		func(p *sim.Params) { p.Knowledge = sim.Estimated },
		func(p *sim.Params) { p.Persistent = false },
		func(p *sim.Params) { p.MaxPerHost, p.MaxConnections = 2, 4 },
	}
)

// changedLines lists the runs that differ, the first few of them.
func changedLines(want, got string) string {
	w, g := strings.Split(want, "\n"), strings.Split(got, "\n")
	if len(w) != len(g) {
		return fmt.Sprintf("%d runs, %d are stored", len(g), len(w))
	}
	var b strings.Builder
	n := 0
	for i := range w {
		if w[i] == g[i] {
			continue
		}
		if n++; n <= 10 {
			fmt.Fprintf(&b, "\twas %s\n\tis  %s\n", w[i], g[i])
		}
	}
	fmt.Fprintf(&b, "%d of %d runs changed", n, len(w)-1)
	return b.String()
}
