package scenarios

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestPagesOfFiles(t *testing.T) {
	s, err := Parse([]byte(strings.Replace(base, "[mix28]", "[pages/*.har, pages/two-hosts.json, mix52]", 1)), "testdata/base.yaml")
	if err != nil {
		t.Fatal(err)
	}
	g := mustGrid(t, s)
	if got := strings.Join(g.Levels("page"), " "); got != "tiny.har two-hosts mix52" {
		t.Errorf("pages %s", got)
	}
	var r, again Run
	if err := g.Run(0, &r); err != nil {
		t.Fatal(err)
	}
	// The HAR by hand: 5000 and 8000 bytes of body, 200 of header each; the second starts after the first has ended.
	p := r.Spec.Page
	if len(p.Objects) != 2 || p.Bytes() != 13400 || p.Objects[1].After != 0 {
		t.Errorf("tiny.har: %+v", p.Objects)
	}
	if err := g.Run(1, &again); err != nil || again.Spec.Page != p {
		t.Error("two runs of a page do not share it")
	}
	if err := mustGrid(t, set(t, s, "policies=eaf")).Run(0, &again); err != nil || again.Spec.Page != p {
		t.Error("the page is read again after a --set")
	}
}

func TestInputs(t *testing.T) {
	text := strings.Replace(base, "[mix28]", "[pages/*.har, pages/two-hosts.json, mix52]", 1)
	s, err := Parse([]byte(text), "testdata/base.yaml")
	if err != nil {
		t.Fatal(err)
	}
	inputs, err := s.Inputs()
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"base.yaml", "pages/tiny.har", "pages/two-hosts.json"} // from the scenario's folder
	if len(inputs) != len(want) {
		t.Fatalf("%v", inputs)
	}
	for i, in := range inputs {
		data := []byte(text)
		if i > 0 {
			if data, err = os.ReadFile("testdata/" + want[i]); err != nil {
				t.Fatal(err)
			}
		}
		sum := sha256.Sum256(data)
		if in.Name != want[i] || in.SHA256 != hex.EncodeToString(sum[:]) {
			t.Errorf("%v, want %s", in, want[i])
		}
	}
}

func TestOpenPage(t *testing.T) {
	for ref, objects := range map[string]int{"mix28": 29, "n3x7k": 4, "testdata/pages/tiny.har": 2, "testdata/pages/tiny.har#1": 2, "testdata/pages/two-hosts.json": 2} {
		p, err := OpenPage(ref, "time")
		if err != nil || len(p.Objects) != objects {
			t.Errorf("%s: %v", ref, err)
		}
	}
	for ref, want := range map[string]string{
		"mix29": `did you mean "mix28"?`, "none.har": "no such file", "testdata": "is a directory", "testdata/pages/broken.json": "bytes", "n2x1mb": "nNxSk",
	} {
		if _, err := OpenPage(ref, "time"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", ref, err, want)
		}
	}
	if _, err := OpenPage("testdata/pages/tiny.har", "guess"); err == nil {
		t.Error("unknown deps are accepted")
	}
}

// A HAR under the name of a page in JSON is read as what it is.
func TestHARCalledJSON(t *testing.T) {
	data, err := os.ReadFile("testdata/pages/tiny.har")
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "tiny.json")
	if err := os.WriteFile(file, data, 0o666); err != nil {
		t.Fatal(err)
	}
	if p, err := OpenPage(file, "time"); err != nil || len(p.Objects) != 2 {
		t.Error(err)
	}
}

func TestGeneratedPages(t *testing.T) {
	s := mustParse(t, strings.Replace(base, "pages: [mix28]", "workload: [{like: alexa-2015, pages: 40, crawls: 2}, {like: alexa-2015, pages: 10, first: 41}]", 1))
	g := mustGrid(t, s)
	// 40 x 2 + 10 pages, 2 policies.
	if g.Len() != 180 {
		t.Fatalf("%d runs", g.Len())
	}
	seen := map[string]int64{}
	var r Run
	for i := range g.Len() {
		if err := g.Run(i, &r); err != nil {
			t.Fatal(err)
		}
		p := r.Spec.Page
		if p.Name != r.Factors[0].Text {
			t.Fatalf("run %d has page %s, the row says %s", i, p.Name, r.Factors[0].Text)
		}
		seen[p.Name] += p.Bytes()
	}
	if len(seen) != 90 {
		t.Errorf("%d pages", len(seen))
	}
	// Backwards, and on a grid of fewer pages: the same pages.
	few := mustGrid(t, set(t, s, "workload={like: alexa-2015, pages: 5, crawls: 2}"))
	for i := few.Len() - 1; i >= 0; i-- {
		if err := few.Run(i, &r); err != nil {
			t.Fatal(err)
		}
		if p := r.Spec.Page; 2*p.Bytes() != seen[p.Name] {
			t.Errorf("%s has %d bytes, before %d", p.Name, p.Bytes(), seen[p.Name]/2)
		}
	}
}
