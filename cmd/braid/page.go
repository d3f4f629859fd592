package main

import (
	"encoding/json"
	"fmt"
	"slices"

	"braid/scenarios"
	"braid/scenarios/workload"
)

// pageCmd works on pages.
type pageCmd struct {
	Generate pageGenerateCmd `cmd:"" help:"Write generated pages as JSON files, one page each."`
}

// pageGenerateCmd writes generated pages.
type pageGenerateCmd struct {
	Like   string     `required:"" placeholder:"KIND" help:"What the pages are like: alexa-2015."`
	Pages  int        `default:"100" placeholder:"N" help:"Number of pages (${default})."`
	Crawls int        `default:"1" placeholder:"N" help:"Crawls of each page (${default}); crawls differ a little."`
	First  int        `default:"1" placeholder:"K" help:"Number of the first page (${default})."`
	Seed   uint64     `default:"1" placeholder:"SEED" help:"Seed (${default}); the same as the scenario's gives the same pages."`
	Out    folderName `name:"output" short:"o" required:"" placeholder:"DIR" help:"Folder to make; it must be new or empty."`
	JSON   bool       `name:"json" help:"Print the outcome as JSON."`
}

// Run writes the pages and says how many.
func (c *pageGenerateCmd) Run(s streams) error {
	r := workload.Range{Like: c.Like, First: c.First, Pages: c.Pages, Crawls: c.Crawls}
	if !slices.Contains(workload.Names(), c.Like) {
		return fmt.Errorf("--like %s: unknown kind of pages%s", c.Like, scenarios.DidYouMean(c.Like, "kinds", workload.Names()))
	}
	for _, n := range []struct {
		flag        string
		value, most int
	}{{"pages", c.Pages, workload.MaxPage}, {"crawls", c.Crawls, workload.MaxCrawl}, {"first", c.First, workload.MaxPage + 1 - c.Pages}} {
		if n.value < 1 || n.value > n.most {
			return fmt.Errorf("--%s %d (expected 1 to %d)", n.flag, n.value, n.most)
		}
	}
	n, err := workload.Write(string(c.Out), r, c.Seed)
	if err != nil {
		return err
	}
	if c.JSON {
		return json.NewEncoder(s.out).Encode(struct {
			Pages  int    `json:"pages"`
			Folder string `json:"folder"`
		}{n, string(c.Out)})
	}
	_, err = fmt.Fprintf(s.out, "%d pages in %s\n", n, c.Out)
	return err
}
