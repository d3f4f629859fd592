package socketintents

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"braid/sim"
	"braid/sim/flow"
	"braid/sim/page"
	"braid/sim/units"
)

// published is a run of the published simulator: its load times in seconds, to the microsecond, by policy.
type published struct {
	page *page.Page
	Page string             `json:"page"`
	If1  network            `json:"if1"`
	If2  network            `json:"if2"`
	Load map[string]float64 `json:"plt_s"`
}

// network is one of its interfaces. Its kbit has 1024 bits: 128 bytes/s.
type network struct {
	Kbit1024 float64 `json:"kbit1024"`
	RTT      float64 `json:"rtt_ms"`
}

func (n network) iface(name string) sim.Interface {
	return sim.Interface{Name: name, Rate: units.Rate(n.Kbit1024 * 128), RTT: time.Duration(n.RTT * 1e6)}
}

func decode(t *testing.T, file string, to any) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(data, to)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func objects(t *testing.T, name string, list json.RawMessage) *page.Page {
	t.Helper()
	p, err := page.ReadJSON(bytes.NewReader(fmt.Appendf(nil, `{"objects": %s}`, list)), name, name)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// handcrafted reads the runs of the handcrafted pages, from the test data of package flow.
func handcrafted(t *testing.T) []published {
	var doc struct {
		Pages map[string]json.RawMessage `json:"pages"`
		Runs  []published                `json:"runs"`
	}
	decode(t, filepath.Join("..", "..", "sim", "flow", "testdata", "reference", "handcrafted.json"), &doc)
	for i := range doc.Runs {
		doc.Runs[i].page = objects(t, doc.Runs[i].Page, doc.Pages[doc.Runs[i].Page])
	}
	return doc.Runs
}

// recorded reads the runs of recorded pages, where they are at hand.
func recorded(t *testing.T) []published {
	var docs []struct {
		HAR  string `json:"har"`
		Page struct {
			Objects json.RawMessage `json:"objects"`
		} `json:"page"`
		Runs []published `json:"runs"`
	}
	decode(t, filepath.Join(shared(t), "data", "reference", "har.json"), &docs)
	var runs []published
	for _, d := range docs {
		p := objects(t, d.HAR, d.Page.Objects)
		for _, r := range d.Runs {
			r.page = p
			runs = append(runs, r)
		}
	}
	return runs
}

// TestReferenceShares holds the shares of the published simulator's own load times against those of the profile
// dtsimulator on the same pages and networks: what differs here is the model, not the pages.
func TestReferenceShares(t *testing.T) {
	t.Run("handcrafted", func(t *testing.T) { referenceShares(t, "handcrafted", handcrafted(t)) })
	t.Run("both", func(t *testing.T) { referenceShares(t, "both", append(recorded(t), handcrafted(t)...)) })
}

func referenceShares(t *testing.T, what string, runs []published) {
	e := flow.New()
	load := func(r published, policy string) float64 {
		s := &sim.Spec{Page: r.page, Policy: policy, Params: sim.DTSimulator(),
			Interfaces: []sim.Interface{r.If1.iface("one"), r.If2.iface("two")}}
		res, err := e.Run(s)
		if err != nil {
			t.Fatal(err)
		}
		return res.LoadTime.Seconds()
	}
	for _, policy := range []string{"if2", "rr", "eaf", "mptcp-if1", "eaf-mptcp"} {
		var theirs, ours [3]int // slower than if1, equal, faster
		alike := 0
		for _, r := range runs {
			a, b := side(r.Load["if1"], r.Load[policy]), side(load(r, "if1"), load(r, policy))
			theirs[a]++
			ours[b]++
			if a == b {
				alike++
			}
		}
		n := len(runs)
		documented(t, "%s, %s: faster in %.1f %% (published simulator) and %.1f %%, "+
			"slower in %.1f %% and %.1f %%; alike in %d of %d",
			what, policy, share(theirs[2], n), share(ours[2], n), share(theirs[0], n), share(ours[0], n), alike, n)
	}
}

// side is 2 where b is faster than a, 0 where it is slower, 1 where they are equal to the published digits.
func side(a, b float64) int {
	switch d := a/b - 1; {
	case d > 1e-5:
		return 2
	case d < -1e-5:
		return 0
	}
	return 1
}
