package har_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"braid/har"
	"braid/sim"
	"braid/sim/flow"
	"braid/sim/page"
	"braid/sim/units"
)

// somePage draws a page: few hosts, some of them odd, objects that wait for any other of a lower or higher index, and,
// in some, recorded URLs of which several objects may have the same one.
func somePage(t *rapid.T) *page.Page {
	hosts := []string{"a.example", "b.example:8443", "A.Example", "a.example:80", "with/slash", "user@c.example", "two words"}
	n := rapid.IntRange(1, 15).Draw(t, "objects")
	order := rapid.Permutation(slices.Collect(func(yield func(int) bool) {
		for i := 0; i < n && yield(i); i++ {
		}
	})).Draw(t, "order")
	some := func(most int, label string) time.Duration {
		return time.Duration(max(0, rapid.IntRange(-most, most).Draw(t, label)))
	}
	objects := make([]page.Object, n)
	for k, i := range order {
		o := page.Object{
			Host: rapid.SampledFrom(hosts).Draw(t, "host"), TLS: rapid.Bool().Draw(t, "tls"), Bytes: max(0, rapid.Int64Range(-1000, 100_000).Draw(t, "bytes")),
			After: page.None, Think: some(50_000_000, "think"), Server: some(50_000_000, "server"),
			Secure: page.TLSVersion(rapid.IntRange(int(page.TLSUnknown), int(page.TLSResumed)).Draw(t, "secure")),
		}
		if a := rapid.IntRange(-1, k-1).Draw(t, "after"); a >= 0 {
			o.After = int32(order[a])
		}
		objects[i] = o
	}
	p, err := page.New("random", objects)
	if err != nil {
		t.Fatal(err)
	}
	if rapid.Bool().Draw(t, "recorded") {
		for i := range objects {
			o := &objects[i]
			o.Host = "a.example"
			scheme := map[bool]string{false: "http", true: "https"}[o.TLS]
			p.Recorded = append(p.Recorded, page.Recorded{
				URL:    fmt.Sprintf("%s://a.example/%d", scheme, rapid.IntRange(0, 2).Draw(t, "url")),
				Method: rapid.SampledFrom([]string{"", "GET", "POST", "HEAD"}).Draw(t, "method"), Status: rapid.SampledFrom([]int{0, 200, 204, 302, 404}).Draw(t, "status"),
			})
		}
		recorded := p.Recorded
		if p, err = page.New("random", objects); err != nil {
			t.Fatal(err)
		}
		p.Recorded = recorded
	}
	return p
}

// simulate loads a page over two networks.
func simulate(t interface{ Fatal(...any) }, p *page.Page, params sim.Params, policy string) *sim.Trace {
	spec := &sim.Spec{
		Page: p, Policy: policy, Params: params,
		Interfaces: []sim.Interface{
			{Name: "wifi", Rate: 6 * units.MbitPerSecond, RTT: 20 * time.Millisecond},
			{Name: "lte", Rate: 5 * units.MbitPerSecond, RTT: 50 * time.Millisecond},
		},
	}
	trace := sim.NewTrace(spec)
	if _, err := flow.New().Run(spec); err != nil {
		t.Fatal(err)
	}
	return trace
}

func ends(t *sim.Trace) (all []time.Duration) {
	for i := range t.Objects {
		all = append(all, t.Objects[i].End)
	}
	return all
}

// A simulated load reads back as the page that was loaded, whatever dependencies are taken from, and loads again in
// the same time to the nanosecond.
func TestWrittenLoadsAgain(t *testing.T) {
	for _, params := range []sim.Params{sim.Linux(), sim.DTSimulator()} {
		t.Run(params.Profile, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				p := somePage(t)
				policy := rapid.SampledFrom([]string{"if1", "if2", "eaf", "mptcp-if1"}).Draw(t, "policy")
				trace := simulate(t, p, params, policy)
				var b bytes.Buffer
				if err := har.Write(&b, trace); err != nil {
					t.Fatal(err)
				}
				f, err := har.Read(&b, "out.har")
				if err != nil {
					t.Fatal(err)
				}
				deps := rapid.SampledFrom([]har.Deps{har.ByTime, har.ByInitiator}).Draw(t, "deps")
				again, found, err := f.Page("", har.Options{Deps: deps})
				if err != nil {
					t.Fatal(err)
				}
				if !slices.Equal(again.Objects, p.Objects) {
					t.Fatalf("read as\n%+v, want\n%+v", again.Objects, p.Objects)
				}
				for _, x := range found {
					if x.Rule != har.RuleLinks && x.Rule != har.RuleStatus {
						t.Errorf("finding %v", x)
					}
				}
				if got, want := ends(simulate(t, again, params, policy)), ends(trace); !slices.Equal(got, want) {
					t.Fatalf("objects end at %v, want %v", got, want)
				}
			})
		})
	}
}

// writtenLinks is a HAR of braid with the given _object and _after of its entries.
func writtenLinks(creator string, links ...string) string {
	var b strings.Builder
	fmt.Fprintf(&b, `{"log": {"creator": {"name": %q, "version": "1"}, "entries": [`, creator)
	for i, l := range links {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `{"startedDateTime": "2020-01-01T00:00:00.%d00Z", "time": 50, %s "request": {"url": "http://a.example/same"}, "response": {"status": 200, "bodySize": 10, "headersSize": 0, "content": {"mimeType": "x"}}}`, i, l)
	}
	b.WriteString("]}}")
	return b.String()
}

// Links count in a file of braid only, and only if they fit together; else the objects, of which each starts 50 ms
// after the one before it ended, are linked by time.
func TestLinks(t *testing.T) {
	const none = page.None
	chain := []int32{none, 0, 1}
	for name, c := range map[string]struct {
		creator string
		links   []string
		after   []int32
		rule    har.Rule // exact-links, broken-links or neither
	}{
		"as written":       {"braid", []string{`"_object": 1, "_after": 2,`, `"_object": 0, "_after": null,`, `"_object": 2, "_after": 0,`}, []int32{none, 2, 0}, har.RuleLinks},
		"one taken out":    {"braid", []string{`"_object": 0,`, `"_object": 7, "_after": 3,`, `"_object": 3, "_after": 0,`}, []int32{none, 0, 1}, har.RuleLinks},
		"somebody else's":  {"other", []string{`"_object": 0, "_after": 2,`, `"_object": 1,`, `"_object": 2,`}, chain, ""},
		"no links":         {"braid", []string{"", "", ""}, chain, ""},
		"an index twice":   {"braid", []string{`"_object": 0,`, `"_object": 0,`, `"_object": 2,`}, chain, har.RuleLinksBroken},
		"one without":      {"braid", []string{`"_object": 0,`, "", `"_object": 2,`}, chain, har.RuleLinksBroken},
		"waits for no one": {"braid", []string{`"_object": 0,`, `"_object": 1, "_after": 5,`, `"_object": 2,`}, chain, har.RuleLinksBroken},
		"a cycle":          {"braid", []string{`"_object": 0, "_after": 1,`, `"_object": 1, "_after": 0,`, `"_object": 2,`}, chain, har.RuleLinksBroken},
	} {
		t.Run(name, func(t *testing.T) {
			f, err := har.Read(strings.NewReader(writtenLinks(c.creator, c.links...)), "x.har")
			if err != nil {
				t.Fatal(err)
			}
			p, found, err := f.Page("", har.Options{})
			if err != nil {
				t.Fatal(err)
			}
			for i, want := range c.after {
				if got := p.Objects[i].After; got != want {
					t.Errorf("object %d waits for %d, want %d", i, got, want)
				}
			}
			for _, rule := range []har.Rule{har.RuleLinks, har.RuleLinksBroken} {
				if got := slices.ContainsFunc(found, func(f har.Finding) bool { return f.Rule == rule }); got != (rule == c.rule) {
					t.Errorf("finding %s: %v, want %v", rule, got, rule == c.rule)
				}
			}
		})
	}
}
