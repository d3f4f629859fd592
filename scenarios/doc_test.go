package scenarios

import (
	"os"
	"strings"
	"testing"
)

// The example of the package documentation is a scenario that runs.
func TestExampleOfTheDocumentation(t *testing.T) {
	doc, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, ok := strings.Cut(string(doc), "A complete example:\n//\n")
	if !ok {
		t.Fatal("doc.go has no complete example")
	}
	var text strings.Builder
	for line := range strings.SplitSeq(rest, "\n") {
		code, ok := strings.CutPrefix(line, "//\t")
		if !ok {
			break
		}
		text.WriteString(code + "\n")
	}
	s := mustParse(t, text.String())
	for _, k := range scenarioKeys {
		if s.root.get(k.name) == nil {
			t.Errorf("the example does not show the key %s", k.name)
		}
	}
	if s, err = s.Set("pages=mix52,n32x100k", "sample=100%"); err != nil {
		t.Fatal(err)
	}
	g := mustGrid(t, s)
	// (2 built-in pages + 10 pages in 2 crawls) x 2 zipped networks x 2 limits x 2 repetitions = 176 cases, 2 profiles, 4 policies.
	if g.Cases() != 176 || g.Len() != 1408 {
		t.Errorf("%d cases, %d runs", g.Cases(), g.Len())
	}
}
