package compare

import (
	"fmt"
	"math"
	"slices"

	"braid/analysis/stat"
)

// Confidence is that of the intervals.
const Confidence = 0.95

// Group is the pairs of rows with the same levels of the factors that groups are of.
type Group struct {
	Levels   []string          // with units
	Old, New stat.Distribution // the metric, of the pairs in which both rows have it
	Up, Down int64             // pairs in which it rose, and fell
	NoOld    int64             // pairs in which only the new row has it: the old run failed
	NoNew    int64             // pairs in which only the old row has it: the new run failed
	NoBoth   int64             // pairs in which both failed

	changed []float64 // new/old of the pairs that differ; +Inf: from 0
	sorted  bool
}

// Pairs is how many pairs have the metric in both rows.
func (g *Group) Pairs() int64 { return g.Old.N() }

// Differs says whether any pair differs in the metric, or in whether it is there.
func (g *Group) Differs() bool { return g.Up+g.Down+g.NoOld+g.NoNew > 0 }

// add takes in a pair.
func (g *Group) add(was, is waiter) error {
	switch {
	case !was.ok && !is.ok:
		g.NoBoth++
		return nil
	case !was.ok:
		g.NoOld++
		return nil
	case !is.ok:
		g.NoNew++
		return nil
	}
	for _, w := range []waiter{was, is} {
		if !(w.value >= 0 && w.value <= math.MaxFloat64) {
			return fmt.Errorf("run %d has the value %v: changes are ratios, of numbers that are 0 or more", w.run, w.value)
		}
	}
	g.Old.Add(was.value)
	g.New.Add(is.value)
	switch {
	case is.value > was.value:
		g.Up++
	case is.value < was.value:
		g.Down++
	default:
		return nil
	}
	g.changed, g.sorted = append(g.changed, is.value/was.value), false
	return nil
}

// ratio returns the i-th of new/old over all pairs, from 0 and sorted. Those that do not differ have 1.
func (g *Group) ratio(i int) float64 {
	if !g.sorted {
		slices.Sort(g.changed)
		g.sorted = true
	}
	below, _ := slices.BinarySearch(g.changed, 1)
	equal := int(g.Pairs()) - len(g.changed)
	switch {
	case i < below:
		return g.changed[i]
	case i < below+equal:
		return 1
	}
	return g.changed[i-equal]
}

// Change is the median of new/old over the pairs, with its confidence interval; NaN where there are too few pairs (none, and
// less than six).
func (g *Group) Change() (median float64, interval stat.Interval) {
	interval = stat.Interval{Low: math.NaN(), High: math.NaN()}
	n := int(g.Pairs())
	if n == 0 {
		return math.NaN(), interval
	}
	if median = g.ratio((n - 1) / 2); median != g.ratio(n/2) { // two that are infinite have no mean
		median = (median + g.ratio(n/2)) / 2
	}
	if k, ok := stat.MedianRank(n, Confidence); ok {
		interval = stat.Interval{Low: g.ratio(k), High: g.ratio(n - 1 - k)}
	}
	return median, interval
}

// P is the p-value of Wilcoxon's signed-rank test on log(new/old); 1 where no pair differs.
func (g *Group) P() float64 {
	logs := make([]float64, len(g.changed))
	for i, r := range g.changed {
		logs[i] = math.Log(r)
	}
	return stat.SignedRank(logs)
}
