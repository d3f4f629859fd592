package figure

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"braid/analysis/dataset"
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
	Classes   []string // bounds of classes of the metric
	Run       *int64   // a run, for figures of one load
	Pages     string   // folder of the pages that are files; "": where they are found
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
	kind     *Kind
	set      *dataset.Set
	filter   *dataset.Filter
	over     []string
	speedUps bool              // speed-ups are drawn
	grouped  []*dataset.Column // columns that tell groups apart
	policies []string          // of all rows
	drawn    pools             // of the rows that are drawn
	cases    int64             // of which some row is drawn
	rows     int64             // drawn
	failed   int64             // not drawn, as they failed
	notes    []string
}

// most is how many levels of one column a figure tells apart.
const most = 40

// open opens the results of a request, and finds the policy that speed-ups are over.
func open(k *Kind, q *Request, results string) (*data, error) {
	set, err := dataset.Open(results)
	if err != nil {
		return nil, err
	}
	filter, err := dataset.NewFilter(set.Schema, q.Where)
	if err != nil {
		return nil, err
	}
	d := &data{Request: q, kind: k, set: set, filter: filter, over: q.Over, drawn: pools{dataset.PolicyColumn: nil, "profile": nil}}
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

// metric finds the i-th metric of the request, or the one the figure takes by default.
func (d *data) metric(i int) (*dataset.Column, error) {
	names, usual := d.Metric, d.kind.Metric
	if d.With != "" {
		usual = usual[:1]
	}
	if len(names) == 0 {
		names = usual
	}
	if len(names) != len(usual) {
		return nil, fmt.Errorf("--metric names %d columns (expected %d)", len(names), len(usual))
	}
	if len(d.Over) > 0 && !slices.Contains(names, dataset.SpeedUp) {
		return nil, fmt.Errorf("--over is of speed-ups, and what is drawn is %s (--metric speedup draws speed-ups)", strings.Join(names, ", "))
	}
	c, err := d.column(names[i])
	if err == nil && !c.Number {
		err = fmt.Errorf("--metric %s is no column of numbers", c.Name)
	}
	d.speedUps = d.speedUps || c.Name == dataset.SpeedUp
	return c, err
}

// by finds the columns that tell groups apart; there must be from least to greatest of them. Where the request names fewer
// than the figure has by default, the last ones are those.
func (d *data) by(least, greatest int) ([]*dataset.Column, error) {
	names := d.By
	if n := len(names); n < len(d.kind.By) && n < greatest && d.kind.By[n] != "" {
		names = append(slices.Clone(names), d.kind.By[n:]...)
	}
	if len(names) < least || len(names) > greatest {
		factors := make([]string, len(d.set.Schema.Factors))
		for i, f := range d.set.Schema.Factors {
			factors[i] = f.Name
		}
		return nil, fmt.Errorf("--by has %d columns (expected %s; factors: %s)", len(d.By), fromTo(d.kind.needed(), greatest), strings.Join(factors, ", "))
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
	d.grouped = list
	return list, nil
}

func fromTo(least, greatest int) string {
	if least == greatest {
		return fmt.Sprint(least)
	}
	return fmt.Sprintf("%d to %d", least, greatest)
}

// each calls visit with the rows that are drawn. Where speed-ups are, rows of the policy that they are over, if it is only
// one, are not: theirs is 1.
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
			if d.speedUps && len(d.over) == 1 && c.Policy(i) == d.over[0] {
				continue
			}
			d.rows++
			any = true
			d.drawn.see(d.set.Schema, &c.Rows[i])
			if err := visit(c, i); err != nil {
				return err
			}
		}
		if any {
			d.cases++
		}
		return nil
	})
	if err == nil {
		err = d.checkOver()
	}
	if err == nil && d.rows == 0 && d.speedUps && d.failed == 0 {
		err = fmt.Errorf("%s: no row of another policy than %s, which speed-ups are over (--over names another)", d.set.Path, d.over[0])
	}
	if err == nil && d.rows == 0 {
		err = fmt.Errorf("%s: no row to draw (%d failed)", d.set.Path, d.failed)
	}
	return err
}

// pools are the levels of factors that are seldom meant to be taken together.
type pools map[string][]string

// see notes the levels of a row.
func (p pools) see(s result.Schema, r *result.Row) {
	for name, levels := range p {
		k := s.Factor(name)
		if k < 0 || k >= len(r.Factors) {
			continue
		}
		if text := r.Factors[k].Text; len(levels) < most && !slices.Contains(levels, text) {
			p[name] = append(levels, text)
		}
	}
}

// checkOver returns an error if speed-ups are drawn and a policy that they are over is in no row.
func (d *data) checkOver() error {
	if !d.speedUps {
		return nil
	}
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
		return printable(*d.Title)
	case d.set.Manifest != nil && d.set.Manifest.Scenario.Name != "":
		return printable(d.set.Manifest.Scenario.Name)
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
		s += ", " + printable(w)
	}
	return s
}

// finish collects what a reader of the figure has to know.
func (d *data) finish() []string {
	if d.failed > 0 {
		d.notes = append(d.notes, fmt.Sprintf("%d failed runs are left out", d.failed))
	}
	for _, name := range []string{"profile", dataset.PolicyColumn} {
		levels := d.drawn[name]
		if len(levels) > 1 && !slices.ContainsFunc(d.grouped, func(c *dataset.Column) bool { return c.Name == name }) {
			d.notes = append(d.notes, fmt.Sprintf("runs that differ in %s are taken together: %s (--where %s=%s takes one)", name, strings.Join(levels, ", "), name, levels[0]))
		}
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
