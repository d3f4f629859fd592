package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"braid/analysis/check"
	"braid/scenarios"
)

// updatable says whether there are files that can be updated.
func updatable(k *check.Check) error {
	file, ok := k.Scenario.File()
	if !ok {
		return fmt.Errorf("--update: %s is built in; name its file, %s in the source of braid, or check a copy (braid scenarios export DIR)",
			k.Name, scenarios.LibrarySource(file))
	}
	if baseline := k.Scenario.BaselineFile(); baseline != "" {
		if _, err := check.BaselineFormat(baseline); err != nil {
			return fmt.Errorf("--update: baseline %s of %s: %w", baseline, k.Name, err)
		}
	}
	return nil
}

// update writes new values into the scenario's file, and the baseline, and says so. It returns the scenario as it is then;
// nil when nothing was written.
func (c *checkCmd) update(ctx context.Context, s streams, k *check.Check, r *check.Report) (*check.Check, error) {
	if r.Failed > 0 {
		fmt.Fprintf(s.err, "braid: warning: %s is not updated, because runs failed\n", k.Name)
		return nil, nil
	}
	file, _ := k.Scenario.File()
	var written []string
	values := map[int]float64{}
	for i := range r.Lines {
		if r.Lines[i].Updatable() {
			values[i] = r.Lines[i].Value
		}
	}
	if len(values) > 0 {
		text, err := k.Scenario.Rewrite(values)
		if err != nil {
			return nil, err
		}
		err = writeOutput(s, file, "scenario", func(w io.Writer) error { _, err := w.Write(text); return err })
		if err != nil {
			return nil, err
		}
		written = append(written, fmt.Sprintf("%d values", len(values)))
	}
	if b := r.Baseline; b != nil && b.Fails() {
		if b.Results {
			return nil, fmt.Errorf("baseline %s belongs to the results of a run, with a manifest beside it: name a copy of it as baseline", b.File)
		}
		err := writeOutput(s, b.File, "baseline", func(w io.Writer) error { return k.WriteBaseline(ctx, check.Options{Workers: c.Workers}, w) })
		if err != nil {
			return nil, err
		}
		written = append(written, "the baseline "+b.File)
	}
	if written == nil {
		return nil, nil
	}
	fmt.Fprintf(s.err, "updated %s: %s\n", k.Name, strings.Join(written, " and "))
	changed, err := scenarios.Load(file)
	if err != nil {
		return nil, err
	}
	return check.New(k.Name, changed)
}
