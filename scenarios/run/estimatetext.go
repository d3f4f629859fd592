package run

import (
	"fmt"
	"io"

	"braid/scenarios/result"
)

// Print writes the estimate as text: runs, time and size, and what they rest on.
func (e *Estimate) Print(w io.Writer, scenario string, f result.Format) error {
	basis := fmt.Sprintf("all %d runs, timed", e.Timed)
	if int64(e.Timed) < e.Runs {
		basis = fmt.Sprintf("%d runs spread over the grid, timed", e.Timed)
	}
	margin := ""
	if e.Spread > 0 {
		margin = fmt.Sprintf(" +- %s", Approximate(e.Spread))
	}
	_, err := fmt.Fprintf(w, "%s\nruns  %d%s\ntime  about %s%s with %d at a time\nsize  about %s as %s\nfrom  %s one after the other on this machine\n",
		scenario, e.Runs, e.distinct(), Approximate(e.Time), margin, e.Workers, result.Size(e.Bytes), f, basis)
	if err == nil && e.Failed > 0 {
		_, err = fmt.Fprintf(w, "%d of them failed, the first: %s\n", e.Failed, e.Error)
	}
	return err
}

// distinct says how many runs differ, where not all do.
func (e *Estimate) distinct() string {
	if e.Distinct >= e.Grid {
		return ""
	}
	if e.Runs < e.Grid {
		return fmt.Sprintf(" of %d, of which %d are distinct (the others are copies)", e.Grid, e.Distinct)
	}
	return fmt.Sprintf(", %d of them distinct (the others are copies)", e.Distinct)
}

// EstimateJSON is an estimate as JSON.
type EstimateJSON struct {
	Scenario string  `json:"scenario"`
	Runs     int64   `json:"runs"`
	Grid     int64   `json:"runs_grid"`          // of the whole grid, of which a shard is a part
	Distinct int64   `json:"runs_grid_distinct"` // of these, runs that may differ
	Workers  int     `json:"workers"`
	Time     float64 `json:"time_s"`
	Spread   float64 `json:"time_spread_s"` // half of the 95 % confidence interval
	Format   string  `json:"format"`
	Bytes    int64   `json:"size_bytes"`
	Timed    int     `json:"runs_timed"`
	Failed   int     `json:"runs_timed_failed"`
	Error    string  `json:"error,omitempty"` // of the first that failed
}

// JSON returns the estimate as JSON is made of it.
func (e *Estimate) JSON(scenario string, f result.Format) EstimateJSON {
	return EstimateJSON{
		Scenario: scenario, Runs: e.Runs, Grid: e.Grid, Distinct: e.Distinct, Workers: e.Workers, Time: e.Time.Seconds(), Spread: e.Spread.Seconds(),
		Format: string(f), Bytes: e.Bytes, Timed: e.Timed, Failed: e.Failed, Error: e.Error,
	}
}
