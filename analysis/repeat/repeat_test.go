package repeat

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"braid/analysis/dataset"
	"braid/scenarios"
	"braid/scenarios/result"
	gridrun "braid/scenarios/run"
)

// made writes the files and runs the scenario there is in dir/main.yaml into dir/rows, on the fast engine.
func made(t *testing.T, files map[string]string) (dir string, set *dataset.Set) {
	t.Helper()
	dir = t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	s, err := scenarios.Load(filepath.Join(dir, "main/main.yaml"))
	must(err)
	grid, err := s.Grid()
	must(err)
	schema, err := gridrun.Schema(grid)
	must(err)
	m := result.NewManifest(schema)
	must(m.Identify(s))
	m.Plan(result.JSONLines, result.Shard{}, grid.Len(), 0, grid.Len())
	out, err := result.OpenDir(filepath.Join(dir, "main/rows"), m, schema)
	must(err)
	engines, err := scenarios.NewEngines("auto")
	must(err)
	_, err = gridrun.Do(t.Context(), grid, gridrun.Options{Engine: engines.New, Journal: out.Journal()}, out.Write)
	must(err)
	must(out.Commit())
	set, err = dataset.Open(filepath.Join(dir, "main/rows"))
	must(err)
	return dir, set
}

const onePage = `{"name": "%s", "objects": [{"host": "a.example", "bytes": 12000}, {"host": "b.example", "bytes": %d, "after": 0}]}`

func page(name string, bytes int) string { return fmt.Sprintf(onePage, name, bytes) }

const scenario = `
name: main
pages: [%s]
policies: [if1, eaf, mptcp-rnd]
profile: [linux, dtsimulator]
repetitions: 2
interfaces:
  - {name: wifi, bandwidth: [2Mbit/s, 6Mbit/s], rtt: 20ms}
  - {name: lte, bandwidth: 8Mbit/s, rtt: 50ms}
`

// Every row of a grid that the fast engine made is what the reference engine gives: random draws, repetitions, profiles.
func TestEveryRow(t *testing.T) {
	dir, set := made(t, map[string]string{"main/main.yaml": fmt.Sprintf(scenario, "p/*.json, n4x10k"), "main/p/a.json": page("a", 9e4), "main/p/b.json": page("b", 3e5)})
	g, err := Open(set.Path, set.Manifest, "") // found beside the results
	if err != nil {
		t.Fatal(err)
	}
	if got, want := g.Files(), []string{filepath.Join(dir, "main/p/a.json"), filepath.Join(dir, "main/p/b.json")}; !slices.Equal(got, want) {
		t.Errorf("files %q, want %q", got, want)
	}
	for run := range set.Manifest.Rows.Grid {
		row, m, err := set.Find(run)
		if err != nil || m == nil {
			t.Fatalf("run %d: manifest %v, error %v", run, m, err)
		}
		l, err := g.Load(&row)
		if err != nil {
			t.Fatal(err)
		}
		if got := result.Seconds(l.LoadTime); got != row.Metrics[0].Float || l.Path.Total() != l.LoadTime {
			t.Errorf("run %d: load time %v, path %v, the row has %v", run, got, l.Path.Total(), row.Metrics[0].Float)
		}
	}
}

// A metric that is off by one bit is seen, and so is a row from elsewhere.
func TestDifferences(t *testing.T) {
	_, set := made(t, map[string]string{"main/main.yaml": fmt.Sprintf(scenario, "n4x10k")})
	g, err := Open(set.Path, set.Manifest, "")
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		change func(*result.Row)
		want   string
	}{
		"metric":  {func(r *result.Row) { r.Metrics[1].Integer++ }, "connections: the row has 4, the run 3"},
		"factor":  {func(r *result.Row) { r.Factors[0].Text = "mix28" }, "page: the row has mix28, the run n4x10k"},
		"run":     {func(r *result.Row) { r.Run++ }, "policy: the row has if1, the run eaf"},
		"outside": {func(r *result.Row) { r.Run = 24 }, "run 24 is not one of the 24 of the manifest's grid"},
		"failed":  {func(r *result.Row) { r.Error, r.Metrics = "no path", nil }, "run 0 failed: no path"},
		"columns": {func(r *result.Row) { r.Metrics = r.Metrics[:2] }, "the row has 2 columns of them, the run 6"},
	} {
		t.Run(name, func(t *testing.T) {
			row, _, err := set.Find(0)
			if err != nil {
				t.Fatal(err)
			}
			c.change(&row)
			if _, err := g.Load(&row); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %q", err, c.want)
			}
		})
	}
}

// A page outside the scenario's folder is found from there, wherever that is now; what counts is its bytes.
func TestPageOutside(t *testing.T) {
	files := map[string]string{"main/main.yaml": fmt.Sprintf(scenario, "../p/a.json"), "p/a.json": page("a", 9e4)}
	_, set := made(t, files)
	for bytes, want := range map[int]string{90_000: "", 90_001: "was not read when the rows were made, or had other bytes"} {
		files["p/a.json"] = page("a", bytes)
		other, _ := made(t, files)
		_, err := Open(set.Path, set.Manifest, filepath.Join(other, "main"))
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%d bytes: error %v, want %q", bytes, err, want)
		}
	}
}

// A page that is named with its whole path has it in the manifest, wherever the pages are looked for.
func TestPageWithPath(t *testing.T) {
	elsewhere := filepath.Join(t.TempDir(), "a.json")
	if err := os.WriteFile(elsewhere, []byte(page("a", 9e4)), 0o666); err != nil {
		t.Fatal(err)
	}
	_, set := made(t, map[string]string{"main/main.yaml": fmt.Sprintf(scenario, elsewhere)})
	for _, folder := range []string{"", filepath.Dir(elsewhere)} {
		g, err := Open(set.Path, set.Manifest, folder)
		if err != nil {
			t.Fatal(err)
		}
		if got := g.Files(); !slices.Equal(got, []string{elsewhere}) {
			t.Errorf("files %q", got)
		}
	}
	if err := os.Remove(elsewhere); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(set.Path, set.Manifest, ""); err == nil || !strings.Contains(err.Error(), "have to be where they were, as "+elsewhere) {
		t.Errorf("error %v", err)
	}
}

func TestNoManifest(t *testing.T) {
	if _, err := Open("rows.csv", nil, ""); err == nil || !strings.Contains(err.Error(), "rows.csv: no manifest beside the rows") {
		t.Errorf("error %v", err)
	}
}

func TestMissingPages(t *testing.T) {
	files := map[string]string{"main/main.yaml": fmt.Sprintf(scenario, "p/*.json")}
	for i := range 8 {
		files[fmt.Sprintf("main/p/%d.json", i)] = page(fmt.Sprint(i), 100+i)
	}
	dir, set := made(t, files)
	main := filepath.Join(dir, "main")
	for i := range 7 {
		if err := os.Remove(filepath.Join(main, fmt.Sprintf("p/%d.json", i))); err != nil {
			t.Fatal(err)
		}
	}
	_, err := findFolder(set.Manifest, []string{dir, main})
	if err == nil {
		t.Fatal("no error")
	}
	for _, want := range []string{"not in " + main + " as they were", "\n  p/0.json: is not there\n", "\n  and 2 more"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
	if got, want := folders(filepath.Join(main, "rows")), []string{".", main, filepath.Join(main, "rows")}; !slices.Equal(got, want) {
		t.Errorf("folders %q, want %q", got, want)
	}
	if got, want := folders("rows"), []string{".", "rows"}; !slices.Equal(got, want) {
		t.Errorf("folders %q, want %q", got, want)
	}
}
