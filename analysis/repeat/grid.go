package repeat

import (
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"runtime"
	"slices"

	"braid/scenarios"
	"braid/scenarios/result"
	gridrun "braid/scenarios/run"
	"braid/sim"
)

// Grid is the grid of a manifest. It is not safe for concurrent use.
type Grid struct {
	Scenario *scenarios.Scenario
	manifest *result.Manifest
	folder   string
	grid     *scenarios.Grid
	schema   result.Schema
	engine   sim.Engine
}

// Open makes the grid that the manifest of rows in results describes. Pages are named from the scenario's folder; "": it is
// looked for where the program was started, then in the folder that the results' folder is in, then in that one. It is an
// error if there is no manifest, if a page is missing or has other bytes than when the rows were made, or if the manifest
// does not agree with itself.
func Open(results string, m *result.Manifest, folder string) (*Grid, error) {
	if m == nil {
		return nil, fmt.Errorf("%s: no manifest beside the rows: what made them is not known (braid run -o DIR writes one)", results)
	}
	candidates := []string{folder}
	if folder == "" {
		candidates = folders(results)
	}
	folder, err := findFolder(m, candidates)
	if err != nil {
		return nil, fmt.Errorf("%s: %w\n(name the folder of the scenario's file with --pages DIR)", results, err)
	}
	g, err := open(m, folder)
	if err != nil {
		err = fmt.Errorf("%s: %w", results, err)
		if note := otherModel(m); note != "" {
			err = fmt.Errorf("%w\n%s", err, note)
		}
		return nil, err
	}
	return g, nil
}

// Files are the files of the grid's pages, as they are called from where the program was started.
func (g *Grid) Files() (names []string) {
	for _, in := range pages(g.manifest) {
		name := filepath.FromSlash(in.Name)
		if filepath.IsLocal(name) {
			name = filepath.Join(g.folder, name)
		}
		names = append(names, name)
	}
	return names
}

// inManifest is the name of the scenario in errors.
const inManifest = "scenario in the manifest"

// scenarioOf reads the scenario of a manifest, with pages from the folder.
func scenarioOf(m *result.Manifest, folder string) (*scenarios.Scenario, error) {
	// The digest is of the text with paths as the manifest has them: a folder that no page is below leaves them so.
	s, err := scenarios.Parse([]byte(m.Scenario.Text), string(filepath.Separator)+filepath.Join("no folder", inManifest))
	if err != nil {
		return nil, err
	}
	if s.Digest() != m.Scenario.SHA256 {
		return nil, fmt.Errorf("the scenario in the manifest does not have the SHA-256 beside it: the manifest was changed, or is of another version (it says %s)", m.Braid)
	}
	return scenarios.Parse([]byte(m.Scenario.Text), filepath.Join(folder, inManifest))
}

func open(m *result.Manifest, folder string) (*Grid, error) {
	s, err := scenarioOf(m, folder)
	if err != nil {
		return nil, err
	}
	grid, err := s.Grid()
	if err != nil {
		if outside := outsidePages(m); outside != "" {
			err = fmt.Errorf("%w\n(pages outside the scenario's folder have to be where they were, as %s)", err, outside)
		}
		return nil, err
	}
	if err := checkInputs(m, s); err != nil {
		return nil, err
	}
	if grid, err = grid.Where(m.Scenario.Where...); err != nil {
		return nil, fmt.Errorf("what the manifest selects: %w", err)
	}
	if m.Scenario.Sample != "" {
		sample, err := scenarios.ParseSample(m.Scenario.Sample)
		if err == nil {
			grid, err = grid.Sample(sample)
		}
		if err != nil {
			return nil, fmt.Errorf("what the manifest selects: %w", err)
		}
	}
	if grid.Len() != m.Rows.Grid {
		return nil, fmt.Errorf("the grid of the manifest's scenario has %d runs, the manifest says %d", grid.Len(), m.Rows.Grid)
	}
	schema, err := gridrun.Schema(grid)
	if err != nil {
		return nil, err
	}
	if !slices.Equal(result.NewManifest(schema).Columns, m.Columns) {
		return nil, errors.New("the columns of the manifest's grid are not those that the manifest lists")
	}
	engines, err := scenarios.NewEngines("flow")
	if err != nil {
		return nil, err
	}
	return &Grid{Scenario: s, manifest: m, folder: folder, grid: grid, schema: schema, engine: engines.New()}, nil
}

// checkInputs holds the pages that the scenario reads now against the manifest's. Those outside the scenario's folder may
// be in another place than on the machine that made the rows: there the name of the file and its bytes count.
func checkInputs(m *result.Manifest, s *scenarios.Scenario) error {
	now, err := s.Inputs()
	if err != nil {
		return err
	}
	type file struct{ base, digest string }
	was, is := map[file]bool{}, map[file]bool{}
	for _, in := range pages(m) {
		was[file{path.Base(in.Name), in.SHA256}] = true
	}
	for _, in := range now {
		f := file{path.Base(in.Name), in.SHA256}
		if is[f] = true; in.Name != s.InputName() && !was[f] {
			return fmt.Errorf("page %s was not read when the rows were made, or had other bytes (the scenario's pages match it now: move it away)", in.Name)
		}
	}
	for _, in := range pages(m) {
		if !is[file{path.Base(in.Name), in.SHA256}] {
			return fmt.Errorf("page %s was read when the rows were made, and is not now", in.Name)
		}
	}
	return nil
}

// otherModel says how what made the rows differs from this program in what decides their bits; empty: in nothing.
func otherModel(m *result.Manifest) string {
	if m.ModelVersion == sim.ModelVersion && m.GOARCH == runtime.GOARCH {
		return ""
	}
	return fmt.Sprintf("the rows are of model version %d on %s (%s), this is model version %d on %s: only the same model version and architecture repeat a row to the bit",
		m.ModelVersion, m.GOARCH, m.Braid, sim.ModelVersion, runtime.GOARCH)
}
