package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"golang.org/x/term"

	"braid/analysis/measure"
	"braid/analysis/summary"
	"braid/scenarios/result"
	gridrun "braid/scenarios/run"
)

// runCmd runs the grid of a scenario.
type runCmd struct {
	Scenario   string   `arg:"" optional:"" help:"A scenario file, or a name of the library (braid scenarios). Default: quickstart."`
	Output     *string  `short:"o" placeholder:"DIR" help:"Write rows and manifest into this directory; - writes the rows to standard output. Rows that DIR has already are not computed again. Default: only the summary is printed."`
	Format     *string  `enum:"parquet,csv,jsonl" help:"Format of the rows: ${enum}. Default: parquet in DIR, csv on standard output, which takes no parquet."`
	Set        []string `sep:"none" placeholder:"PATH=VALUE" help:"Change the scenario, like interfaces.wifi.rtt=[10ms,20ms]. May be repeated."`
	Where      []string `sep:"none" placeholder:"FACTOR=LEVEL" help:"Keep the runs with these levels, like policy=eaf,if1. May be repeated."`
	Sample     *string  `placeholder:"N|P%" help:"Keep N cases, or this share of them, with all policies of each; the same ones every time."`
	Seed       *uint64  `placeholder:"N" help:"Seed in place of the scenario's."`
	Shard      *string  `placeholder:"I/N" help:"Compute shard I, from 1, of N shards of about equal work. Default: what a Slurm array or an indexed Kubernetes job says, else everything."`
	Engine     string   `default:"auto" placeholder:"NAME" help:"auto takes the fast engine for what it covers and the reference engine for the rest, flow and fast insist; the results are equal. Default: auto."`
	Workers    int      `placeholder:"N" help:"Runs at the same time. Default: one for each core."`
	DryRun     bool     `help:"Say how many runs there are, and about how long they take and how large the rows get; write nothing."`
	JSON       bool     `name:"json" help:"Print the summary as JSON, one object a line."`
	LogJSON    bool     `name:"log-json" help:"Write progress and messages as JSON, one object a line, for batch systems."`
	CPUProfile *string  `name:"cpuprofile" placeholder:"FILE" help:"Write a CPU profile, for go tool pprof."`
	MemProfile *string  `name:"memprofile" placeholder:"FILE" help:"Write a profile of the memory in use at the end, for go tool pprof."`
}

// Help implements kong.HelpProvider.
func (runCmd) Help() string {
	return `Examples:

  braid run
  braid run mine.yaml -o results --set 'interfaces.wifi.bandwidth=[6Mbit/s,20Mbit/s]'
  braid run socket-intents/table4 --sample 1000 -o - > rows.csv
  braid run --sample 50% --where policy=eaf,wifi --where wifi.rtt=20ms
  braid run socket-intents/table4 -o results --shard 3/8

The rows are the same, to the byte, for any number of workers. A run that fails is a row with its error, and the exit
code is 3. Ctrl-C keeps the rows that are finished; the exit code is 130. The same command then computes what is missing,
also after the program was killed: with -o DIR, finished rows are in a journal at once.`
}

// Run runs the grid.
func (c *runCmd) Run(s streams) (err error) {
	m := newMessages(s.err, c.LogJSON)
	defer func() { err = m.ended(err) }()
	job, err := c.job(m)
	if err != nil {
		return err
	}
	profiles, err := startProfiles(c.CPUProfile, c.MemProfile)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, profiles.stop()) }()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	// The second signal ends the program at once.
	context.AfterFunc(ctx, stop)
	if c.DryRun {
		return c.estimate(ctx, s, job)
	}
	return c.simulate(ctx, s, m, job)
}

// estimate prints what the job would cost.
func (c *runCmd) estimate(ctx context.Context, s streams, j *job) error {
	e, err := gridrun.Measure(ctx, j.grid, j.part, j.engines.New, c.Workers, j.format)
	if errors.Is(err, context.Canceled) {
		return &exitError{exitInterrupted, errors.New("interrupted")}
	}
	if err != nil {
		return err
	}
	if c.JSON {
		return json.NewEncoder(s.out).Encode(e.JSON(j.scenario.Name, j.format))
	}
	return e.Print(s.out, j.scenario.Name, j.format)
}

// simulate computes what is missing of the rows, and prints the summary.
func (c *runCmd) simulate(ctx context.Context, s streams, m *messages, j *job) error {
	sink, err := c.sink(s, j)
	if err != nil {
		return err
	}
	dir, _ := sink.(*result.Dir)
	table := summary.New(j.scenario.Name, j.schema, measure.Published(j.scenario.Expect, j.grid, j.schema))
	if err := c.begin(s, m, j, dir); err != nil {
		return errors.Join(err, sink.Abort())
	}
	var stats gridrun.Stats
	interrupted := false
	if dir != nil && dir.Complete() {
		stats, err = readRows(dir, table)
	} else {
		stats, err = c.rows(ctx, s, m, j, sink, table)
		if interrupted = errors.Is(err, context.Canceled); interrupted {
			err = nil
		}
	}
	if err != nil {
		return errors.Join(err, sink.Abort())
	}
	if err := sink.Commit(); err != nil {
		return err
	}
	if err := c.finish(s, j, table, &stats); err != nil {
		return err
	}
	if dir != nil && !interrupted {
		m.say("rows", dir.Describe(), "file", dir.Place(), "runs", stats.Runs, "failed", stats.Failed, "computed", stats.Computed, "resumed", stats.Resumed)
	}
	return outcome(&stats, interrupted, j, sink)
}

// begin says what is to be computed.
func (c *runCmd) begin(s streams, m *messages, j *job, dir *result.Dir) error {
	m.record("start", "braid", version(), "scenario", j.scenario.Name, "runs", j.part.Runs, "runs_grid", j.grid.Len(), "runs_grid_distinct", j.twins.Distinct())
	for _, warning := range j.scenario.Warnings() {
		m.warn(warning)
	}
	if !c.json() {
		if err := summary.Intro(c.text(s), j.scenario, j.grid); err != nil {
			return err
		}
	}
	if dir == nil {
		return nil
	}
	if by := dir.By(); by != "" && (by != version() || strings.Contains(by, "dirty") || strings.Contains(by, "modified")) {
		m.warn(fmt.Sprintf("rows there are of %s, this is %s: if a policy was changed in between, name another directory", by, version()))
	}
	if dir.Journal() == nil {
		return nil
	}
	if n := dir.Journal().Damaged(); n > 0 {
		m.warn(fmt.Sprintf("the last %d bytes of the journal are damaged: what they held is computed again", n))
	}
	if n := dir.Journal().Rows(); n > 0 {
		m.say("resume", fmt.Sprintf("finished before: %d of %d runs", n, j.part.Runs), "finished", n, "runs", j.part.Runs)
	}
	return nil
}

// json says whether the summary is JSON: where asked for, and where it would otherwise be text in a log.
func (c *runCmd) json() bool { return c.JSON || c.LogJSON && c.toStandardOutput() }

// rows computes the rows.
func (c *runCmd) rows(ctx context.Context, s streams, m *messages, j *job, sink result.Sink, table *summary.Summary) (gridrun.Stats, error) {
	o := gridrun.Options{Workers: c.Workers, Engine: j.engines.New, Part: &j.part}
	missing := j.part.Runs
	if dir, ok := sink.(*result.Dir); ok {
		o.Journal = dir.Journal()
		missing -= o.Journal.Rows()
	}
	progress := c.progress(s, m, missing)
	o.Done = progress.Done
	begin := time.Now()
	stats, err := gridrun.Do(ctx, j.grid, o, func(r *result.Row) error {
		table.Add(r)
		return sink.Write(r)
	})
	progress.End()
	if o.Journal != nil {
		took := time.Since(begin)
		m.say("computed", fmt.Sprintf("computed %d runs with %d events in %s", stats.Computed, stats.Events, gridrun.Approximate(took)),
			"runs", stats.Computed, "events", stats.Events, "took_s", took.Seconds())
	}
	if n := j.engines.Fallbacks(); n > 0 {
		m.say("fallback", fmt.Sprintf("%d runs took the reference engine: the fast one does not cover them", n), "runs", n)
	}
	return stats, err
}

// progress shows a bar on a terminal, a log where one is wanted, plain lines elsewhere.
func (c *runCmd) progress(s streams, m *messages, missing int64) *gridrun.Progress {
	switch {
	case c.LogJSON:
		return gridrun.NewLog(m.log, missing)
	case isTerminal(s.err):
		return gridrun.NewBar(s.err, missing)
	}
	return gridrun.NewLines(s.err, missing)
}

// readRows takes in rows that were computed before.
func readRows(dir *result.Dir, table *summary.Summary) (stats gridrun.Stats, err error) {
	r, err := result.Open(dir.Place())
	if err != nil {
		return stats, err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	for row := (result.Row{}); ; {
		if err := r.Read(&row); err != nil {
			if errors.Is(err, io.EOF) {
				return stats, nil
			}
			return stats, err
		}
		table.Add(&row)
		stats.Add(&row)
		stats.Resumed++
	}
}

// finish prints the summary.
func (c *runCmd) finish(s streams, j *job, table *summary.Summary, stats *gridrun.Stats) error {
	table.End()
	if stats.Runs < j.grid.Len() {
		table.Incomplete(j.grid.Len())
	}
	table.Distinct(j.twins.Distinct())
	if c.json() {
		return table.JSON(c.text(s))
	}
	return table.Print(c.text(s))
}

// text is where text for people goes: standard output, or standard error when the rows go there.
func (c *runCmd) text(s streams) io.Writer {
	if c.toStandardOutput() {
		return s.err
	}
	return s.out
}

// outcome is the error a run ends with: an interrupt, failed runs, or nil.
func outcome(stats *gridrun.Stats, interrupted bool, j *job, sink result.Sink) error {
	failures := stats.FailureText(j.schema)
	if !interrupted {
		if failures == "" {
			return nil
		}
		return &exitError{exitRunsFailed, errors.New(failures)}
	}
	text := fmt.Sprintf("interrupted after %d of %d runs", stats.Runs, j.part.Runs)
	if stats.Dropped > 0 {
		text += fmt.Sprintf(", with gaps of %d runs that were not computed or given up", stats.Dropped)
	}
	if place := sink.Place(); place != "" {
		text += "; the finished rows are in " + place
	}
	if _, ok := sink.(*result.Dir); ok {
		text += "; the same command computes the others"
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
