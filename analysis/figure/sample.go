package figure

import (
	"fmt"
	"math"

	"braid/analysis/dataset"
	"braid/analysis/stat"
	"braid/scenarios"
)

// intervalLevel of the intervals in figures.
const intervalLevel = 0.95

// sample is the values of one group, in bounded memory: quantiles are exact up to stat.ExactValues values, and within
// stat.Accuracy beyond.
type sample struct {
	stat.Distribution
	mean, squares float64 // of deviations from the mean (Welford, "Note on a Method for Calculating Corrected Sums of Squares", 1962)
}

// add takes in a value.
func (s *sample) add(x float64) {
	s.Add(x)
	d := x - s.mean
	s.mean += d / float64(s.N())
	s.squares += float64(d * (x - s.mean))
}

// summarize returns the middle of the values and its interval, NaN where there are too few values for one.
func (s *sample) summarize(statistic string) (middle float64, i stat.Interval) {
	if statistic == "mean" {
		return s.mean, stat.StudentInterval(s.N(), s.mean, math.Sqrt(s.squares/float64(max(1, s.N()-1))), intervalLevel)
	}
	n := s.N()
	none := stat.Interval{Low: math.NaN(), High: math.NaN()}
	if k, ok := stat.MedianRank(int(n), intervalLevel); ok {
		none = stat.Interval{Low: s.Quantile(float64(k) / float64(n-1)), High: s.Quantile(float64(n-1-int64(k)) / float64(n-1))}
	}
	return s.Quantile(0.5), none
}

// statistic is the one that is asked for.
func (q *Request) statistic() (string, error) {
	switch q.Statistic {
	case "", "median":
		return "median", nil
	case "mean":
		return "mean", nil
	}
	return "", fmt.Errorf("unknown statistic %q%s", q.Statistic, scenarios.DidYouMean(q.Statistic, "statistics", Statistics))
}

// samples are the values of a metric by category and series.
type samples struct {
	categories, series *groups
	cells              [][]sample // by category, then series
}

// collect reads the values of the metric.
func (d *data) collect(metric *dataset.Column, category, series []*dataset.Column) (*samples, error) {
	s := &samples{categories: newGroups(category), series: newGroups(series)}
	err := d.each(func(c *dataset.Case, i int) error {
		at, ok, err := s.categories.of(c, i)
		if !ok || err != nil {
			return err
		}
		in, ok, err := s.series.of(c, i)
		if !ok || err != nil {
			return err
		}
		if v, ok := metric.Float(c, i); ok {
			s.cell(at, in).add(v)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if len(s.cells) == 0 {
		return nil, fmt.Errorf("%s: no row has a %s", d.set.Path, metric.Name)
	}
	return s, nil
}

// get returns a sample; nil where there is none.
func (s *samples) get(category, series int) *sample {
	if category >= len(s.cells) || series >= len(s.cells[category]) || s.cells[category][series].N() == 0 {
		return nil
	}
	return &s.cells[category][series]
}

// each calls visit with all samples that have values.
func (s *samples) each(visit func(category, series int, of *sample)) {
	for c := range s.cells {
		for i := range s.cells[c] {
			if of := s.get(c, i); of != nil {
				visit(c, i, of)
			}
		}
	}
}

// cell returns a sample, made where it is missing.
func (s *samples) cell(category, series int) *sample {
	for len(s.cells) <= category {
		s.cells = append(s.cells, nil)
	}
	row := &s.cells[category]
	for len(*row) <= series {
		*row = append(*row, sample{})
	}
	return &(*row)[series]
}
