package scenarios

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A glob over all recorded pages is a factor of 127 levels, with either source of dependencies.
func TestGridOfRecordedPages(t *testing.T) {
	dir := filepath.Join(shared(t), "data", "har", "pages")
	s := mustParse(t, strings.Replace(base, "[mix28]", "['"+filepath.Join(dir, "*.har")+"']", 1))
	for _, deps := range []string{"time", "initiator"} {
		g := mustGrid(t, set(t, s, "deps="+deps))
		if g.Len() != 2*127 {
			t.Errorf("deps %s: %d runs", deps, g.Len())
		}
		rows(t, g)
	}
}

// shared is the folder of recorded data that is not part of the repository: BRAID_SHARED, or "shared" beside it.
func shared(t *testing.T) string {
	t.Helper()
	dir := os.Getenv("BRAID_SHARED")
	if dir == "" {
		root, err := filepath.Abs("..")
		if err != nil {
			t.Fatal(err)
		}
		dir = filepath.Join(filepath.Dir(root), "shared")
	}
	if _, err := os.Stat(filepath.Join(dir, "data", "har")); err != nil {
		t.Skip("recorded pages are not part of the repository (set BRAID_SHARED to their folder)")
	}
	return dir
}
