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
	grid     *scenarios.Grid
	schema   result.Schema
	engine   sim.Engine
}

// Open makes the grid that the manifest describes, with pages from the folder, which is "" where none are files. It is an
// error if they are not those that the rows were made with.
func Open(m *result.Manifest, folder string) (*Grid, error) {
	g, err := open(m, folder)
	if err != nil {
		if note := otherModel(m); note != "" {
			err = fmt.Errorf("%w\n%s", err, note)
		}
		return nil, err
	}
	return g, nil
}

func open(m *result.Manifest, folder string) (*Grid, error) {
	s, err := scenarios.Parse([]byte(m.Scenario.Text), filepath.Join(folder, "scenario in the manifest"))
	if err != nil {
		return nil, err
	}
	if s.Digest() != m.Scenario.SHA256 {
		return nil, fmt.Errorf("the scenario in the manifest does not have the SHA-256 beside it: the manifest was changed, or is of another version (it says %s)", m.Braid)
	}
	grid, err := s.Grid()
	if err != nil {
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
	return &Grid{Scenario: s, manifest: m, grid: grid, schema: schema, engine: engines.New()}, nil
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
