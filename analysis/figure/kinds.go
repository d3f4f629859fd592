package figure

import (
	"fmt"
	"slices"
	"strings"

	"braid/analysis/dataset"
	"braid/scenarios"
)

// Kind is a figure that can be drawn from results.
type Kind struct {
	Name    string
	Doc     string   // what it shows
	Columns []string // that the rows must have
	Metric  []string // what is drawn unless the request says otherwise
	By      []string // what tells groups apart unless the request says otherwise
	Takes   string   // what the options mean to it, in words
	Options []string // that it reads besides those all figures have, as flags without dashes
	draw    func(*data) (*Figure, error)
	other   func(*Request) (*Figure, []string, error) // in place of draw: it does not read rows
}

// Kinds are the figures by name.
var Kinds = []Kind{
	{"speedup-ecdf", "the share of cases whose speed-up is at most x, a line a policy, x logarithmic", []string{"policy", "load_time_s"},
		[]string{dataset.SpeedUp}, []string{"policy"}, "a line for each combination of up to three columns of --by; --x zooms", []string{"over", "by", "x"}, ecdf, nil},
	{"load-times", "load times, groups of boxes or bars, y logarithmic where they differ much", nil,
		[]string{"load_time_s"}, []string{"page", "policy"},
		"--by: the groups, then what differs within them; --style boxes: quartiles and median, whiskers from the 5th to the 95th percentile; " +
			"--style bars: median or mean (--statistic) with its 95 % interval, as points where y is logarithmic",
		[]string{"metric", "over", "by", "style", "statistic"}, loadTimes, nil},
	{"binned-ecdf", "the shares of cases in classes of speed-up against a factor, a panel a factor", nil,
		[]string{dataset.SpeedUp}, nil,
		"--by: one or two columns, a panel each; numbers with many values, like page_bytes, are put into bins of 1, 2 and 5 times powers of ten; --classes: the bounds, 1,2,5 by default; " +
			"equal to the first bound is a class of its own",
		[]string{"over", "by", "metric", "classes"}, binnedECDF, nil},
	{"heatmap", "the median of a metric against two factors, a colour and a number each", nil,
		[]string{"load_time_s"}, nil, "--by: the columns, then the rows; --statistic mean draws means", []string{"metric", "over", "by", "statistic"}, heatmap, nil},
	{"lines", "the median of a metric against a factor, with its 95 % interval over repetitions, a line a policy", nil,
		[]string{"load_time_s"}, []string{"", "policy"}, "--by: the factor, then what has a line each; --x zooms; --statistic mean draws means with Student's interval",
		[]string{"metric", "over", "by", "x", "statistic"}, lines, nil},
	{"scatter", "two metrics of each run, a colour a policy; or a metric in two results, paired by run", nil,
		[]string{"load_time_s", dataset.SpeedUp}, []string{"policy"},
		"--metric: the horizontal and the vertical one; the band is from the 5th to the 95th percentile. --with RESULTS: one metric, that in --with " +
			"vertical; the band has 90 % of the runs. At most 5000 runs are drawn, chosen at random; the bands are of all", []string{"with", "metric", "over", "by", "x"}, scatter, nil},
	{"timeline", "series over time, a panel a column", []string{timeColumn},
		nil, nil, "RESULTS: a CSV or Parquet file with time_s, columns of numbers, and series, their names, where there are several; --where series=NAME; --x zooms",
		[]string{"metric", "x"}, nil, timeline},
	{"waterfall", "one load object by object, simulated again, or several policies one above the other", nil,
		nil, nil, "--run N: that run; or --where conditions that leave one case: its policies. RESULTS have their manifest beside them", []string{"run", "pages"}, waterfall, nil},
}

// common are the options that every figure has.
var common = []string{"where", "width", "title"}

// KindNames lists the names of Kinds.
func KindNames() []string {
	names := make([]string, len(Kinds))
	for i, k := range Kinds {
		names[i] = k.Name
	}
	return names
}

// FindKind finds a figure by its name.
func FindKind(name string) (*Kind, error) {
	for i := range Kinds {
		if Kinds[i].Name == name {
			return &Kinds[i], nil
		}
	}
	return nil, fmt.Errorf("unknown figure %q%s", name, scenarios.DidYouMean(name, "figures", KindNames()))
}

// Draw draws the figure. The notes are what a reader of it has to know, a sentence each: what was left out, what was taken
// together. Memory does not depend on the number of rows.
func (k *Kind) Draw(q *Request) (f *Figure, notes []string, err error) {
	if err := k.reads(q); err != nil {
		return nil, nil, err
	}
	if k.other != nil {
		return k.other(q)
	}
	d, err := open(k, q, q.Results)
	if err != nil {
		return nil, nil, err
	}
	if err := requires(d.set.Schema, q.Results, k.Name, k.Columns); err != nil {
		return nil, nil, err
	}
	if f, err = k.draw(d); err != nil {
		return nil, nil, err
	}
	return f, d.finish(), nil
}

// reads returns an error if the request has an option that the figure does not read.
func (k *Kind) reads(q *Request) error {
	for _, o := range []struct {
		flag  string
		given bool
	}{
		{"with", q.With != ""}, {"over", len(q.Over) > 0}, {"metric", len(q.Metric) > 0}, {"by", len(q.By) > 0}, {"x", q.X != ""},
		{"statistic", q.Statistic != ""}, {"style", q.Style != ""}, {"classes", len(q.Classes) > 0},
		{"run", q.Run != nil}, {"pages", q.Pages != ""},
	} {
		if o.given && !slices.Contains(k.Options, o.flag) {
			return fmt.Errorf("%s takes no --%s (it takes --%s)", k.Name, o.flag, strings.Join(append(slices.Clone(k.Options), common...), ", --"))
		}
	}
	return nil
}
