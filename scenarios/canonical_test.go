package scenarios

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestCanonicalGivesTheSameRowsInItsFolder(t *testing.T) {
	text := strings.Replace(two, "[mix28, n2x1k, n8x10k]", "[pages/tiny.har, mix28, pages/two*.json]", 1)
	s, err := Parse([]byte(text), "testdata/two.yaml")
	if err != nil {
		t.Fatal(err)
	}
	s = set(t, s, "interfaces.wifi.rtt=10ms,35ms", "sample=40", "seed=3")
	want := rows(t, mustGrid(t, s))
	canonical := s.Canonical()
	folder, err := filepath.Abs("testdata")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	again, err := Parse(canonical, filepath.Join(folder, "canonical.yaml"))
	if err != nil {
		t.Fatalf("%v\n%s", err, canonical)
	}
	if got := rows(t, mustGrid(t, again)); !slices.Equal(got, want) {
		t.Errorf("%d rows, want %d", len(got), len(want))
	}
	if string(again.Canonical()) != string(canonical) || again.Digest() != s.Digest() {
		t.Errorf("not stable:\n%s\nthen\n%s", canonical, again.Canonical())
	}
}

// The same scenario and pages in two folders, one of them with the path of a page written out, are one scenario.
func TestCanonicalDoesNotDependOnTheFolder(t *testing.T) {
	page, err := os.ReadFile("testdata/pages/tiny.har")
	if err != nil {
		t.Fatal(err)
	}
	var digests, canonical, inputs []string
	for _, written := range []string{"pages/tiny.har", "./pages/tiny.har", "absolute"} {
		dir := t.TempDir()
		if err := errors.Join(os.Mkdir(filepath.Join(dir, "pages"), 0o777), os.WriteFile(filepath.Join(dir, "pages", "tiny.har"), page, 0o666)); err != nil {
			t.Fatal(err)
		}
		if written == "absolute" {
			written = filepath.Join(dir, "pages", "tiny.har")
		}
		s, err := Parse([]byte(strings.Replace(base, "[mix28]", "[mix28, "+written+"]", 1)), filepath.Join(dir, "x.yaml"))
		if err != nil {
			t.Fatal(err)
		}
		list, err := s.Inputs()
		if err != nil {
			t.Fatal(err)
		}
		digests, canonical = append(digests, s.Digest()), append(canonical, string(s.Canonical()))
		inputs = append(inputs, list[0].Name+" "+list[1].Name)
	}
	for i := range digests {
		if digests[i] != digests[0] || canonical[i] != canonical[0] || inputs[i] != "pages/tiny.har x.yaml" {
			t.Errorf("inputs %s, digest %s, want %s\n%s", inputs[i], digests[i], digests[0], canonical[i])
		}
	}
}

// A page beside the scenario's folder is named from it too, wherever the two folders are.
func TestInputsBesideTheFolder(t *testing.T) {
	page, err := os.ReadFile("testdata/pages/tiny.har")
	if err != nil {
		t.Fatal(err)
	}
	root := t.TempDir()
	for _, dir := range []string{"grids", "shared"} {
		if err := os.Mkdir(filepath.Join(root, dir), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(root, "shared", "tiny.har"), page, 0o666); err != nil {
		t.Fatal(err)
	}
	text := []byte(strings.Replace(base, "[mix28]", "[../shared/*.har]", 1))
	t.Chdir(root)
	for _, file := range []string{filepath.Join("grids", "x.yaml"), filepath.Join(root, "grids", "x.yaml")} {
		s, err := Parse(text, file)
		if err != nil {
			t.Fatal(err)
		}
		list, err := s.Inputs()
		if err != nil || len(list) != 2 || list[0].Name != "../shared/tiny.har" || list[1].Name != "x.yaml" {
			t.Errorf("%s: inputs %+v, %v", file, list, err)
		}
	}
}

func TestDigestChangesWithTheScenario(t *testing.T) {
	s := mustParse(t, two)
	seen := map[string]string{s.Digest(): "the scenario"}
	for _, a := range []string{"seed=2", "policies=if1", "interfaces.wifi.rtt=20ms", "deps=initiator"} {
		d := set(t, s, a).Digest()
		if other, ok := seen[d]; ok {
			t.Errorf("%s has the digest of %s", a, other)
		}
		seen[d] = a
	}
	for _, a := range []string{"name=other", "tier=full", "description=x"} {
		if set(t, s, a).Digest() != s.Digest() {
			t.Errorf("%s changes the digest, but no row", a)
		}
	}
}
