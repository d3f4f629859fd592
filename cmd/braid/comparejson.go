package main

import (
	"io"
	"math"

	"braid/analysis/compare"
	"braid/analysis/stat"
)

// comparedGroup is a group as one line of JSON. Numbers that do not exist are null.
type comparedGroup struct {
	Kind   string            `json:"kind"` // "group"
	Metric string            `json:"metric"`
	Group  map[string]string `json:"group"`      // levels with units
	Old    *float64          `json:"old_median"` // over the pairs, as new_median
	New    *float64          `json:"new_median"`
	Change *float64          `json:"change"` // median over the pairs of new/old
	Low    *float64          `json:"change_low"`
	High   *float64          `json:"change_high"` // of the 95 % confidence interval
	P      *float64          `json:"p"`           // of Wilcoxon's signed-rank test, not corrected for the number of groups
	Pairs  int64             `json:"pairs"`
	Up     int64             `json:"pairs_up"`
	Down   int64             `json:"pairs_down"`
	NoOld  int64             `json:"failed_old_only"`
	NoNew  int64             `json:"failed_new_only"`
	NoBoth int64             `json:"failed_both"`
	Within float64           `json:"medians_within"` // relative error of the medians; 0: exact
}

// comparedAll is what concerns all groups, as the last line of JSON.
type comparedAll struct {
	Kind    string       `json:"kind"` // "all"
	Metric  string       `json:"metric"`
	Groups  int          `json:"groups"` // listed or not
	Pairs   int64        `json:"pairs"`
	Differ  int64        `json:"pairs_differ"`
	Old     *float64     `json:"old_geometric_mean"` // of the groups' medians
	New     *float64     `json:"new_geometric_mean"`
	Change  *float64     `json:"change_geometric_mean"` // of the groups' changes
	OnlyOld comparedOnly `json:"only_old"`
	OnlyNew comparedOnly `json:"only_new"`
}

// comparedOnly is the rows that only one set has.
type comparedOnly struct {
	Rows   int64            `json:"rows"`
	Levels map[string]int64 `json:"levels,omitempty"` // rows with a level that the other set lacks
	Other  int64            `json:"other"`            // rows of which the other set has every level, but not together
	First  []string         `json:"first,omitempty"`  // of other
}

// printComparedJSON prints an object a line: the groups, then what concerns all of them.
func printComparedJSON(w io.Writer, c *compare.Comparison, all bool) error {
	for _, g := range c.Groups {
		if !all && !g.Differs() {
			continue
		}
		if err := encodeLine(w, groupJSON(c, g)); err != nil {
			return err
		}
	}
	older, newer, change := c.Means()
	n, differ := c.Pairs()
	return encodeLine(w, comparedAll{
		Kind: "all", Metric: c.Metric.Name, Groups: len(c.Groups), Pairs: n, Differ: differ,
		Old: finite(older), New: finite(newer), Change: finite(change), OnlyOld: onlyJSON(&c.OnlyOld), OnlyNew: onlyJSON(&c.OnlyNew),
	})
}

func groupJSON(c *compare.Comparison, g *compare.Group) comparedGroup {
	change, interval := g.Change()
	j := comparedGroup{
		Kind: "group", Metric: c.Metric.Name, Group: map[string]string{},
		Old: finite(g.Old.Quantile(0.5)), New: finite(g.New.Quantile(0.5)),
		Change: finite(change), Low: finite(interval.Low), High: finite(interval.High), P: finite(g.P()),
		Pairs: g.Pairs(), Up: g.Up, Down: g.Down, NoOld: g.NoOld, NoNew: g.NoNew, NoBoth: g.NoBoth,
	}
	for i, name := range c.By {
		j.Group[name] = g.Levels[i]
	}
	if !g.Old.Exact() {
		j.Within = stat.Accuracy
	}
	return j
}

func onlyJSON(o *compare.Only) comparedOnly {
	j := comparedOnly{Rows: o.Rows(), Other: o.Other, First: o.First}
	if len(o.Levels) > 0 {
		j.Levels = map[string]int64{}
	}
	for _, l := range o.Levels {
		j.Levels[l.Text] = l.Rows
	}
	return j
}

// finite is x, or null where JSON has no number for it.
func finite(x float64) *float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	return &x
}
