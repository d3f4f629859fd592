package figure

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"braid/analysis/dataset"
	"braid/analysis/repeat"
	"braid/scenarios"
	"braid/scenarios/result"

	"gonum.org/v1/plot/vg"
)

// waterfall is the figure waterfall: the loads of one case, simulated again.
func waterfall(d *data) (*Figure, error) {
	rows, err := d.oneCase()
	if err != nil {
		return nil, err
	}
	grid, err := repeat.Open(d.set.Path, d.set.Manifest, d.Pages)
	if err != nil {
		return nil, err
	}
	var loads []Load
	for i := range rows {
		t, err := grid.Load(&rows[i])
		if failed, ok := errors.AsType[*repeat.FailedError](err); ok {
			d.notes = append(d.notes, failed.Error()+", and is left out")
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", d.set.Path, err)
		}
		loads = append(loads, Load{fmt.Sprintf("run %d, %s", rows[i].Run, t.Trace.Spec.Policy), t.Trace})
	}
	if len(loads) == 0 {
		return nil, fmt.Errorf("%s: no load to draw: %s", d.set.Path, strings.Join(d.notes, "; "))
	}
	layout, err := d.layout()
	if err != nil {
		return nil, err
	}
	title := loads[0].Trace.Spec.Page.Name + ", " + d.title()
	if d.Title != nil {
		title = printable(*d.Title)
	}
	return waterfallOf(title, loads, layout)
}

// layout is that of a waterfall in a paper. In a column there is little room for names.
func (d *data) layout() (waterfallLayout, error) {
	width, err := d.width()
	l := waterfallLayout{width, chartKeySize, labelLength}
	if width < 100*vg.Millimeter {
		l.keySize, l.label = labelSize, 18
	}
	return l, err
}

// mostLoads is how many loads are drawn above each other.
const mostLoads = 10

// oneCase returns the rows of the only case that meets the conditions, or of the run that is asked for.
func (d *data) oneCase() (rows []result.Row, err error) {
	cases := 0
	var differ [2]result.Row // of the first two cases, to say in what they differ
	err = d.set.Each(d.filter, func(c *dataset.Case) error {
		var kept []result.Row
		for i := range c.Rows {
			r := &c.Rows[i]
			if d.filter.Keeps(c, i) && (d.Run == nil || r.Run == *d.Run) {
				kept = append(kept, result.Row{Run: r.Run, Factors: slices.Clone(r.Factors), Metrics: slices.Clone(r.Metrics), Error: r.Error})
			}
		}
		if len(kept) == 0 {
			return nil
		}
		if cases < len(differ) {
			differ[cases] = kept[0]
		}
		if cases++; cases == 1 {
			rows = kept
		}
		return nil
	})
	switch {
	case err != nil:
		return nil, err
	case cases == 0 && d.Run != nil:
		return nil, fmt.Errorf("%s: no run %d that meets the conditions", d.set.Path, *d.Run)
	case cases == 0:
		return nil, fmt.Errorf("%s: no row meets the conditions", d.set.Path)
	case cases > 1:
		return nil, fmt.Errorf("%s: %d cases meet the conditions, and a waterfall is of one (--run N takes one, or --where a level of: %s)",
			d.set.Path, cases, strings.Join(differences(d.set.Schema.Factors, differ[0].Factors, differ[1].Factors), ", "))
	case len(rows) > mostLoads:
		return nil, fmt.Errorf("%s: %d loads meet the conditions (--where policy=... takes at most %d)", d.set.Path, len(rows), mostLoads)
	}
	return rows, nil
}

// differences names the factors in which two rows differ, but for the policy.
func differences(columns []scenarios.Column, a, b []scenarios.Value) (names []string) {
	for i, c := range columns {
		if i < len(a) && i < len(b) && a[i] != b[i] && c.Name != dataset.PolicyColumn {
			names = append(names, c.Name)
		}
	}
	return names
}
