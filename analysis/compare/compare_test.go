package compare

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"braid/analysis/dataset"
	"braid/analysis/stat"
)

const head = "run,page,wifi_rtt_s,profile,policy,load_time_s,wifi_bytes,error\n"

func open(t testing.TB, text string) *dataset.Set {
	t.Helper()
	path := filepath.Join(t.TempDir(), "rows.csv")
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	s, err := dataset.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// rows writes lines with their number in front.
func rows(lines ...string) string {
	var b strings.Builder
	b.WriteString(head)
	for i, l := range lines {
		fmt.Fprintf(&b, "%d,%s\n", i, l)
	}
	return b.String()
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-12*math.Max(1, math.Abs(b)) }

// Six pages under two policies. Under eaf, new/old is 1.1, 1.2, 1.3, 1, 0.9 and 1.5; under if1, nothing changed.
var (
	older = []string{
		"a,0.02,linux,if1,1,10,", "a,0.02,linux,eaf,1,10,",
		"b,0.02,linux,if1,2,10,", "b,0.02,linux,eaf,2,0,",
		"c,0.02,linux,if1,3,10,", "c,0.02,linux,eaf,4,0,",
		"d,0.02,linux,if1,4,10,", "d,0.02,linux,eaf,8,10,",
		"e,0.02,linux,if1,5,10,", "e,0.02,linux,eaf,16,10,",
		"f,0.02,linux,if1,6,10,", "f,0.02,linux,eaf,32,10,",
	}
	newer = []string{
		"a,0.02,linux,if1,1,10,", "a,0.02,linux,eaf,1.1,10,",
		"b,0.02,linux,if1,2,10,", "b,0.02,linux,eaf,2.4,5,",
		"c,0.02,linux,if1,3,10,", "c,0.02,linux,eaf,5.2,0,",
		"d,0.02,linux,if1,4,10,", "d,0.02,linux,eaf,8,0,",
		"e,0.02,linux,if1,5,10,", "e,0.02,linux,eaf,14.4,20,",
		"f,0.02,linux,if1,6,10,", "f,0.02,linux,eaf,48,10,",
	}
)

func compared(t testing.TB, older, newer string, o Options) *Comparison {
	t.Helper()
	if o.Metric == "" {
		o.Metric = "load_time_s"
	}
	c, err := New(open(t, older), open(t, newer), o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// By hand. The sorted ratios are 0.9, 1, 1.1, 1.2, 1.3, 1.5: median 1.15, and of six values the interval of the median is
// from the least to the greatest. The logarithms that are not 0 have the sizes 0.095, 0.105 (negative), 0.182, 0.262, 0.405:
// the negative one has rank 2. Of the 32 signs of five, three give a sum of 2 or less (none, 1, 2): p = 6/32. The medians are
// (4+8)/2 = 6 and (5.2+8)/2 = 6.6, and 3.5 under if1, so the geometric means are sqrt(3.5*6), sqrt(3.5*6.6), sqrt(1.15).
func TestByHand(t *testing.T) {
	c := compared(t, rows(older...), rows(newer...), Options{})
	if len(c.Groups) != 2 || c.Paired != "page, wifi_rtt_s, profile, policy" || !slices.Equal(c.By, []string{"policy", "profile"}) {
		t.Fatalf("%d groups by %v, paired by %s", len(c.Groups), c.By, c.Paired)
	}
	if1, eaf := c.Groups[0], c.Groups[1]
	change, interval := eaf.Change()
	if !near(change, 1.15) || !near(interval.Low, 0.9) || !near(interval.High, 1.5) {
		t.Errorf("change %v in %v", change, interval)
	}
	if p := eaf.P(); !near(p, 6./32) {
		t.Errorf("p = %v", p)
	}
	if eaf.Pairs() != 6 || eaf.Up != 4 || eaf.Down != 1 || !eaf.Differs() || c.Describe(eaf) != "policy=eaf, profile=linux" {
		t.Errorf("%d pairs, %d up, %d down: %s", eaf.Pairs(), eaf.Up, eaf.Down, c.Describe(eaf))
	}
	if a, b := eaf.Old.Quantile(0.5), eaf.New.Quantile(0.5); !near(a, 6) || !near(b, 6.6) {
		t.Errorf("medians %v and %v", a, b)
	}
	change, interval = if1.Change()
	if change != 1 || interval != (stat.Interval{Low: 1, High: 1}) || if1.P() != 1 || if1.Differs() {
		t.Errorf("nothing changed: %v in %v, p = %v", change, interval, if1.P())
	}
	a, b, m := c.Means()
	if !near(a, math.Sqrt(3.5*6)) || !near(b, math.Sqrt(3.5*6.6)) || !near(m, math.Sqrt(1.15)) {
		t.Errorf("geometric means %v, %v, %v", a, b, m)
	}
	if n, differ := c.Pairs(); n != 12 || differ != 5 {
		t.Errorf("%d pairs, %d differ", n, differ)
	}
}

// Of bytes, a ratio may be from 0 or to 0: 1, inf, 1 (0 both times), 0, 2, 1 are 0, 1, 1, 1, 2, inf in order.
func TestZeros(t *testing.T) {
	c := compared(t, rows(older...), rows(newer...), Options{Metric: "wifi_bytes", Where: []string{"policy=eaf"}, By: []string{"page", "policy"}})
	if len(c.Groups) != 6 {
		t.Fatalf("%d groups", len(c.Groups))
	}
	if change, interval := c.Groups[1].Change(); !math.IsInf(change, 1) || !math.IsNaN(interval.Low) {
		t.Errorf("from 0 to 5: %v in %v", change, interval)
	}
	c = compared(t, rows(older...), rows(newer...), Options{Metric: "wifi_bytes", Where: []string{"policy=eaf"}})
	change, interval := c.Groups[0].Change()
	if change != 1 || interval.Low != 0 || !math.IsInf(interval.High, 1) {
		t.Errorf("change %v in %v", change, interval)
	}
	// Sizes log 2 (+), inf (-), inf (+): ranks 1, 2.5, 2.5, so 3.5 against a mean of 3: within the correction for continuity.
	if p := c.Groups[0].P(); p != 1 {
		t.Errorf("p = %v", p)
	}
	if a, _, m := c.Means(); m != 1 || !near(a, 10) {
		t.Errorf("geometric means %v, change %v", a, m)
	}
}

// Speed-ups belong to no row alone: over if1, eaf has 1, 1, 3/4, 1/2, 5/16, 6/32, then 1/1.1, 2/2.4, ...
func TestSpeedUp(t *testing.T) {
	c := compared(t, rows(older...), rows(newer...), Options{Metric: dataset.SpeedUp, Where: []string{"policy=eaf"}})
	change, _ := c.Groups[0].Change()
	if want := (1/1.1 + 1/1.2) / 2; !near(change, want) || !near(c.Groups[0].Old.Quantile(0.5), (0.75+0.5)/2) {
		t.Errorf("change %v, want %v; median %v", change, want, c.Groups[0].Old.Quantile(0.5))
	}
}

// A run that failed has no metric: it is counted, by the set it failed in.
func TestFailed(t *testing.T) {
	c := compared(t,
		rows("a,0.02,linux,if1,1,1,", "b,0.02,linux,if1,,,no path", "c,0.02,linux,if1,,,no path", "d,0.02,linux,if1,2,1,"),
		rows("a,0.02,linux,if1,,,no path", "b,0.02,linux,if1,,,no path", "c,0.02,linux,if1,3,1,", "d,0.02,linux,if1,2,1,"), Options{})
	g := c.Groups[0]
	if g.NoOld != 1 || g.NoNew != 1 || g.NoBoth != 1 || g.Pairs() != 1 || !g.Differs() {
		t.Errorf("%+v", g)
	}
	c = compared(t, rows("a,0.02,linux,if1,,,no path"), rows("a,0.02,linux,if1,,,no path"), Options{Metric: "load_time_s"})
	if change, _ := c.Groups[0].Change(); !math.IsNaN(change) || c.Groups[0].Differs() || c.Groups[0].P() != 1 {
		t.Errorf("nothing went well: %v", change)
	}
	if a, _, m := c.Means(); !math.IsNaN(a) || !math.IsNaN(m) {
		t.Errorf("geometric means %v, %v", a, m)
	}
}

// A grid that has grown by a policy and a page, lacks a network, and is of other columns.
func TestOnly(t *testing.T) {
	c := compared(t,
		rows("a,0.02,linux,if1,1,1,", "a,0.05,linux,if1,2,1,", "b,0.02,linux,if1,3,1,", "b,0.05,linux,if1,4,1,", "b,0.07,linux,if1,5,1,"),
		"run,page,wifi_rtt_s,seed,profile,policy,load_time_s,wifi_bytes,error\n"+
			"0,a,0.02,1,linux,if1,1,1,\n1,a,0.02,1,linux,eaf,1,1,\n2,a,0.05,1,linux,if1,2,1,\n"+
			"3,b,0.02,1,linux,if1,3,1,\n4,c,0.02,1,linux,if1,3,1,\n5,c,0.02,1,linux,eaf,3,1,\n6,c,0.05,1,linux,if1,3,1,\n", Options{})
	if n, _ := c.Pairs(); n != 3 {
		t.Errorf("%d pairs", n)
	}
	if want := []Factor{{Name: "seed", New: "1"}}; !slices.Equal(c.Unpaired, want) {
		t.Errorf("unpaired %+v", c.Unpaired)
	}
	o := &c.OnlyOld
	if !slices.Equal(o.Levels, []Level{{"wifi_rtt_s=70ms", 1}}) || o.Other != 1 || o.Rows() != 2 ||
		!slices.Equal(o.First, []string{"run 3 (page=b, wifi_rtt_s=0.05, profile=linux, policy=if1)"}) {
		t.Errorf("only in OLD: %+v", o)
	}
	n := &c.OnlyNew
	if !slices.Equal(n.Levels, []Level{{"page=c", 3}, {"policy=eaf", 1}}) || n.Other != 0 || n.Rows() != 4 {
		t.Errorf("only in NEW: %+v", n)
	}
}

// Equal numbers are equal, whatever the type of the column: 1 is an integer in a file without 1.5.
func TestTypes(t *testing.T) {
	c := compared(t, rows("a,1,linux,if1,1,1,"), rows("a,1,linux,if1,1,1,", "a,1.5,linux,if1,1,1,"), Options{})
	if n, _ := c.Pairs(); n != 1 || c.OnlyNew.Rows() != 1 {
		t.Errorf("%d pairs, %+v only in NEW", n, c.OnlyNew)
	}
}

func TestIgnore(t *testing.T) {
	b := slices.Clone(older)
	for i := range b {
		b[i] = strings.Replace(b[i], "linux", "dtsimulator", 1)
	}
	c := compared(t, rows(older...), rows(b...), Options{Ignore: []string{"profile"}})
	if n, differ := c.Pairs(); n != 12 || differ != 0 || !slices.Equal(c.By, []string{"policy"}) {
		t.Errorf("%d pairs, %d differ, by %v", n, differ, c.By)
	}
	if want := []Factor{{"profile", "linux", "dtsimulator"}}; !slices.Equal(c.Unpaired, want) {
		t.Errorf("unpaired %+v", c.Unpaired)
	}
}

func TestErrors(t *testing.T) {
	a := rows(older...)
	for name, c := range map[string]struct {
		older, newer string
		o            Options
		want         string
	}{
		"metric":           {a, a, Options{Metric: "load_tim_s"}, `OLD: unknown column "load_tim_s" (did you mean "load_time_s"?`},
		"factor":           {a, a, Options{Metric: "wifi_rtt_s"}, "wifi_rtt_s is not a metric"},
		"condition":        {a, a, Options{Where: []string{"policy=rr"}}, "no row has policy = rr"},
		"group":            {a, a, Options{By: []string{"polcy"}}, `groups by polcy: unknown column "polcy" (did you mean "policy"?`},
		"group by metric":  {a, a, Options{By: []string{"wifi_bytes"}}, "wifi_bytes: it is not a factor"},
		"group by ignored": {a, a, Options{By: []string{"profile"}, Ignore: []string{"profile"}}, "groups by profile: the sets do not both have it, or it is ignored"},
		"ignored":          {a, a, Options{Ignore: []string{"page"}}, "page is not in both sets, or is ignored, and has 6 levels in OLD"},
		"no level":         {a, strings.ReplaceAll(a, "linux", "other"), Options{}, "no level of profile in common (it is linux in OLD, other in NEW; what has one level in each set can be left out of pairing with --ignore)"},
		"no pair":          {rows("a,1,linux,if1,1,1,", "b,2,linux,if1,1,1,"), rows("a,2,linux,if1,1,1,", "b,1,linux,if1,1,1,"), Options{}, "no row of NEW has the factors of one of OLD"},
		"no factor":        {a, "run,other,load_time_s,error\n0,x,1,\n", Options{}, "page is not in both sets"},
		"twice": {rows("a,1,linux,if1,1,1,", "b,1,linux,if1,1,1,", "c,1,linux,if1,1,1,", "a,1,linux,if1,1,1,", "b,2,linux,if1,1,1,"),
			rows("b,1,linux,if1,1,1,", "c,1,linux,if1,1,1,", "c,2,linux,if1,1,1,", "b,2,linux,if1,1,1,", "a,1,linux,if1,1,1,"), Options{}, "OLD: runs 0 and 3 have the same factors"},
		"negative": {rows("a,1,linux,if1,-1,1,"), rows("a,1,linux,if1,1,1,"), Options{}, "run 0 has the value -1: changes are ratios"},
	} {
		t.Run(name, func(t *testing.T) {
			if c.o.Metric == "" {
				c.o.Metric = "load_time_s"
			}
			_, err := New(open(t, c.older), open(t, c.newer), c.o)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %q", err, c.want)
			}
		})
	}
}

// In one order nobody waits, also when a grid has grown at its beginning, its end and within; in another order rows do.
func TestWaiting(t *testing.T) {
	grown := []string{"0,0.02,linux,if1,9,9,"}
	for _, l := range older {
		grown = append(grown, l, strings.Replace(l, "0.02", "0.03", 1))
	}
	backwards := slices.Clone(older)
	slices.Reverse(backwards)
	for name, c := range map[string]struct {
		newer []string
		limit int
		fails bool
	}{
		"same":            {older, 0, false},
		"grown":           {grown, 0, false},
		"backwards":       {backwards, len(older), false},
		"backwards, much": {backwards, len(older) - 3, true},
	} {
		o := Options{Metric: "load_time_s"}
		a, err := newSide("OLD", open(t, rows(older...)), &o)
		if err != nil {
			t.Fatal(err)
		}
		b, err := newSide("NEW", open(t, rows(c.newer...)), &o)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := match(a, b, &o); err != nil {
			t.Fatal(err)
		}
		n := 0
		_, _, err = pairs(a, b, c.limit, func(_ *side, _ *row, was, is waiter) error {
			if n++; was != (waiter{was.run, is.value, is.ok}) {
				t.Errorf("%s: paired %v with %v", name, was, is)
			}
			return nil
		})
		if (err != nil) != c.fails || err == nil && n != len(older) {
			t.Errorf("%s: %d pairs, error %v", name, n, err)
		}
	}
}

// The order of the rows of either set changes nothing, and neither does what only one set has.
func TestOrderDoesNotMatter(t *testing.T) {
	want := compared(t, rows(older...), rows(newer...), Options{})
	rapid.Check(t, func(rt *rapid.T) {
		a := rapid.Permutation(older).Draw(rt, "older")
		b := rapid.Permutation(append(slices.Clone(newer), "g,0.02,linux,eaf,7,7,", "g,0.02,linux,if1,7,7,")).Draw(rt, "newer")
		got := compared(t, rows(a...), rows(b...), Options{})
		if got.OnlyNew.Rows() != 2 || got.OnlyOld.Rows() != 0 || len(got.Groups) != len(want.Groups) {
			rt.Fatalf("only in NEW %d, in OLD %d", got.OnlyNew.Rows(), got.OnlyOld.Rows())
		}
		for _, g := range got.Groups {
			w := want.Groups[slices.IndexFunc(want.Groups, func(w *Group) bool { return slices.Equal(w.Levels, g.Levels) })]
			c1, i1 := g.Change()
			c2, i2 := w.Change()
			if c1 != c2 || i1 != i2 || g.P() != w.P() || g.Up != w.Up || g.Down != w.Down || g.Old.Quantile(0.5) != w.Old.Quantile(0.5) {
				rt.Fatalf("group %v: %v %v, want %v %v", g.Levels, c1, i1, c2, i2)
			}
		}
	})
}
