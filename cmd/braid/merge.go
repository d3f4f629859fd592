package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"

	"braid/scenarios/result"
)

// mergeCmd joins the shards of a grid.
type mergeCmd struct {
	Dir    string  `arg:"" placeholder:"DIR" help:"Directory that the shards were written into (braid run -o DIR --shard I/N)."`
	Output *string `short:"o" placeholder:"DIR" help:"Write the joined rows into this directory and leave the shards as they are. Default: join in place, and remove the files of the shards once the rows are on the disk."`
	JSON   bool    `name:"json" help:"Print what was written as JSON."`
}

// Help implements kong.HelpProvider.
func (mergeCmd) Help() string {
	return `The joined rows are, to the byte, those of one run of the whole grid. Shards that are missing or unfinished are named,
and nothing is changed; so are shards that do not belong together: of other scenarios, inputs, seeds, models or architectures.
Memory does not depend on the number of rows. For a summary, repeat the run's command without --shard: nothing is computed.

Examples:

  braid merge results
  braid merge results -o joined`
}

// mergedJSON is the result of a merge as JSON.
type mergedJSON struct {
	Scenario string `json:"scenario"`
	File     string `json:"file"`
	Rows     int64  `json:"rows"`
	Failed   int64  `json:"failed"`
	Bytes    int64  `json:"size_bytes"`
}

// Run joins the shards.
func (c *mergeCmd) Run(s streams) error {
	to := ""
	if c.Output != nil {
		if to = filepath.Clean(*c.Output); *c.Output == "" {
			return errors.New("-o is empty (name a directory)")
		}
	}
	from := filepath.Clean(c.Dir)
	m, err := result.Merge(from, to)
	if err != nil {
		return err
	}
	if to == "" {
		to = from
	}
	r := &m.Rows
	file := filepath.Join(to, r.File)
	if c.JSON {
		err = json.NewEncoder(s.out).Encode(mergedJSON{m.Scenario.Name, file, r.Written, r.Failed, r.Bytes})
	} else {
		_, err = fmt.Fprintf(s.out, "%s: %d rows in %s (%s, %s), %d failed\n", m.Scenario.Name, r.Written, file, r.Format, result.Size(r.Bytes), r.Failed)
	}
	if err == nil && r.Failed > 0 {
		err = &exitError{exitRunsFailed, fmt.Errorf("%d of %d runs failed", r.Failed, r.Written)}
	}
	return err
}
