package result

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"

	"braid/scenarios"
	"braid/sim"
)

// ManifestName is the name of the manifest in a directory of results.
const ManifestName = "manifest.json"

// ManifestVersion is the version of the manifest's own layout.
const ManifestVersion = 2

// Manifest says what made the rows beside it. Like the rows, it holds no time of day: the same run gives the same manifest.
type Manifest struct {
	Version      int              `json:"manifest_version"`
	Scenario     ScenarioIdentity `json:"scenario"`
	Inputs       []Digest         `json:"inputs"`        // files the scenario reads, named from its folder
	Seed         uint64           `json:"seed"`          // of the scenario
	ModelVersion int              `json:"model_version"` // sim.ModelVersion
	Braid        string           `json:"braid"`         // version of the program
	GOARCH       string           `json:"goarch"`        // rows of different architectures may differ in the last bit
	GOAMD64      string           `json:"goamd64,omitempty"`
	Rows         Rows             `json:"rows"`
	Columns      []ColumnIdentity `json:"columns"`
}

// ScenarioIdentity is the scenario that was run and what the command line changed in it.
type ScenarioIdentity struct {
	Name   string   `json:"name"`
	File   string   `json:"file"`             // what the scenario's file is called in Inputs; a name of the library is not there
	SHA256 string   `json:"sha256"`           // of the part of Text that decides the rows; see scenarios.Scenario.Digest
	Text   string   `json:"text"`             // canonical form, overrides included
	Set    []string `json:"set,omitempty"`    // overrides as given: path=value
	Where  []string `json:"where,omitempty"`  // selections as given: name=value
	Sample string   `json:"sample,omitempty"` // as given
}

// Digest is a file with the SHA-256 of its bytes.
type Digest struct {
	Name   string `json:"name"`
	SHA256 string `json:"sha256"`
}

// Rows describes the file of rows and the part of the grid it is for.
type Rows struct {
	File     string `json:"file"`
	Format   Format `json:"format"`
	Shard    *Shard `json:"shard,omitempty"` // nil: the whole grid
	Grid     int64  `json:"grid"`            // runs of the whole grid
	First    int64  `json:"first"`           // run of the file's part of the grid
	Planned  int64  `json:"planned"`         // runs of that part
	Written  int64  `json:"written"`         // rows in the file, failed ones included
	Failed   int64  `json:"failed"`          // rows with an error
	Bytes    int64  `json:"bytes"`           // of the file
	Complete bool   `json:"complete"`
}

// ColumnIdentity is one column of the rows. Type is text, float, integer or bool; role is index, factor, metric or error.
type ColumnIdentity struct {
	Name string `json:"name"`
	Type string `json:"type"`
	Role string `json:"role"`
}

// NewManifest returns a manifest of rows with these columns, made by this build under the current model.
func NewManifest(s Schema) *Manifest {
	m := &Manifest{Version: ManifestVersion, Inputs: []Digest{}, ModelVersion: sim.ModelVersion, GOARCH: runtime.GOARCH, GOAMD64: goamd64()}
	m.Columns = append(m.Columns, ColumnIdentity{RunColumn, typeName(scenarios.Integer), "index"})
	for _, c := range s.Factors {
		m.Columns = append(m.Columns, ColumnIdentity{c.Name, typeName(c.Type), "factor"})
	}
	for _, c := range s.Metrics {
		m.Columns = append(m.Columns, ColumnIdentity{c.Name, typeName(c.Type), "metric"})
	}
	m.Columns = append(m.Columns, ColumnIdentity{ErrorColumn, typeName(scenarios.Text), "error"})
	return m
}

// Identify fills in what the scenario says of the rows: seed, identity and inputs. Selections are the caller's to add.
func (m *Manifest) Identify(s *scenarios.Scenario) error {
	inputs, err := s.Inputs()
	if err != nil {
		return err
	}
	m.Seed = s.Seed
	m.Scenario = ScenarioIdentity{Name: s.Name, File: s.InputName(), SHA256: s.Digest(), Text: string(s.Canonical())}
	for _, in := range inputs {
		m.Inputs = append(m.Inputs, Digest{Name: in.Name, SHA256: in.SHA256})
	}
	return nil
}

// goamd64 is the level of amd64 instructions the program was built for: from v3 on, Go may fuse products into sums.
func goamd64() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "GOAMD64" {
				return s.Value
			}
		}
	}
	return ""
}

var typeNames = [...]string{scenarios.Text: "text", scenarios.Float: "float", scenarios.Integer: "integer", scenarios.Bool: "bool"}

func typeName(t scenarios.ColumnType) string { return typeNames[t] }

// Schema returns the columns of the rows.
func (m *Manifest) Schema() (Schema, error) {
	var factors, metrics []scenarios.Column
	for _, c := range m.Columns {
		column := scenarios.Column{Name: c.Name}
		known := false
		for t, name := range typeNames {
			if name == c.Type {
				column.Type, known = scenarios.ColumnType(t), true
			}
		}
		switch {
		case !known:
			return Schema{}, fmt.Errorf("column %q has the unknown type %q", c.Name, c.Type)
		case c.Role == "factor":
			factors = append(factors, column)
		case c.Role == "metric":
			metrics = append(metrics, column)
		case c.Role != "index" && c.Role != "error":
			return Schema{}, fmt.Errorf("column %q has the unknown role %q", c.Name, c.Role)
		}
	}
	return NewSchema(factors, metrics)
}

// ReadManifest reads the manifest of a directory of results. A directory without one gives an os.ErrNotExist.
func ReadManifest(dir string) (*Manifest, error) {
	return readManifest(filepath.Join(dir, ManifestName))
}

func readManifest(path string) (*Manifest, error) {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return nil, cmp.Or(err, fmt.Errorf("%s is not a regular file", path))
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	m, err := parseManifest(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return m, nil
}

func parseManifest(data []byte) (*Manifest, error) {
	var m Manifest
	if err := json.Unmarshal(data, &m); err != nil {
		return nil, fmt.Errorf("not a manifest of results: %w", err)
	}
	if m.Version != ManifestVersion {
		return nil, fmt.Errorf("manifest_version %d (this braid reads %d)", m.Version, ManifestVersion)
	}
	return &m, nil
}

// shard returns the part of the grid that the rows are of.
func (m *Manifest) shard() Shard {
	if m.Rows.Shard == nil {
		return Shard{}
	}
	return *m.Rows.Shard
}

// write writes the manifest into the directory, whole or not at all.
func (m *Manifest) write(dir string) error {
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(m); err != nil {
		return err
	}
	f, err := createFile(filepath.Join(dir, m.shard().file(manifestBase, manifestEnding)))
	if err != nil {
		return err
	}
	if _, err := f.Write(text.Bytes()); err != nil {
		return errors.Join(err, f.abort())
	}
	return f.commit()
}
