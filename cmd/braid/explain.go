package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"braid/analysis/dataset"
	"braid/analysis/explain"
	"braid/analysis/repeat"
	"braid/har"
	"braid/scenarios/result"
)

// explainCmd repeats one run of a grid with a trace.
type explainCmd struct {
	Results fileName   `arg:"" placeholder:"RESULTS" help:"A directory of results (braid run -o DIR), or a file of rows with its manifest beside it."`
	Number  int64      `arg:"" name:"run" placeholder:"RUN" help:"The run, as in the column run of the rows."`
	Pages   folderName `placeholder:"DIR" help:"The folder of the scenario's file, from which its pages are named. Default: the current folder, the folder that RESULTS is in, or RESULTS, whichever has them."`
	Objects bool       `help:"List the objects."`
	JSON    bool       `name:"json" help:"Print JSON."`
	loadFiles
}

// Help implements kong.HelpProvider.
func (explainCmd) Help() string {
	return `The run is simulated again from the manifest of the results, on the reference engine, and printed as braid load --explain
prints a load. Pages must have the bytes they had, and what comes out must be the row, to the bit: every factor and every
metric. Otherwise it is an error that says what differs. A run that failed is explained by its error; the exit code is 3.

Examples:

  braid explain results 12
  braid explain results/rows.parquet 12 --pages scenarios --plot waterfall.pdf`
}

// explainedJSON is braid explain --json: the load as braid load has it, with the run; or what made it fail.
type explainedJSON struct {
	Run      int64  `json:"run"`
	Scenario string `json:"scenario"`
	*jsonLoad
	Factors string `json:"factors,omitempty"` // of a run that failed
	Error   string `json:"error,omitempty"`
}

// Run repeats the run and prints where its time went.
func (c *explainCmd) Run(s streams) error {
	results := string(c.Results)
	if err := c.loadFiles.check(filesOf(results)...); err != nil {
		return err
	}
	set, err := dataset.Open(results)
	if err != nil {
		return err
	}
	row, m, err := set.Find(c.Number)
	if err != nil {
		return err
	}
	grid, err := repeat.Open(results, m, string(c.Pages))
	if err != nil {
		return err
	}
	if err := c.loadFiles.check(grid.Files()...); err != nil {
		return err
	}
	for _, w := range grid.Scenario.Warnings() {
		fmt.Fprintf(s.err, "braid: warning: %s\n", w)
	}
	t, err := grid.Load(&row)
	if failed, ok := errors.AsType[*repeat.FailedError](err); ok {
		return c.failed(s, set, m, &row, failed)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", results, err)
	}
	return c.print(s, m, t, grid.Scenario.Deps)
}

// filesOf are the files of results: those of a directory, or the file itself.
func filesOf(results string) []string {
	files := []string{results}
	entries, err := os.ReadDir(results)
	if err != nil {
		return files // it is a file, or opening it will say what is wrong
	}
	for _, e := range entries {
		files = append(files, filepath.Join(results, e.Name()))
	}
	return files
}

// print writes the files asked for, then the load.
func (c *explainCmd) print(s streams, m *result.Manifest, t *explain.Traced, deps string) error {
	loads := []load{newLoad(t)}
	if err := c.loadFiles.write(s, loads); err != nil {
		return err
	}
	if har.Multiplexed(t.Trace.Spec.Page) {
		fmt.Fprintf(s.err, "braid: warning: %s: recorded over HTTP/2 or HTTP/3, replayed over HTTP/1.1\n", t.Trace.Spec.Page.Name)
	}
	how := newSetup(loads, deps, false)
	var b bytes.Buffer
	if c.JSON {
		j := loadJSON(&loads[0], &loads[0], how, true)
		if err := encodeLine(&b, explainedJSON{Run: c.Number, Scenario: m.Scenario.Name, jsonLoad: &j}); err != nil {
			return err
		}
	} else {
		repetition := ""
		if n := t.Trace.Spec.Key.Repetition; n > 0 {
			repetition = fmt.Sprintf(", repetition %d", n)
		}
		fmt.Fprintf(&b, "%-8s  %d of %s%s; load time %v, as in the row\n", "run", c.Number, m.Scenario.Name, repetition, t.Result.LoadTime)
		printLoads(&b, loads, how, c.Objects, true)
	}
	_, err := c.loadFiles.text(s).Write(b.Bytes())
	return err
}

// failed prints a run that failed.
func (c *explainCmd) failed(s streams, set *dataset.Set, m *result.Manifest, row *result.Row, failed *repeat.FailedError) error {
	factors := set.Schema.Describe(row.Factors)
	var b bytes.Buffer
	if c.JSON {
		if err := encodeLine(&b, explainedJSON{Run: failed.Run, Scenario: m.Scenario.Name, Factors: factors, Error: failed.Message}); err != nil {
			return err
		}
	} else {
		fmt.Fprintf(&b, "%-8s  %d of %s\n%-8s  %s\n%-8s  %s\n", "run", failed.Run, m.Scenario.Name, "factors", factors, "error", failed.Message)
	}
	if _, err := s.out.Write(b.Bytes()); err != nil {
		return err
	}
	text := fmt.Sprintf("run %d failed, there is no load to explain", failed.Run)
	if c.HAR != "" || c.Plot != "" {
		text += ", to write as HAR, or to draw"
	}
	return &exitError{exitRunsFailed, errors.New(text)}
}
