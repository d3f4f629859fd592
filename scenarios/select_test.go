package scenarios

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func set(t testing.TB, s *Scenario, assignments ...string) *Scenario {
	t.Helper()
	c, err := s.Set(assignments...)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestAddingALevelChangesNoRow(t *testing.T) {
	s := mustParse(t, two)
	before := rows(t, mustGrid(t, s))
	for _, add := range []string{
		"pages=n2x10k,mix28,n2x1k,n8x10k",
		"interfaces.wifi.rtt=10ms,20ms,50ms",
		"interfaces.lte.bandwidth=5Mbit/s,1Gbit/s",
		"policies=rr,if1,eaf",
		"parameters.max_per_host=4,2,6",
		"repetitions=3",
	} {
		after := map[string]bool{}
		for _, r := range rows(t, mustGrid(t, set(t, s, add))) {
			after[r] = true
		}
		if len(after) <= len(before) {
			t.Errorf("%s: %d rows, before %d", add, len(after), len(before))
		}
		for _, r := range before {
			if !after[r] {
				t.Errorf("%s: this row is gone: %s", add, r)
				break
			}
		}
	}
}

// A row keeps its random streams too: the key does not hold the index.
func TestAddingALevelChangesNoRandomStream(t *testing.T) {
	s := mustParse(t, two)
	keys := func(s *Scenario) map[string]string {
		g := mustGrid(t, s)
		m := map[string]string{}
		var r Run
		for i := range g.Len() {
			if err := g.Run(i, &r); err != nil {
				t.Fatal(err)
			}
			m[row(g, &r)] = fmt.Sprint(r.Spec.Key, r.Spec.Key.Stream("x").Uint64())
		}
		return m
	}
	before, after := keys(s), keys(set(t, s, "pages=n2x10k,mix28,n2x1k,n8x10k", "interfaces.wifi.rtt=10ms,20ms,50ms", "repetitions=5"))
	for row, key := range before {
		if after[row] != key {
			t.Fatalf("key %s became %s in row %s", key, after[row], row)
		}
	}
}

// casesOf groups rows by what they share besides profile and policy.
func casesOf(all []string) map[string]int {
	cases := map[string]int{}
	for _, r := range all {
		c, _, _ := strings.Cut(r, " profile=")
		cases[c]++
	}
	return cases
}

func TestSampleKeepsWholeCases(t *testing.T) {
	s := mustParse(t, two)
	whole := casesOf(rows(t, mustGrid(t, s)))
	g := mustGrid(t, set(t, s, "sample=30"))
	if g.Cases() != 30 || g.Len() != 120 {
		t.Fatalf("%d cases, %d runs", g.Cases(), g.Len())
	}
	picked := casesOf(rows(t, g))
	if len(picked) != 30 {
		t.Errorf("%d distinct cases", len(picked))
	}
	for c, n := range picked {
		if n != 4 || whole[c] != 4 {
			t.Errorf("%d rows of the case %s", n, c)
		}
	}
}

func TestSamplesAreNestedAndDependOnTheSeed(t *testing.T) {
	s := mustParse(t, two)
	g := mustGrid(t, s)
	sample := func(g *Grid, n int64) map[string]int {
		h, err := g.Sample(Sample{Cases: n})
		if err != nil {
			t.Fatal(err)
		}
		return casesOf(rows(t, h))
	}
	small, large := sample(g, 10), sample(g, 40)
	for c := range small {
		if large[c] == 0 {
			t.Errorf("case of the sample of 10 is not in that of 40: %s", c)
		}
	}
	again := sample(mustGrid(t, set(t, s, "sample=40")), 10)
	if fmt.Sprint(again) != fmt.Sprint(small) {
		t.Error("a sample of a sample is not the sample")
	}
	other := sample(mustGrid(t, set(t, s, "seed=2")), 10)
	same := 0
	for c := range other {
		if small[strings.Replace(c, "seed=2", "seed=1", 1)] > 0 {
			same++
		}
	}
	if same == 10 {
		t.Error("another seed takes the same sample")
	}
	if all, err := g.Sample(Sample{Cases: 1000}); err != nil || all.Len() != g.Len() {
		t.Errorf("a sample above the number of cases: %d runs, %v", all.Len(), err)
	}
}

func TestShareKeepsItsCasesWhenLevelsAreAdded(t *testing.T) {
	s := mustParse(t, two)
	before := casesOf(rows(t, mustGrid(t, set(t, s, "sample=25%"))))
	after := casesOf(rows(t, mustGrid(t, set(t, s, "sample=25%", "interfaces.wifi.rtt=10ms,20ms,50ms,70ms", "pages=n2x10k,mix28,n2x1k,n8x10k"))))
	for c := range before {
		if after[c] == 0 {
			t.Errorf("this case is gone: %s", c)
		}
	}
	// 96 cases become 256. Their number is binomial: mean 24 and 64, standard deviation 4.2 and 6.9.
	if n := len(before); n < 11 || n > 37 {
		t.Errorf("%d of 96 cases at 25 %%", n)
	}
	if n := len(after); n < 43 || n > 85 {
		t.Errorf("%d of 256 cases at 25 %%", n)
	}
}

// Every level is taken about equally often: the hash favours none.
func TestSampleIsFair(t *testing.T) {
	s, err := Load("socket-intents/table4")
	if err != nil {
		t.Fatal(err)
	}
	g, err := mustGrid(t, s).Sample(Sample{Cases: 6000})
	if err != nil {
		t.Fatal(err)
	}
	counts := map[string]int{}
	var r Run
	for i := int64(0); i < g.Len(); i += 14 {
		if err := g.Run(i, &r); err != nil {
			t.Fatal(err)
		}
		for c, col := range g.Columns() {
			if strings.HasPrefix(col.Name, "if") {
				counts[fmt.Sprint(col.Name, " ", r.Factors[c].Float)]++
			}
		}
	}
	// 6000 cases over 4 or 6 levels: 1500 with a standard deviation of 34, 1000 with 29.
	for level, n := range counts {
		want := 1500
		if strings.HasPrefix(level, "if1_bandwidth") {
			want = 1000
		}
		if n < want-140 || n > want+140 {
			t.Errorf("%s: %d cases, want about %d", level, n, want)
		}
	}
	if len(counts) != 6+4+4+4 {
		t.Errorf("%d levels seen", len(counts))
	}
}

func TestWhereKeepsTheRowsThatMatch(t *testing.T) {
	s := mustParse(t, two)
	g := mustGrid(t, s)
	all := rows(t, g)
	for _, c := range []struct {
		where []string
		keep  func(string) bool
	}{
		{[]string{"policy=eaf"}, has("policy=eaf")},
		{[]string{"profile=linux"}, has("profile=linux")},
		{[]string{"wifi.rtt=50ms"}, has("wifi_rtt_s=0.05 ")},
		{[]string{"wifi.rtt=0.05s"}, has("wifi_rtt_s=0.05 ")},
		{[]string{"wifi_rtt_s=0.05"}, has("wifi_rtt_s=0.05 ")},
		{[]string{"wifi_bandwidth_bit_s=2e7"}, has("wifi_bandwidth_bit_s=2e+07")},
		{[]string{"wifi.bandwidth=20000kbit/s"}, has("wifi_bandwidth_bit_s=2e+07")},
		{[]string{"page=n*"}, func(r string) bool { return !strings.HasPrefix(r, "page=mix28") }},
		{[]string{"page=mix28,n2x1k"}, func(r string) bool { return !strings.HasPrefix(r, "page=n8x10k") }},
		{[]string{"max_per_host=6", "repetition=1", "policy=if1"}, func(r string) bool {
			return has("max_per_host=6")(r) && has("repetition=1")(r) && has("policy=if1")(r)
		}},
	} {
		h, err := g.Where(c.where...)
		if err != nil {
			t.Errorf("%v: %v", c.where, err)
			continue
		}
		want := slices.DeleteFunc(slices.Clone(all), func(r string) bool { return !c.keep(r) })
		if got := rows(t, h); !slices.Equal(got, want) || h.Len() != int64(len(want)) {
			t.Errorf("%v: %d rows, want %d", c.where, len(got), len(want))
		}
	}
	if got := rows(t, g); !slices.Equal(got, all) {
		t.Error("Where changed the grid it was asked of")
	}
}

func has(text string) func(string) bool {
	return func(r string) bool { return strings.Contains(r+" ", text) }
}

// A condition on a sampled grid filters the sample; it does not draw another one.
func TestWhereFiltersASample(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		s := mustParse(t, two)
		n := rapid.IntRange(1, 100).Draw(rt, "sample")
		g := mustGrid(t, set(t, s, fmt.Sprintf("sample=%d", n)))
		where := rapid.SampledFrom([]string{"wifi.rtt=20ms", "page=mix28", "policy=eaf", "profile=dtsimulator", "max_per_host=2", "repetition=0"}).Draw(rt, "where")
		want := slices.DeleteFunc(rows(t, g), func(r string) bool {
			text := map[string]string{"wifi.rtt=20ms": "wifi_rtt_s=0.02 "}[where]
			if text == "" {
				text = where + " "
			}
			return !has(text)(r)
		})
		h, err := g.Where(where)
		if len(want) == 0 {
			if err == nil {
				rt.Fatalf("%s leaves nothing, but gives %d runs", where, h.Len())
			}
			return
		}
		if err != nil || !slices.Equal(rows(t, h), want) {
			rt.Fatalf("sample %d, %s: %v", n, where, err)
		}
	})
}

func TestFilterAgreesWithWhere(t *testing.T) {
	g := mustGrid(t, mustParse(t, two))
	for _, where := range []map[string]string{{"policy": "eaf", "wifi.rtt": "50ms"}, {"page": "n*"}, {"lte_rtt_s": "0.1", "profile": "linux,dtsimulator"}, {}} {
		f, err := g.Match(where)
		if err != nil {
			t.Fatal(err)
		}
		var conditions []string
		for k, v := range where {
			conditions = append(conditions, k+"="+v)
		}
		h, err := g.Where(conditions...)
		if err != nil {
			t.Fatal(err)
		}
		var kept []string
		var r Run
		for i := range g.Len() {
			if err := g.Run(i, &r); err != nil {
				t.Fatal(err)
			}
			if f.Keeps(r.Factors) {
				kept = append(kept, row(g, &r))
			}
		}
		if !slices.Equal(kept, rows(t, h)) {
			t.Errorf("%v: the filter keeps %d rows, Where %d", where, len(kept), h.Len())
		}
	}
}

func TestBadConditions(t *testing.T) {
	g := mustGrid(t, mustParse(t, two))
	for _, c := range []struct{ where, want string }{
		{"polisy=eaf", `did you mean "policy"?`},
		{"policy=eav", `did you mean "eaf"?`},
		{"wifi.rtt=21ms", "levels: 20ms, 50ms"},
		{"wifi.rtt", "not like factor=level"},
		{"policy=eaf,wifi.rtt=20ms", `"wifi.rtt=20ms" (it looks like a second condition; give each its own --where)`},
		{"policy=tcp", "has no level"},
		{"page=x*", "has no level"},
		{"page=[", "has no level"},
	} {
		if _, err := g.Where(c.where); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.where, err, c.want)
		}
	}
	if _, err := g.Where("policy=eaf", "policy=if1"); err == nil {
		t.Error("conditions that exclude each other leave no run, but are accepted")
	}
	for _, n := range []int64{0, -1, maxSample + 1} {
		if _, err := g.Sample(Sample{Cases: n}); err == nil {
			t.Errorf("a sample of %d is accepted", n)
		}
	}
}

// A policy goes by its canonical name, an interface's name and an alias.
func TestPolicyLevelsByOtherNames(t *testing.T) {
	g := mustGrid(t, mustParse(t, strings.Replace(base, "[if1, eaf]", "[wifi, lte, round-robin, eaf]", 1)))
	for text, want := range map[string]string{"wifi": "if1", "lte,eaf": "if2 eaf", "if2": "if2", "rr": "round-robin"} {
		h, err := g.Where("policy=" + text)
		if err != nil {
			t.Errorf("policy=%s: %v", text, err)
			continue
		}
		if got := strings.Join(h.Levels("policy"), " "); got != want {
			t.Errorf("policy=%s keeps %s, want %s", text, got, want)
		}
	}
}

// Levels are those of the runs that are left, whether the grid was narrowed or sampled.
func TestLevelsAreThoseOfTheRuns(t *testing.T) {
	g := mustGrid(t, mustParse(t, two))
	narrow, err := g.Where("wifi.rtt=50ms", "page=n*")
	if err != nil {
		t.Fatal(err)
	}
	one, err := narrow.Sample(Sample{Cases: 1})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		g      *Grid
		factor string
		want   string
	}{
		{g, "wifi.rtt", "20ms 50ms"}, {g, "page", "mix28 n2x1k n8x10k"},
		{narrow, "wifi.rtt", "50ms"}, {narrow, "page", "n2x1k n8x10k"},
		{g, "polisy", ""},
	} {
		if got := strings.Join(c.g.Levels(c.factor), " "); got != c.want {
			t.Errorf("%s: %q, want %q", c.factor, got, c.want)
		}
	}
	var r Run
	if err := one.Run(0, &r); err != nil {
		t.Fatal(err)
	}
	if got := one.Levels("page"); len(got) != 1 || got[0] != r.Spec.Page.Name {
		t.Errorf("levels %q of a sample of one case with page %s", got, r.Spec.Page.Name)
	}
}

func TestParseSample(t *testing.T) {
	for text, want := range map[string]Sample{"1": {Cases: 1}, "500": {Cases: 500}, "2%": {Share: 0.02}, "50 %": {Share: 0.5}} {
		if got, err := ParseSample(text); err != nil || got != want {
			t.Errorf("%q is %+v, %v; want %+v", text, got, err, want)
		}
	}
	for _, text := range []string{"", "0", "-3", "1.5", "0%", "-1%", "101%", "half", "100000001"} {
		if got, err := ParseSample(text); err == nil {
			t.Errorf("%q is %+v", text, got)
		}
	}
	g := mustGrid(t, mustParse(t, two))
	if _, err := g.Sample(Sample{Share: 1e-9}); err == nil || !strings.Contains(err.Error(), "keeps none") {
		t.Errorf("a share that keeps no case: %v", err)
	}
}

func TestZipVariesTogether(t *testing.T) {
	s := set(t, mustParse(t, two), "zip=[[wifi.bandwidth, wifi.rtt, lte.bandwidth]]")
	g := mustGrid(t, s)
	// 3 pages x 2 zipped x 2 RTTs of lte x 2 x 2 = 48 cases.
	if g.Cases() != 48 {
		t.Errorf("%d cases", g.Cases())
	}
	for _, r := range rows(t, g) {
		if has("wifi_bandwidth_bit_s=6e+06 ")(r) != has("wifi_rtt_s=0.02 ")(r) {
			t.Errorf("not zipped: %s", r)
		}
	}
	h, err := g.Where("wifi.rtt=50ms")
	if err != nil || h.Cases() != 24 {
		t.Errorf("where on a zipped factor: %v", err)
	}
}
