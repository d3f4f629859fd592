package main

import (
	"image/png"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/plot/cmpimg"
)

const readme = "../../README.md"

// blocks returns the fenced blocks of the README in one language.
func blocks(t *testing.T, language string) []string {
	t.Helper()
	text, err := os.ReadFile(readme)
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, m := range regexp.MustCompile("(?ms)^```"+language+"\n(.*?)^```$").FindAllStringSubmatch(string(text), -1) {
		found = append(found, m[1])
	}
	if len(found) == 0 {
		t.Fatalf("the README has no %s block", language)
	}
	return found
}

// TestReadmeCommands runs every command of the README, in its order and in one folder, and fails unless each exits 0. What
// it says of the tests has to be what the checks run. The pictures it shows are those its commands draw.
func TestReadmeCommands(t *testing.T) {
	checks, err := os.ReadFile("../../.ci/run")
	if err != nil {
		t.Fatal(err)
	}
	shown, err := filepath.Abs("testdata/readme")
	if err != nil {
		t.Fatal(err)
	}
	commands := blocks(t, "sh")
	dir := t.TempDir()
	t.Chdir(dir)
	for _, block := range commands {
		for line := range strings.Lines(block) {
			line = strings.TrimSpace(line)
			switch args, braid := strings.CutPrefix(line, "go run ./cmd/braid "); {
			case braid:
				var stderr strings.Builder
				if code := run(arguments(args), streams{strings.NewReader(""), io.Discard, &stderr}); code != exitDone {
					t.Fatalf("%s: exit code %d: %s", line, code, stderr.String())
				}
			case strings.HasPrefix(line, "go test "):
				if !strings.Contains(string(checks), "\n"+line+"\n") {
					t.Errorf(".ci/run does not run %q", line)
				}
			default:
				t.Errorf("no way to test the command %q", line)
			}
		}
	}
	for _, name := range []string{"results/rows.parquet", "results/manifest.json", "simulated.har"} {
		if _, err := os.Stat(name); err != nil {
			t.Error(err)
		}
	}
	pictures, err := os.ReadDir(shown)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range pictures {
		same(t, filepath.Join(dir, p.Name()), filepath.Join(shown, p.Name()))
	}
}

// arguments splits a command as a shell does, as far as the README's need it: at blanks outside of quotes, which go.
func arguments(command string) []string {
	list := regexp.MustCompile(`(?:[^\s']|'[^']*')+`).FindAllString(command, -1)
	for i := range list {
		list[i] = strings.ReplaceAll(list[i], "'", "")
	}
	return list
}

// TestReadmeShowsItsPictures: each picture that is kept for the README is in it, and each that is in it is kept.
func TestReadmeShowsItsPictures(t *testing.T) {
	text, err := os.ReadFile(readme)
	if err != nil {
		t.Fatal(err)
	}
	var shown, kept []string
	for _, m := range regexp.MustCompile(`!\[[^\]]+\]\(cmd/braid/testdata/readme/([^)]+)\)`).FindAllStringSubmatch(string(text), -1) {
		shown = append(shown, m[1])
	}
	files, err := os.ReadDir("testdata/readme")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		kept = append(kept, f.Name())
	}
	slices.Sort(shown)
	if !slices.Equal(shown, kept) {
		t.Errorf("shown %v, kept %v", shown, kept)
	}
}

// same holds two PNG files to be the same picture.
func same(t *testing.T, got, want string) {
	t.Helper()
	var files [2][]byte
	for i, name := range []string{got, want} {
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := png.Decode(f); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		f.Close()
		if files[i], err = os.ReadFile(name); err != nil {
			t.Fatal(err)
		}
	}
	ok, err := cmpimg.EqualApprox("png", files[0], files[1], 0.05)
	if err != nil || !ok {
		t.Errorf("%s is not the picture its command draws (%v); draw it again with that command", want, err)
	}
}

// TestReadmeAccuracy holds the README's table of errors to what the documentation of the flow package says, which its own
// tests hold to what they measure.
func TestReadmeAccuracy(t *testing.T) {
	text, err := os.ReadFile(readme)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := os.ReadFile("../../sim/flow/doc.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ measured, row string }{
		{`RTT >= 50 ms: (mean [\d.]+ %, max [\d.]+ %)`, "| `linux` | kernel TCP, new connections, RTT of 50 ms and more | %s |"},
		{`with and without pauses: (mean [\d.]+ %, max [\d.]+ %)`, "| `linux` | kernel TCP, warm connections | %s |"},
		{`page of 50 objects: (mean [\d.]+ %, max [\d.]+ %)`, "| `linux` | kernel TCP, a page of 50 objects | %s |"},
		{`multipath, against the median: (mean [\d.]+ %, max [\d.]+ %)`, "| `linux` | kernel Multipath TCP, median of 15 | %s |"},
		{`handcrafted, single path, 480 runs: ([\d.]+ %)`, "single path | %s of 480 runs within 0.5 % |"},
		{`handcrafted, mptcp-if1, 120 runs: .*0.5 %, ([\d.]+ %) within 1 %`, "`mptcp-if1` and `eaf-mptcp` | %s and "},
		{`handcrafted, eaf-mptcp, 120 runs: .*0.5 %, ([\d.]+ %) within 1 %`, " and %s of 120 runs within 1 % |"},
	} {
		m := regexp.MustCompile(c.measured).FindSubmatch(doc)
		if m == nil {
			t.Errorf("the documentation of the flow package has no line like %s", c.measured)
			continue
		}
		if want := strings.Replace(c.row, "%s", string(m[1]), 1); !strings.Contains(string(text), want) {
			t.Errorf("the README does not say: %s", want)
		}
	}
}
