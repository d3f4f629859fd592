package figure

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"braid/analysis/dataset"
	"braid/analysis/label"
	"braid/scenarios"
	"braid/scenarios/result"

	"gonum.org/v1/plot/vg"
)

// Request is what to draw from results. Empty fields take what the figure takes by default.
type Request struct {
	Results   string   // a file of rows, a directory of results, or what else the figure reads
	With      string   // further results, for figures that compare two
	Where     []string // conditions on factors, as dataset.NewFilter reads them
	Over      []string // the policies that speed-ups are over; of several, the fastest in each case
	Metric    []string // columns of numbers
	By        []string // columns that tell groups apart
	X         string   // range of the horizontal axis: "1..5", "10ms..2s"
	Statistic string   // one of Statistics
	Style     string   // one of Styles
	Width     string   // one of Widths
	Title     *string  // nil: the scenario's name
}

// Statistics of a group: median with the interval from order statistics, or mean with Student's interval.
var Statistics = []string{"median", "mean"}

// Styles in which load times are drawn.
var Styles = []string{"boxes", "bars"}

// Widths are those of a column of a paper (88 mm) and of its page (180 mm).
var Widths = []string{"single", "double"}

// width is the width of the figure.
func (q *Request) width() (vg.Length, error) {
	switch q.Width {
	case "", "single":
		return 88 * vg.Millimeter, nil
	case "double":
		return 180 * vg.Millimeter, nil
	}
	return 0, fmt.Errorf("unknown width %q%s", q.Width, scenarios.DidYouMean(q.Width, "widths", Widths))
}

// data is results while a figure is drawn from them.
type data struct {
	*Request
	set      *dataset.Set
	filter   *dataset.Filter
	over     []string
	policies []string // of all rows
	profiles []string // of the rows that are drawn
	cases    int64    // of which some row is drawn
	rows     int64    // drawn
	failed   int64    // not drawn, as they failed
	notes    []string
}

// most is how many levels of one column a figure tells apart.
const most = 40

// open opens the results of a request, and finds the policy that speed-ups are over.
func open(q *Request, results string) (*data, error) {
	set, err := dataset.Open(results)
	if err != nil {
		return nil, err
	}
	filter, err := dataset.NewFilter(set.Schema, q.Where)
	if err != nil {
		return nil, err
	}
	d := &data{Request: q, set: set, filter: filter, over: q.Over}
	if len(d.over) == 0 {
		base, err := set.Baseline()
		if err != nil {
			return nil, err
		}
		d.over = []string{base}
	}
	return d, nil
}

// column finds a column of the results.
func (d *data) column(name string) (*dataset.Column, error) {
	c, err := dataset.Lookup(d.set.Schema, name, d.over)
	return &c, err
}

// metric finds the i-th metric of the request, or the one a figure takes by default.
func (d *data) metric(i int, byDefault string) (*dataset.Column, error) {
	name := byDefault
	if i < len(d.Metric) {
		name = d.Metric[i]
	}
	c, err := d.column(name)
	if err == nil && !c.Number {
		err = fmt.Errorf("--metric %s is no column of numbers", c.Name)
	}
	return c, err
}

// by finds the columns that tell groups apart; there must be from least to greatest of them.
func (d *data) by(least, greatest int, byDefault ...string) ([]*dataset.Column, error) {
	names := d.By
	if len(names) == 0 {
		names = byDefault
	}
	if len(names) < least || len(names) > greatest {
		factors := make([]string, len(d.set.Schema.Factors))
		for i, f := range d.set.Schema.Factors {
			factors[i] = f.Name
		}
		return nil, fmt.Errorf("--by has %d columns (expected %s; factors: %s)", len(names), fromTo(least, greatest), strings.Join(factors, ", "))
	}
	list := make([]*dataset.Column, len(names))
	for i, n := range names {
		var err error
		if list[i], err = d.column(n); err != nil {
			return nil, err
		}
		if slices.Contains(names[:i], n) {
			return nil, fmt.Errorf("--by names %s twice", n)
		}
	}
	return list, nil
}

func fromTo(least, greatest int) string {
	if least == greatest {
		return fmt.Sprint(least)
	}
	return fmt.Sprintf("%d to %d", least, greatest)
}

// each calls visit with the rows that are drawn. Rows of a policy that speed-ups are over have no speed-up of their own where
// it is the only one; see drawn.
func (d *data) each(visit func(c *dataset.Case, i int) error) error {
	err := d.set.Each(d.filter, func(c *dataset.Case) error {
		any := false
		for i := range c.Rows {
			if p := c.Policy(i); !slices.Contains(d.policies, p) && len(d.policies) < most {
				d.policies = append(d.policies, p)
			}
			if !d.filter.Keeps(c, i) {
				continue
			}
			if c.Rows[i].Error != "" {
				d.failed++
				continue
			}
			d.rows++
			any = true
			d.see(c, i)
			if err := visit(c, i); err != nil {
				return err
			}
		}
		if any {
			d.cases++
		}
		return nil
	})
	if err == nil && d.rows == 0 {
		err = fmt.Errorf("%s: no row to draw (%d failed)", d.set.Path, d.failed)
	}
	return err
}

// see notes the profile of a row.
func (d *data) see(c *dataset.Case, i int) {
	k := d.set.Schema.Factor("profile")
	if k < 0 || k >= len(c.Rows[i].Factors) {
		return
	}
	if p := c.Rows[i].Factors[k].Text; !slices.Contains(d.profiles, p) && len(d.profiles) < most {
		d.profiles = append(d.profiles, p)
	}
}

// ofBaseline says whether a speed-up of row i is 1 by definition: the row's policy is the only one that they are over.
func (d *data) ofBaseline(c *dataset.Case, i int) bool {
	return len(d.over) == 1 && c.Policy(i) == d.over[0]
}

// checkOver returns an error if a policy that speed-ups are over is in no row; to be called after each.
func (d *data) checkOver() error {
	for _, pattern := range d.over {
		if !slices.ContainsFunc(d.policies, func(p string) bool {
			ok, err := path.Match(pattern, p)
			return p == pattern || ok && err == nil
		}) {
			return fmt.Errorf("%s: no row has the policy %q of --over%s", d.set.Path, pattern, scenarios.DidYouMean(pattern, "policies", d.policies))
		}
	}
	return nil
}

// title is what stands above the figure: what was asked for, or the name of the scenario.
func (d *data) title() string {
	switch {
	case d.Title != nil:
		return label.ASCII(*d.Title)
	case d.set.Manifest != nil && d.set.Manifest.Scenario.Name != "":
		return label.ASCII(d.set.Manifest.Scenario.Name)
	}
	return ""
}

// subtitle says which rows the figure is of: how many cases, under which conditions.
func (d *data) subtitle() string {
	s := fmt.Sprintf("%d cases", d.cases)
	if d.cases == 1 {
		s = "1 case"
	}
	for _, w := range d.Where {
		s += ", " + label.ASCII(w)
	}
	return s
}

// finish collects what a reader of the figure has to know.
func (d *data) finish(by ...*dataset.Column) []string {
	if d.failed > 0 {
		d.notes = append(d.notes, fmt.Sprintf("%d failed runs are left out", d.failed))
	}
	if len(d.profiles) > 1 && !slices.ContainsFunc(by, func(c *dataset.Column) bool { return c.Name == "profile" }) {
		d.notes = append(d.notes, fmt.Sprintf("runs of several profiles (%s) are taken together; --where profile=%s takes one", strings.Join(d.profiles, ", "), d.profiles[0]))
	}
	return d.notes
}

// requires returns an error if the rows lack a column.
func requires(s result.Schema, results, figure string, columns []string) error {
	for _, name := range columns {
		if s.Factor(name) < 0 && s.Metric(name) < 0 {
			return fmt.Errorf("%s: no column %s, which the figure %s needs", results, name, figure)
		}
	}
	return nil
}
