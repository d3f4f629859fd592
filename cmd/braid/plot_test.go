package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestPaperFigures runs the commands of the section on figures in the README of a library's folder, in their order and in one
// folder, and fails unless each exits 0 and writes its figure.
func TestPaperFigures(t *testing.T) {
	text, err := os.ReadFile("../../scenarios/library/socket-intents/README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, ok := strings.Cut(string(text), "\n## Figures\n")
	if !ok {
		t.Fatal("no section on figures")
	}
	section, _, _ = strings.Cut(section, "\n## ")
	var script strings.Builder
	figures := 0
	for line := range strings.Lines(section) {
		args, ok := strings.CutPrefix(line, "    go run ./cmd/braid ")
		if !ok {
			continue
		}
		script.WriteString("exec braid " + args)
		if args = strings.TrimSpace(args); strings.HasPrefix(args, "plot ") {
			script.WriteString("! stderr .\nexists " + args[strings.LastIndexByte(args, ' ')+1:] + "\n")
			figures++
		}
	}
	if figures < 7 {
		t.Fatalf("%d figures", figures)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "figures.txtar"), []byte(script.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{Dir: dir})
}
