package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"braid/analysis/explain"
	"braid/analysis/figure"
	"braid/har"
	"braid/scenarios"
	"braid/sim"
	"braid/sim/flow"
	"braid/sim/policy"
	"braid/sim/rng"
)

// loadCmd simulates one page load for each policy.
type loadCmd struct {
	Page         string   `arg:"" help:"A HAR (FILE, FILE#id, FILE#number or FILE#*), a page in JSON, or a built-in page (n32x100k, mix28, mix52)."`
	If           []string `name:"if" sep:"none" placeholder:"[NAME=]RATE,RTT" help:"A network: its rate and round trip time, like wifi=6Mbit/s,20ms, or keys: rate=, rtt=, queue=, dns=, name=. Once for each network."`
	Policy       []string `placeholder:"NAME" help:"Where objects go: if1, if2, ..., a network's name, ${policies}. Several are compared."`
	Profile      string   `enum:"${profiles}" default:"${profile}" help:"Values of the model's parameters: ${profiles}."`
	Set          []string `sep:"none" placeholder:"PARAMETER=VALUE" help:"Change a parameter of the model, like max_per_host=4."`
	Knowledge    string   `enum:"exact,estimated" default:"exact" help:"What policies know of the networks: exact, or estimated from earlier transfers of the load."`
	Deps         string   `enum:"time,initiator" default:"time" help:"What objects of a recording wait for: by time, or their initiator."`
	HTTP         string   `name:"http" default:"1.1" placeholder:"1.1" help:"Version of HTTP: 1.1."`
	Engine       string   `default:"auto" placeholder:"auto" help:"auto or flow."`
	LikeRecorded bool     `help:"Take the time of client and servers from the recording, too."`
	Seed         uint64   `default:"1" help:"Seed of what is random (mptcp-rnd)."`
	Objects      bool     `help:"List the objects."`
	Explain      bool     `help:"List where the time of each object went, and of the critical path."`
	JSON         bool     `name:"json" help:"Print JSON, an object a policy."`
	HAR          string   `name:"har" placeholder:"OUT" help:"Write the simulated load as HAR. Takes one policy."`
	Plot         string   `placeholder:"OUT" help:"Draw a waterfall, a panel a policy: OUT ends in .svg, .pdf or .png."`
}

// Help implements kong.HelpProvider.
func (loadCmd) Help() string {
	return `Without --policy, the policies compared are the single networks and, of two or more networks, eaf and mptcp-if1. The speed-up is over the first policy.

Units are always written: 512000bit/s, 500kbit/s, 6Mbit/s, 1.6Gbit/s; 20ms, 1.5s; 60000B, 100kB (1000), 100KiB (1024).

Examples:

  braid load mix28 --if 6Mbit/s,20ms --if 20Mbit/s,50ms
  braid load page.har --if wifi=6Mbit/s,20ms --if lte=5Mbit/s,50ms,queue=60kB --policy wifi --policy eaf --explain
  braid load page.har --if rate=6Mbit/s,rtt=20ms,dns=15ms --like-recorded --plot waterfall.pdf`
}

// load is one simulated load.
type load struct {
	policy      string // canonical name
	trace       *sim.Trace
	time        time.Duration
	connections int
	ifaceBytes  []int64
	explained   *explain.Load
}

// Run simulates the load under each policy and prints the results.
func (c *loadCmd) Run(s streams) error {
	spec, policies, err := c.spec()
	if err != nil {
		return err
	}
	if har.Multiplexed(spec.Page) {
		fmt.Fprintf(s.err, "braid: warning: %s: recorded over HTTP/2 or HTTP/3, replayed over HTTP/1.1\n", c.Page)
	}
	loads, failed := simulateAll(*spec, policies)
	if len(loads) > 0 {
		if err := c.print(s.out, loads); err != nil {
			return err
		}
	}
	if failed != nil {
		return &exitError{exitRunsFailed, failed}
	}
	return nil
}

// simulateAll runs the load under each policy. A policy that fails does not stop the others; the error holds all that
// failed.
func simulateAll(spec sim.Spec, policies []string) ([]load, error) {
	var loads []load
	var failed []error
	engine := flow.New()
	for _, p := range policies {
		l, err := simulate(engine, spec, p)
		if err != nil {
			failed = append(failed, fmt.Errorf("policy %s: %w", p, err))
			continue
		}
		loads = append(loads, l)
	}
	return loads, errors.Join(failed...)
}

// print writes the files asked for, then the results.
func (c *loadCmd) print(w io.Writer, loads []load) error {
	if err := c.writeFiles(loads); err != nil {
		return err
	}
	var b bytes.Buffer
	if !c.JSON {
		printLoads(&b, loads, c.Objects, c.Explain)
	} else if err := printLoadsJSON(&b, loads, c.Explain); err != nil {
		return err
	}
	_, err := w.Write(b.Bytes())
	return err
}

// spec turns arguments into what is run and under which policies. Every fault of the arguments shows here, before
// anything is simulated.
func (c *loadCmd) spec() (*sim.Spec, []string, error) {
	if err := c.checkLevel(); err != nil {
		return nil, nil, err
	}
	ifaces, err := parseInterfaces(c.If)
	if err != nil {
		return nil, nil, err
	}
	policies, err := c.policies(ifaces)
	if err != nil {
		return nil, nil, err
	}
	params, err := c.params()
	if err != nil {
		return nil, nil, err
	}
	if c.Plot != "" {
		if _, err := figure.Format(c.Plot); err != nil {
			return nil, nil, fmt.Errorf("--plot %w", err)
		}
	}
	if c.HAR != "" && len(policies) != 1 {
		return nil, nil, fmt.Errorf("--har %s: a HAR holds one load, these are %d policies (name one with --policy)", c.HAR, len(policies))
	}
	p, err := scenarios.OpenPage(c.Page, c.Deps)
	if err != nil {
		return nil, nil, err
	}
	if c.LikeRecorded {
		if p, err = p.LikeRecorded(); err != nil {
			return nil, nil, fmt.Errorf("--like-recorded: %w (leave it out, or give a HAR)", err)
		}
	}
	spec := &sim.Spec{Page: p, Interfaces: ifaces, Params: params, Key: rng.Key{Seed: c.Seed, Item: p.Name}}
	if err := spec.Validate(); err != nil {
		return nil, nil, err
	}
	return spec, policies, nil
}

// checkLevel refuses what needs a level of simulation, or a protocol, that is not there.
func (c *loadCmd) checkLevel() error {
	switch c.Engine {
	case "auto", "flow":
	case "packet", "fast":
		return fmt.Errorf("--engine %s: this version does not have the %[1]s engine (use auto or flow)", c.Engine)
	default:
		return fmt.Errorf("--engine %q: unknown engine (engines: auto, flow)", c.Engine)
	}
	switch c.HTTP {
	case "1.1":
		return nil
	case "2", "3":
		return fmt.Errorf("--http %s: this version replays pages over HTTP/1.1 only (use --http 1.1)", c.HTTP)
	}
	return fmt.Errorf("--http %q: unknown version of HTTP (use --http 1.1)", c.HTTP)
}

// policies returns the canonical names of the policies asked for, each once, in the order given.
func (c *loadCmd) policies(ifaces []sim.Interface) ([]string, error) {
	names := make([]string, len(ifaces))
	for i, f := range ifaces {
		names[i] = f.Name
	}
	asked := c.Policy
	if len(asked) == 0 {
		asked = defaultPolicies(len(ifaces))
	}
	var policies []string
	for _, name := range asked {
		_, canonical, err := policy.Lookup(name, names)
		if err != nil {
			return nil, fmt.Errorf("--policy: %w", err)
		}
		if !slices.Contains(policies, canonical) {
			policies = append(policies, canonical)
		}
	}
	return policies, nil
}

// defaultPolicies are the single interfaces and, where there is a choice, the policies that use it.
func defaultPolicies(ifaces int) []string {
	var names []string
	for i := range ifaces {
		names = append(names, fmt.Sprintf("if%d", i+1))
	}
	if ifaces > 1 {
		names = append(names, "eaf", "mptcp-if1")
	}
	return names
}

// params are the profile's values with those of --knowledge and --set.
func (c *loadCmd) params() (sim.Params, error) {
	params, err := sim.NewParams(c.Profile)
	if err != nil {
		return params, err
	}
	if err := params.Set("knowledge", c.Knowledge); err != nil {
		return params, fmt.Errorf("--%w", err)
	}
	for _, assignment := range c.Set {
		name, value, ok := strings.Cut(assignment, "=")
		if !ok {
			return params, fmt.Errorf("--set %q has no value (write it like --set max_per_host=4)", assignment)
		}
		if err := params.Set(strings.TrimSpace(name), strings.TrimSpace(value)); err != nil {
			return params, fmt.Errorf("--set %s: %w", assignment, err)
		}
	}
	if err := params.Validate(); err != nil {
		return params, fmt.Errorf("--set: %w", err)
	}
	return params, nil
}

// simulate runs one load and checks its trace. It takes the spec by value, as the trace becomes its observer.
func simulate(engine sim.Engine, spec sim.Spec, name string) (load, error) {
	spec.Policy = name
	trace := sim.NewTrace(&spec)
	r, err := engine.Run(&spec)
	if err != nil {
		return load{}, err
	}
	explained, err := explain.New(trace)
	if err != nil {
		return load{}, err
	}
	if explained.LoadTime != r.LoadTime {
		return load{}, fmt.Errorf("the trace ends at %v, the load at %v", explained.LoadTime, r.LoadTime)
	}
	return load{name, trace, r.LoadTime, r.Connections, slices.Clone(r.IfaceBytes), explained}, nil
}

// writeFiles writes the files asked for.
func (c *loadCmd) writeFiles(loads []load) error {
	if c.HAR != "" {
		err := writeOutput(c.HAR, "HAR", func(w io.Writer) error { return har.Write(w, loads[0].trace) })
		if err != nil {
			return err
		}
	}
	if c.Plot == "" {
		return nil
	}
	format, err := figure.Format(c.Plot)
	if err != nil {
		return err
	}
	panels := make([]figure.Load, len(loads))
	for i := range loads {
		panels[i] = figure.Load{Title: loads[i].policy + ": " + milliseconds(loads[i].time) + " ms", Trace: loads[i].trace}
	}
	f, err := figure.Waterfall(pageSummary(loads[0].trace.Spec.Page), panels)
	if err != nil {
		return err
	}
	return writeOutput(c.Plot, "figure", func(w io.Writer) error { return f.Write(w, format) })
}
