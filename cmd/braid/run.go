package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"golang.org/x/term"

	"braid/analysis/summary"
	"braid/scenarios"
	"braid/scenarios/result"
	gridrun "braid/scenarios/run"
)

// runCmd runs the grid of a scenario.
type runCmd struct {
	Scenario string   `arg:"" optional:"" help:"A scenario file, or a name of the library (braid scenarios). Default: quickstart."`
	Output   string   `short:"o" placeholder:"DIR" help:"Write rows and manifest into this directory, which must be empty or new; - writes the rows to standard output. Default: only the summary is printed."`
	Format   *string  `enum:"parquet,csv,jsonl" help:"Format of the rows: ${enum}. Default: parquet in DIR, csv on standard output, which takes no parquet."`
	Set      []string `sep:"none" placeholder:"PATH=VALUE" help:"Change the scenario, like interfaces.wifi.rtt=[10ms,20ms]. May be repeated."`
	Where    []string `sep:"none" placeholder:"FACTOR=LEVEL" help:"Keep the runs with these levels, like policy=eaf,if1. May be repeated."`
	Sample   *string  `placeholder:"N|P%" help:"Keep N cases, or this share of them, with all policies of each; the same ones every time."`
	Seed     *uint64  `placeholder:"N" help:"Seed in place of the scenario's."`
	Engine   string   `default:"auto" placeholder:"NAME" help:"auto takes the fast engine for what it covers and the reference engine for the rest, flow and fast insist; the results are equal. Default: auto."`
	Workers  int      `placeholder:"N" help:"Runs at the same time. Default: one for each core."`
	DryRun   bool     `help:"Say how many runs there are, and about how long they take and how large the rows get; write nothing."`
	JSON     bool     `name:"json" help:"Print the summary as JSON, one object a line."`
}

// Help implements kong.HelpProvider.
func (runCmd) Help() string {
	return `Examples:

  braid run
  braid run mine.yaml -o results --set 'interfaces.wifi.bandwidth=[6Mbit/s,20Mbit/s]'
  braid run socket-intents/table4 --sample 1000 -o - > rows.csv
  braid run --sample 50% --where policy=eaf,wifi --where wifi.rtt=20ms

The rows are the same, to the byte, for any number of workers. A run that fails is a row with its error, and the exit
code is 3. Ctrl-C keeps the rows that are finished; the exit code is 130.`
}

// Run runs the grid.
func (c *runCmd) Run(s streams) error {
	if c.Workers < 0 {
		return fmt.Errorf("--workers %d (expected 1 or more)", c.Workers)
	}
	scenario, grid, err := c.load()
	if err != nil {
		return err
	}
	engines, err := scenarios.NewEngines(c.Engine)
	if err != nil {
		return fmt.Errorf("--engine: %w", err)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	// The second signal ends the program at once.
	context.AfterFunc(ctx, stop)
	if c.DryRun {
		return c.estimate(ctx, s, scenario, grid, engines)
	}
	schema, err := gridrun.Schema(grid)
	if err != nil {
		return err
	}
	sink, err := c.sink(s, schema)
	if err != nil {
		return err
	}
	for _, warning := range scenario.Warnings() {
		if _, err := fmt.Fprintf(s.err, "braid: warning: %s\n", warning); err != nil {
			return errors.Join(err, sink.Abort())
		}
	}
	if !c.JSON {
		if err := summary.Intro(c.text(s), scenario, grid); err != nil {
			return errors.Join(err, sink.Abort())
		}
	}
	table := summary.New(scenario.Name, schema, summary.Select(scenario.Expect, grid))
	progress := gridrun.NewProgress(s.err, isTerminal(s.err), grid.Len())
	stats, err := gridrun.Do(ctx, grid, gridrun.Options{Workers: c.Workers, Engine: engines.New, Done: progress.Done}, func(r *result.Row) error {
		table.Add(r)
		return sink.Write(r)
	})
	progress.End()
	if n := engines.Fallbacks(); n > 0 {
		if _, err := fmt.Fprintf(s.err, "%d runs took the reference engine: the fast one does not cover them\n", n); err != nil {
			return errors.Join(err, sink.Abort())
		}
	}
	interrupted := errors.Is(err, context.Canceled)
	if err != nil && !interrupted {
		return errors.Join(err, sink.Abort())
	}
	manifest, err := c.manifest(scenario, schema)
	if err != nil {
		return errors.Join(err, sink.Abort())
	}
	if err := sink.Commit(manifest, grid.Len()); err != nil {
		return err
	}
	table.End()
	if stats.Runs < grid.Len() {
		table.Incomplete(grid.Len())
	}
	if err := c.print(s, table); err != nil {
		return err
	}
	if dir, ok := sink.(*result.Dir); ok && !interrupted {
		text, err := dir.Describe()
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintln(s.err, text); err != nil {
			return err
		}
	}
	return outcome(&stats, interrupted, grid.Len(), schema, sink.Place())
}

// load reads the scenario and applies what the command line changes, in the order set, seed, where, sample.
func (c *runCmd) load() (*scenarios.Scenario, *scenarios.Grid, error) {
	scenario, err := scenarios.Load(c.Scenario)
	if err != nil {
		return nil, nil, err
	}
	if len(c.Set) > 0 {
		if scenario, err = scenario.Set(c.Set...); err != nil {
			return nil, nil, err
		}
	}
	if c.Seed != nil {
		if scenario, err = scenario.WithSeed(*c.Seed); err != nil {
			return nil, nil, err
		}
	}
	grid, err := scenario.Grid()
	if err != nil {
		return nil, nil, err
	}
	if grid, err = grid.Where(c.Where...); err != nil {
		return nil, nil, err
	}
	if c.Sample != nil {
		sample, err := scenarios.ParseSample(*c.Sample)
		if err != nil {
			return nil, nil, fmt.Errorf("--%w", err)
		}
		if grid, err = grid.Sample(sample); err != nil {
			return nil, nil, fmt.Errorf("--%w", err)
		}
	}
	return scenario, grid, nil
}

// estimate prints what the grid would cost.
func (c *runCmd) estimate(ctx context.Context, s streams, scenario *scenarios.Scenario, grid *scenarios.Grid, engines *scenarios.Engines) error {
	format, err := c.format()
	if err != nil {
		return err
	}
	e, err := gridrun.Measure(ctx, grid, engines.New, c.Workers, format)
	if errors.Is(err, context.Canceled) {
		return &exitError{exitInterrupted, errors.New("interrupted")}
	}
	if err != nil {
		return err
	}
	if c.JSON {
		return json.NewEncoder(s.out).Encode(e.JSON(scenario.Name, format))
	}
	return e.Print(s.out, scenario.Name, format)
}

// format is the format of the rows. Parquet is for files: a terminal or a pipe gets text.
func (c *runCmd) format() (result.Format, error) {
	switch {
	case c.Format == nil && c.Output == "-":
		return result.CSV, nil
	case c.Format == nil:
		return result.Parquet, nil
	case c.Output == "-" && result.Format(*c.Format) == result.Parquet:
		return "", errors.New("parquet is not written to standard output (choose --format csv or jsonl, or name a directory with -o)")
	}
	return result.Format(*c.Format), nil
}

// sink prepares what -o says. It fails before any run.
func (c *runCmd) sink(s streams, schema result.Schema) (result.Sink, error) {
	format, err := c.format()
	if err != nil {
		return nil, err
	}
	switch c.Output {
	case "":
		return result.Discard(), nil
	case "-":
		return result.Stream(s.out, format, schema)
	}
	return result.Create(filepath.Clean(c.Output), format, schema)
}

// manifest says what made the rows.
func (c *runCmd) manifest(scenario *scenarios.Scenario, schema result.Schema) (*result.Manifest, error) {
	inputs, err := scenario.Inputs()
	if err != nil {
		return nil, err
	}
	m := result.NewManifest(schema)
	m.Braid = version()
	m.Seed = scenario.Seed
	m.Scenario = result.ScenarioIdentity{Name: scenario.Name, SHA256: scenario.Digest(), Text: string(scenario.Canonical()), Set: c.Set, Where: c.Where}
	if c.Sample != nil {
		m.Scenario.Sample = *c.Sample
	}
	for _, in := range inputs {
		m.Inputs = append(m.Inputs, result.Digest{Name: in.Name, SHA256: in.SHA256})
	}
	return m, nil
}

// text is where text for people goes: standard output, or standard error when the rows go there.
func (c *runCmd) text(s streams) io.Writer {
	if c.Output == "-" {
		return s.err
	}
	return s.out
}

// print writes the summary.
func (c *runCmd) print(s streams, table *summary.Summary) error {
	if c.JSON {
		return table.JSON(c.text(s))
	}
	return table.Print(c.text(s))
}

// outcome is the error a run ends with: an interrupt, failed runs, or nil.
func outcome(stats *gridrun.Stats, interrupted bool, planned int64, schema result.Schema, place string) error {
	failures := stats.FailureText(schema)
	if !interrupted {
		if failures == "" {
			return nil
		}
		return &exitError{exitRunsFailed, errors.New(failures)}
	}
	text := fmt.Sprintf("interrupted after %d of %d runs", stats.Runs, planned)
	if stats.Dropped > 0 {
		text += fmt.Sprintf("; %d more that did not end were given up", stats.Dropped)
	}
	if place != "" {
		text += "; the finished rows are in " + place
	}
	if failures != "" {
		text += "\n" + failures
	}
	return &exitError{exitInterrupted, errors.New(text)}
}

// isTerminal says whether w is a terminal.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}
