package scenarios

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"braid/scenarios/workload"
	"braid/sim/units"
)

// Scenario is a checked scenario file. Make one with Load or Parse; Set gives a changed copy.
type Scenario struct {
	Name        string
	Description string
	Source      string // paper, section, or where the idea is from
	Kind        string
	Tier        string // Quick or Full
	Profiles    []string
	Pages       []string // as written: built-in names, files, globs
	Workloads   []workload.Range
	Policies    []string // canonical names
	Interfaces  []Interface
	Parameters  []Parameter
	Deps        string // time or initiator
	Zip         [][]string
	Sample      Sample
	Seed        uint64
	Repetitions int
	Expect      []Expect
	Baseline    string // file of rows of an earlier run, relative to the scenario's folder; "": there is none

	file     string // as given to Load
	dir      string // pages are relative to it; "": there is none
	absolute string // dir from any folder
	root     *tree
	cache    *pageCache
	inputs   []Input // the scenario file itself
}

// Kinds and tiers.
const (
	PageLoad = "page-load"
	Quick    = "quick" // at most 20 s on two cores
	Full     = "full"
)

// Interface is one access network with the levels of its factors.
type Interface struct {
	Name      string
	Bandwidth []units.Rate
	RTT       []time.Duration
	DNS       []time.Duration // nil: not modelled
	Queue     []units.Bytes   // nil: as large as needed
}

// Parameter is one parameter of the model (sim.ParamTable) with its levels as text.
type Parameter struct {
	Name   string
	Levels []string
}

// Sample says which part of the cases a grid keeps. The zero value keeps all.
type Sample struct {
	Cases int64       // that many
	Share units.Share // or this share of them, each by itself
}

// Input is a file a scenario reads, with the SHA-256 of its bytes.
type Input struct {
	Name   string
	SHA256 string
}

// Default is the scenario that runs when none is named.
const Default = "quickstart"

// Load reads a scenario from a file, or from the library: "dir/mine.yaml", "socket-intents/table4". A name that is a file
// is a file; "" is Default. Errors have file, line and column and say what was expected.
func Load(name string) (*Scenario, error) {
	if name == "" {
		name = Default
	}
	data, err := os.ReadFile(name)
	if err == nil {
		return parse(data, name, filepath.Dir(name))
	}
	if text, ok := libraryFile(name); ok {
		return parse(text, name, "")
	}
	isFile := strings.HasSuffix(name, extension) || strings.HasSuffix(name, ".yml") || filepath.IsAbs(name) || strings.HasPrefix(name, ".")
	if !errors.Is(err, fs.ErrNotExist) || isFile {
		var pe *fs.PathError
		if errors.As(err, &pe) {
			err = pe.Err
		}
		return nil, &Error{File: name, Msg: fmt.Sprintf("cannot read the scenario: %v (or name one of the library: %s)", err, enumerate(Library()))}
	}
	return nil, &Error{File: name, Msg: "no such file, and no scenario of the library" + DidYouMean(name, "library", Library())}
}

// Parse reads a scenario from text. file is used in errors; pages are relative to its folder.
func Parse(data []byte, file string) (*Scenario, error) {
	return parse(data, file, filepath.Dir(file))
}

func parse(data []byte, file, dir string) (*Scenario, error) {
	src := newSource(file, string(data), false)
	root, err := parseTree(src, string(data))
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(data)
	s := &Scenario{
		file: file, dir: dir, root: root, cache: newPageCache(),
		inputs: []Input{{file, hex.EncodeToString(sum[:])}},
	}
	if dir != "" {
		if s.absolute, err = filepath.Abs(dir); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
	}
	if err := s.decode(); err != nil {
		return nil, err
	}
	return s, nil
}

// decode fills the scenario from its tree.
func (s *Scenario) decode() error {
	s.Kind, s.Tier, s.Deps = PageLoad, Quick, "time"
	s.Profiles = []string{"linux"}
	s.Seed, s.Repetitions = 1, 1
	if err := decodeMap(s, s.root, "scenario", scenarioKeys, s); err != nil {
		return err
	}
	return s.check()
}

// WithSeed returns a copy with another seed.
func (s *Scenario) WithSeed(seed uint64) (*Scenario, error) {
	return s.Set(fmt.Sprintf("seed=%d", seed))
}
