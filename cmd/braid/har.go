package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"time"
	"unicode/utf8"

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
	return `A note says how something was read that has one sensible reading, such as an entry from a cache, which is no transfer. A warning says that something is missing, implausible or contradicts itself, so that the reader had to guess; check it before trusting the load time. Each rule is counted, the place is that of its first occurrence. A file that holds no page does not stop the others; the exit code is then 2.`
}

// harSummaryCmd prints a line about a page of each file.
type harSummaryCmd struct {
	Files []string `arg:"" name:"file" help:"HAR files; FILE#id, FILE#number or FILE#* choose a page."`
	JSON  bool     `name:"json" help:"Print JSON, an object a file."`
}

// Help implements kong.HelpProvider.
func (harSummaryCmd) Help() string {
	return `A line is about one page. Without a choice it is the one that braid load reads: the first that has a transfer. "2/3" is the second of three pages, "all/3" what FILE#* merges. Transfers are the entries that went over the network, "5/8" of eight; bytes are their headers and bodies; the load time is the recorded one (onLoad). Long names are shortened; --json has them whole, and an outline of every page. A file that holds no page does not stop the others; the exit code is then 2.`
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

// jsonSummary is one line of braid har summary --json. What it counts is of the page, or of all pages where that is null.
type jsonSummary struct {
	File      string     `json:"file"`
	Producer  string     `json:"producer"`
	Browser   string     `json:"browser,omitempty"`
	Page      *int       `json:"page"` // from 1; null: all pages as one
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
	var rows [][]string
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
			load = strconv.FormatFloat(float64(sum.Load)/float64(time.Millisecond), 'f', 1, 64)
		}
		rows = append(rows, []string{
			sum.File, orDash(sum.Producer), pageOf(&sum), fmt.Sprintf("%d/%d", sum.Transfers, sum.Entries),
			strconv.Itoa(sum.Hosts), bytesText(sum.Bytes), load,
		})
		return nil
	})
	if len(rows) > 0 {
		summaryTable(rows).write(s.out)
	}
	return failed
}

// pageOf says which page of how many a summary is about.
func pageOf(sum *har.Summary) string {
	if sum.Page == 0 {
		return fmt.Sprintf("all/%d", len(sum.Pages))
	}
	return fmt.Sprintf("%d/%d", sum.Page, len(sum.Pages))
}

const (
	lineWidth   = 80
	minFile     = 12 // characters of a file's name that stay, however wide the other columns are
	maxProducer = 12
)

// summaryTable shortens file names at their beginning, where they differ least, and producers at their end, so that a
// line has 80 characters.
func summaryTable(rows [][]string) *table {
	t := &table{columns: []column{
		{"file", true}, {"producer", true}, {"page", false}, {"transfers", false}, {"hosts", false}, {"bytes", false}, {"load ms", false},
	}}
	room := lineWidth
	for i, c := range t.columns[1:] {
		width := utf8.RuneCountInString(c.head)
		for _, row := range rows {
			if c.head == "producer" {
				row[1] = shortened(row[1], maxProducer, false)
			}
			width = max(width, utf8.RuneCountInString(row[i+1]))
		}
		room -= width + 2
	}
	for _, row := range rows {
		row[0] = shortened(row[0], max(room, minFile), true)
		t.add(row...)
	}
	return t
}

// shortened leaves at most n characters of a name, with an ellipsis for those at its beginning or its end.
func shortened(name string, n int, beginning bool) string {
	r := []rune(name)
	switch {
	case len(r) <= n:
		return name
	case beginning:
		return "…" + string(r[len(r)-n+1:])
	}
	return string(r[:n-1]) + "…"
}

func summaryJSON(sum *har.Summary) jsonSummary {
	j := jsonSummary{
		File: sum.File, Producer: sum.Producer, Browser: sum.Browser, Entries: sum.Entries, Transfers: sum.Transfers,
		Hosts: sum.Hosts, Bytes: sum.Bytes, Load: secondsOrNull(sum.Load),
	}
	if sum.Page > 0 {
		j.Page = &sum.Page
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
	if slices.Contains(files, "") {
		return errors.New("the name of a file is empty (expected HAR files)")
	}
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
