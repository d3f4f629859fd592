package scenarios

import (
	"math"
	"slices"
	"testing"
)

func TestExpectations(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct {
		text string
		want Expect
	}{
		{"{metric: load_time_s, median: 0.91s +-2%}", // 0.91 s less and plus 0.0182 s
			Expect{Metric: "load_time_s", Statistic: StatQuantile, Quantile: 0.5, Low: 0.8918, High: 0.9282}},
		{"{metric: load_time_s, median: 910ms ± 10ms}", Expect{Metric: "load_time_s", Statistic: StatQuantile, Quantile: 0.5, Low: 0.9, High: 0.92}},
		{"{metric: load_time_s, value: 0.9s..1s}", Expect{Metric: "load_time_s", Statistic: StatValue, Low: 0.9, High: 1}},
		{"{metric: load_time_s, mean: <= 2s}", Expect{Metric: "load_time_s", Statistic: StatMean, Low: -inf, High: 2}},
		{"{metric: speedup, p5: '>= 1.5'}", Expect{Metric: "speedup", Statistic: StatQuantile, Quantile: 0.05, Low: 1.5, High: inf}},
		{"{metric: speedup, q97.5: 3}", Expect{Metric: "speedup", Statistic: StatQuantile, Quantile: 0.975, Low: 3, High: 3}},
		{"{metric: speedup, min: 0.1}", Expect{Metric: "speedup", Statistic: StatQuantile, Quantile: 0, Low: 0.1, High: 0.1}},
		{"{metric: speedup, max: 30 +-10%}", Expect{Metric: "speedup", Statistic: StatQuantile, Quantile: 1, Low: 27, High: 33}},
		{"{metric: wifi_bytes, max: 100KiB +- 1kB}", Expect{Metric: "wifi_bytes", Statistic: StatQuantile, Quantile: 1, Low: 101400, High: 103400}},
		{"{metric: speedup, share_above: {bound: 1, want: 42% +-2%}}", // 2 percentage points
			Expect{Metric: "speedup", Statistic: StatShare, Bounds: [2]float64{1, inf}, Low: 0.40, High: 0.44}},
		{"{metric: load_time_s, share_below: {bound: 2s, want: '>= 90%'}}", Expect{Metric: "load_time_s", Statistic: StatShare, Bounds: [2]float64{-inf, 2}, Low: 0.9, High: inf}},
		{"{metric: speedup, share_between: {above: 1, below: 2, want: 20%..25%}}", Expect{Metric: "speedup", Statistic: StatShare, Bounds: [2]float64{1, 2}, Low: 0.2, High: 0.25}},
		{"{metric: load_time_s, order: eaf <= lte <= if1}", Expect{Metric: "load_time_s", Statistic: StatOrder, Order: []string{"eaf", "if2", "if1"}}},
		{"{metric: speedup, over: [wifi, lte], median: 1, published: true, source: a paper}",
			Expect{Metric: "speedup", Statistic: StatQuantile, Quantile: 0.5, Over: []string{"if1", "if2"}, Low: 1, High: 1, Published: true, Source: "a paper"}},
	} {
		s, err := Parse([]byte(base+"expect:\n  - "+c.text+"\n"), "x.yaml")
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		e := s.Expect[0]
		near := func(a, b float64) bool { return a == b || math.Abs(a-b) < 1e-12*math.Max(1, math.Abs(b)) }
		if e.Metric != c.want.Metric || e.Statistic != c.want.Statistic || !near(e.Quantile, c.want.Quantile) || e.Published != c.want.Published || e.Source != c.want.Source ||
			!slices.Equal(e.Over, c.want.Over) || !slices.Equal(e.Order, c.want.Order) || e.Bounds != c.want.Bounds || !near(e.Low, c.want.Low) || !near(e.High, c.want.High) {
			t.Errorf("%s\ngives %+v\nwant  %+v", c.text, e, c.want)
		}
		if e.File != "x.yaml" || e.Line != 8 || e.Column != 6 {
			t.Errorf("%s: place %s:%d:%d, want x.yaml:8:6", c.text, e.File, e.Line, e.Column)
		}
	}
}

func TestWhereOfAnExpectation(t *testing.T) {
	s := mustParse(t, base+"expect:\n  - {where: {policy: [eaf, wifi], wifi.rtt: 20ms, repetition: 0}, metric: speedup, median: 1}\n")
	where := s.Expect[0].Where
	if where["policy"] != "eaf,if1" || where["wifi.rtt"] != "20ms" || where["repetition"] != "0" || len(where) != 3 {
		t.Errorf("%v", where)
	}
	if _, err := mustGrid(t, s).Match(where); err != nil {
		t.Error(err)
	}
}

func TestStatisticsByName(t *testing.T) {
	inf := math.Inf(1)
	for want, e := range map[string]Expect{
		"value": {Statistic: StatValue}, "mean": {Statistic: StatMean}, "median": {Statistic: StatQuantile, Quantile: 0.5},
		"min": {Statistic: StatQuantile}, "max": {Statistic: StatQuantile, Quantile: 1}, "p95": {Statistic: StatQuantile, Quantile: 0.95},
		"share above 1":     {Statistic: StatShare, Bounds: [2]float64{1, inf}},
		"share below 1":     {Statistic: StatShare, Bounds: [2]float64{-inf, 1}},
		"share from 1 to 2": {Statistic: StatShare, Bounds: [2]float64{1, 2}},
		"order":             {Statistic: StatOrder},
	} {
		if got := e.String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
