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
		err := writeOutput(path, "text", func(w io.Writer) error { _, err := io.WriteString(w, text); return err })
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
	err := writeOutput(path, "text", func(w io.Writer) error {
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
	if err := writeOutput(os.DevNull, "text", func(w io.Writer) error { _, err := io.WriteString(w, "x"); return err }); err != nil {
		t.Fatal(err)
	}
	after, err := os.Stat(os.DevNull)
	if err != nil || after.Mode() != before.Mode() {
		t.Errorf("the null device is now %v, %v", after, err)
	}
}
