package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"braid/analysis/figure"
	"braid/har"
)

// checkFiles refuses outputs that would overwrite the page or each other, and figures nothing can draw, before anything
// is simulated.
func (c *loadCmd) checkFiles() error {
	if c.HAR != "" && c.Plot != "" && sameOutput(string(c.HAR), string(c.Plot)) {
		return fmt.Errorf("--har and --plot name the same file %s", c.HAR)
	}
	name, _ := har.SplitName(c.Page)
	for _, out := range []fileName{c.HAR, c.Plot} {
		if out != "" && sameFile(name, string(out)) {
			return fmt.Errorf("%s is the page itself (name another file for the output)", out)
		}
	}
	if strings.EqualFold(filepath.Ext(string(c.Plot)), ".pdf") {
		// Fonts pass through a temporary file.
		if _, err := os.Stat(os.TempDir()); err != nil {
			return fmt.Errorf("--plot %s: a PDF needs the folder for temporary files %s, which is not there (set TMPDIR)", c.Plot, os.TempDir())
		}
	}
	return nil
}

// writeFiles writes the files asked for.
func (c *loadCmd) writeFiles(s streams, loads []load) error {
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
