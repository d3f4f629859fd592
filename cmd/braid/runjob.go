package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"braid/scenarios"
	"braid/scenarios/result"
	gridrun "braid/scenarios/run"
)

// toStandardOutput is the -o of rows that go to standard output.
const toStandardOutput = "-"

// job is what a command line asks to be computed.
type job struct {
	scenario *scenarios.Scenario
	grid     *scenarios.Grid
	twins    *scenarios.Twins
	schema   result.Schema
	engines  *scenarios.Engines
	shard    result.Shard
	part     gridrun.Part // of the grid
	format   result.Format
}

// job reads the scenario and everything that the command line and the environment say of it.
func (c *runCmd) job(m *messages) (*job, error) {
	if c.Workers < 0 {
		return nil, fmt.Errorf("--workers %d (expected 1 or more)", c.Workers)
	}
	j := &job{}
	var err error
	if j.format, err = c.format(); err != nil {
		return nil, err
	}
	if j.scenario, j.grid, err = c.load(); err != nil {
		return nil, err
	}
	if j.engines, err = scenarios.NewEngines(c.Engine); err != nil {
		return nil, fmt.Errorf("--engine: %w", err)
	}
	if j.twins, err = j.grid.Twins(); err != nil {
		return nil, err
	}
	if j.schema, err = gridrun.Schema(j.grid); err != nil {
		return nil, err
	}
	return j, c.divide(j, m)
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

// divide finds the shard to be computed.
func (c *runCmd) divide(j *job, m *messages) error {
	source := "--shard"
	var err error
	if c.Shard != nil {
		if j.shard, err = result.ParseShard(*c.Shard); err != nil {
			return fmt.Errorf("--shard: %w", err)
		}
	} else if j.shard, source, err = gridrun.ShardFrom(os.Getenv); err != nil {
		return err
	}
	j.part = gridrun.PartOf(j.grid, j.shard)
	if source == "" {
		return nil
	}
	runs := fmt.Sprintf("runs %d to %d of %d", j.part.First, j.part.First+j.part.Runs-1, j.grid.Len())
	if j.part.Runs == 0 {
		runs = fmt.Sprintf("none of the %d runs, which are few", j.grid.Len())
	}
	m.say("shard", fmt.Sprintf("shard %s (from %s): %s", j.shard, source, runs),
		"shard", j.shard.String(), "source", source, "first", j.part.First, "runs", j.part.Runs, "runs_grid", j.grid.Len())
	return nil
}

func (c *runCmd) toStandardOutput() bool { return c.Output != nil && *c.Output == toStandardOutput }

// format is the format of the rows. Parquet is for files: a terminal or a pipe gets text.
func (c *runCmd) format() (result.Format, error) {
	toPipe := c.toStandardOutput()
	switch {
	case c.Format != nil && c.Output == nil && !c.DryRun:
		return "", fmt.Errorf("--format %s, but no rows are written (name a directory with -o, or - for standard output)", *c.Format)
	case c.Output != nil && *c.Output == "":
		return "", errors.New("-o is empty (name a directory, or - for standard output)")
	case c.Format == nil && toPipe:
		return result.CSV, nil
	case c.Format == nil:
		return result.Parquet, nil
	case toPipe && result.Format(*c.Format) == result.Parquet:
		return "", errors.New("parquet is not written to standard output (choose --format csv or jsonl, or name a directory with -o)")
	}
	return result.Format(*c.Format), nil
}

// sink prepares what -o says. It fails before any run.
func (c *runCmd) sink(s streams, j *job) (result.Sink, error) {
	switch {
	case c.Output == nil:
		return result.Discard(), nil
	case *c.Output == toStandardOutput:
		return result.Stream(s.out, j.format, j.schema)
	}
	manifest, err := c.manifest(j)
	if err != nil {
		return nil, err
	}
	return result.OpenDir(filepath.Clean(*c.Output), manifest, j.schema)
}

// manifest says what makes the rows.
func (c *runCmd) manifest(j *job) (*result.Manifest, error) {
	m := result.NewManifest(j.schema)
	m.Braid = version()
	if err := m.Identify(j.scenario); err != nil {
		return nil, err
	}
	m.Scenario.Set, m.Scenario.Where = c.Set, c.Where
	if c.Sample != nil {
		m.Scenario.Sample = *c.Sample
	}
	m.Plan(j.format, j.shard, j.grid.Len(), j.part.First, j.part.Runs)
	return m, nil
}
