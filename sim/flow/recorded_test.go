package flow

import (
	"path/filepath"
	"testing"
	"time"

	"braid/har"
	"braid/sim"
	"braid/sim/units"
)

// TestRecordedPages loads each recorded page over two networks in both profiles, with all that a trace asserts. All
// pages of a file are merged, which gives the largest loads there are (924 entries).
func TestRecordedPages(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(shared(t), "data/har/pages/*.har"))
	if err != nil {
		t.Fatal(err)
	}
	if len(files) != 127 {
		t.Errorf("%d recorded pages, want 127", len(files))
	}
	ifaces := []sim.Interface{
		{Name: "wifi", Rate: 6 * units.MbitPerSecond, RTT: 20 * time.Millisecond},
		{Name: "lte", Rate: 20 * units.MbitPerSecond, RTT: 60 * time.Millisecond},
	}
	e := New()
	for _, file := range files {
		for _, selector := range []string{"", "#*"} {
			p, _, err := har.Open(file+selector, har.Options{})
			if err != nil {
				t.Errorf("%s: %v", filepath.Base(file), err)
				continue
			}
			for _, params := range []sim.Params{sim.Linux(), sim.DTSimulator()} {
				for _, policy := range []string{"eaf", "mptcp-rnd", "eaf-mptcp"} {
					if selector != "" && policy != "eaf" {
						continue
					}
					s := &sim.Spec{Page: p, Policy: policy, Params: params, Interfaces: ifaces}
					trace := sim.NewTrace(s)
					res, err := e.Run(s)
					if err == nil {
						err = trace.Check()
					}
					if err != nil {
						t.Errorf("%s, %s, %s: %v", p.Name, params.Profile, policy, err)
					} else if res.LoadTime <= 0 || res.LoadTime > time.Hour {
						t.Errorf("%s, %s, %s: load time %v", p.Name, params.Profile, policy, res.LoadTime)
					}
				}
			}
		}
	}
}
