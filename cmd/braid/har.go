package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"time"

	"braid/har"
)

// harCmd looks into recordings.
type harCmd struct {
	Lint    harLintCmd    `cmd:"" help:"Say what is odd about recordings, and how they are read."`
	Summary harSummaryCmd `cmd:"" help:"Say what recordings hold."`
}

// harLintCmd prints the findings of each file.
type harLintCmd struct {
	Files []string `arg:"" name:"file" help:"HAR files; FILE#id, FILE#number or FILE#* choose a page."`
	Deps  string   `enum:"time,initiator" default:"time" help:"What objects wait for: by time, or their initiator."`
	JSON  bool     `name:"json" help:"Print JSON, an object a file."`
}

// Help implements kong.HelpProvider.
func (harLintCmd) Help() string {
	return `A warning is something the reader had to decide, leave out or make up; a note does not change how the page loads. Each rule is counted, the place is that of its first occurrence. A file that holds no page does not stop the others; the exit code is then 2.`
}

// harSummaryCmd prints a line about each file.
type harSummaryCmd struct {
	Files []string `arg:"" name:"file" help:"HAR files; FILE#id, FILE#number or FILE#* choose a page."`
	JSON  bool     `name:"json" help:"Print JSON, an object a file."`
}

// Help implements kong.HelpProvider.
func (harSummaryCmd) Help() string {
	return `Without a choice, entries, transfers, hosts and bytes are of all pages of a file, and the load time is that of the page braid load reads: the first one that has a transfer. A file that holds no page does not stop the others; the exit code is then 2.`
}

// jsonFinding is one finding of braid har lint --json.
type jsonFinding struct {
	Rule     har.Rule `json:"rule"`
	Severity string   `json:"severity"`
	Line     int      `json:"line,omitempty"`
	Column   int      `json:"column,omitempty"`
	Entry    *int     `json:"entry,omitempty"` // index of the first entry, from 0
	Count    int      `json:"count"`
	Message  string   `json:"message"`
}

// jsonLint is one line of braid har lint --json.
type jsonLint struct {
	File     string        `json:"file"`
	Findings []jsonFinding `json:"findings"`
	Error    string        `json:"error,omitempty"`
}

// Run prints the findings.
func (c *harLintCmd) Run(s streams) error {
	deps, err := har.ParseDeps(c.Deps)
	if err != nil {
		return err
	}
	return eachFile(s, c.Files, func(w io.Writer, file string) error {
		_, found, err := har.Open(file, har.Options{Deps: deps})
		if c.JSON {
			return printLintJSON(w, file, found, err)
		}
		for _, f := range found {
			fmt.Fprintln(w, f)
		}
		if len(found) == 0 && err == nil {
			fmt.Fprintf(w, "%s: no findings\n", file)
		}
		return err
	})
}

// printLintJSON prints the line of one file and returns what was wrong with the file, or with printing.
func printLintJSON(w io.Writer, file string, found []har.Finding, failed error) error {
	line := jsonLint{File: file, Findings: []jsonFinding{}}
	if failed != nil {
		line.Error = failed.Error()
	}
	for _, f := range found {
		j := jsonFinding{Rule: f.Rule, Severity: f.Severity.String(), Line: f.Line, Column: f.Column, Count: f.Count, Message: f.Message}
		if f.Entry >= 0 {
			j.Entry = &f.Entry
		}
		line.Findings = append(line.Findings, j)
	}
	if err := encodeLine(w, line); err != nil {
		return err
	}
	return failed
}

// jsonSummary is one line of braid har summary --json.
type jsonSummary struct {
	File      string     `json:"file"`
	Producer  string     `json:"producer"`
	Browser   string     `json:"browser,omitempty"`
	Entries   int        `json:"entries"`
	Transfers int        `json:"transfers"`
	Hosts     int        `json:"hosts"`
	Bytes     int64      `json:"bytes"`
	Load      *float64   `json:"recorded_load_s"` // null: not recorded
	Pages     []jsonPage `json:"pages"`
}

// jsonPage is one page of a file.
type jsonPage struct {
	ID        string   `json:"id"`
	Title     string   `json:"title,omitempty"`
	Entries   int      `json:"entries"`
	Transfers int      `json:"transfers"`
	Load      *float64 `json:"recorded_load_s"`
}

// Run prints the summaries.
func (c *harSummaryCmd) Run(s streams) error {
	t := table{columns: []column{
		{"file", true}, {"producer", true}, {"pages", false}, {"entries", false}, {"transfers", false}, {"hosts", false}, {"bytes", false}, {"load ms", false},
	}}
	failed := eachFile(s, c.Files, func(w io.Writer, file string) error {
		name, selector := har.SplitName(file)
		f, err := har.ReadFile(name)
		if err != nil {
			return err
		}
		sum, err := f.Summary(selector)
		if err != nil {
			return err
		}
		sum.File = file
		if c.JSON {
			return encodeLine(w, summaryJSON(&sum))
		}
		load := "-"
		if sum.Load > 0 {
			load = milliseconds(sum.Load)
		}
		t.add(sum.File, orDash(sum.Producer), strconv.Itoa(len(sum.Pages)), strconv.Itoa(sum.Entries), strconv.Itoa(sum.Transfers),
			strconv.Itoa(sum.Hosts), strconv.FormatInt(sum.Bytes, 10), load)
		return nil
	})
	if len(t.rows) > 0 {
		t.write(s.out)
	}
	return failed
}

func summaryJSON(sum *har.Summary) jsonSummary {
	j := jsonSummary{
		File: sum.File, Producer: sum.Producer, Browser: sum.Browser, Entries: sum.Entries, Transfers: sum.Transfers,
		Hosts: sum.Hosts, Bytes: sum.Bytes, Load: secondsOrNull(sum.Load),
	}
	for _, p := range sum.Pages {
		j.Pages = append(j.Pages, jsonPage{p.ID, p.Title, p.Entries, p.Transfers, secondsOrNull(p.Load)})
	}
	return j
}

func secondsOrNull(d time.Duration) *float64 {
	if d == 0 {
		return nil
	}
	s := d.Seconds()
	return &s
}

func orDash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

func encodeLine(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}

// eachFile handles the files one after the other. One that fails does not stop the others: its error is printed, and
// the error returned says how many there were. What a file prints comes out whole.
func eachFile(s streams, files []string, handle func(w io.Writer, file string) error) error {
	failed := 0
	for _, file := range files {
		var b bytes.Buffer
		err := handle(&b, file)
		if _, werr := s.out.Write(b.Bytes()); werr != nil {
			return werr
		}
		if err == nil {
			continue
		}
		if len(files) == 1 {
			return err
		}
		failed++
		fmt.Fprintf(s.err, "braid: %v\n", err)
	}
	if failed > 0 {
		return fmt.Errorf("no page can be read from %d of %d files", failed, len(files))
	}
	return nil
}
