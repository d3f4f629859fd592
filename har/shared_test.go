package har

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"braid/sim/page"
)

// shared returns the folder of recorded pages, which are not part of the repository: BRAID_SHARED, or a folder
// "shared" beside the repository. Without it the test is skipped.
func shared(t testing.TB) string {
	t.Helper()
	dir := os.Getenv("BRAID_SHARED")
	if dir == "" {
		wd, err := os.Getwd()
		if err != nil {
			t.Fatal(err)
		}
		for wd != filepath.Dir(wd) {
			if _, err := os.Stat(filepath.Join(wd, "go.mod")); err == nil {
				break
			}
			wd = filepath.Dir(wd)
		}
		dir = filepath.Join(filepath.Dir(wd), "shared")
	}
	if _, err := os.Stat(filepath.Join(dir, "data", "har")); err != nil {
		t.Skip("recorded pages are not part of the repository (set BRAID_SHARED to their folder)")
	}
	return dir
}

func recordings(t testing.TB, folder string) []string {
	files, err := filepath.Glob(filepath.Join(shared(t), "data", "har", folder, "*.har"))
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// Every recorded page loads, by either source of dependencies, with what page.New holds of it.
func TestRecordedPages(t *testing.T) {
	files := recordings(t, "pages")
	if len(files) != 127 {
		t.Fatalf("%d recorded pages, want 127", len(files))
	}
	for _, file := range files {
		for _, deps := range []Deps{ByTime, ByInitiator} {
			p, found, err := Open(file, Options{Deps: deps})
			if err != nil {
				t.Error(err)
				continue
			}
			checkPage(t, p, found)
			if _, _, err := Open(file+"#*", Options{Deps: deps}); err != nil {
				t.Error(err)
			}
		}
	}
}

// checkPage holds what is true of every page that is read. Objects of a simulated load are in the order of their page,
// all others in that of their starts.
func checkPage(t testing.TB, p *page.Page, found []Finding) {
	t.Helper()
	if len(p.Recorded) != len(p.Objects) {
		t.Fatalf("%s: %d objects, %d of them recorded", p.Name, len(p.Objects), len(p.Recorded))
	}
	ordered := !slices.ContainsFunc(found, func(f Finding) bool { return f.Rule == RuleLinks })
	for i, r := range p.Recorded {
		if r.Start < 0 || r.End < r.Start || ordered && i > 0 && r.Start < p.Recorded[i-1].Start {
			t.Errorf("%s: object %d runs from %v to %v (want ascending starts, and no end before a start)", p.Name, i, r.Start, r.End)
		}
		if !ordered {
			continue
		}
		if strings.Contains(p.Objects[i].Host, "/") || p.Objects[i].Host != strings.ToLower(p.Objects[i].Host) {
			t.Errorf("%s: object %d has host %q", p.Name, i, p.Objects[i].Host)
		}
	}
}

// The numbers of entries and hosts in INDEX.tsv were counted by another program.
func TestIndex(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(shared(t), "data", "har", "INDEX.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, line := range strings.Split(string(text), "\n") {
		cells := strings.Split(line, "\t")
		if !strings.HasPrefix(line, "pages/") {
			continue
		}
		f, err := ReadFile(filepath.Join(shared(t), "data", "har", cells[0]))
		if err != nil {
			t.Error(err)
			continue
		}
		if want, err := strconv.Atoi(cells[6]); err != nil || f.Entries != want {
			t.Errorf("%s: %d entries, want %s", cells[0], f.Entries, cells[6])
		}
		hosts := map[string]bool{}
		f.records.each(func(_ int, r *record) bool {
			if o := parseOrigin(r.url); o.scheme == "http" || o.scheme == "https" || o.scheme == "ws" || o.scheme == "wss" {
				hosts[o.host] = true
			}
			return true
		})
		if want, err := strconv.Atoi(cells[7]); err != nil || len(hosts) != want {
			t.Errorf("%s: %d hosts, want %s", cells[0], len(hosts), cells[7])
		}
		seen++
	}
	if seen != 127 {
		t.Errorf("%d pages in the index, want 127", seen)
	}
}

// referencePage is a page as the published simulator derived it from a recording.
type referencePage struct {
	HAR  string
	Page struct {
		Objects []struct {
			Host  string
			TLS   bool
			Bytes int64
			After *int32
		}
	}
}

// How often the reader and the published simulator differ, by file; everywhere else they agree.
var referenceExceptions = map[string]struct {
	links, sizes int
	why          string
}{
	"aftonbladet.se-wpt2.17.har":        {links: 6, why: "it counts 304 without a body as a transfer: three, and what waits for them"},
	"gitgrimbo.github.io-firefox47.har": {links: 2, why: "the same: one, and what waits for it"},
	"caml.inria.fr-browsermob2.0.har":   {links: 27, why: "it adds BrowserMob's blocked to the stated time, which does not hold it"},
	"legoas-firebug1.7x.0a3-3.har":      {links: 1, why: "a link to an object that ends in the same millisecond, not strictly before"},
	"www.linkedin.com-firefox43.har":    {sizes: 3, why: "it takes Content-Length of redirects where bodySize is that of the target"},
	"www.sitespeed.io-wpt2.17.har":      {sizes: 3, why: "a bodySize of 0 stays 0"},
}

// The published simulator's objects, with all pages of a file as one.
func TestReferenceDependencies(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(shared(t), "data", "reference", "har.json"))
	if err != nil {
		t.Fatal(err)
	}
	var refs []referencePage
	if err := json.Unmarshal(text, &refs); err != nil {
		t.Fatal(err)
	}
	links, agree := 0, 0
	for _, ref := range refs {
		p, _, err := Open(filepath.Join(shared(t), "data", "har", "pages", ref.HAR)+"#*", Options{})
		if err != nil {
			t.Error(err)
			continue
		}
		n, ok, sizes := compareReference(p, &ref)
		links += n
		agree += ok
		want := referenceExceptions[ref.HAR]
		if n-ok != want.links || sizes != want.sizes {
			t.Errorf("%s: %d of %d links and %d sizes differ, want %d and %d (%s)", ref.HAR, n-ok, n, sizes, want.links, want.sizes, want.why)
		}
	}
	share := float64(agree) / float64(links)
	t.Logf("%d of %d links agree: %.2f %%", agree, links, 100*share)
	if share < 0.97 {
		t.Errorf("%.2f %% of the links agree, want at least 97 %%", 100*share)
	}
}

// compareReference returns the number of the reference's links, how many of them the page has, and how many objects
// differ in size.
func compareReference(p *page.Page, ref *referencePage) (links, agree, sizes int) {
	match := align(p, ref)
	for i, o := range ref.Page.Objects {
		links++
		m := match[i]
		if m < 0 {
			continue
		}
		if p.Objects[m].Bytes != o.Bytes {
			sizes++
		}
		want := page.None
		if o.After != nil {
			want = int32(match[*o.After])
		}
		if p.Objects[m].After == want && (o.After == nil || want >= 0) {
			agree++
		}
	}
	return links, agree, sizes
}

// align returns for each object of the reference the page's object, or -1: the next one of the same host, scheme and
// size; for what is left, the next one left of the same host and scheme.
func align(p *page.Page, ref *referencePage) []int {
	match := slices.Repeat([]int{-1}, len(ref.Page.Objects))
	taken := make([]bool, len(p.Objects))
	for _, bySize := range []bool{true, false} {
		for i, o := range ref.Page.Objects {
			if match[i] >= 0 {
				continue
			}
			for m, mine := range p.Objects {
				if !taken[m] && mine.Host == o.Host && mine.TLS == o.TLS && (mine.Bytes == o.Bytes || !bySize) {
					match[i], taken[m] = m, true
					break
				}
			}
		}
	}
	return match
}
