package main

import (
	"bytes"
	"encoding/json"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// recordings returns the files of a folder of recordings that lie outside the repository: below BRAID_SHARED, or in a
// folder "shared" beside the repository. It skips the test where there are none.
func recordings(t *testing.T, folder string) []string {
	t.Helper()
	shared := os.Getenv("BRAID_SHARED")
	if shared == "" {
		shared = filepath.Join("..", "..", "..", "shared")
	}
	files, err := filepath.Glob(filepath.Join(shared, "data", "har", folder, "*.har*"))
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Skip("recorded pages are not part of the repository (set BRAID_SHARED to their folder)")
	}
	return files
}

// Every recorded page loads in both profiles: no faster than the links can carry it, with all bytes delivered, and parts
// that sum to each object's end.
func TestLoadRecordedPages(t *testing.T) {
	for _, file := range recordings(t, "pages") {
		t.Run(filepath.Base(file), func(t *testing.T) {
			for _, profile := range []string{"linux", "dtsimulator"} {
				var out, errs bytes.Buffer
				args := []string{"load", file, "--if", "6Mbit/s,20ms", "--if", "20Mbit/s,50ms", "--policy", "eaf", "--profile", profile, "--json", "--explain"}
				if code := run(args, streams{strings.NewReader(""), &out, &errs}); code != 0 {
					t.Fatalf("%s: exit code %d: %s", profile, code, errs.String())
				}
				if n := strings.Count(errs.String(), "\n"); n > 1 {
					t.Errorf("%s: %d lines on standard error, want at most one warning:\n%s", profile, n, errs.String())
				}
				checkLoad(t, profile, &out)
			}
		})
	}
}

// A damaged or odd recording either loads, or is refused with exit code 2 and one line that names the file.
func TestLoadEdgeRecordings(t *testing.T) {
	for _, file := range recordings(t, "edge") {
		t.Run(filepath.Base(file), func(t *testing.T) {
			var out, errs bytes.Buffer
			code := run([]string{"load", file, "--if", "6Mbit/s,20ms", "--json"}, streams{strings.NewReader(""), &out, &errs})
			switch {
			case code == 0:
				checkLoad(t, "linux", &out)
			case code != exitUsage || strings.Count(errs.String(), "\n") != 1 || !strings.Contains(errs.String(), filepath.Base(file)) || out.Len() > 0:
				t.Errorf("exit code %d, %d bytes on standard output, and: %s", code, out.Len(), errs.String())
			}
		})
	}
}

// checkLoad checks one line of JSON against what holds for every load over links of 6 and 20 Mbit/s.
func checkLoad(t *testing.T, profile string, r io.Reader) {
	t.Helper()
	var l jsonLoad
	if err := json.NewDecoder(r).Decode(&l); err != nil {
		t.Fatal(err)
	}
	var objects, delivered int64
	var last float64
	for _, o := range l.Objects {
		objects += o.Bytes
		last = max(last, o.End)
		var sum float64
		for _, p := range o.Parts {
			sum += p
		}
		if diff := sum - o.End; o.Parts != nil && math.Abs(diff) > 1e-6 {
			t.Errorf("%s: object %d: parts sum to %v s, end %v s", profile, o.Index, sum, o.End)
		}
	}
	for _, f := range l.Interfaces {
		delivered += f.Bytes
	}
	if objects != delivered {
		t.Errorf("%s: %d bytes of objects, %d delivered", profile, objects, delivered)
	}
	// No load is faster than both links together, 26 Mbit/s.
	if least := float64(objects) * 8 / 26e6; l.LoadTime < least || l.LoadTime != last {
		t.Errorf("%s: load time %v s, last end %v s, the links need %v s", profile, l.LoadTime, last, least)
	}
}
