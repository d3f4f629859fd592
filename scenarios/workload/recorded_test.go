package workload

import (
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"braid/har"
)

// recordedPages is the table in doc.go: quartiles of depth and largest fan-out, and the median share of objects that others
// wait for, by number of objects.
var recordedPages = []struct {
	low, high, pages int
	depth, fan       [3]int
	parents          float64
}{
	{3, 9, 10, [3]int{2, 4, 4}, [3]int{2, 3, 3}, 0.44},
	{10, 19, 9, [3]int{4, 4, 5}, [3]int{4, 6, 7}, 0.31},
	{20, 39, 15, [3]int{5, 8, 9}, [3]int{6, 10, 15}, 0.31},
	{40, 79, 14, [3]int{6, 8, 11}, [3]int{12, 17, 29}, 0.23},
	{80, 129, 10, [3]int{9, 20, 26}, [3]int{8, 26, 31}, 0.36},
	{130, 260, 7, [3]int{20, 26, 41}, [3]int{12, 21, 43}, 0.27},
}

// The table is what package har reads from the recorded pages.
func TestTableOfRecordedPages(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(shared(t), "data", "har", "pages", "*.har"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no recorded pages: %v", err)
	}
	slices.Sort(files)
	type shape struct {
		depth, fan int
		parents    float64
	}
	shapes := make([][]shape, len(recordedPages))
	sites := map[string]bool{}
	var popular, object, document []float64
	for _, file := range files {
		site, _, _ := strings.Cut(filepath.Base(file), "-")
		if sites[site] {
			continue
		}
		p, _, err := har.Open(file, har.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for k, r := range recordedPages {
			if n := len(p.Objects); n >= r.low && n <= r.high {
				sites[site] = true
				s := shape{depth: p.Depth()}
				for i := range p.Objects {
					c := len(p.Children(int32(i)))
					s.fan = max(s.fan, c)
					if c > 0 {
						s.parents += 1 / float64(n)
					}
				}
				shapes[k] = append(shapes[k], s)
				use := map[string]int{}
				var sizes []int64
				for _, o := range p.Objects {
					use[o.Host]++
					sizes = append(sizes, o.Bytes)
				}
				mean := float64(p.Bytes()) / float64(n)
				object, document = append(object, float64(at(sizes, 0.5))/mean), append(document, float64(sizes[0])/mean)
				if n >= 10 && p.Hosts() >= 5 && p.Hosts() <= 9 {
					popular = append(popular, float64(slices.Max(slices.Collect(maps.Values(use))))/float64(n))
				}
			}
		}
	}
	for k, r := range recordedPages {
		var depth, fan []int
		var parents []float64
		for _, s := range shapes[k] {
			depth, fan, parents = append(depth, s.depth), append(fan, s.fan), append(parents, s.parents)
		}
		t.Logf("{%d, %d, %d, [3]int{%d, %d, %d}, [3]int{%d, %d, %d}, %.2f},", r.low, r.high, len(depth), at(depth, 0.25), at(depth, 0.5), at(depth, 0.75), at(fan, 0.25), at(fan, 0.5), at(fan, 0.75), at(parents, 0.5))
		if len(depth) != r.pages || at(depth, 0.25) != r.depth[0] || at(depth, 0.5) != r.depth[1] || at(depth, 0.75) != r.depth[2] ||
			at(fan, 0.25) != r.fan[0] || at(fan, 0.5) != r.fan[1] || at(fan, 0.75) != r.fan[2] || math.Abs(at(parents, 0.5)-r.parents) > 0.005 {
			t.Errorf("the table has %+v", r)
		}
	}
	for _, c := range []struct {
		what      string
		got, want float64
	}{
		{"share of the most used of 5 to 9 hosts", at(popular, 0.5), 0.53},
		{"median object in means", at(object, 0.5), 0.33},
		{"document in means", at(document, 0.5), 0.68},
	} {
		t.Logf("%s: %.2f", c.what, c.got)
		if math.Abs(c.got-c.want) > 0.005 {
			t.Errorf("%s: %.2f, the documentation says %g", c.what, c.got, c.want)
		}
	}
	t.Logf("%d sites, %d with 5 to 9 hosts", len(object), len(popular))
}

// shared is the folder of recorded data that is not part of the repository: BRAID_SHARED, or "shared" beside it.
func shared(t *testing.T) string {
	t.Helper()
	if dir := os.Getenv("BRAID_SHARED"); dir != "" {
		return dir
	}
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			break
		}
		up := filepath.Dir(dir)
		if up == dir {
			t.Fatal("no go.mod above the package")
		}
		dir = up
	}
	dir = filepath.Join(filepath.Dir(dir), "shared")
	if _, err := os.Stat(filepath.Join(dir, "data", "har")); err != nil {
		t.Skip("recorded pages are not part of the repository (set BRAID_SHARED to their folder)")
	}
	return dir
}
