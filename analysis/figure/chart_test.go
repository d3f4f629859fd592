package figure

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/plot/cmpimg"
)

// speeds are how many times as fast each policy loads in a made-up grid; if1 is the first.
var speeds = []struct {
	policy string
	of     func(case_ int) float64
}{
	{"if1", func(int) float64 { return 1 }},
	{"if2", func(k int) float64 { return math.Pow(1.5, float64(k%12)-8) }},
	{"eaf", func(k int) float64 { return max(1, 0.4*float64(k%17)) }},
	{"mptcp-if1", func(k int) float64 { return 1 + 0.1*float64(k%23) }},
}

// testdata is the folder of golden images, whatever folder a test is in.
var testdata, _ = filepath.Abs("testdata")

// gridRows writes rows of a grid as rows.csv and other.csv, in a folder that the test is in from then on: 3 pages, bandwidths and RTTs of
// two networks, and repetitions that differ a little. The last
// run fails. In other.csv the same runs take a little more or less time.
func gridRows(t *testing.T) {
	t.Helper()
	var b, other strings.Builder
	const names = "run,page,wifi_bandwidth_bit_s,wifi_rtt_s,lte_rtt_s,repetition,policy,load_time_s,connections,wifi_bytes,lte_bytes,error\n"
	b.WriteString(names)
	other.WriteString(names)
	run, k := 0, 0
	for p, page := range []string{"small", "medium", "large"} {
		bytes := 20_000 * math.Pow(10, float64(p))
		for _, rate := range []float64{512_000, 2_097_152, 6_291_456, 20_971_520} {
			for _, rtt := range []float64{0.01, 0.02, 0.05} {
				for repetition := range 8 {
					k++
					for _, s := range speeds {
						load := (4*rtt + bytes*8/rate) * (1 + 0.05*float64((k*7+repetition)%5)) / s.of(k)
						for file, factor := range map[*strings.Builder]float64{&b: 1, &other: 1 + 0.1*float64(k*5%7-2)} {
							fmt.Fprintf(file, "%d,%s,%g,%g,0.05,%d,%s,%g,%d,%.0f,%.0f,\n", run, page, rate, rtt, repetition, s.policy, load*factor, 1+k%6, bytes/2, bytes/2)
						}
						run++
					}
				}
			}
		}
	}
	fmt.Fprintf(&b, "%d,large,512000,0.01,0.2,0,if1,,,,,no path\n", run)
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{"rows.csv": b.String(), "other.csv": other.String()} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// chartOf draws one of Kinds.
func chartOf(t *testing.T, kind string, q Request) (*Figure, []string) {
	t.Helper()
	k, err := FindKind(kind)
	if err != nil {
		t.Fatal(err)
	}
	f, notes, err := k.Draw(&q)
	if err != nil {
		t.Fatal(err)
	}
	return f, notes
}

// Each golden image is what its request draws.
func TestChartGolden(t *testing.T) {
	gridRows(t)
	title, series := "Made-up rows", filepath.Join(testdata, "series.csv")
	for _, c := range []struct {
		name, kind string
		q          Request
	}{
		{"speedup_ecdf", "speedup-ecdf", Request{}},
		{"speedup_ecdf_zoom", "speedup-ecdf", Request{Over: []string{"mptcp-*"}, X: "0.5..2", By: []string{"policy"}, Where: []string{"wifi.rtt=10ms,20ms"}, Width: "double"}},
		{"load_times", "load-times", Request{}},
		{"load_times_bars", "load-times", Request{By: []string{"wifi.bandwidth"}, Where: []string{"page=small"}, Style: "bars", Statistic: "mean"}},
		{"load_times_points", "load-times", Request{By: []string{"page", "policy"}, Style: "bars", Width: "double"}},
		{"binned_ecdf", "binned-ecdf", Request{By: []string{"wifi.rtt", "load_time_s"}, Where: []string{"policy=if2"}}},
		{"heatmap", "heatmap", Request{By: []string{"wifi.bandwidth", "page"}, Where: []string{"policy=eaf"}}},
		{"lines", "lines", Request{By: []string{"wifi.bandwidth"}, Where: []string{"page=small"}}},
		{"scatter", "scatter", Request{Metric: []string{"page_bytes", "load_time_s"}, Where: []string{"policy=if1,eaf"}}},
		{"scatter_pairs", "scatter", Request{With: "other.csv"}},
		{"timeline", "timeline", Request{Results: series}},
		{"timeline_zoom", "timeline", Request{Results: series, X: "100ms..500ms", Metric: []string{"goodput_bit_s"}, Where: []string{"series=lte"}, Width: "double"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.q.Results == "" {
				c.q.Results = "rows.csv"
			}
			c.q.Title = &title
			f, _ := chartOf(t, c.kind, c.q)
			compare(t, drawn(t, f, "png"), c.name)
			for _, format := range Formats {
				again, _ := chartOf(t, c.kind, c.q)
				if !bytes.Equal(drawn(t, f, format), drawn(t, again, format)) {
					t.Errorf("%s: the same figure has different bytes", format)
				}
			}
		})
	}
}

// compare holds a PNG to a golden image.
func compare(t *testing.T, got []byte, name string) {
	t.Helper()
	golden := filepath.Join(testdata, name+".png")
	if *update {
		if err := os.WriteFile(golden, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	equal, err := cmpimg.EqualApprox("png", want, got, 0.05)
	if err != nil {
		t.Fatal(err)
	}
	if !equal {
		t.Errorf("the figure differs from %s; look at it and run go test -update if it is right", golden)
	}
}

// Every figure has a golden image, a documentation, and reads only options that there are.
func TestKinds(t *testing.T) {
	for _, k := range Kinds {
		golden, err := filepath.Glob(filepath.Join(testdata, strings.ReplaceAll(k.Name, "-", "_")+"*.png"))
		if err != nil || len(golden) == 0 {
			t.Errorf("%s: no golden image, %v", k.Name, err)
		}
		if k.Doc == "" || (k.draw == nil) == (k.other == nil) {
			t.Errorf("%s is not complete", k.Name)
		}
	}
}

func TestChartNotes(t *testing.T) {
	gridRows(t)
	_, notes := chartOf(t, "speedup-ecdf", Request{Results: "rows.csv"})
	if want := []string{"1 failed runs are left out"}; !slices.Equal(notes, want) {
		t.Errorf("%q, want %q", notes, want)
	}
}

func TestChartRefuses(t *testing.T) {
	gridRows(t)
	series := filepath.Join(testdata, "series.csv")
	for name, text := range map[string]string{
		"shuffled.csv": "run,page,policy,load_time_s,error\n2,small,eaf,1,\n1,small,if2,1,\n",
		"grid.csv":     "run,page,policy,load_time_s,error\n0,small,if1,1,\n1,small,eaf,1,\n",
		"strange.csv":  "run,links,load_time_s,error\n0,2,1,\n",
	} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		kind string
		q    Request
		want string
	}{
		{"speedup-ecdf", Request{Over: []string{"if3"}}, `no row has the policy "if3" of --over (did you mean "if1"?`},
		{"speedup-ecdf", Request{Where: []string{"policy=if1", "page=small"}}, "rows.csv: no row of another policy than if1, which speed-ups are over"},
		{"speedup-ecdf", Request{X: "5"}, `range "5" is not like 1..5`},
		{"speedup-ecdf", Request{X: "5..1"}, "end is not above its begin"},
		{"speedup-ecdf", Request{X: "a..1"}, `range "a..1": `},
		{"speedup-ecdf", Request{X: "-1..1"}, "a logarithmic axis cannot begin at -1"},
		{"speedup-ecdf", Request{By: []string{"polcy"}}, `did you mean "policy"?`},
		{"speedup-ecdf", Request{By: []string{"policy", "policy"}}, "--by names policy twice"},
		{"speedup-ecdf", Request{By: []string{"run"}}, `unknown column "run"`},
		{"speedup-ecdf", Request{By: []string{"load_time_s"}}, "more than 40 levels"},
		{"speedup-ecdf", Request{Where: []string{"page=huge"}}, "no row has page = huge"},
		{"speedup-ecdf", Request{Width: "triple"}, "unknown width"},
		{"speedup-ecdf", Request{Style: "bars"}, "speedup-ecdf takes no --style (it takes --over, --by, --x, --where"},
		{"speedup-ecdf", Request{Results: "missing.csv"}, "missing.csv"},
		{"load-times", Request{Style: "bar"}, `unknown style "bar" (did you mean "bars"?`},
		{"load-times", Request{Statistic: "average"}, `unknown statistic "average" (statistics: median, mean)`},
		{"load-times", Request{Over: []string{"if2"}}, "--over is of speed-ups, and what is drawn is load_time_s (--metric speedup draws speed-ups)"},
		{"load-times", Request{Metric: []string{"policy"}}, "--metric policy is no column of numbers"},
		{"load-times", Request{Metric: []string{"load_time_s", "speedup"}}, "--metric names 2 columns (expected 1)"},
		{"load-times", Request{Where: []string{"wifi.rtt=10ms", "lte.rtt=200ms"}}, "no row to draw (1 failed)"},
		{"binned-ecdf", Request{}, "--by has 0 columns (expected 1 to 2; factors: page, wifi_bandwidth_bit_s"},
		{"binned-ecdf", Request{By: []string{"page"}, Classes: []string{"2", "1"}}, "--classes 2,1: the bounds do not ascend"},
		{"binned-ecdf", Request{By: []string{"page"}, Classes: []string{"a"}}, "--classes a: "},
		{"binned-ecdf", Request{By: []string{"page"}, Classes: []string{"1", "2", "3", "4", "5", "6"}}, "--classes has 6 bounds (expected at most 5)"},
		{"lines", Request{By: []string{"wifi.rtt", "page", "policy", "repetition"}}, "--by has 4 columns (expected 1 to 3; "},
		{"lines", Request{}, "--by has 0 columns (expected 1 to 3; "},
		{"lines", Request{By: []string{"page"}, X: "1..2"}, "--x 1..2: page is no column of numbers"},
		{"lines", Request{By: []string{"wifi.rtt"}, X: "100ms..200ms"}, "--x 100ms..200ms: no row is in it"},
		{"scatter", Request{X: "9000s..9001s"}, "no row has both load_time_s and speedup in the range"},
		{"scatter", Request{With: "missing.csv"}, "missing.csv: no such file"},
		{"scatter", Request{With: "shuffled.csv"}, "shuffled.csv: run 1 comes after run 2: pairs need the order of the grid"},
		{"scatter", Request{With: "grid.csv"}, "run 1 has policy if2 in rows.csv and eaf in grid.csv: these are not the same grid"},
		{"scatter", Request{With: "strange.csv"}, "have no factor page or policy in common"},
		{"timeline", Request{Results: "missing.csv"}, "missing.csv: no such file"},
		{"timeline", Request{}, "rows.csv: no column time_s (expected time_s, columns of numbers"},
		{"timeline", Request{Results: series, Where: []string{"series=umts"}}, `condition "series=umts": no series umts`},
		{"timeline", Request{Results: series, Where: []string{"page=a"}}, `condition "page=a" is not like series=NAME`},
		{"timeline", Request{Results: series, Metric: []string{"cwnd_byte"}}, `unknown column "cwnd_byte" (did you mean "cwnd_bytes"?`},
		{"timeline", Request{Results: series, X: "9s..10s"}, "goodput_bit_s has no value from 9 s to 10 s"},
		{"heatmap", Request{By: []string{"page"}}, "--by has 1 columns (expected 2; "},
	} {
		if c.q.Results == "" {
			c.q.Results = "rows.csv"
		}
		k, err := FindKind(c.kind)
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := k.Draw(&c.q); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %+v: error %v, want %q", c.kind, c.q, err, c.want)
		}
	}
	if _, err := FindKind("speedup-edf"); err == nil || !strings.Contains(err.Error(), `did you mean "speedup-ecdf"?`) {
		t.Errorf("error is %v", err)
	}
}
