package main

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"braid/analysis/compare"
)

// printCompared prints what was compared, a table of the groups, and the rows that only one set has.
func printCompared(w io.Writer, c *compare.Comparison, made []string, all bool) {
	n, differ := c.Pairs()
	fmt.Fprintf(w, "%s of NEW against OLD: %s, of which %d differ\n", c.Metric.Name, plural(int(n), "pair"), differ)
	for _, line := range made {
		fmt.Fprintf(w, "  %s\n", line)
	}
	for _, f := range c.Unpaired {
		fmt.Fprintf(w, "  not paired by %s: %s in OLD, %s in NEW\n", f.Name, orAbsent(f.Old), orAbsent(f.New))
	}
	listed := printGroups(w, c, all)
	if hidden := len(c.Groups) - listed; hidden > 0 {
		which := "the other " + plural(hidden, "group")
		if listed == 0 {
			which = "any of " + plural(hidden, "group")
		}
		fmt.Fprintf(w, "\nnothing differs in %s (--all lists them)\n", which)
	}
	printFailed(w, c)
	printOnly(w, "OLD", &c.OnlyOld)
	printOnly(w, "NEW", &c.OnlyNew)
	if listed > 0 {
		fmt.Fprintf(w, "\n%s\n", strings.Join(wrapped(comparedLegend(len(c.Groups)), tableWidth), "\n"))
	}
}

// comparedLegend says what the columns are.
func comparedLegend(groups int) string {
	return fmt.Sprintf("old, new: medians. change: median over the pairs of new/old, and its %.0f %% confidence interval (order statistics). "+
		"p: Wilcoxon's signed ranks of the pairs that differ, not corrected for the number of groups (%d). up, down: pairs that rose and fell.",
		100*compare.Confidence, groups)
}

// printGroups prints a line a group, and the geometric means. It returns how many groups are listed.
func printGroups(w io.Writer, c *compare.Comparison, all bool) (listed int) {
	unit := ""
	if c.Metric.Unit != "" {
		unit = " (" + c.Metric.Unit + ")"
	}
	var t table
	for _, name := range c.By {
		t.columns = append(t.columns, column{name, true})
	}
	if len(c.By) == 0 {
		t.columns = append(t.columns, column{"", true})
	}
	t.columns = append(t.columns, column{"old" + unit, false}, column{"new" + unit, false}, column{"change", false},
		column{"interval", false}, column{"p", false}, column{"pairs", false}, column{"up", false}, column{"down", false})
	labels := func(first ...string) []string {
		cells := make([]string, max(1, len(c.By)))
		copy(cells, first)
		return cells
	}
	for _, g := range c.Groups {
		if !all && !g.Differs() {
			continue
		}
		listed++
		change, interval := g.Change()
		between := noTime
		if !math.IsNaN(interval.Low) {
			between = fmt.Sprintf("%s to %s", changeText(interval.Low), changeText(interval.High))
		}
		t.add(append(labels(g.Levels...), fourDigits(g.Old.Quantile(0.5)), fourDigits(g.New.Quantile(0.5)), changeText(change), between,
			probability(g.P()), count(g.Pairs()), count(g.Up), count(g.Down))...)
	}
	if listed == 0 {
		return 0
	}
	if len(c.Groups) > 1 {
		older, newer, change := c.Means()
		t.add(append(labels("geomean"), fourDigits(older), fourDigits(newer), changeText(change), "", "", "", "", "")...)
	}
	fmt.Fprintln(w)
	t.write(w)
	return listed
}

// printFailed names the groups with rows that failed in one set only.
func printFailed(w io.Writer, c *compare.Comparison) {
	for _, g := range c.Groups {
		if g.NoOld+g.NoNew > 0 {
			name := c.Describe(g)
			if name == "" {
				name = "all rows"
			}
			fmt.Fprintf(w, "\n%s: without a value in OLD only %d, in NEW only %d, in both %d (failed runs have none)\n", name, g.NoOld, g.NoNew, g.NoBoth)
		}
	}
}

// mostNamed is how many levels that only one set has are named.
const mostNamed = 5

// printOnly names the rows that only one set has.
func printOnly(w io.Writer, set string, o *compare.Only) {
	if o.Rows() == 0 {
		return
	}
	fmt.Fprintf(w, "\nonly in %s: %s\n", set, plural(int(o.Rows()), "row"))
	for i, l := range o.Levels {
		if i == mostNamed {
			rest := int64(0)
			for _, l := range o.Levels[i:] {
				rest += l.Rows
			}
			fmt.Fprintf(w, "  %d with %d other levels\n", rest, len(o.Levels)-i)
			break
		}
		fmt.Fprintf(w, "  %d with %s\n", l.Rows, l.Text)
	}
	if o.Other > 0 {
		fmt.Fprintf(w, "  %d with levels that are in both sets, but not together:\n", o.Other)
	}
	for _, text := range o.First {
		fmt.Fprintf(w, "    %s\n", text)
	}
	if more := o.Other - int64(len(o.First)); more > 0 {
		fmt.Fprintf(w, "    and %d more\n", more)
	}
	if o.Unknown > 0 {
		fmt.Fprintf(w, "  %d without factors\n", o.Unknown)
	}
}

// changeText writes new/old as a change in percent.
func changeText(ratio float64) string {
	percent := 100 * (ratio - 1)
	switch {
	case math.IsNaN(percent):
		return noTime
	case math.IsInf(percent, 0):
		return "from 0"
	case percent != 0 && math.Abs(percent) < 0.005:
		return fmt.Sprintf("%+.0e %%", percent)
	}
	return fmt.Sprintf("%+.2f %%", percent)
}

// probability writes a p-value.
func probability(p float64) string {
	if p < 0.001 {
		return "<0.001"
	}
	return strconv.FormatFloat(p, 'f', 3, 64)
}

// fourDigits writes a number to four digits, and whole from there on.
func fourDigits(x float64) string {
	switch {
	case math.IsNaN(x):
		return noTime
	case x == 0:
		return "0"
	}
	decimals := min(12, max(0, 3-int(math.Floor(math.Log10(math.Abs(x))))))
	return strconv.FormatFloat(x, 'f', decimals, 64)
}

func count(n int64) string { return strconv.FormatInt(n, 10) }

func orAbsent(level string) string {
	if level == "" {
		return "absent"
	}
	return level
}
