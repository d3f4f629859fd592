package scenarios

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestLibrary(t *testing.T) {
	want := map[string]struct {
		tier string
		runs int64
	}{
		// 4 pages, 2 x 2 x 2 x 2 networks, 7 policies.
		"quickstart": {Quick, 4 * 16 * 7},
		// 18 pages, 10 networks, 7 policies, 2 profiles.
		"socket-intents/handcrafted": {Quick, 18 * 10 * 7 * 2},
		// 6 x 4 x 4 x 4 = 384 networks, 100 x 26 + 1000 pages, 7 policies, 2 profiles.
		"socket-intents/table4": {Full, 384 * 3600 * 7 * 2},
		// 4000 cases, 7 policies, 2 profiles.
		"socket-intents/table4-small": {Quick, 4000 * 7 * 2},
	}
	names := Library()
	if len(names) != len(want) || !slices.IsSorted(names) {
		t.Errorf("library: %v", names)
	}
	for _, name := range names {
		s, err := Load(name)
		if err != nil {
			t.Error(err)
			continue
		}
		if g := mustGrid(t, s); g.Len() != want[name].runs || s.Tier != want[name].tier {
			t.Errorf("%s: %d runs, tier %s; want %v", name, g.Len(), s.Tier, want[name])
		}
		if s.Description == "" {
			t.Errorf("%s has no description", name)
		}
		for _, e := range s.Expect {
			if _, err := mustGrid(t, s).Match(e.Where); err != nil {
				t.Errorf("%s:%d: %v", name, e.Line, err)
			}
			if e.Published && e.Source == "" {
				t.Errorf("%s:%d: a published number without its source", name, e.Line)
			}
		}
	}
}

func TestDefaultScenario(t *testing.T) {
	s, err := Load("")
	if err != nil || s.Name != "quickstart" {
		t.Errorf("%v", err)
	}
}

// The sample is part of the whole: its rows are rows of table4.
func TestSmallIsASampleOfTable4(t *testing.T) {
	whole, err := Load("socket-intents/table4")
	if err != nil {
		t.Fatal(err)
	}
	small, err := Load("socket-intents/table4-small")
	if err != nil {
		t.Fatal(err)
	}
	g, err := mustGrid(t, whole).Sample(Sample{Cases: 4000})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(rows(t, g), rows(t, mustGrid(t, small))) {
		t.Error("table4-small is not the sample of 4000 cases of table4")
	}
}

// The bandwidths of Table IV in Mbit/s of 1024 kbit of 1024 bit; 0.5 was run as 500 kbit.
func TestBandwidthsOfTable4(t *testing.T) {
	s, err := Load("socket-intents/table4")
	if err != nil {
		t.Fatal(err)
	}
	for i, kbit := range [][]float64{{500, 2 * 1024, 6 * 1024, 12 * 1024, 20 * 1024, 50 * 1024}, {500, 5 * 1024, 20 * 1024, 50 * 1024}} {
		for k, v := range kbit {
			if got := s.Interfaces[i].Bandwidth[k].BitPerSecond(); got != v*1024 {
				t.Errorf("interface %d, level %d: %v bit/s, want %v", i+1, k, got, v*1024)
			}
		}
	}
}

// What show prints is a scenario with the same rows, in any folder.
func TestShownScenariosRunFromAnyFolder(t *testing.T) {
	dir := t.TempDir()
	for _, name := range Library() {
		text, err := Show(name)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(text), "yaml-language-server") {
			t.Errorf("%s shows a schema that is not there", name)
		}
		file := filepath.Join(dir, "shown.yaml")
		if err := os.WriteFile(file, text, 0o666); err != nil {
			t.Fatal(err)
		}
		shown, err := Load(file)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		shipped, err := Load(name)
		if err != nil {
			t.Fatal(err)
		}
		if shown.Digest() != shipped.Digest() {
			t.Errorf("%s: shown and shipped differ", name)
		}
	}
	if _, err := Show("quikstart"); err == nil || !strings.Contains(err.Error(), `did you mean "quickstart"?`) {
		t.Errorf("%v", err)
	}
}

func TestExport(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "folder")
	written, err := Export(dir)
	if err != nil || len(written) != len(Library())+1 {
		t.Fatalf("%v, %v", written, err)
	}
	for _, name := range Library() {
		if _, err := Load(filepath.Join(dir, name+".yaml")); err != nil {
			t.Error(err)
		}
	}
	if again, err := Export(dir); err != nil || len(again) != 0 {
		t.Errorf("again: %v, %v", again, err)
	}
	mine := filepath.Join(dir, "quickstart.yaml")
	if err := os.WriteFile(mine, []byte("mine"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := Export(dir); err == nil || !strings.Contains(err.Error(), "differs") {
		t.Errorf("over a changed file: %v", err)
	}
	if text, err := os.ReadFile(mine); err != nil || string(text) != "mine" {
		t.Error("export overwrote a changed file")
	}
}
