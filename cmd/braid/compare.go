package main

import (
	"bytes"
	"fmt"

	"braid/analysis/compare"
	"braid/analysis/dataset"
)

// compareCmd holds two sets of results against each other.
type compareCmd struct {
	Old    fileName `arg:"" placeholder:"OLD" help:"Results: a directory (braid run -o DIR), also of shards, or a file of rows."`
	New    fileName `arg:"" placeholder:"NEW" help:"Other results, of the same factors."`
	Metric string   `default:"load_time_s" placeholder:"COLUMN" help:"What is compared: a column of the rows, or speedup. Default: ${default}."`
	Over   names    `placeholder:"POLICY,..." help:"The policies that speedup is over: the fastest of them. Default: the policy of the first row of OLD."`
	Where  []string `sep:"none" placeholder:"FACTOR=LEVEL" help:"Keep the rows with these levels, like policy=eaf,if1. May be repeated."`
	By     names    `placeholder:"FACTOR,..." help:"The factors that groups are of. Default: policy and profile."`
	Ignore names    `placeholder:"FACTOR,..." help:"Factors that the two rows of a pair may differ in, like seed; each with one level in OLD and one in NEW."`
	All    bool     `help:"List the groups in which nothing differs, too."`
	JSON   bool     `name:"json" help:"Print JSON, one object a line."`
}

// Help implements kong.HelpProvider.
func (compareCmd) Help() string {
	return `Rows are paired by the values of their factors, not by their numbers: a grid may have grown, and its rows may have another
order or format. Rows that only one set has are counted and named.

Of each group: the medians of both sets; the median over its pairs of new/old, as a change in %, with its 95 % confidence
interval from order statistics; and p of Wilcoxon's signed-rank test of the pairs that differ, which says whether they lean
to one side, not corrected for the number of groups. Below: the geometric means over all groups. The exit code is 0 whatever
differs; braid check is the gate for builds.

Examples:

  braid compare before after
  braid compare before after --by policy,page --where profile=linux
  braid compare seed1 seed2 --ignore seed --metric speedup --over if1`
}

// Run compares and prints.
func (c *compareCmd) Run(s streams) error {
	older, err := dataset.Open(string(c.Old))
	if err != nil {
		return err
	}
	newer, err := dataset.Open(string(c.New))
	if err != nil {
		return err
	}
	compared, err := compare.New(older, newer, compare.Options{
		Metric: c.Metric, Over: c.Over, Where: c.Where, By: c.By, Ignore: c.Ignore,
	})
	if err != nil {
		return fmt.Errorf("%s and %s: %w", c.Old, c.New, err)
	}
	var b bytes.Buffer
	if c.JSON {
		err = printComparedJSON(&b, compared, c.All)
	} else {
		printCompared(&b, compared, madeDifferently(older, newer), c.All)
	}
	if err != nil {
		return err
	}
	_, err = s.out.Write(b.Bytes())
	return err
}

// madeDifferently says how what made the two sets differs, a line each, as far as manifests tell.
func madeDifferently(older, newer *dataset.Set) []string {
	if older.Manifest == nil || newer.Manifest == nil {
		return nil
	}
	now := *newer.Manifest
	now.Rows.Format = older.Manifest.Rows.Format // the same rows in another form
	return older.Manifest.Differences(&now)
}
