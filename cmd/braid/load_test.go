package main

import (
	"os"
	"slices"
	"strings"
	"testing"
	"time"
)

// Every example of the help texts works as written, in a folder with a recording page.har.
func TestHelpExamples(t *testing.T) {
	t.Chdir(t.TempDir())
	braid := func(line string) {
		t.Helper()
		args := strings.Fields(line)[1:]
		var out, errs strings.Builder
		if code := run(args, streams{strings.NewReader(""), &out, &errs}); code != 0 || out.Len() == 0 {
			t.Errorf("%s: exit code %d, %d bytes on standard output: %s", line, code, out.Len(), errs.String())
		}
	}
	braid("braid load mix28 --if 6Mbit/s,20ms --har page.har")
	examples := 0
	for _, line := range strings.Split(description+loadCmd{}.Help(), "\n") {
		if strings.HasPrefix(line, "  braid ") {
			examples++
			braid(line)
		}
	}
	if examples < 6 {
		t.Errorf("found %d examples in the help texts, want 6 at least", examples)
	}
	for _, made := range []string{"waterfall.svg", "waterfall.pdf"} {
		if _, err := os.Stat(made); err != nil {
			t.Error(err)
		}
	}
}

func TestTable(t *testing.T) {
	tab := table{columns: []column{{"name", true}, {"ms", false}, {"note", true}}}
	tab.add("a", "1.5", "")
	tab.add("größer", "10.25", "x y")
	var b strings.Builder
	tab.write(&b)
	want := "" +
		"name       ms  note\n" +
		"a         1.5\n" +
		"größer  10.25  x y\n"
	if b.String() != want {
		t.Errorf("got\n%swant\n%s", b.String(), want)
	}
}

func TestBytesText(t *testing.T) {
	for n, want := range map[int64]string{
		0: "0 B", 999: "999 B", 1000: "1.0 kB", 12_345: "12.3 kB", 1_381_600: "1.4 MB", 2_500_000_000: "2.5 GB", 4_000_000_000_000: "4000.0 GB",
	} {
		if got := bytesText(n); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
}

func TestSpeedUp(t *testing.T) {
	first, second, never := &load{time: 3 * time.Second}, &load{time: 2 * time.Second}, &load{}
	if got := speedUp(first, second); got != 1.5 {
		t.Errorf("3 s over 2 s is %v, want 1.5", got)
	}
	if got := speedUp(never, never); got != 1 {
		t.Errorf("two loads of no time: %v, want 1", got)
	}
}

func TestDefaultPolicies(t *testing.T) {
	for n, want := range map[int][]string{1: {"if1"}, 3: {"if1", "if2", "if3", "eaf", "mptcp-if1"}} {
		if got := defaultPolicies(n); !slices.Equal(got, want) {
			t.Errorf("%d networks: %v, want %v", n, got, want)
		}
	}
}
