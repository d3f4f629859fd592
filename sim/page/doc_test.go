package page

import (
	"go/parser"
	"go/token"
	"strings"
	"testing"
	"time"
)

// The page in the package's documentation is one: three objects on two hosts, 142000 bytes, the last one with times.
func TestDocumentedPage(t *testing.T) {
	f, err := parser.ParseFile(token.NewFileSet(), "page.go", nil, parser.ParseComments|parser.PackageClauseOnly)
	if err != nil {
		t.Fatal(err)
	}
	var example strings.Builder
	for line := range strings.Lines(f.Doc.Text()) {
		if strings.HasPrefix(line, "\t") {
			example.WriteString(line)
		}
	}
	p, err := read(example.String())
	if err != nil {
		t.Fatal(err)
	}
	last := Object{Host: "cdn.example", Bytes: 90_000, After: 0, Think: 5 * time.Millisecond, Server: 20 * time.Millisecond}
	if p.Name != "shop" || len(p.Objects) != 3 || p.Hosts() != 2 || p.Bytes() != 142_000 || p.Objects[2] != last {
		t.Errorf("the documented page is read as %+v", p)
	}
}
