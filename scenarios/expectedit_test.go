package scenarios

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// New values keep unit and tolerance, and have as many digits as the tolerance is worth.
func TestRewritten(t *testing.T) {
	for _, c := range []struct {
		expect string
		value  float64
		want   string
	}{
		{"metric: load_time_s, median: 0.904s +-2%", 1.234567, "1.235s +-2%"}, // 0.0046 for 1.23 is more than a twentieth of 0.0247
		{"metric: load_time_s, median: 904ms ± 10ms", 1.2344567, "1234ms ± 10ms"},
		{"metric: load_time_s, value: 0.9s", 1.234567891, "1.234567891s"},
		{"metric: load_time_s, value: 0.9 s", 0.5, "0.5 s"},
		{"metric: load_time_s, median: 0.9s", 1.2345678915, "1.234567892s"}, // half a nanosecond
		{"metric: wifi_bytes, max: 100KiB +- 1kB", 204800, "200KiB +- 1kB"},
		{"metric: wifi_bytes, median: 1kB", 1023, "1.023kB"},
		{"metric: connections, mean: 4", 3.5, "3.5"},
		{"metric: speedup, p95: 1.5 +-1%", 2.00004, "2 +-1%"},
		{"metric: speedup, share_above: {bound: 1, want: 42% +-2%}", 0.12345, "12.3% +-2%"}, // 0.045 of 2 points
		{"metric: speedup, share_above: {bound: 1, want: 42%}", 0.125, "12.5%"},
	} {
		s := mustParse(t, base+"expect:\n  - {"+c.expect+"}\n")
		got, err := s.Expect[0].rewritten(c.value)
		if err != nil || got != c.want {
			t.Errorf("%s of %v: %q, %v; want %q", c.expect, c.value, got, err, c.want)
		}
	}
}

// Whatever the value from a millisecond on, what is written holds for it: it is within a twentieth of its tolerance, or exact but for rounding.
func TestRewrittenHolds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := rapid.SampledFrom([]string{"1s", "904ms", "0.9 s +-2%", "20us +-1us", "3m +-1%", "12ms ± 0.5ms"}).Draw(t, "want")
		nanoseconds := rapid.Int64Range(1e6, 1e12).Draw(t, "ns")
		x := float64(nanoseconds) / 1e9
		s, err := Parse([]byte(base+"expect:\n  - {metric: load_time_s, median: "+want+"}\n"), "x.yaml")
		if err != nil {
			t.Fatal(err)
		}
		text, err := s.Expect[0].rewritten(x)
		if err != nil {
			t.Fatal(err)
		}
		low, high, err := parseWant(text, metricParser("load_time_s"))
		if err != nil {
			t.Fatal(err)
		}
		if off := math.Abs((low+high)/2 - x); off > max((high-low)/40, 1.01e-9, ofValue*x) {
			t.Errorf("%s of %v is written %s, %v off", want, x, text, off)
		}
	})
}

func TestUnit(t *testing.T) {
	for _, c := range []struct {
		expect, unit string
		size         float64
	}{
		{"metric: load_time_s, median: 0.9s +-2%", "s", 1}, {"metric: load_time_s, median: 904ms ± 10ms", "ms", 1e-3}, {"metric: load_time_s, median: '>= 9us'", "us", 1e-6},
		{"metric: load_time_s, median: 1m..2m", "m", 60}, {"metric: wifi_bytes, max: 100KiB +- 1kB", "KiB", 1024}, {"metric: connections, mean: 4 +-1%", "", 1},
		{"metric: speedup, share_above: {bound: 1, want: 42% +-2%}", "%", 0.01}, {"metric: load_time_s, order: eaf <= if1", "", 1},
	} {
		s := mustParse(t, base+"expect:\n  - {"+c.expect+"}\n")
		if unit, size := s.Expect[0].Unit(); unit != c.unit || math.Abs(size-c.size) > 1e-12*c.size {
			t.Errorf("%s: %q of %v, want %q of %v", c.expect, unit, size, c.unit, c.size)
		}
	}
}

// Statements are not replaced by what was measured.
func TestStatementsAreNotMeasured(t *testing.T) {
	for expect, want := range map[string]bool{
		"median: 0.9s": true, "median: 0.9s +-2%": true, "median: 0.9s..1s": false, "median: '>= 0.9s'": false, "median: <= 0.9s": false, "order: eaf <= if1": false,
	} {
		s := mustParse(t, base+"expect:\n  - {metric: load_time_s, "+expect+"}\n")
		if got := s.Expect[0].Measured(); got != want {
			t.Errorf("%s: measured %v", expect, got)
		}
	}
}

const rewriteText = `# A comment: é
name: rewrite   # the name
pages: [mix28]
policies: [if1, eaf]
interfaces:
  - {name: wifi, bandwidth: 6Mbit/s, rtt: 20ms}
  - {name: lte, bandwidth: 5Mbit/s, rtt: 50ms}
expect:
  # Above the first.

  - {where: {policy: eaf}, metric: load_time_s, median: 0.9s +-2%}   # behind it
  - where: {policy: if1}
    metric: load_time_s
    source: "é, 0.9s"
    median: "0.9s +-2%"

  - {metric: speedup, source: 0.9s, share_above: {want: ' 42% ', bound: 1}} # two in
  - {metric: load_time_s, order: eaf <= if1}
  - {metric: connections,  mean:   7 , published: false}
seed:    1
`

// Nothing but the values changes: not a comment, a blank, a quote, or an end of a line.
func TestRewriteKeepsTheText(t *testing.T) {
	for _, newline := range []string{"\n", "\r\n"} {
		text := strings.ReplaceAll(rewriteText, "\n", newline)
		file := filepath.Join(t.TempDir(), "rewrite.yaml")
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		s, err := Load(file)
		if err != nil {
			t.Fatal(err)
		}
		got, err := s.Rewrite(map[int]float64{0: 1.25, 1: 2, 2: 0.1, 4: 12})
		if err != nil {
			t.Fatal(err)
		}
		want := strings.NewReplacer(
			"median: 0.9s +-2%}   # behind", "median: 1.25s +-2%}   # behind", `median: "0.9s +-2%"`, `median: "2s +-2%"`,
			"' 42% '", "' 10% '", "mean:   7 ,", "mean:   12 ,").Replace(text)
		if string(got) != want {
			t.Errorf("%q: got\n%s\nwant\n%s", newline, got, want)
		}
	}
}

func TestRewriteRefuses(t *testing.T) {
	file := filepath.Join(t.TempDir(), "rewrite.yaml")
	for _, c := range []struct {
		name, old, new string
		index          int
		want           string
	}{
		{"over two lines", `median: "0.9s +-2%"`, "median: 0.9s\n      +-2%", 1, "rewrite.yaml:15:13: cannot replace the value"},
		{"a block", `median: "0.9s +-2%"`, "median: >-\n      0.9s +-2%", 1, "cannot replace the value"},
		{"an escape", `"0.9s +-2%"`, `"0.9s \x2b-2%"`, 1, "cannot replace the value"},
		{"a statement", `"0.9s +-2%"`, `"0.9s..1s"`, 1, "not one measured value"},
		{"an anchor", "median: 0.9s +-2%}   # behind it\n  - where: {policy: if1}\n    metric: load_time_s\n    source: \"é, 0.9s\"\n    median: \"0.9s +-2%\"",
			"median: &a 0.9s +-2%}\n  - {metric: load_time_s, mean: *a}", 0, "shared by an anchor"},
	} {
		text := strings.Replace(rewriteText, c.old, c.new, 1)
		if text == rewriteText {
			t.Fatal(c.name)
		}
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		s, err := Load(file)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if _, err := s.Rewrite(map[int]float64{c.index: 2}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
	if err := os.WriteFile(file, []byte(rewriteText), 0o666); err != nil {
		t.Fatal(err)
	}
	s, err := Load(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(rewriteText+"# more\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Rewrite(map[int]float64{0: 2}); err == nil || !strings.Contains(err.Error(), "changed in the meantime") {
		t.Errorf("a changed file: %v", err)
	}
}

// A carriage return at the end of a line, also behind a comment, does not move the places of faults.
func TestPlacesWithCarriageReturns(t *testing.T) {
	_, err := Parse([]byte("# a comment\r\nname: x # another\r\npagse: [mix28]\r\n"), "x.yaml")
	if err == nil || !strings.Contains(err.Error(), "x.yaml:3:1: unknown key") {
		t.Errorf("%v", err)
	}
}

func TestBaselineFile(t *testing.T) {
	absolute := filepath.Join(t.TempDir(), "rows.csv")
	for baseline, want := range map[string]string{"baseline/rows.csv": filepath.Join("dir", "baseline", "rows.csv"), absolute: absolute} {
		s, err := Parse([]byte(base+"baseline: "+baseline+"\n"), filepath.Join("dir", "x.yaml"))
		if err != nil || s.BaselineFile() != want {
			t.Errorf("%s: %q, %v; want %q", baseline, s.BaselineFile(), err, want)
		}
		without := mustParse(t, base)
		if s.Digest() != without.Digest() || without.BaselineFile() != "" {
			t.Error("the baseline decides rows")
		}
	}
}
