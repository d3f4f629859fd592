package workload

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"braid/sim/page"
	"braid/sim/rng"
)

func generate(t testing.TB, it Item, seed uint64) *page.Page {
	t.Helper()
	p, err := Generate(it, seed)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// at is the value below which a share q of the values lies.
func at[T int | int64 | float64](values []T, q float64) T {
	sorted := slices.Sorted(slices.Values(values))
	return sorted[min(int(q*float64(len(sorted))), len(sorted)-1)]
}

func share[T any](values []T, yes func(T) bool) float64 {
	n := 0
	for _, v := range values {
		if yes(v) {
			n++
		}
	}
	return float64(n) / float64(len(values))
}

// The facts of the paper on its pages, each with the band it is held to. A quantile of 1000 draws has a standard error of
// sqrt(q(1-q)/1000)/density: about 3 % of the value for medians of these distributions, 9 % for the 5th and 95th percentile
// of the bytes; the bands are about three of them.
func TestPublishedFactsOfTheWorkload(t *testing.T) {
	const pages = 1000
	documented := documentedMeasurements(t)
	checked := map[string]bool{}
	for seed := uint64(1); seed <= 5; seed++ {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			var objects, hosts []int
			var pageBytes, objectBytes []int64
			var popular []float64
			for k := 1; k <= pages; k++ {
				p := generate(t, Item{"alexa-2015", k, 1}, seed)
				objects = append(objects, len(p.Objects))
				hosts = append(hosts, p.Hosts())
				pageBytes = append(pageBytes, p.Bytes())
				use := map[string]int{}
				for i := range p.Objects {
					objectBytes = append(objectBytes, p.Objects[i].Bytes)
					use[p.Objects[i].Host]++
				}
				if n := len(p.Objects); n >= 10 && p.Hosts() >= 5 && p.Hosts() <= 9 {
					popular = append(popular, float64(slices.Max(slices.Collect(maps.Values(use))))/float64(n))
				}
			}
			band := func(what string, got, low, high float64) {
				rounded, err := strconv.ParseFloat(strconv.FormatFloat(got, 'g', 4, 64), 64)
				if err != nil {
					t.Fatal(err)
				}
				if said, ok := documented[what]; seed == 1 && ok && said != strconv.FormatFloat(rounded, 'f', -1, 64) {
					t.Errorf("%s is %v, the documentation says %s", what, rounded, said)
				}
				checked[what] = true
				t.Logf("%-40s %10.4g (%g to %g)", what, got, low, high)
				if !(got >= low && got <= high) {
					t.Errorf("%s is %g, want %g to %g", what, got, low, high)
				}
			}
			band("fewest objects", float64(slices.Min(objects)), 1, 3)
			band("most objects (260)", float64(slices.Max(objects)), 150, 260)
			band("pages of 1 to 50 objects (most)", share(objects, func(n int) bool { return n <= 50 }), 0.70, 0.90)
			band("pages above 100 objects (a few)", share(objects, func(n int) bool { return n > 100 }), 0.02, 0.08)
			band("fewest hosts (1)", float64(slices.Min(hosts)), 1, 1)
			band("median hosts (7)", float64(at(hosts, 0.5)), 6, 8)
			band("most hosts (over 20)", float64(slices.Max(hosts)), 21, 60)
			band("pages above 20 hosts (some)", share(hosts, func(n int) bool { return n > 20 }), 0.01, 0.15)
			// 16 recorded pages of 10 objects and more with 5 to 9 hosts: median 0.53.
			band("median share of the most used of 5 to 9 hosts", at(popular, 0.5), 0.45, 0.6)
			band("5th percentile of page bytes (23.1 kB)", float64(at(pageBytes, 0.05)), 17e3, 30e3)
			band("95th percentile of page bytes (1.8 MB)", float64(at(pageBytes, 0.95)), 1.3e6, 2.4e6)
			band("pages below 300 kB (a large part)", share(pageBytes, func(n int64) bool { return n < 300e3 }), 0.5, 0.7)
			band("median object bytes (low)", float64(at(objectBytes, 0.5)), 1e3, 6e3)
		})
	}
	for what := range documented {
		if !checked[what] {
			t.Errorf("the documentation measures %q, the test does not", what)
		}
	}
}

// documentedMeasurements reads the table of measured values in doc.go.
func documentedMeasurements(t *testing.T) map[string]string {
	t.Helper()
	text, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	_, table, ok := strings.Cut(string(text), "near what is published):\n//\n")
	table, _, end := strings.Cut(table, "\n//\n")
	if !ok || !end {
		t.Fatal("doc.go has no table of measured values")
	}
	measured := map[string]string{}
	for _, m := range regexp.MustCompile(`(?m)^//\t(.*?) {2,}(\S+)$`).FindAllStringSubmatch(table, -1) {
		measured[m[1]] = m[2]
	}
	if len(measured) != 12 {
		t.Fatalf("%d measured values in doc.go, want 12", len(measured))
	}
	return measured
}

// Depth and fan-out by number of objects lie in the quartiles of the recorded pages (the table in doc.go), widened by a
// quarter since each row of it rests on 7 to 15 pages.
func TestDepthAndFanOutAreThoseOfRecordedPages(t *testing.T) {
	for _, r := range recordedPages {
		var depth, fan []int
		for k := 1; k <= 5000; k++ {
			p := generate(t, Item{"alexa-2015", k, 1}, 1)
			if n := len(p.Objects); n < r.low || n > r.high {
				continue
			}
			depth = append(depth, p.Depth())
			widest := 0
			for i := range p.Objects {
				widest = max(widest, len(p.Children(int32(i))))
			}
			fan = append(fan, widest)
		}
		d, w := float64(at(depth, 0.5)), float64(at(fan, 0.5))
		t.Logf("%3d-%3d objects: %4d pages, median depth %g (recorded %d), fan-out %g (%d)", r.low, r.high, len(depth), d, r.depth, w, r.fan)
		if d < 0.75*float64(r.depth[0]) || d > 1.25*float64(r.depth[2]) {
			t.Errorf("%d-%d objects: median depth %g", r.low, r.high, d)
		}
		if w < 0.75*float64(r.fan[0]) || w > 1.25*float64(r.fan[2]) {
			t.Errorf("%d-%d objects: median fan-out %g", r.low, r.high, w)
		}
	}
}

// content is a page without its name.
func content(t testing.TB, p *page.Page) string {
	t.Helper()
	var b bytes.Buffer
	if err := p.WriteJSON(&b); err != nil {
		t.Fatal(err)
	}
	_, objects, _ := strings.Cut(b.String(), `"objects"`)
	return objects
}

func TestNoTwoPagesAreEqual(t *testing.T) {
	seen := map[string]string{}
	for k := 1; k <= 300; k++ {
		for c := 1; c <= 26; c++ {
			p := generate(t, Item{"alexa-2015", k, c}, 1)
			// Hosts carry the page's number; without it pages still differ.
			text := strings.ReplaceAll(content(t, p), fmt.Sprintf("p%04d", k), "")
			if other, ok := seen[text]; ok {
				t.Fatalf("%s equals %s", p.Name, other)
			}
			seen[text] = p.Name
		}
	}
}

func TestCrawlsOfOneSizeDiffer(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		bytes := rapid.Float64Range(150, 1e8).Draw(t, "bytes")
		seed := rapid.Uint64().Draw(t, "seed")
		seen := map[int64]bool{}
		for c := 1; c <= MaxCrawl; c++ {
			size := alexa2015.documentBytes(bytes, c, stream(seed))
			if size < 150 || seen[size] {
				t.Fatalf("crawl %d: document of %d bytes, too small or seen before", c, size)
			}
			seen[size] = true
		}
	})
}

func TestCrawlsKeepTheirSite(t *testing.T) {
	for k := 1; k <= 200; k++ {
		a, b := generate(t, Item{"alexa-2015", k, 1}, 1), generate(t, Item{"alexa-2015", k, 2}, 1)
		// An eighth of the objects is in 7 of 10 crawls: two crawls of n objects differ by about 0.06 n objects, one standard deviation.
		if n := float64(len(a.Objects)); float64(len(b.Objects)) < 0.6*n-3 || float64(len(b.Objects)) > 1.6*n+3 {
			t.Errorf("page %d: %d and %d objects", k, len(a.Objects), len(b.Objects))
		}
		if a.Objects[0].Host != b.Objects[0].Host || a.Objects[0].TLS != b.Objects[0].TLS {
			t.Errorf("page %d: documents from %v and %v", k, a.Objects[0], b.Objects[0])
		}
	}
}

func TestPagesAreAFunctionOfSeedNumberAndCrawl(t *testing.T) {
	it := Item{"alexa-2015", 17, 3}
	want := content(t, generate(t, it, 5))
	for k := 1; k <= 20; k++ {
		generate(t, Item{"alexa-2015", k, k}, 5)
	}
	if content(t, generate(t, it, 5)) != want {
		t.Error("the same item gives another page")
	}
	if content(t, generate(t, it, 6)) == want {
		t.Error("another seed gives the same page")
	}
}

func TestBadItemsAreRefused(t *testing.T) {
	for _, it := range []Item{{"alexa-2015", 0, 1}, {"alexa-2015", 1, 0}, {"alexa-2015", MaxPage + 1, 1}, {"alexa-2015", 1, MaxCrawl + 1}, {"alexa-2016", 1, 1}} {
		if p, err := Generate(it, 1); err == nil {
			t.Errorf("%+v gives %v", it, p.Name)
		}
	}
}

func BenchmarkGenerate(b *testing.B) {
	for i := 0; b.Loop(); i++ {
		if _, err := Generate(Item{"alexa-2015", 1 + i%1000, 1}, 1); err != nil {
			b.Fatal(err)
		}
	}
}

func stream(seed uint64) *rand.Rand { return rng.Key{Seed: seed}.Stream("test") }
