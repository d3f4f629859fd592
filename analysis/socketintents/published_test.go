package socketintents

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"gonum.org/v1/gonum/stat/distuv"

	"braid/har"
	"braid/scenarios"
	"braid/sim"
	"braid/sim/page"
)

// policies are those the paper gives numbers for; the speed-ups are over the first.
var policies = []string{"if1", "eaf", "eaf-mptcp", "mptcp-if1", "mptcp-rnd", "if2", "round-robin"}

// loads are the load times of one case, as policies.
type loads struct {
	spec sim.Spec
	at   []time.Duration
}

// variant is the grid with something changed.
type variant struct {
	name   string
	page   func(at int, p *page.Page) []page.Object // nil: as it is
	params func(*sim.Params)                        // nil: as they are
}

// run goes through the cases of the grid.
func (v variant) run(t *testing.T, g *scenarios.Grid) []loads {
	t.Helper()
	engines, err := scenarios.NewEngines("auto")
	if err != nil {
		t.Fatal(err)
	}
	e := engines.New()
	var list []loads
	var r scenarios.Run
	for i := int64(0); i < g.Len(); i += int64(g.Policies()) {
		if err := g.Run(i, &r); err != nil {
			t.Fatal(err)
		}
		l := loads{spec: r.Spec}
		l.spec.Interfaces = slices.Clone(r.Spec.Interfaces)
		if v.page != nil {
			if l.spec.Page, err = page.New(r.Spec.Page.Name, v.page(len(list), r.Spec.Page)); err != nil {
				t.Fatal(err)
			}
		}
		if v.params != nil {
			v.params(&l.spec.Params)
		}
		for _, policy := range policies {
			s := l.spec
			s.Policy = policy
			res, err := e.Run(&s)
			if err != nil {
				t.Fatal(err)
			}
			l.at = append(l.at, res.LoadTime)
		}
		list = append(list, l)
	}
	return list
}

// above returns the share of cases, in %, in which the policy is more than low and at most high times as fast as
// the first.
func above(list []loads, policy string, low, high float64) float64 {
	n, k := 0, slices.Index(policies, policy)
	for _, l := range list {
		if speedup := l.at[0].Seconds() / l.at[k].Seconds(); speedup > low && speedup <= high {
			n++
		}
	}
	return share(n, len(list))
}

// below returns the share of cases, in %, in which the policy is slower than the first.
func below(list []loads, policy string) float64 {
	n, k := 0, slices.Index(policies, policy)
	for _, l := range list {
		if l.at[k] > l.at[0] {
			n++
		}
	}
	return share(n, len(list))
}

func medianBytes(list []loads) int64 {
	var sizes []int64
	for _, l := range list {
		sizes = append(sizes, l.spec.Page.Bytes())
	}
	slices.Sort(sizes)
	return sizes[len(sizes)/2]
}

// equal is the share of cases, in %, with load times equal to the nanosecond.
func equal(list []loads, policy string) float64 {
	return 100 - above(list, policy, 1, math.Inf(1)) - below(list, policy)
}

// header is the head of the columns of line.
const header = "" +
	"                                        eaf                 eaf-mptcp    mptcp-if1     rnd   if2    rr\n" +
	"                          above below   1-2   2-5    5+  above below  above below  below below below"

// line is one row of the table of shares, in %.
func line(name string, list []loads) string {
	inf := math.Inf(1)
	return fmt.Sprintf("%-25s %5.1f %5.1f %5.1f %5.1f %5.1f  %5.1f %5.1f  %5.1f %5.1f  %5.1f %5.1f %5.1f", name,
		above(list, "eaf", 1, inf), below(list, "eaf"),
		above(list, "eaf", 1, 2), above(list, "eaf", 2, 5), above(list, "eaf", 5, inf),
		above(list, "eaf-mptcp", 1, inf), below(list, "eaf-mptcp"), above(list, "mptcp-if1", 1, inf), below(list, "mptcp-if1"),
		below(list, "mptcp-rnd"), below(list, "if2"), below(list, "round-robin"))
}

// each changes every object of a page.
func each(change func(o *page.Object, at int)) func(int, *page.Page) []page.Object {
	return func(_ int, p *page.Page) []page.Object {
		objects := slices.Clone(p.Objects)
		for i := range objects {
			change(&objects[i], i)
		}
		return objects
	}
}

// times multiplies the bytes of every object.
func times(factor float64) func(int, *page.Page) []page.Object {
	return each(func(o *page.Object, _ int) { o.Bytes = int64(factor * float64(o.Bytes)) })
}

// What is published of the bytes of a page: its 5th and 95th percentile, 1.645 standard deviations from the median of
// a lognormal.
const p5, p95, sigmas = 23.1e3, 1.8e6, 1.645

// lognormal is the lognormal through both.
var lognormal = distuv.LogNormal{Mu: math.Log(p5*p95) / 2, Sigma: math.Log(p95/p5) / (2 * sigmas)}

// median moves the median of the bytes of pages and leaves the published percentiles where they are.
func median(to float64) func(int, *page.Page) []page.Object {
	return func(at int, p *page.Page) []page.Object {
		z := (math.Log(float64(p.Bytes())) - lognormal.Mu) / lognormal.Sigma / sigmas
		if z*z > 1 {
			return p.Objects
		}
		return times(math.Exp((1-z*z)*(math.Log(to)-lognormal.Mu)))(at, p)
	}
}

// recordedPages reads the recorded pages, where they are at hand.
func recordedPages(t *testing.T) []*page.Page {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(shared(t), "data", "har", "pages", "*.har"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no recorded pages: %v", err)
	}
	var pages []*page.Page
	for _, file := range files {
		p, _, err := har.Open(file, har.Options{})
		if err != nil {
			t.Fatal(err)
		}
		pages = append(pages, p)
	}
	return pages
}

// shared is the folder of recorded data that is not part of the repository: BRAID_SHARED, or "shared" beside it.
func shared(t *testing.T) string {
	t.Helper()
	if dir := os.Getenv("BRAID_SHARED"); dir != "" {
		return dir
	}
	dir := filepath.Join("..", "..", "..", "shared")
	if _, err := os.Stat(dir); err != nil {
		t.Skip("recorded pages are not part of the repository (set BRAID_SHARED to their folder)")
	}
	return dir
}

// recordedVariants put recorded pages in place of the generated ones: as they are, and scaled to the bytes that are
// published, the k-th smallest of them to the k-th part of the lognormal.
func recordedVariants(t *testing.T) []variant {
	pages := recordedPages(t)
	sizes := make([]int64, len(pages))
	for i, p := range pages {
		sizes[i] = p.Bytes()
	}
	slices.Sort(sizes)
	n := len(sizes)
	t.Logf("%d recorded pages: bytes %d at the 5th percentile, median %d, %d at the 95th",
		n, sizes[n/20], sizes[n/2], sizes[n*19/20])
	scaled := func(at int, _ *page.Page) []page.Object {
		p := pages[at%len(pages)]
		rank := slices.Index(sizes, p.Bytes())
		return times(lognormal.Quantile((float64(rank)+0.5)/float64(len(pages)))/float64(p.Bytes()))(at, p)
	}
	return []variant{
		{"recorded pages", func(at int, _ *page.Page) []page.Object { return pages[at%len(pages)].Objects }, nil},
		{"the same, published bytes", scaled, nil},
	}
}

// variants are what the published facts leave open, and what the model takes from elsewhere.
var variants = []variant{
	{"half of the bytes", times(0.5), nil},
	{"1.5 times the bytes", times(1.5), nil},
	{"twice the bytes", times(2), nil},
	{"4 times the bytes", times(4), nil},
	{"median page of 300 kB", median(300e3), nil},
	{"equal objects", func(_ int, p *page.Page) []page.Object {
		return each(func(o *page.Object, _ int) { o.Bytes = p.Bytes() / int64(len(p.Objects)) })(0, p)
	}, nil},
	{"all after the document", each(func(o *page.Object, at int) {
		if at > 0 {
			o.After = 0
		}
	}), nil},
	{"one after the other", each(func(o *page.Object, at int) { o.After = int32(at) - 1 }), nil},
	{"one host", each(func(o *page.Object, _ int) { o.Host = "h.example" }), nil},
	{"a host for each object", each(func(o *page.Object, at int) { o.Host = fmt.Sprintf("h%d.example", at) }), nil},
	{"no TLS", each(func(o *page.Object, _ int) { o.TLS = false }), nil},
	{"all TLS", each(func(o *page.Object, _ int) { o.TLS = true }), nil},
	{"no limits", nil, EAF.Without},
	{"2 connections to a host", nil, func(p *sim.Params) { p.MaxPerHost = 2 }},
	{"no pipelining", nil, func(p *sim.Params) { p.Pipelining = false }},
	{"no reuse", nil, EAFMPTCP.Without},
}

// TestPublishedShares prints what moves the shares of the speed-ups and holds the directions the library's README gives for
// them. Its numbers are those of BRAID_CASES=4000, which takes minutes.
func TestPublishedShares(t *testing.T) {
	g := grid(t, 150)
	inf := math.Inf(1)
	asIs := variant{}.run(t, g)
	t.Log("\n" + header + "\n" + line("as it is", asIs))

	// A margin counts fewer: what is missing is not lost to rounding. Where a policy is no faster it is equal, not slower.
	for _, policy := range []string{"eaf", "eaf-mptcp", "mptcp-if1"} {
		t.Logf("%-10s faster %.1f %%, by 0.1 %% %.1f %%, by 1 %% %.1f %%; equal to the nanosecond %.1f %%", policy,
			above(asIs, policy, 1, inf), above(asIs, policy, 1.001, inf), above(asIs, policy, 1.01, inf), equal(asIs, policy))
	}
	if e, b := equal(asIs, "eaf"), below(asIs, "eaf"); e < 20*b {
		t.Errorf("eaf equals if1 in %.1f %% and is slower in %.1f %%", e, b)
	}

	t.Logf("mptcp-rnd below 0.1 in %.2f %%; median page %d bytes", above(asIs, "mptcp-rnd", 0, 0.1), medianBytes(asIs))

	var nearer, same, farther []loads // interface 2, by RTT
	sizes := map[int][]loads{}
	bounds := []int64{0, 30e3, 100e3, 300e3, 1e6, 3e6}
	for _, l := range asIs {
		switch f := l.spec.Interfaces; {
		case f[1].RTT < f[0].RTT:
			nearer = append(nearer, l)
		case f[1].RTT == f[0].RTT:
			same = append(same, l)
		default:
			farther = append(farther, l)
		}
		class, _ := slices.BinarySearch(bounds, l.spec.Page.Bytes()+1)
		sizes[class-1] = append(sizes[class-1], l)
	}
	for _, class := range []struct {
		name  string
		loads []loads
	}{{"RTT 2 below RTT 1", nearer}, {"RTT 2 = RTT 1", same}, {"RTT 2 above RTT 1", farther}} {
		t.Logf("%s, eaf equal in %.1f %% of %d", line(class.name, class.loads), equal(class.loads, "eaf"), len(class.loads))
	}
	if n, f := equal(nearer, "eaf"), equal(farther, "eaf"); n >= f {
		t.Errorf("eaf equals if1 in %.1f %% with the nearer network and %.1f %% with the farther", n, f)
	}
	for class, from := range bounds {
		if l := sizes[class]; len(l) > 0 {
			t.Logf("%s, %d cases", line(fmt.Sprintf("pages from %d kB", from/1000), l), len(l))
		}
	}

	results := map[string][]loads{}
	for _, v := range variants {
		results[v.name] = v.run(t, g)
		t.Log(line(v.name, results[v.name]))
	}
	// Larger pages gain more often, by every policy, and lose less often to a random order.
	order := [][]loads{results["half of the bytes"], asIs, results["twice the bytes"], results["4 times the bytes"]}
	for i := 1; i < len(order); i++ {
		for _, policy := range []string{"eaf", "eaf-mptcp", "mptcp-if1"} {
			if a, b := above(order[i-1], policy, 1, inf), above(order[i], policy, 1, inf); a > b {
				t.Errorf("%s: %.1f %% of the cases gain, with twice the bytes %.1f %%", policy, a, b)
			}
		}
		if a, b := below(order[i-1], "mptcp-rnd"), below(order[i], "mptcp-rnd"); a < b {
			t.Errorf("mptcp-rnd: %.1f %% of the cases lose, with twice the bytes %.1f %%", a, b)
		}
	}
	if os.Getenv("BRAID_CASES") == "" {
		return
	}
	for _, v := range recordedVariants(t) {
		t.Log(line(v.name, v.run(t, g)))
	}
}
