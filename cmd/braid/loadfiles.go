package main

import (
	"fmt"
	"io"

	"braid/analysis/figure"
	"braid/har"
)

// loadFiles are the files that loads are written to.
type loadFiles struct {
	HAR  fileName `name:"har" placeholder:"OUT" help:"Write the simulated load as HAR. Takes one policy."`
	Plot fileName `placeholder:"OUT" help:"Draw a waterfall, a panel a policy: OUT ends in .svg, .pdf or .png."`
}

// check refuses outputs that would overwrite what is read or each other, and figures nothing can draw, before anything is
// simulated.
func (c *loadFiles) check(read ...string) error {
	if c.HAR != "" && c.Plot != "" && sameOutput(string(c.HAR), string(c.Plot)) {
		return fmt.Errorf("--har and --plot name the same file %s", c.HAR)
	}
	for _, out := range []fileName{c.HAR, c.Plot} {
		for _, name := range read {
			if out != "" && sameFile(name, string(out)) {
				return fmt.Errorf("%s is read by this command (name another file for the output)", out)
			}
		}
	}
	if c.Plot == "" {
		return nil
	}
	if _, err := figure.Format(string(c.Plot)); err != nil {
		return fmt.Errorf("--plot %w", err)
	}
	return pdfPossible("--plot", string(c.Plot))
}

// text is where text goes: to standard output, or to standard error when a file goes there.
func (c *loadFiles) text(s streams) io.Writer {
	if writesTo(s.out, string(c.HAR)) || writesTo(s.out, string(c.Plot)) {
		return s.err
	}
	return s.out
}

// write writes the files asked for.
func (c *loadFiles) write(s streams, loads []load) error {
	if c.HAR != "" {
		err := writeOutput(s, string(c.HAR), "HAR", func(w io.Writer) error { return har.Write(w, loads[0].trace) })
		if err != nil {
			return err
		}
	}
	if c.Plot == "" {
		return nil
	}
	format, err := figure.Format(string(c.Plot))
	if err != nil {
		return err
	}
	panels := make([]figure.Load, len(loads))
	for i := range loads {
		panels[i] = figure.Load{Title: loads[i].label, Trace: loads[i].trace}
	}
	f, err := figure.Waterfall(pageSummary(loads[0].trace.Spec.Page), panels)
	if err != nil {
		return err
	}
	return writeOutput(s, string(c.Plot), "figure", func(w io.Writer) error { return f.Write(w, format) })
}
