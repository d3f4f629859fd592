package figure

import (
	"fmt"
	"math"
	"path"
	"slices"
	"strings"

	"braid/analysis/dataset"
	"braid/scenarios"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
)

// timeline is the figure timeline.
func timeline(q *Request) (*Figure, []string, error) {
	t, err := readSeries(q.Results)
	if err != nil {
		return nil, nil, err
	}
	series, err := t.choose(q.Where)
	if err != nil {
		return nil, nil, err
	}
	metrics := make([]int, 0, len(t.metrics))
	if len(q.Metric) == 0 {
		for i := range t.metrics {
			metrics = append(metrics, i)
		}
	}
	for _, name := range q.Metric {
		i := slices.Index(t.metrics, name)
		if i < 0 {
			return nil, nil, fmt.Errorf("unknown column %q%s", name, scenarios.DidYouMean(name, "columns", t.metrics))
		}
		metrics = append(metrics, i)
	}
	if len(metrics) > mostPanels {
		return nil, nil, fmt.Errorf("%s: %d columns of numbers (--metric names at most %d of them: %s)", q.Results, len(metrics), mostPanels, strings.Join(t.metrics, ", "))
	}
	f, err := drawTimeline(q, t, metrics, series)
	return f, nil, err
}

// mostPanels is how many columns are drawn below each other on one page.
const mostPanels = 8

// choose returns the series that meet the conditions, which are like series=a,b*.
func (t *seriesTable) choose(where []string) (series []int, err error) {
	for i := range t.series {
		series = append(series, i)
	}
	for _, w := range where {
		name, text, ok := strings.Cut(w, "=")
		if !ok || name != seriesColumn {
			return nil, fmt.Errorf("condition %q is not like %s=NAME", w, seriesColumn)
		}
		patterns := strings.Split(text, ",")
		for _, p := range patterns {
			if !slices.ContainsFunc(t.series, func(s string) bool { return matches(p, s) }) {
				return nil, fmt.Errorf("condition %q: no series %s%s", w, p, scenarios.DidYouMean(p, "series", t.series))
			}
		}
		series = slices.DeleteFunc(series, func(i int) bool {
			return !slices.ContainsFunc(patterns, func(p string) bool { return matches(p, t.series[i]) })
		})
	}
	if len(series) == 0 {
		return nil, fmt.Errorf("conditions %q leave no series", where)
	}
	return series, nil
}

func matches(pattern, name string) bool {
	ok, err := path.Match(pattern, name)
	return pattern == name || ok && err == nil
}

func drawTimeline(q *Request, t *seriesTable, metrics, series []int) (*Figure, error) {
	width, err := q.width()
	if err != nil {
		return nil, err
	}
	time := dataset.Named(timeColumn)
	zoom, err := parseLimits(q.X, &time)
	if err != nil {
		return nil, err
	}
	if zoom == nil {
		zoom = &limits{math.Inf(1), math.Inf(-1)}
		for _, line := range t.lines {
			zoom = &limits{min(zoom.low, line[0].at), max(zoom.high, line[len(line)-1].at)}
		}
		if zoom.low == zoom.high {
			wide := scale{unit: unit{in: 1}}.widen(*zoom, 0.02)
			zoom = &wide
		}
	}
	c := &chart{width: width, height: panelHeightOf(width)}
	if len(metrics) > 1 {
		c.height *= 0.55
	}
	if q.Title != nil {
		c.title = printable(*q.Title)
	}
	x := scale{unit: unitFor(time.Unit, zoom.high)}
	for _, m := range metrics {
		p, err := t.panel(m, series, x, *zoom)
		if err != nil {
			return nil, err
		}
		c.panels = append(c.panels, []*plot.Plot{p})
	}
	c.panels[len(c.panels)-1][0].X.Label.Text = axisLabel(&time, x.unit)
	if len(t.series) > 1 {
		var entries []keyEntry
		for _, s := range series {
			entries = append(entries, keyEntry{printable(t.series[s]), stroked(stroke(s))})
		}
		c.entries(entries)
	}
	return c.figure(), nil
}

// panel draws one metric of the series.
func (t *seriesTable) panel(metric int, series []int, x scale, zoom limits) (*plot.Plot, error) {
	ends := limits{math.Inf(1), math.Inf(-1)}
	for _, s := range series {
		for _, v := range t.lines[[2]int{s, metric}] {
			if zoom.within(v.at) {
				ends = limits{min(ends.low, v.value), max(ends.high, v.value)}
			}
		}
	}
	if math.IsInf(ends.low, 0) {
		return nil, fmt.Errorf("%s has no value from %v s to %v s", t.metrics[metric], zoom.low, zoom.high)
	}
	column := dataset.Named(t.metrics[metric])
	y := scale{unit: unitFor(column.Unit, ends.high)}
	if ends = y.widen(ends, 0.05); ends.low > 0 && ends.low < ends.high/2 || ends.low < 0 && ends.low > -ends.high*0.1 {
		ends.low = 0
	}
	p := newPanel("", axisLabel(&column, y.unit))
	gridLines(p, true, true)
	for _, s := range series {
		line := reduce(t.lines[[2]int{s, metric}], zoom)
		if len(line) == 0 {
			continue
		}
		xys := make(plotter.XYs, len(line))
		for i, v := range line {
			xys[i] = plotter.XY{X: x.of(v.at), Y: y.of(v.value)}
		}
		style := stroke(s)
		style.Width = timelineWidth
		p.Add(&plotter.Line{XYs: xys, LineStyle: style})
	}
	if err := x.set(&p.X, zoom); err != nil {
		return nil, err
	}
	if err := y.set(&p.Y, ends); err != nil {
		return nil, err
	}
	p.Y.Tick.Marker = linearTicks(4)
	return p, nil
}

// timelineWidth of lines, thinner than elsewhere: series alternate fast.
const timelineWidth vg.Length = 0.7

// timeColumns is into how many parts the time axis is divided where a line has more values than can be seen.
const timeColumns = 1000

// reduce keeps of each part of a long line the first and the last value, the least and the greatest, so that the line looks
// the same.
func reduce(line []instant, zoom limits) []instant {
	// The neighbours outside of the range, too: the line goes on to its ends.
	first := max(0, slices.IndexFunc(line, func(v instant) bool { return v.at >= zoom.low })-1)
	last := first
	for last < len(line) && line[last].at <= zoom.high {
		last++
	}
	if line = line[first:min(last+1, len(line))]; len(line) <= 4*timeColumns {
		return line
	}
	var kept []instant
	part := func(v instant) int { return int((v.at - zoom.low) / (zoom.high - zoom.low) * timeColumns) }
	for i := 0; i < len(line); {
		end, low, high := i, i, i
		for ; end < len(line) && part(line[end]) == part(line[i]); end++ {
			if line[end].value < line[low].value {
				low = end
			}
			if line[end].value > line[high].value {
				high = end
			}
		}
		indices := []int{i, low, high, end - 1}
		slices.Sort(indices)
		for _, k := range slices.Compact(indices) {
			kept = append(kept, line[k])
		}
		i = end
	}
	return kept
}
