package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"braid/analysis/check"
	gridrun "braid/scenarios/run"
)

// checkCmd runs scenarios and judges what they expect.
type checkCmd struct {
	Scenarios []string `arg:"" optional:"" name:"scenario" help:"Scenario files, names of the library (braid scenarios), or globs of either, like 'socket-intents/*'. Default: the library."`
	All       bool     `help:"Take the scenarios of the tier full too. Without it, globs and the library give those of the tier quick; one named in full is always run."`
	Update    bool     `help:"Write what was simulated into the scenario files, in the place of the values that do not hold, and into baselines; comments and layout stay."`
	Set       []string `sep:"none" placeholder:"PATH=VALUE" help:"Change the scenarios, like interfaces.wifi.rtt=40ms. May be repeated."`
	JUnit     fileName `name:"junit" placeholder:"OUT" help:"Write JUnit XML."`
	Markdown  fileName `placeholder:"OUT" help:"Write Markdown, for a pull request."`
	Workers   int      `placeholder:"N" help:"Runs at the same time. Default: one for each core."`
	JSON      bool     `name:"json" help:"Print JSON, one object a line."`
}

// Help implements kong.HelpProvider.
func (checkCmd) Help() string {
	return `Each scenario is run in memory, and its list "expect" is held against all rows: values and orders that do not hold fail
the check, published numbers are printed beside the simulated ones and never fail it. Failed runs, expectations that match
no run, and rows that differ from the scenario's "baseline" fail it too. The exit code is then 1, and every failure is
named with its place, old and new value; where GITHUB_ACTIONS is set, as an annotation as well.

--update replaces measured values, like 0.91s +-2%. Ranges, bounds and orders are statements: they stay as they are, and
fail until somebody changes them. A baseline that is not there is written.

Examples:

  braid check
  braid check mine.yaml --junit junit.xml --markdown summary.md
  braid check 'socket-intents/*' --all
  braid check mine.yaml --update`
}

// Run checks the scenarios.
func (c *checkCmd) Run(s streams) error {
	checks, err := c.prepare()
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	// The second signal ends the program at once.
	context.AfterFunc(ctx, stop)
	var reports []*check.Report
	for _, k := range checks {
		r, err := c.check(ctx, s, k)
		if errors.Is(err, context.Canceled) {
			// Files for others would say that this was all.
			interrupted := fmt.Errorf("interrupted in %s, after %d of %d scenarios", k.Name, len(reports), len(checks))
			return &exitError{exitInterrupted, errors.Join(interrupted, c.print(s.out, reports))}
		}
		if err != nil {
			return err
		}
		reports = append(reports, r)
	}
	if err := c.write(s, reports); err != nil {
		return err
	}
	if err := check.Error(reports); err != nil {
		return &exitError{exitCheckFailed, err}
	}
	return nil
}

// prepare reads the scenarios, and finds what cannot work before anything is run.
func (c *checkCmd) prepare() ([]*check.Check, error) {
	if c.Workers < 0 {
		return nil, fmt.Errorf("--workers %d (expected 1 or more)", c.Workers)
	}
	if c.Update && len(c.Set) > 0 {
		return nil, errors.New("--update does not go with --set: the values would be those of a changed scenario")
	}
	checks, err := check.Select(c.Scenarios, c.All)
	if err != nil {
		return nil, err
	}
	for i, k := range checks {
		if c.Update {
			if err := updatable(k); err != nil {
				return nil, err
			}
		}
		if len(c.Set) == 0 {
			continue
		}
		changed, err := k.Scenario.Set(c.Set...)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", k.Name, err)
		}
		if checks[i], err = check.New(k.Name, changed); err != nil {
			return nil, fmt.Errorf("%s: %w", k.Name, err)
		}
	}
	return checks, c.outputs(checks)
}

// outputs refuses files that would overwrite what is read, or each other.
func (c *checkCmd) outputs(checks []*check.Check) error {
	if c.JUnit != "" && c.Markdown != "" && sameOutput(string(c.JUnit), string(c.Markdown)) {
		return fmt.Errorf("--junit and --markdown name the same file %s", c.JUnit)
	}
	for _, out := range []fileName{c.JUnit, c.Markdown} {
		for _, k := range checks {
			file, _ := k.Scenario.File()
			for _, name := range []string{file, k.Scenario.BaselineFile()} {
				if out != "" && name != "" && sameFile(name, string(out)) {
					return fmt.Errorf("%s is read by this command (name another file for the output)", out)
				}
			}
		}
	}
	return nil
}

// check checks one scenario; with --update, it writes what does not hold any more and checks again.
func (c *checkCmd) check(ctx context.Context, s streams, k *check.Check) (*check.Report, error) {
	for _, warning := range k.Scenario.Warnings() {
		fmt.Fprintf(s.err, "braid: warning: %s: %s\n", k.Name, warning)
	}
	r, err := c.simulate(ctx, s, k)
	if err != nil || !c.Update || len(r.Failures()) == 0 {
		return r, err
	}
	again, err := c.update(ctx, s, k, r)
	if again == nil || err != nil {
		return r, err
	}
	return c.simulate(ctx, s, again)
}

// simulate runs the scenario with its progress on standard error.
func (c *checkCmd) simulate(ctx context.Context, s streams, k *check.Check) (*check.Report, error) {
	progress := gridrun.NewLines(s.err, k.Runs())
	if isTerminal(s.err) {
		progress = gridrun.NewBar(s.err, k.Runs())
	}
	defer progress.End()
	r, err := k.Run(ctx, check.Options{Workers: c.Workers, Done: progress.Done})
	if err != nil {
		err = fmt.Errorf("%s: %w", k.Name, err)
	}
	return r, err
}

// write writes the files asked for, then the reports.
func (c *checkCmd) write(s streams, reports []*check.Report) error {
	for _, f := range []struct {
		name  fileName
		what  string
		write func(io.Writer, []*check.Report) error
	}{{c.JUnit, "JUnit XML", check.JUnit}, {c.Markdown, "Markdown", check.Markdown}} {
		if f.name == "" {
			continue
		}
		if err := writeOutput(s, string(f.name), f.what, func(w io.Writer) error { return f.write(w, reports) }); err != nil {
			return err
		}
	}
	if os.Getenv("GITHUB_ACTIONS") != "" {
		if err := check.Annotations(s.err, reports); err != nil {
			return err
		}
	}
	out := s.out
	if writesTo(s.out, string(c.JUnit)) || writesTo(s.out, string(c.Markdown)) {
		out = s.err
	}
	return c.print(out, reports)
}

// print prints the reports.
func (c *checkCmd) print(out io.Writer, reports []*check.Report) error {
	if c.JSON {
		return check.JSON(out, reports)
	}
	var b bytes.Buffer
	for i, r := range reports {
		if i > 0 {
			b.WriteByte('\n')
		}
		printCheck(&b, r)
	}
	_, err := out.Write(b.Bytes())
	return err
}
