package main

import (
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"braid/scenarios"
	"braid/sim"
	"braid/sim/page"
	"braid/sim/policy"
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
	if examples < 9 {
		t.Errorf("found %d examples in the help texts, want 9 at least", examples)
	}
	for _, made := range []string{"waterfall.svg", "waterfall.pdf"} {
		if _, err := os.Stat(made); err != nil {
			t.Error(err)
		}
	}
}

// The page in the help of load is one: two objects on two hosts, of 12000 and 90000 bytes.
func TestHelpPage(t *testing.T) {
	p, err := page.ReadJSON(strings.NewReader(pageExample), "help", "help")
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Objects) != 2 || p.Hosts() != 2 || p.Bytes() != 102_000 || p.Objects[1].After != 0 || p.Objects[1].Server != 20*time.Millisecond {
		t.Errorf("the page is read as %+v", p)
	}
	if !strings.Contains(loadCmd{}.Help(), pageExample) {
		t.Error("the help does not show the page")
	}
}

// The help names each policy with all its names, and its listings fit a terminal of 80 columns.
func TestHelpListings(t *testing.T) {
	for _, e := range policy.Table {
		for _, name := range append([]string{e.Name}, e.Aliases...) {
			if !strings.Contains(listing(policyDocs()), name) {
				t.Errorf("policy %s is not listed", name)
			}
		}
	}
	for _, docs := range [][][2]string{policyDocs(), scenarios.BuiltinDocs()} {
		for line := range strings.Lines(listing(docs)) {
			if len(line) > helpWidth {
				t.Errorf("%d characters: %s", len(line), line)
			}
		}
	}
}

// A single network that was given a name is called by number and name; everything else by its canonical name.
func TestPolicyLabel(t *testing.T) {
	ifaces := []sim.Interface{{Name: "wifi"}, {Name: "if2"}}
	for canonical, want := range map[string]string{"if1": "if1 (wifi)", "if2": "if2", "eaf": "eaf", "mptcp-if1": "mptcp-if1"} {
		if got := policyLabel(canonical, ifaces); got != want {
			t.Errorf("%s: %q, want %q", canonical, got, want)
		}
	}
}

// Tables of long names end within the width: the names are shortened, but to no less than leastName.
func TestAddNames(t *testing.T) {
	p, err := page.New("p", []page.Object{{Host: strings.Repeat("long.", 40) + "example", Bytes: 1, After: page.None}})
	if err != nil {
		t.Fatal(err)
	}
	for cell, want := range map[int]int{20: tableWidth, 200: 200 + 2 + leastName} {
		tab := table{columns: []column{{"c", true}}}
		tab.add(strings.Repeat("x", cell))
		tab.add("sum")
		addNames(&tab, p, []int{0, -1})
		if got := tab.width() - 2; got != want || tab.rows[1][1] != "" {
			t.Errorf("a first column of %d: %d characters, want %d; second row %q", cell, got, want, tab.rows[1])
		}
	}
}

func TestWrapped(t *testing.T) {
	got := wrapped("one two  three fourteenletters five", 9)
	if want := []string{"one two", "three", "fourteenletters", "five"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// What changed is what differs from the profile that the values came from.
func TestChanged(t *testing.T) {
	params := sim.DTSimulator()
	params.Knowledge = sim.Estimated // told apart
	if got := changed(&params); got != nil {
		t.Errorf("%v, want none", got)
	}
	params.Payload, params.Pipelining = 1000, false
	if got, want := changed(&params), []setting{{"pipelining", "false"}, {"payload", "1000"}}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
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
