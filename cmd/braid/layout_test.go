package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// layers are the layers of the module, the lowest first. A package belongs to the longest prefix of its path that is
// listed. It may import packages of its own layer and below.
var layers = []struct {
	name     string
	packages []string
}{
	{"leaves", []string{"sim/units", "sim/page", "sim/event", "sim/rng"}},
	{"vocabulary", []string{"sim", "sim/link"}},
	{"mechanisms", []string{"sim/policy", "sim/client", "sim/tcpmodel", "sim/cc", "sim/sched", "sim/radio"}},
	{"engines and HAR", []string{"har", "sim/flow", "sim/fast", "sim/packet", "sim/testbed"}},
	{"scenarios", []string{"scenarios"}},
	{"analysis", []string{"analysis"}},
	{"commands", []string{"cmd"}},
}

// apart are packages that import none of each other, although they are of one layer.
var apart = []string{"har", "sim/flow", "sim/fast", "sim/packet", "sim/testbed"}

// only are packages of other modules that one package hides from the rest.
var only = map[string]string{"github.com/google/martian/v3": "har"}

const modulePrefix = "braid/"

// listed is what go list says of one package.
type listed struct {
	ImportPath string
	Imports    []string
}

// layerOf returns the index in layers of a package of this module, and the prefix it was found by; -1 if it is in none.
func layerOf(path string) (layer int, prefix string) {
	layer = -1
	for i, l := range layers {
		for _, p := range l.packages {
			if within(path, p) && len(p) > len(prefix) {
				layer, prefix = i, p
			}
		}
	}
	// A new folder below sim is a package of its own, not a part of the vocabulary.
	if prefix == "sim" && path != "sim" {
		return -1, ""
	}
	return layer, prefix
}

func within(path, folder string) bool { return path == folder || strings.HasPrefix(path, folder+"/") }

// checkLayout returns an error for each import that points the wrong way.
func checkLayout(packages []listed) error {
	var wrong []error
	for _, p := range packages {
		from, inside := strings.CutPrefix(p.ImportPath, modulePrefix)
		if !inside {
			continue
		}
		layer, prefix := layerOf(from)
		if layer < 0 {
			wrong = append(wrong, fmt.Errorf("%s is in no layer: add it to the table of layers", from))
			continue
		}
		for _, imported := range p.Imports {
			to, inside := strings.CutPrefix(imported, modulePrefix)
			if !inside {
				for module, owner := range only {
					if within(imported, module) && !within(from, owner) {
						wrong = append(wrong, fmt.Errorf("%s imports %s, which only %s may", from, imported, owner))
					}
				}
				continue
			}
			other, otherPrefix := layerOf(to)
			switch {
			case other > layer:
				wrong = append(wrong, fmt.Errorf("%s (%s) imports %s (%s)", from, layers[layer].name, to, layers[other].name))
			case prefix != otherPrefix && slices.Contains(apart, prefix) && slices.Contains(apart, otherPrefix):
				wrong = append(wrong, fmt.Errorf("%s imports %s: they must not know each other", from, to))
			}
		}
	}
	return errors.Join(wrong...)
}

// Imports point one way: commands, analysis, scenarios, engines and HAR, mechanisms, vocabulary, leaves.
func TestLayout(t *testing.T) {
	cmd := exec.Command("go", "list", "-deps", "-json=ImportPath,Imports", modulePrefix+"...")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, stderr.String())
	}
	var packages []listed
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		if err := dec.Decode(&p); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		packages = append(packages, p)
	}
	var own int
	for _, p := range packages {
		if strings.HasPrefix(p.ImportPath, modulePrefix) {
			own++
		}
	}
	if own < 10 {
		t.Fatalf("go list names %d packages of this module", own)
	}
	if err := checkLayout(packages); err != nil {
		t.Error(err)
	}
}

// The check itself sees what it is there for.
func TestLayoutCheck(t *testing.T) {
	for _, c := range []struct {
		from, to, want string
	}{
		{"braid/sim/page", "braid/sim", "sim/page (leaves) imports sim (vocabulary)"},
		{"braid/sim", "braid/sim/flow", "sim (vocabulary) imports sim/flow (engines and HAR)"},
		{"braid/scenarios/run", "braid/analysis/stat", "scenarios/run (scenarios) imports analysis/stat (analysis)"},
		{"braid/har", "braid/sim/flow", "must not know each other"},
		{"braid/sim/novel", "braid/sim", "sim/novel is in no layer"},
		{"braid/analysis/figure", "github.com/google/martian/v3/har", "which only har may"},
		{"braid/har", "github.com/google/martian/v3/har", ""},
		{"braid/scenarios/run", "braid/scenarios", ""},
		{"braid/sim/client", "braid/sim/policy", ""},
		{"braid/cmd/braid", "braid/analysis/figure", ""},
	} {
		err := checkLayout([]listed{{c.from, []string{c.to}}})
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%s imports %s: %v, want no error", c.from, c.to, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s imports %s: error %v, want %q", c.from, c.to, err, c.want)
		}
	}
}
