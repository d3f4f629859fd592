package check

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"braid/scenarios"
	"braid/scenarios/result"
)

// small is a scenario of 8 runs. With linux, if1, n2x1k, 6 Mbit/s and 20 ms: see sim/flow for the times themselves; here they
// only have to stay as they are.
const small = `name: small
pages: [n2x1k, n4x10k]
policies: [if1, eaf]
interfaces:
  - {name: wifi, bandwidth: [2Mbit/s, 20Mbit/s], rtt: 20ms}
  - {name: lte, bandwidth: 5Mbit/s, rtt: 50ms}
`

// prepared writes a scenario into a folder and prepares its check.
func prepared(t *testing.T, dir, text string) *Check {
	t.Helper()
	file := filepath.Join(dir, "small.yaml")
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	s, err := scenarios.Load(file)
	if err != nil {
		t.Fatal(err)
	}
	c, err := New("small.yaml", s)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func report(t *testing.T, c *Check) *Report {
	t.Helper()
	r, err := c.Run(context.Background(), Options{Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestLines(t *testing.T) {
	c := prepared(t, t.TempDir(), small+`expect:
  - {where: {policy: eaf}, metric: load_time_s, max: <= 10s}
  - {where: {policy: eaf}, metric: speedup, min: '>= 2'}
  - {where: {policy: eaf}, metric: speedup, min: 2, published: true, source: nobody}
  - {where: {policy: eaf, wifi.rtt: 30ms}, metric: load_time_s, median: 1s}
  - {where: {policy: eaf, wifi.rtt: 30ms}, metric: load_time_s, median: 1s, published: true}
  - {where: {policy: mptcp-if1}, metric: load_time_s, median: 1s}
`)
	r := report(t, c)
	if r.Runs != 8 || r.Failed != 0 || r.Checks() != 5 || c.Runs() != 8 {
		t.Errorf("%d runs, %d failed, %d checks", r.Runs, r.Failed, r.Checks())
	}
	for i, want := range []struct {
		runs  int64
		fault string // "": none
		fails bool
	}{
		{4, "", false},
		{4, "expected >= 2, simulated ", true},
		{4, "expected 2, simulated ", false},
		{0, "it matches no run: wifi.rtt has no level", true},
		{0, "it matches no run: wifi.rtt has no level", false},
		{0, "it matches no run: policy has no level", true},
	} {
		l := &r.Lines[i]
		fault := ""
		if l.Fault != nil {
			fault = l.Fault.Error()
		}
		if l.Runs != want.runs || l.Fails() != want.fails || (want.fault == "") != (fault == "") || !strings.HasPrefix(fault, want.fault) {
			t.Errorf("line %d: %d runs, fails %v: %s", i, l.Runs, l.Fails(), fault)
		}
		if l.Runs == 0 && (l.Simulated != none || !math.IsNaN(l.Value)) {
			t.Errorf("line %d: simulated %s", i, l.Simulated)
		}
	}
	if n := len(r.Failures()); n != 3 {
		t.Errorf("%d failures", n)
	}
	err := Error([]*Report{r})
	for _, want := range []string{"3 of 5 checks fail\n", "small.yaml:9: policy=eaf: speedup min: expected >= 2, simulated 1.000 (", "small.yaml:11: policy=eaf wifi.rtt=30ms: "} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v\ndoes not say %q", err, want)
		}
	}
}

// A slower link fails the check that held, and the message has old and new value.
func TestSlowedLink(t *testing.T) {
	dir := t.TempDir()
	expect := "expect:\n  - {where: {policy: if1, page: n2x1k}, metric: load_time_s, min: %s}\n"
	r := report(t, prepared(t, dir, small+strings.Replace(expect, "%s", "1s", 1)))
	text, err := r.Scenario.Rewrite(map[int]float64{0: r.Lines[0].Value})
	if err != nil {
		t.Fatal(err)
	}
	r = report(t, prepared(t, dir, string(text)))
	if err := Error([]*Report{r}); err != nil {
		t.Fatal(err)
	}
	held := r.Lines[0].Expect.Want
	r = report(t, prepared(t, dir, strings.Replace(string(text), "rtt: 20ms", "rtt: 40ms", 1)))
	f := r.Failures()
	if len(f) != 1 || !strings.HasPrefix(f[0].Text, "expected "+held+", simulated 0.") || f[0].Line != 8 || f[0].Scenario != "small.yaml" {
		t.Errorf("%+v", f)
	}
	// Four round trips of 20 ms more: two to connect and ask, two objects after the other.
	if d := r.Lines[0].Value - r.Lines[0].Expected; d < 0.06 || d > 0.1 {
		t.Errorf("40 ms instead of 20: %v s more", d)
	}
}

// broken is a scenario in which half of the runs fail: a payload of 1448 bytes is above the packet of 1000.
const broken = `name: broken
pages: [n2x1k]
policies: [if1, eaf]
interfaces:
  - {name: wifi, bandwidth: 2Mbit/s, rtt: 20ms}
  - {name: lte, bandwidth: 5Mbit/s, rtt: 50ms}
parameters: {payload: [1448, 900], packet: [1000, 1000], mptcp_payload: [900, 900]}
zip: [[payload, packet, mptcp_payload]]
`

// Runs that fail make the check fail, and are named.
func TestFailedRuns(t *testing.T) {
	r := report(t, prepared(t, t.TempDir(), broken+"expect:\n  - {where: {payload: 1448}, metric: load_time_s, max: <= 100s}\n  - {where: {payload: 900}, metric: load_time_s, max: <= 100s}\n"))
	f := r.Failures()
	if len(f) != 2 || f[0].Title != runsTitle || !strings.HasPrefix(f[0].Text, "2 of 4 runs failed\n  run 0 (page=n2x1k") || !strings.Contains(f[1].Text, "no run that went well") {
		t.Errorf("%+v", f)
	}
}

func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := prepared(t, t.TempDir(), small).Run(ctx, Options{}); err == nil {
		t.Error("a cancelled check has a report")
	}
}

// names are the scenarios of a selection.
func names(t *testing.T, args []string, all bool) []string {
	t.Helper()
	checks, err := Select(args, all)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, c := range checks {
		list = append(list, c.Name)
	}
	return list
}

func TestSelect(t *testing.T) {
	t.Chdir(t.TempDir())
	for file, text := range map[string]string{"quick.yaml": small, "full.yml": small + "tier: full\n", "page.json": "{}", "a[b].yaml": small, "socket-intents/mine.yaml": small} {
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	library := scenarios.Library()
	quick := slices.DeleteFunc(slices.Clone(library), func(n string) bool { return n == "socket-intents/table4" })
	for _, c := range []struct {
		args []string
		all  bool
		want []string
	}{
		{nil, false, quick},
		{nil, true, library},
		{[]string{"quickstart"}, false, []string{"quickstart"}},
		{[]string{"socket-intents/table4"}, false, []string{"socket-intents/table4"}},
		{[]string{"socket-intents/*"}, false, []string{"socket-intents/handcrafted", "socket-intents/table4-small", "socket-intents/mine.yaml"}},
		{[]string{"socket-intents/t*"}, true, []string{"socket-intents/table4", "socket-intents/table4-small"}},
		{[]string{"quick*"}, false, []string{"quickstart", "quick.yaml"}},
		{[]string{"full.yml"}, false, []string{"full.yml"}},
		{[]string{"*.y*ml"}, false, []string{"a[b].yaml", "quick.yaml"}},
		{[]string{"*.y*ml"}, true, []string{"a[b].yaml", "full.yml", "quick.yaml"}},
		{[]string{"a[b].yaml"}, false, []string{"a[b].yaml"}},
		{[]string{"quickstart", "quick*", "./quick.yaml", "quickstart"}, false, []string{"quickstart", "quick.yaml"}},
		{[]string{"full.yml", "f*.yml"}, false, []string{"full.yml"}}, // the glob gives nothing else, and is no mistake
	} {
		if got := names(t, c.args, c.all); !slices.Equal(got, c.want) {
			t.Errorf("%q, all %v: %q, want %q", c.args, c.all, got, c.want)
		}
	}
	for arg, want := range map[string]string{
		"quikstart": `did you mean "quickstart"?`,
		"none*":     "matches no file ending in .yaml or .yml, and no scenario of the library",
		"page.*":    "matches no file ending in .yaml or .yml",
		"f*.yml":    "only scenarios of the tier full (full.yml); add --all",
		"[":         "syntax error in pattern",
	} {
		if _, err := Select([]string{arg}, false); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", arg, err, want)
		}
	}
}

// baselineOf writes rows that are changed by the function into the format and compares the scenario with them.
func baselineOf(t *testing.T, format result.Format, change func(i int, r *result.Row) bool) *Baseline {
	t.Helper()
	dir := t.TempDir()
	file := "rows." + string(format)
	c := prepared(t, dir, small+"baseline: "+file+"\n")
	f, err := os.Create(filepath.Join(dir, file))
	if err != nil {
		t.Fatal(err)
	}
	w, err := result.NewWriter(f, format, c.schema)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	_, err = c.run(context.Background(), Options{}, func(r *result.Row) error {
		row := *r
		row.Factors, row.Metrics = slices.Clone(r.Factors), slices.Clone(r.Metrics)
		n++
		if change != nil && !change(n-1, &row) {
			return nil
		}
		return w.Write(&row)
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return report(t, c).Baseline
}

func TestBaseline(t *testing.T) {
	const load = 0 // index of the metric
	factor := func(name string) int {
		c := prepared(t, t.TempDir(), small)
		return c.schema.Factor(name)
	}
	rtt, page := factor("wifi_rtt_s"), factor("page")
	for _, format := range []result.Format{result.Parquet, result.CSV, result.JSONLines} {
		for _, c := range []struct {
			name          string
			change        func(i int, r *result.Row) bool
			changed, rows int64
			first, fault  string // how they begin; "": none
		}{
			{"the same", nil, 0, 0, "", ""},
			{"rounding", func(i int, r *result.Row) bool { r.Metrics[load].Float *= 1 + 1e-11; return true }, 0, 0, "", ""},
			{"a nanosecond", func(i int, r *result.Row) bool { r.Metrics[load].Float += 1e-9; return true }, 8, 8, "run ", ""},
			{"two cells of a row", func(i int, r *result.Row) bool {
				if i == 3 {
					r.Metrics[load].Float *= 2
					r.Metrics[1].Integer += 5
				}
				return true
			}, 2, 1, "run 3 (page=n2x1k, wifi_bandwidth_bit_s=20000000, ", ""},
			{"another network", func(i int, r *result.Row) bool {
				if i == 3 {
					r.Factors[rtt].Float = 0.04
				}
				return true
			}, 1, 1, "run 3 (", ""},
			{"failed before", func(i int, r *result.Row) bool {
				if i == 2 {
					r.Metrics, r.Error = nil, "no way"
				}
				return true
			}, 1, 1, "run 2 (", ""},
			{"another page", func(i int, r *result.Row) bool {
				if i == 4 {
					r.Factors[page].Text = "other"
				}
				return true
			}, 0, 0, "", "it has other runs than the scenario: run 4 is page=n4x10k"},
			{"fewer rows", func(i int, r *result.Row) bool { return i < 6 }, 0, 0, "", "it ends before run 6"},
			{"a row less at the beginning", func(i int, r *result.Row) bool { return i > 0 }, 0, 0, "", "it has other runs"},
		} {
			b := baselineOf(t, format, c.change)
			first, fault := "", ""
			if len(b.Changes) > 0 {
				first = b.Changes[0].String()
			}
			if b.Fault != nil {
				fault = b.Fault.Error()
			}
			if b.Changed != c.changed || b.Rows != c.rows || !strings.HasPrefix(first, c.first) || (c.first == "") != (first == "") ||
				!strings.HasPrefix(fault, c.fault) || (c.fault == "") != (fault == "") || b.Fails() != (c.changed > 0 || c.fault != "") {
				t.Errorf("%s, %s: %d changed in %d rows, first %q, fault %q", format, c.name, b.Changed, b.Rows, first, fault)
			}
		}
	}
}

// The largest change comes first, of equal ones that of the first run, and no more than MaxChanges are listed.
func TestChangesAreOrderedAndBounded(t *testing.T) {
	b := &baseline{}
	row := result.Row{}
	for i := range 100 {
		row.Run = int64(i)
		relative := float64(i%50) / 100
		if i%2 == 1 {
			relative = -relative
		}
		if i == 70 {
			relative = math.Inf(1)
		}
		b.changed(&row, "load_time_s", "1", "2", relative)
	}
	if b.Changed != 100 || len(b.Changes) != MaxChanges {
		t.Fatalf("%d changes, %d listed", b.Changed, len(b.Changes))
	}
	var runs []int64
	for _, c := range b.Changes[:5] {
		runs = append(runs, c.Run)
	}
	if !slices.Equal(runs, []int64{70, 49, 99, 48, 98}) {
		t.Errorf("runs %v", runs)
	}
	text := b.Text()
	if !strings.HasPrefix(text, "100 values changed in 0 rows, the largest change first\n  run 70 (") || !strings.HasSuffix(text, "\n  and 80 more") {
		t.Error(text)
	}
}

// What cannot be compared fails.
func TestBaselinesThatCannotBeRead(t *testing.T) {
	dir := t.TempDir()
	for file, text := range map[string]string{
		"none.parquet": "", "broken.parquet": "PAR1", "rows.txt": "x", "empty.csv": "",
		"columns.csv": "run,page,policy,load_time_s,wlan_bytes,error\n0,n2x1k,if1,1,2,\n",
		"short.csv":   "run,page,wifi_bandwidth_bit_s,wifi_rtt_s,lte_bandwidth_bit_s,lte_rtt_s,seed,repetition,profile,policy,load_time_s,connections,wifi_bytes,lte_bytes,events,predictions,error\n0,n2x1k\n",
	} {
		if file != "none.parquet" {
			if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		r := report(t, prepared(t, dir, small+"baseline: "+file+"\n"))
		f := r.Failures()
		if len(f) != 1 || !strings.HasPrefix(f[0].Title, "baseline ") || f[0].Text == "" {
			t.Errorf("%s: %+v", file, f)
		}
		if file == "columns.csv" && f[0].Text != "its columns are not those of the scenario: it lacks wifi_bandwidth_bit_s, wifi_rtt_s, lte_bandwidth_bit_s, lte_rtt_s, seed, repetition, profile, connections, wifi_bytes, lte_bytes, events, predictions, and it has wlan_bytes as well" {
			t.Error(f[0].Text)
		}
	}
}

// Pages whose names look like numbers are the same pages in a text format.
func TestBaselineOfNumberedPages(t *testing.T) {
	for _, format := range result.FormatNames() {
		dir := t.TempDir()
		for _, name := range []string{"007", "1e3"} {
			text := `{"name": "` + name + `", "objects": [{"host": "a.example", "bytes": 1000}]}`
			if err := os.WriteFile(filepath.Join(dir, name+".json"), []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		c := prepared(t, dir, strings.Replace(small, "n2x1k, n4x10k", "007.json, 1e3.json", 1)+"baseline: base."+format+"\n")
		f, err := os.Create(c.Scenario.BaselineFile())
		if err != nil {
			t.Fatal(err)
		}
		if err := c.WriteBaseline(context.Background(), Options{}, f); err != nil {
			t.Fatal(err)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
		if b := report(t, c).Baseline; b.Fails() {
			t.Errorf("%s: %s", format, b.Text())
		}
	}
}

// A baseline that is written holds.
func TestWriteBaseline(t *testing.T) {
	for _, format := range result.FormatNames() {
		dir := t.TempDir()
		c := prepared(t, dir, small+"baseline: base."+format+"\n")
		f, err := os.Create(c.Scenario.BaselineFile())
		if err != nil {
			t.Fatal(err)
		}
		if err := c.WriteBaseline(context.Background(), Options{}, f); err != nil {
			t.Fatal(err)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
		if b := report(t, c).Baseline; b.Fails() || b.Results {
			t.Errorf("%s: %s", format, b.Text())
		}
	}
}
