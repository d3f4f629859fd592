package figure

import (
	"fmt"
	"slices"
	"strings"

	"braid/analysis/dataset"
	"braid/scenarios"
	"braid/scenarios/result"
)

// Kind is a figure that can be drawn from results.
type Kind struct {
	Name    string
	Doc     string   // what it shows
	Columns []string // that the rows must have
	Metric  []string // what is drawn unless the request says otherwise
	By      []string // what tells groups apart unless the request says otherwise; "": the request must say
	Takes   []string // what the options mean to it, a line each
	Options []string // that it reads besides those all figures have, as flags without dashes
	draw    func(*data) (*Figure, error)
	other   func(*Request) (*Figure, []string, error) // in place of draw: it does not read rows
}

// Kinds are the figures by name.
var Kinds = []Kind{
	{
		Name: "speedup-ecdf", Doc: "the share of cases whose speed-up is at most x, a line a policy; x is logarithmic",
		Columns: []string{dataset.PolicyColumn, result.LoadTime}, Metric: []string{dataset.SpeedUp}, By: []string{dataset.PolicyColumn},
		Takes:   []string{"--by: a line for each combination of up to three columns", "--x: the part to draw"},
		Options: []string{"over", "by", "x"}, draw: ecdf,
	},
	{
		Name: "load-times", Doc: "load times, groups of boxes or bars; y is logarithmic where they differ much",
		Metric: []string{result.LoadTime}, By: []string{"page", dataset.PolicyColumn},
		Takes: []string{
			"--by: the groups, then one or two columns that differ within them",
			"--style boxes: median, quartiles, and lines from the 5th to the 95th percentile",
			"--style bars: median or mean (--statistic) with its 95 % interval; points where y is logarithmic",
		},
		Options: []string{"metric", "over", "by", "style", "statistic"}, draw: loadTimes,
	},
	{
		Name: "binned-ecdf", Doc: "the shares of cases in classes of speed-up, against one or two factors, a panel each",
		Metric: []string{dataset.SpeedUp}, By: []string{""},
		Takes: []string{
			"--by: the factors; numbers with many values, like page_bytes, are put into bins from 1, 2 and 5 times powers of ten",
			"--classes: the bounds, 1,2,5 by default; equal to the first one is a class of its own",
		},
		Options: []string{"over", "by", "metric", "classes"}, draw: binnedECDF,
	},
	{
		Name: "heatmap", Doc: "the median of a metric against two factors, as colours and numbers",
		Metric: []string{result.LoadTime}, By: []string{"", ""},
		Takes:   []string{"--by: the factor of the columns, then that of the rows", "--statistic mean: means"},
		Options: []string{"metric", "over", "by", "statistic"}, draw: heatmap,
	},
	{
		Name: "lines", Doc: "the median of a metric against a factor, with its 95 % interval over repetitions, a line a policy",
		Metric: []string{result.LoadTime}, By: []string{"", dataset.PolicyColumn},
		Takes:   []string{"--by: the factor, then one or two columns with a line each", "--x: the part to draw", "--statistic mean: means with Student's interval"},
		Options: []string{"metric", "over", "by", "x", "statistic"}, draw: lines,
	},
	{
		Name: "scatter", Doc: "two metrics of each run, a colour a policy; or a metric in two results, paired by run",
		Metric: []string{result.LoadTime, dataset.SpeedUp}, By: []string{dataset.PolicyColumn},
		Takes: []string{
			"--metric: the horizontal and the vertical one; the band is from the 5th to the 95th percentile",
			"--with: one metric, there the vertical one; the band has 90 % of the runs",
			"At most 5000 runs are drawn, chosen at random; the bands are of all",
		},
		Options: []string{"with", "metric", "over", "by", "x"}, draw: scatter,
	},
	{
		Name: "timeline", Doc: "series over time, a panel a column of numbers", Columns: []string{timeColumn},
		Takes: []string{
			"RESULTS: a CSV or Parquet file with time_s, columns of numbers, and series, their names, where there are several",
			"--where series=NAME,NAME", "--metric: up to eight of the columns", "--x: the part to draw",
		},
		Options: []string{"metric", "x"}, other: timeline,
	},
	{
		Name: "waterfall", Doc: "one load object by object, simulated again; or several policies one above the other",
		Takes:   []string{"--run: that run; else --where leaves one case, and its policies are drawn", "RESULTS have their manifest beside them"},
		Options: []string{"run", "pages"}, draw: waterfall,
	},
}

// needed is how many columns --by names at least.
func (k *Kind) needed() int {
	n := 1
	for i, c := range k.By {
		if c == "" {
			n = i + 1
		}
	}
	return n
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
// together. Memory does not depend on the number of rows; but timeline keeps all values.
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
