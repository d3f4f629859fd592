package workload

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"braid/sim/page"
)

func TestWrite(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "pages")
	r := Range{Like: "alexa-2015", First: 9998, Pages: 4, Crawls: 2}
	n, err := Write(dir, r, 1)
	if err != nil || n != 8 {
		t.Fatalf("%d pages, %v", n, err)
	}
	entries, err := os.ReadDir(dir) // sorted by name
	if err != nil {
		t.Fatal(err)
	}
	if len(entries) != 8 {
		t.Fatalf("%d files", len(entries))
	}
	for k, e := range entries {
		f, err := os.Open(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		p, err := page.ReadJSON(f, e.Name(), "")
		f.Close()
		if err != nil {
			t.Fatal(err)
		}
		// The k-th file by name is the k-th page by number, though 9999 and 10000 have other numbers of digits.
		want := generate(t, r.Item(k), 1)
		if p.Name != want.Name || !slices.Equal(p.Objects, want.Objects) {
			t.Errorf("%s is %s, want %s", e.Name(), p.Name, want.Name)
		}
	}
	if left, err := filepath.Glob(filepath.Join(filepath.Dir(dir), ".*")); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

func TestWriteLeavesWhatIsThere(t *testing.T) {
	dir := t.TempDir()
	mine := filepath.Join(dir, "mine")
	if err := os.WriteFile(mine, []byte("mine"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := Write(dir, Range{"alexa-2015", 1, 2, 1}, 1); err == nil {
		t.Error("written over a folder with a file in it")
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 1 {
		t.Errorf("%v, %v", entries, err)
	}
}

// A page that cannot be generated leaves no folder.
func TestWriteIsWholeOrNot(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "pages")
	if _, err := Write(dir, Range{"alexa-2015", MaxPage, 2, 1}, 1); err == nil {
		t.Error("page number above the limit")
	}
	entries, err := os.ReadDir(filepath.Dir(dir))
	if err != nil || len(entries) != 0 {
		t.Errorf("left behind: %v, %v", entries, err)
	}
}

// An empty folder stays the folder it is, with its permissions, and so does a link to it.
func TestWriteIntoEmptyFolder(t *testing.T) {
	dir := t.TempDir()
	real, link := filepath.Join(dir, "real"), filepath.Join(dir, "link")
	if err := os.Mkdir(real, 0o700); err != nil {
		t.Fatal(err)
	}
	before, err := os.Stat(real)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("real", link); err != nil {
		t.Skip(err)
	}
	if _, err := Write(link, Range{"alexa-2015", 1, 2, 1}, 1); err != nil {
		t.Fatal(err)
	}
	after, err := os.Stat(real)
	if err != nil || !os.SameFile(before, after) || after.Mode() != before.Mode() {
		t.Errorf("another folder, or other permissions: %v, %v", after, err)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is none any more: %v", err)
	}
	if entries, err := os.ReadDir(real); err != nil || len(entries) != 2 {
		t.Errorf("%v, %v; want two pages", entries, err)
	}
}

func TestWriteThroughALinkToNothing(t *testing.T) {
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink("none", link); err != nil {
		t.Skip(err)
	}
	if _, err := Write(link, Range{"alexa-2015", 1, 2, 1}, 1); err == nil || !strings.Contains(err.Error(), "link to a folder that is not there") {
		t.Errorf("%v", err)
	}
}
