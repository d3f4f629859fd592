package scenarios

import (
	"errors"
	"strings"
	"testing"
)

// base is a scenario without faults; each case below replaces one piece of it.
const base = `name: base
pages: [mix28]
policies: [if1, eaf]
interfaces:
  - {name: wifi, bandwidth: 6Mbit/s, rtt: 20ms}
  - {name: lte, bandwidth: 5Mbit/s, rtt: 50ms}
`

// Every fault is an error with its line and column, what is wrong, and a remedy.
func TestBadScenarios(t *testing.T) {
	for _, c := range []struct {
		name, old, new string
		line, column   int
		want           []string
	}{
		{"unknown key", "pages:", "pagse:", 2, 1, []string{`unknown key "pagse" in scenario`, `did you mean "pages"?`}},
		{"unknown key of an interface", "bandwidth: 6Mbit/s", "bandwith: 6Mbit/s", 5, 18, []string{`unknown key "bandwith" in interface`, `did you mean "bandwidth"?`}},
		{"wrong unit", "6Mbit/s", "6Mbps", 5, 29, []string{`bandwidth: rate "6Mbps" has an unknown unit`, "did you mean Mbit/s?"}},
		{"no unit", "20ms", "20", 5, 43, []string{`rtt: duration "20" has no unit (write it like 20ms)`}},
		{"zero bandwidth", "6Mbit/s", "0Mbit/s", 5, 29, []string{"bandwidth", "not above 0", "6Mbit/s"}},
		{"negative bandwidth", "6Mbit/s", "-6Mbit/s", 5, 29, []string{"bandwidth", "negative"}},
		{"bandwidth the engine refuses", "6Mbit/s", "999bit/s", 5, 29, []string{"bandwidth", `"999bit/s" is below 1kbit/s`}},
		{"RTT the engine refuses", "20ms", "30m", 5, 43, []string{"rtt", `"30m" is above 10m0s`}},
		{"nested without end", "[mix28]", strings.Repeat("[", 60000), 2, 1, []string{"nested more than 200 deep"}},
		{"zero RTT", "20ms", "0ms", 5, 43, []string{"rtt", "not above 0", "20ms"}},
		{"negative RTT", "20ms", "-20ms", 5, 43, []string{"rtt", "negative"}},
		{"no bandwidth", "bandwidth: 6Mbit/s, ", "", 5, 6, []string{`interface has no "bandwidth"`, "6Mbit/s"}},
		{"no RTT", ", rtt: 20ms", "", 5, 6, []string{`interface has no "rtt"`, "20ms"}},
		{"empty bandwidth", "bandwidth: 6Mbit/s", "bandwidth: []", 5, 29, []string{"empty list"}},
		{"no value", "bandwidth: 6Mbit/s", "bandwidth:", 5, 18, []string{"bandwidth has no value"}},
		{"losses", "rtt: 20ms", "rtt: 20ms, loss: 1%", 5, 49, []string{"the flow level", "has no losses", "remove loss"}},
		{"interface name", "name: wifi", "name: wi fi", 5, 12, []string{"interface name", "letters, digits"}},
		{"interface twice", "name: lte", "name: WIFI", 6, 12, []string{`"WIFI" is used twice`}},
		{"interface called like a policy", "name: lte", "name: eaf", 6, 12, []string{`"eaf" is the name of a policy`}},
		{"interface called like another one's policy", "name: lte", "name: if1", 6, 12, []string{`"if1" is the name of a policy`}},
		{"no interfaces", base[strings.Index(base, "interfaces"):], "interfaces: []\n", 4, 13, []string{"at least one interface"}},
		{"unknown policy", "eaf]", "efa]", 3, 17, []string{`unknown policy "efa"`, `did you mean "eaf"?`}},
		{"policy twice", "[if1, eaf]", "[if1, wifi]", 3, 17, []string{"policy if1 is given twice (wifi is if1)"}},
		{"no policies", "policies: [if1, eaf]", "policies: []", 3, 11, []string{"empty list"}},
		{"no pages", "pages: [mix28]\n", "", 1, 1, []string{"no pages", "workload"}},
		{"empty pages", "[mix28]", "[]", 2, 8, []string{"pages is an empty list"}},
		{"unknown page", "mix28", "mix29", 2, 9, []string{`unknown page "mix29"`, `did you mean "mix28"?`}},
		{"page twice", "mix28", "mix28, mix28", 2, 16, []string{"page mix28 is given twice"}},
		{"missing file", "mix28", "pages/none.har", 2, 9, []string{"pages/none.har", "no such file"}},
		{"glob without match", "mix28", "pages/*.none", 2, 9, []string{`glob "pages/*.none" matches no file`}},
		{"bad glob", "mix28", "'pages/[.har'", 2, 9, []string{"glob", "pages/[.har"}},
		{"folder as page", "mix28", "./pages", 2, 9, []string{"is a directory"}},
		{"two pages of one name", "mix28", "pages/two-hosts.json, pages/more/two-hosts.json", 2, 31, []string{`two pages are called "two-hosts"`, "pages/more/two-hosts.json", "rename one"}},
		{"one page by two paths", "mix28", "pages/two-hosts.json, ./pages/two-hosts.json", 2, 31, []string{"given twice"}},
		{"bad page", "mix28", "pages/broken.json", 2, 9, []string{"pages/broken.json", `object 0 has no "bytes"`}},
		{"part of a page in JSON", "mix28", "pages/two-hosts.json#2", 2, 9, []string{"one page", "#2"}},
		{"unknown part of a HAR", "mix28", "pages/tiny.har#7", 2, 9, []string{"tiny.har", "7"}},
		{"unknown profile", "name: base", "profile: linus\nname: base", 1, 10, []string{`unknown profile "linus"`, `did you mean "linux"?`}},
		{"profile twice", "name: base", "profile: [linux, linux]\nname: base", 1, 18, []string{"linux is given twice"}},
		{"kind", "name: base", "kind: flows\nname: base", 1, 7, []string{"flows", "expected kind: page-load"}},
		{"tier", "name: base", "tier: fast\nname: base", 1, 7, []string{`unknown tier "fast"`, "quick, full"}},
		{"deps", "name: base", "deps: times\nname: base", 1, 7, []string{`did you mean "time"?`}},
		{"unknown parameter", "name: base", "parameters: {max_per_hosts: 6}\nname: base", 1, 14, []string{`unknown parameter "max_per_hosts"`, `did you mean "max_per_host"?`}},
		{"parameter out of range", "name: base", "parameters: {max_per_host: 0}\nname: base", 1, 28, []string{"max_per_host", "from 1 to 1000"}},
		{"parameter twice", "name: base", "parameters: {max_per_host: [6, 6]}\nname: base", 1, 32, []string{"max_per_host", "6 is given twice"}},
		{"parameters no run can have", "name: base", "parameters: {payload: 1600}\nname: base", 1, 14, []string{"payload 1600", "above packet"}},
		{"level twice", "bandwidth: 6Mbit/s", "bandwidth: [6Mbit/s, 6000kbit/s]", 5, 39, []string{"wifi.bandwidth: 6Mbit/s is given twice"}},
		{"seed", "name: base", "seed: 1.5\nname: base", 1, 7, []string{"seed", "whole number"}},
		{"repetitions", "name: base", "repetitions: 0\nname: base", 1, 14, []string{"repetitions", "whole number from 1"}},
		{"sample", "name: base", "sample: 0\nname: base", 1, 9, []string{"sample", "500", "2%"}},
		{"zip of an unknown factor", "name: base", "zip: [[wifi.rtt, wifi.bandwith]]\nname: base", 1, 18, []string{`unknown factor "wifi.bandwith"`, `did you mean "wifi.bandwidth"?`}},
		{"zip of policies", "name: base", "zip: [[wifi.rtt, policy]]\nname: base", 1, 18, []string{"policy is always crossed"}},
		{"workload", "pages: [mix28]", "workload: {like: alexa-2016, pages: 3}", 2, 18, []string{`did you mean "alexa-2015"?`}},
		{"workload without pages", "pages: [mix28]", "workload: {like: alexa-2015}", 2, 12, []string{`workload has no "pages"`}},
		{"workloads that overlap", "pages: [mix28]", "workload: [{like: alexa-2015, pages: 3}, {like: alexa-2015, pages: 2, first: 3}]", 2, 43, []string{"alexa-2015-p0003-c01 is given twice"}},
		{"key twice", "name: base", "name: base\nname: base", 2, 1, []string{"name", "already defined"}},
		{"not YAML", "[mix28]", "[mix28", 3, 1, []string{"not YAML"}},
		{"a tag", "mix28", "!page mix28", 2, 9, []string{"not used in scenarios"}},
		{"a map for a value", "rtt: 20ms", "rtt: {a: b}", 5, 44, []string{"rtt is a map"}},
		{"a list in a list", "mix28", "[mix28]", 2, 9, []string{"a list in its list"}},
		{"expect without metric", "name: base", "expect: [{median: 1s}]\nname: base", 1, 11, []string{`expectation has no "metric"`}},
		{"expect of an unknown metric", "name: base", "expect: [{metric: load_tim_s, median: 1s}]\nname: base", 1, 19, []string{`unknown metric "load_tim_s"`, `did you mean "load_time_s"?`, "wifi_bytes", "speedup"}},
		{"expect of bytes over an interface that is not there", "name: base", "expect: [{metric: wfi_bytes, median: 1kB}]\nname: base", 1, 19, []string{`did you mean "wifi_bytes"?`}},
		{"expect of a factor", "name: base", "expect: [{metric: wifi_rtt_s, median: 1s}]\nname: base", 1, 19, []string{`unknown metric "wifi_rtt_s"`}},
		{"expect of a list of metrics", "name: base", "expect: [{metric: [load_time_s], median: 1s}]\nname: base", 1, 19, []string{"metric is a list"}},
		{"several queues", "rtt: 20ms", "rtt: 20ms, queue: [60kB, 90kB]", 5, 63, []string{"2 values of queue", "keep one"}},
		{"expect without statistic", "name: base", "expect: [{metric: load_time_s}]\nname: base", 1, 11, []string{"one statistic", "median"}},
		{"expect of two statistics", "name: base", "expect: [{metric: load_time_s, median: 1s, p5: 1s}]\nname: base", 1, 11, []string{"this one has 2"}},
		{"expect without unit", "name: base", "expect: [{metric: load_time_s, median: 1}]\nname: base", 1, 40, []string{"has no unit"}},
		{"expect of an unknown factor", "name: base", "expect: [{where: {polcy: eaf}, metric: load_time_s, median: 1s}]\nname: base", 1, 19, []string{`did you mean "policy"?`}},
		{"expect of an unknown policy", "name: base", "expect: [{where: {policy: efa}, metric: load_time_s, median: 1s}]\nname: base", 1, 27, []string{`did you mean "eaf"?`}},
		{"order of an unknown policy", "name: base", "expect: [{metric: load_time_s, order: efa <= if1}]\nname: base", 1, 39, []string{`did you mean "eaf"?`}},
		{"over without speedup", "name: base", "expect: [{metric: load_time_s, over: if1, median: 1s}]\nname: base", 1, 38, []string{"speedup only"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := strings.Replace(base, c.old, c.new, 1)
			if text == base {
				t.Fatalf("%q is not in the scenario", c.old)
			}
			s, err := Parse([]byte(text), "testdata/base.yaml")
			if err == nil {
				_, err = s.Grid()
			}
			if err == nil {
				t.Fatal("accepted")
			}
			var e *Error
			if !errors.As(err, &e) {
				t.Fatalf("not an *Error: %v", err)
			}
			if e.File != "testdata/base.yaml" || e.Line != c.line || c.column > 0 && e.Column != c.column {
				t.Errorf("place %s:%d:%d, want line %d, column %d\n%v", e.File, e.Line, e.Column, c.line, c.column, err)
			}
			for _, w := range c.want {
				if !strings.Contains(err.Error(), w) {
					t.Errorf("%v\ndoes not say %q", err, w)
				}
			}
		})
	}
}

func TestErrorShowsTheText(t *testing.T) {
	_, err := Parse([]byte(strings.Replace(base, "bandwidth: 6", "bandwith: 6", 1)), "my.yaml")
	want := `my.yaml:5:18: unknown key "bandwith" in interface (did you mean "bandwidth"? keys: name, bandwidth, rtt, dns, queue)
    4 | interfaces:
    5 |   - {name: wifi, bandwith: 6Mbit/s, rtt: 20ms}
      |                  ^`
	if err == nil || err.Error() != want {
		t.Errorf("got\n%v\nwant\n%s", err, want)
	}
}

func TestEmptyFiles(t *testing.T) {
	for _, text := range []string{"", "\n", "# nothing\n", "---\n"} {
		if _, err := Parse([]byte(text), "x.yaml"); err == nil || !strings.Contains(err.Error(), "empty") {
			t.Errorf("%q: %v", text, err)
		}
	}
	if _, err := Parse([]byte("mix28"), "x.yaml"); err == nil || !strings.Contains(err.Error(), "expected a map") {
		t.Errorf("a word: %v", err)
	}
}

func TestUnknownScenario(t *testing.T) {
	for name, want := range map[string]string{
		"quikstart":              `did you mean "quickstart"?`,
		"none.yaml":              "no such file",
		"./quickstart":           "no such file",
		"testdata":               "is a directory",
		"socket-intents/table-4": `did you mean "socket-intents/table4"?`,
	} {
		if _, err := Load(name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", name, err, want)
		}
	}
}
