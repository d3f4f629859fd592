package main

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func folder(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func TestWriteOutput(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out.txt")
	for _, text := range []string{"first, and longer", "second"} {
		err := writeOutput(streams{}, path, "text", func(w io.Writer) error { _, err := io.WriteString(w, text); return err })
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(path)
		if err != nil || string(got) != text {
			t.Errorf("%q, %v; want %q", got, err, text)
		}
	}
	if names := folder(t, filepath.Dir(path)); len(names) != 1 {
		t.Errorf("the folder holds %v, want the file alone", names)
	}
}

// A writer that fails half-way leaves what was there as it was, and nothing else.
func TestWriteOutputFails(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out.txt")
	if err := os.WriteFile(path, []byte("before"), 0o666); err != nil {
		t.Fatal(err)
	}
	fault := errors.New("half-way")
	err := writeOutput(streams{}, path, "text", func(w io.Writer) error {
		if _, err := io.WriteString(w, strings.Repeat("x", 1<<16)); err != nil {
			return err
		}
		return fault
	})
	if !errors.Is(err, fault) || !strings.Contains(err.Error(), path) {
		t.Errorf("error %v, want the fault and the path", err)
	}
	got, err := os.ReadFile(path)
	if err != nil || string(got) != "before" {
		t.Errorf("%q, %v; want what was there", got, err)
	}
	if names := folder(t, filepath.Dir(path)); len(names) != 1 {
		t.Errorf("the folder holds %v, want the file alone", names)
	}
}

// A device is written to, never replaced.
func TestWriteOutputToDevice(t *testing.T) {
	before, err := os.Stat(os.DevNull)
	if err != nil || before.Mode().IsRegular() {
		t.Skipf("no null device: %v", err)
	}
	if err := writeOutput(streams{}, os.DevNull, "text", func(w io.Writer) error { _, err := io.WriteString(w, "x"); return err }); err != nil {
		t.Fatal(err)
	}
	after, err := os.Stat(os.DevNull)
	if err != nil || after.Mode() != before.Mode() {
		t.Errorf("the null device is now %v, %v", after, err)
	}
}

// A link stays a link; the file behind it, however many links away and whether it is there or not, gets the text.
func TestWriteOutputThroughLinks(t *testing.T) {
	dir := t.TempDir()
	real := filepath.Join(dir, "real")
	if err := os.Mkdir(real, 0o777); err != nil {
		t.Fatal(err)
	}
	link := func(to, name string) string {
		t.Helper()
		name = filepath.Join(dir, name)
		if err := os.Symlink(to, name); err != nil {
			t.Skip(err)
		}
		return name
	}
	link("real", "folder")
	link(filepath.Join("folder", "out.txt"), "first")
	second := link("first", "second")
	for _, text := range []string{"made through the link", "replaced"} {
		err := writeOutput(streams{}, second, "text", func(w io.Writer) error { _, err := io.WriteString(w, text); return err })
		if err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(filepath.Join(real, "out.txt")); err != nil || string(got) != text {
			t.Errorf("%q, %v; want %q", got, err, text)
		}
	}
	if names := folder(t, real); len(names) != 1 {
		t.Errorf("the folder holds %v, want the file alone", names)
	}
	for _, name := range []string{"folder", "first", "second"} {
		if info, err := os.Lstat(filepath.Join(dir, name)); err != nil || info.Mode()&os.ModeSymlink == 0 {
			t.Errorf("%s is no link any more: %v, %v", name, info, err)
		}
	}

	nowhere := link(filepath.Join("none", "out.txt"), "nowhere")
	err := writeOutput(streams{}, nowhere, "text", func(io.Writer) error { return nil })
	if err == nil || !strings.Contains(err.Error(), "nowhere: cannot write the text through the link to "+filepath.Join(dir, "none", "out.txt")) {
		t.Errorf("a link into a folder that is not there: %v", err)
	}
	loop := link("loop", "loop")
	if err := writeOutput(streams{}, loop, "text", func(io.Writer) error { return nil }); err == nil || !strings.Contains(err.Error(), "too many symbolic links") {
		t.Errorf("a link to itself: %v", err)
	}
}

// What is replaced keeps its permissions.
func TestWriteOutputKeepsPermissions(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out.txt")
	if err := os.WriteFile(path, []byte("before"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := writeOutput(streams{}, path, "text", func(io.Writer) error { return nil }); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v; want what it was, 0600", info.Mode(), err)
	}
}

// A file of the longest name there may be can be written.
func TestWriteOutputLongName(t *testing.T) {
	path := filepath.Join(t.TempDir(), strings.Repeat("n", 255))
	if err := os.WriteFile(path, nil, 0o666); err != nil {
		t.Skip(err)
	}
	if err := writeOutput(streams{}, path, "text", func(io.Writer) error { return nil }); err != nil {
		t.Error(err)
	}
}

// A path that names what a stream writes to goes to the stream, behind what was written there.
func TestWriteOutputToStream(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out.txt")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for _, s := range []streams{{out: f}, {err: f}} {
		if _, err := f.WriteString("a"); err != nil {
			t.Fatal(err)
		}
		if err := writeOutput(s, path, "text", func(w io.Writer) error { _, err := io.WriteString(w, "b"); return err }); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(path); err != nil || string(got) != "abab" {
		t.Errorf("%q, %v; want abab", got, err)
	}
}

func TestSameOutput(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.Mkdir("d", 0o777); err != nil {
		t.Fatal(err)
	}
	for name, to := range map[string]string{"l": "a", "k": filepath.Join("d", "a"), "e": "d"} {
		if err := os.Symlink(to, name); err != nil {
			t.Skip(err)
		}
	}
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"a", "./a", true}, {"a", "l", true}, {"d/a", "k", true}, {"e/a", "k", true}, {"e/a", "d/a", true}, {"a", "b", false}, {"a", "k", false},
		{os.DevNull, os.DevNull, false},
	} {
		if got := sameOutput(c.a, c.b); got != c.want {
			t.Errorf("%s and %s: %v, want %v", c.a, c.b, got, c.want)
		}
	}
}
