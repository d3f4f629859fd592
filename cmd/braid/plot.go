package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"braid/analysis/figure"
)

// plotCmd draws a figure of results.
type plotCmd struct {
	Results   *fileName `arg:"" optional:"" help:"A file of rows (Parquet, CSV, JSON lines), or a directory of them, also of shards."`
	Figure    string    `arg:"" optional:"" help:"Name of a figure (--list)."`
	Output    fileName  `short:"o" placeholder:"OUT" help:"File of the figure: OUT ends in .pdf, .svg or .png."`
	With      fileName  `placeholder:"RESULTS" help:"Further results, to compare with."`
	Where     []string  `sep:"none" placeholder:"FACTOR=LEVEL" help:"Draw the rows with these levels, like policy=eaf,if1. May be repeated."`
	Over      names     `placeholder:"POLICY" help:"The policy that speed-ups are over; of several, the fastest in each case. Default: that of the first row."`
	Metric    names     `placeholder:"COLUMN" help:"What is drawn: a column of numbers, like load_time_s, or speedup, or page_bytes (the bytes over all networks)."`
	By        names     `placeholder:"COLUMN" help:"Columns that tell groups apart, like policy or wifi.rtt."`
	X         *string   `name:"x" placeholder:"LOW..HIGH" help:"Range of the horizontal axis, like 1..5 or 10ms..2s."`
	Statistic string    `enum:",median,mean" default:"" placeholder:"NAME" help:"median, or mean. Default: median."`
	Style     string    `enum:",boxes,bars" default:"" placeholder:"NAME" help:"boxes, or bars. Default: boxes."`
	Classes   names     `placeholder:"BOUND" help:"Bounds of classes, ascending. Default: 1,2,5."`
	Number    *int64    `name:"run" placeholder:"N" help:"A run, as in the column run of the rows."`
	Pages     fileName  `placeholder:"DIR" help:"The folder of the scenario's file, from which its pages are named, for figures that simulate again."`
	Width     string    `enum:"single,double" default:"single" placeholder:"NAME" help:"Width of a column of a paper (single, 88 mm) or of its page (double, 180 mm). Default: single."`
	Title     *string   `placeholder:"TEXT" help:"Title; empty for none. Default: the scenario's name."`
	List      bool      `help:"List the figures, with what they show and need, and exit."`
	JSON      bool      `name:"json" help:"With --list: one JSON object a line."`
}

// Help implements kong.HelpProvider.
func (plotCmd) Help() string {
	var b strings.Builder
	b.WriteString("Figures:\n\n")
	listFigures(&b)
	b.WriteString(`
Examples:

  braid run -o results
  braid plot results speedup-ecdf -o speedup.pdf
  braid plot results speedup-ecdf --over mptcp-if1 --x 1..5 --width double -o zoom.svg

PDFs have their fonts in them; the same results give the same bytes in every format.`)
	return b.String()
}

// listFigures writes the table of figures.
func listFigures(w io.Writer) {
	for _, k := range figure.Kinds {
		fmt.Fprintf(w, "  %s\n      %s\n", k.Name, k.Doc)
		for _, part := range []struct {
			what  string
			words []string
		}{{"needs columns", k.Columns}, {"draws by default", k.Metric}, {"groups by default", k.By}} {
			words := slices.DeleteFunc(slices.Clone(part.words), func(s string) bool { return s == "" })
			if len(words) > 0 {
				fmt.Fprintf(w, "      %s: %s\n", part.what, strings.Join(words, ", "))
			}
		}
		for _, line := range k.Takes {
			fmt.Fprintf(w, "      %s\n", line)
		}
	}
}

// listFiguresJSON writes the table of figures as JSON, one object a line.
func listFiguresJSON(w io.Writer) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	for _, k := range figure.Kinds {
		err := enc.Encode(struct {
			Name    string   `json:"name"`
			Doc     string   `json:"doc"`
			Needs   []string `json:"needs,omitempty"`
			Metric  []string `json:"metric,omitempty"`
			By      []string `json:"by,omitempty"`
			Takes   []string `json:"takes,omitempty"`
			Options []string `json:"options"`
		}{k.Name, k.Doc, k.Columns, k.Metric, k.By, k.Takes, k.Options})
		if err != nil {
			return err
		}
	}
	return nil
}

// Run draws the figure.
func (c *plotCmd) Run(s streams) error {
	switch {
	case c.List && c.JSON:
		return listFiguresJSON(s.out)
	case c.List:
		listFigures(s.out)
		return nil
	case c.JSON:
		return errors.New("--json is of --list: a figure is no text")
	}
	kind, format, err := c.check()
	if err != nil {
		return err
	}
	var x string
	if c.X != nil {
		x = *c.X
	}
	f, notes, err := kind.Draw(&figure.Request{
		Results: string(*c.Results), With: string(c.With), Where: c.Where, Over: c.Over, Metric: c.Metric, By: c.By, X: x,
		Statistic: c.Statistic, Style: c.Style, Classes: c.Classes, Run: c.Number, Pages: string(c.Pages), Width: c.Width, Title: c.Title,
	})
	if err != nil {
		return err
	}
	for _, n := range notes {
		fmt.Fprintf(s.err, "braid: note: %s\n", n)
	}
	return writeOutput(s, string(c.Output), "figure", func(w io.Writer) error { return f.Write(w, format) })
}

// check refuses what cannot be drawn before rows are read.
func (c *plotCmd) check() (kind *figure.Kind, format string, err error) {
	switch {
	case c.Results == nil:
		return nil, "", errors.New("no results (expected a file of rows or a directory of results, as braid run -o DIR writes it)")
	case c.X != nil && *c.X == "":
		return nil, "", errors.New("--x is empty (expected LOW..HIGH)")
	case c.Figure == "":
		return nil, "", fmt.Errorf("no figure (figures: %s)", strings.Join(figure.KindNames(), ", "))
	}
	if kind, err = figure.FindKind(c.Figure); err != nil {
		return nil, "", err
	}
	if c.Output == "" {
		return nil, "", errors.New("no output (expected -o OUT, where OUT ends in ." + strings.Join(figure.Formats, ", .") + ")")
	}
	if format, err = figure.Format(string(c.Output)); err != nil {
		return nil, "", fmt.Errorf("-o %w", err)
	}
	return kind, format, pdfPossible("-o", string(c.Output))
}

// pdfPossible returns an error if the file is a PDF and cannot be made: fonts pass through a temporary file.
func pdfPossible(flag, file string) error {
	if !strings.EqualFold(filepath.Ext(file), ".pdf") {
		return nil
	}
	if _, err := os.Stat(os.TempDir()); err != nil {
		return fmt.Errorf("%s %s: a PDF needs the folder for temporary files %s, which is not there (set TMPDIR)", flag, file, os.TempDir())
	}
	return nil
}
