package scenarios

import (
	"encoding/json"
	"os"
	"testing"
)

// The built-in pages are those of the published load times (sim/flow/testdata/reference), objects and order.
func TestBuiltinPagesAreThePublishedOnes(t *testing.T) {
	data, err := os.ReadFile("../sim/flow/testdata/reference/handcrafted.json")
	if err != nil {
		t.Fatal(err)
	}
	var reference struct {
		Pages map[string][]struct {
			Host  string
			TLS   bool
			Bytes int64
			After *int32
		}
	}
	if err := json.Unmarshal(data, &reference); err != nil {
		t.Fatal(err)
	}
	if len(reference.Pages) != 18 || len(BuiltinPages()) != 18 {
		t.Fatalf("%d pages in the reference, %d built in; want 18", len(reference.Pages), len(BuiltinPages()))
	}
	for _, name := range BuiltinPages() {
		p, ok := BuiltinPage(name)
		if !ok {
			t.Errorf("%s is listed, but there is no such page", name)
			continue
		}
		want := reference.Pages[name]
		if len(p.Objects) != len(want) {
			t.Errorf("%s: %d objects, want %d", name, len(p.Objects), len(want))
			continue
		}
		for i, o := range p.Objects {
			after := int32(-1)
			if want[i].After != nil {
				after = *want[i].After
			}
			if o.Host != want[i].Host || o.TLS != want[i].TLS || o.Bytes != want[i].Bytes || o.After != after {
				t.Errorf("%s: object %d is %+v, want %+v after %d", name, i, o, want[i], after)
			}
		}
	}
}

func TestAnyNumberAndSizeIsABuiltinPage(t *testing.T) {
	p, ok := BuiltinPage("n5x3k")
	// 10240 + 5 x 3 x 1024 = 25600 bytes.
	if !ok || len(p.Objects) != 6 || p.Bytes() != 25600 || p.Depth() != 2 {
		t.Errorf("n5x3k: %v, %v", ok, p)
	}
	for _, name := range []string{"n0x1k", "n1x0k", "n10001x1k", "n2x1", "n2x1m", "xn2x1k", "n2x1k ", "N2x1k", "mix53", "", "n02x1k"} {
		if _, ok := BuiltinPage(name); ok {
			t.Errorf("%q is a page", name)
		}
	}
}

// What is said of the built-in pages names pages that are there.
func TestBuiltinDocs(t *testing.T) {
	var forms int
	for _, d := range BuiltinDocs() {
		name := d[0]
		if name == "nNxSk" {
			forms++
			name = "n32x100k"
		}
		if _, ok := BuiltinPage(name); !ok || d[1] == "" {
			t.Errorf("%s: %q; page there: %v", d[0], d[1], ok)
		}
	}
	if forms != 1 || len(BuiltinDocs()) != 3 {
		t.Errorf("%v: want mix28, mix52 and nNxSk", BuiltinDocs())
	}
}
