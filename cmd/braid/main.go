// Command braid simulates page loads over several access networks. braid --help lists its verbs, braid VERB --help says
// what each takes.
//
// Results go to standard output, progress and messages to standard error. Exit codes: 0 done, 1 a check
// failed, 2 wrong use or input, 3 some runs failed, 130 interrupted.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"braid/sim"
	"braid/sim/policy"

	"github.com/alecthomas/kong"
)

// cli is the command line: one field a verb.
type cli struct {
	Version kong.VersionFlag `help:"Print version and model version, and exit."`

	Run        runCmd        `cmd:"" help:"Run the grid of a scenario."`
	Merge      mergeCmd      `cmd:"" help:"Join the shards of a grid."`
	Load       loadCmd       `cmd:"" help:"Simulate one page load under one or several policies."`
	Explain    explainCmd    `cmd:"" help:"Repeat one run of results, and say where its time went."`
	Compare    compareCmd    `cmd:"" help:"Say what differs between two sets of results."`
	Plot       plotCmd       `cmd:"" help:"Draw a figure of results."`
	Check      checkCmd      `cmd:"" help:"Run scenarios, and hold what they expect against the results."`
	Scenarios  scenariosCmd  `cmd:"" help:"List the scenarios that ship (show: print one; export: write them into a folder)."`
	Schema     schemaCmd     `cmd:"" help:"Print the JSON Schema of scenarios, for editors."`
	Page       pageCmd       `cmd:"" help:"Write generated pages (generate)."`
	HAR        harCmd        `cmd:"" name:"har" help:"Say what is odd about recordings (lint), or what they hold (summary)."`
	Completion completionCmd `cmd:"" help:"Print a completion script for a shell."`
}

// streams are where a verb reads and writes. Results go to out, progress and messages to err.
type streams struct {
	in       io.Reader
	out, err io.Writer
}

const description = `Page loads over several access networks, simulated.

Examples:

  braid load mix28 --if wifi=6Mbit/s,20ms --if lte=20Mbit/s,50ms
  braid load page.har --if 6Mbit/s,20ms --if 5Mbit/s,50ms --policy eaf --explain
  braid load page.har --if 6Mbit/s,20ms --plot waterfall.svg
  braid run
  braid scenarios

Exit codes: 0 done, 1 a check failed, 2 wrong use or input, 3 some runs failed, 130 interrupted.
`

func main() { os.Exit(run(os.Args[1:], streams{os.Stdin, os.Stdout, os.Stderr})) }

// run parses the arguments, runs the verb and returns the exit code.
func run(args []string, s streams) int {
	var c cli
	parser := kong.Must(&c,
		kong.Name("braid"),
		kong.Description(description),
		kong.Vars{
			"version":  version(),
			"policies": strings.Join(policyNames(), ", "),
			"profiles": strings.Join(sim.ProfileNames(), ", "),
			"profile":  sim.ProfileNames()[0],
		},
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, NoExpandSubcommands: true}),
		kong.Writers(s.out, s.err),
	)
	ctx, err := parser.Parse(args)
	if err != nil && slices.Contains(args, "--log-json") {
		err = newMessages(s.err, true).ended(err)
	}
	if err == nil {
		err = ctx.Run(s, parser)
	}
	if err != nil && !errors.Is(err, errLogged) {
		fmt.Fprintf(s.err, "braid: %v\n", err)
		if parse, ok := errors.AsType[*kong.ParseError](err); ok {
			fmt.Fprintf(s.err, "run \"%s --help\" for usage\n", usagePath(parse.Context))
		}
	}
	return exitCode(err)
}

// policyNames are the policies that every set of networks has.
func policyNames() []string {
	names := make([]string, len(policy.Table))
	for i, e := range policy.Table {
		names[i] = e.Name
	}
	return names
}

// usagePath is the command whose help describes what was typed.
func usagePath(ctx *kong.Context) string {
	if n := ctx.Selected(); n != nil {
		return n.FullPath()
	}
	return ctx.Model.Name
}
