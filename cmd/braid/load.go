package main

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"time"

	"braid/analysis/explain"
	"braid/har"
	"braid/scenarios"
	"braid/sim"
	"braid/sim/flow"
	"braid/sim/policy"
	"braid/sim/rng"
)

// loadCmd simulates one page load for each policy.
type loadCmd struct {
	Page         string   `arg:"" optional:"" help:"A HAR (FILE, FILE#id, FILE#number or FILE#*), a page in JSON, or a built-in page (mix28, mix52, n32x100k, ...)."`
	If           []string `name:"if" sep:"none" placeholder:"[NAME=]RATE,RTT" help:"A network: its rate and round trip time, like wifi=6Mbit/s,20ms, or keys: rate=, rtt=, dns= (name resolution, once a host), name=. Once for each network. queue= is read, but without effect: at the flow level nothing is lost."`
	Policy       names    `placeholder:"NAME,..." help:"Where objects go: if1, if2, ..., a network's name, ${policies}. Several are compared. See above."`
	Profile      choice   `enum:"${profiles}" default:"${profile}" help:"Values of the model's parameters: ${profiles}."`
	Set          []string `sep:"none" placeholder:"PARAMETER=VALUE" help:"Change a parameter of the model, like max_per_host=4; help lists them."`
	Knowledge    choice   `enum:"exact,estimated" default:"exact" help:"What policies know of the networks: exact, or estimated from earlier transfers of the load."`
	Deps         choice   `enum:"time,initiator" default:"time" help:"What objects of a recording wait for: by time, or their initiator."`
	HTTP         string   `name:"http" default:"1.1" placeholder:"1.1" help:"Version of HTTP: 1.1."`
	Engine       string   `default:"auto" placeholder:"auto" help:"auto or flow."`
	LikeRecorded bool     `help:"Take the time of client and servers from the recording, too."`
	Seed         uint64   `default:"1" help:"Seed of what is random (mptcp-rnd)."`
	Objects      bool     `help:"List the objects."`
	Explain      bool     `help:"List where the time of each object went, and of the critical path."`
	JSON         bool     `name:"json" help:"Print JSON, an object a policy."`
	loadFiles
}

// http11 is the version of HTTP that pages are replayed over.
const http11 = "1.1"

// load is one simulated load.
type load struct {
	policy      string // canonical name
	label       string // how it is called in text and figures
	trace       *sim.Trace
	time        time.Duration
	connections int
	ifaceBytes  []int64
	explained   *explain.Load
}

// setup is how loads were made, beside what their spec says.
type setup struct {
	http         string
	deps         string // "" of a page that is no recording
	likeRecorded bool
	random       bool // a policy draws random numbers
}

// newSetup is how the loads were made over HTTP/1.1; deps counts for recordings only.
func newSetup(loads []load, deps string, likeRecorded bool) setup {
	spec := loads[0].trace.Spec
	how := setup{http: http11, likeRecorded: likeRecorded}
	if len(spec.Page.Recorded) > 0 {
		how.deps = deps
	}
	for i := range loads {
		if p, _, err := policy.Lookup(loads[i].policy, ifaceNames(spec.Interfaces)); err == nil && p.Reads().Random {
			how.random = true
		}
	}
	return how
}

// knowledge is what policies know of the networks, in the word of --knowledge.
func knowledge(params *sim.Params) string {
	return [...]string{sim.Exact: "exact", sim.Estimated: "estimated"}[params.Knowledge]
}

// ifaceNames are the names of the interfaces, in order.
func ifaceNames(ifaces []sim.Interface) []string {
	names := make([]string, len(ifaces))
	for i, f := range ifaces {
		names[i] = f.Name
	}
	return names
}

// Run simulates the load under each policy and prints the results.
func (c *loadCmd) Run(s streams) error {
	if slices.Contains(c.Set, setHelp) {
		var b bytes.Buffer
		if err := printSettings(&b, c.JSON); err != nil {
			return err
		}
		_, err := s.out.Write(b.Bytes())
		return err
	}
	page, _ := har.SplitName(c.Page)
	if err := c.loadFiles.check(page); err != nil {
		return err
	}
	spec, policies, err := c.spec()
	if err != nil {
		return err
	}
	if slices.ContainsFunc(spec.Interfaces, func(f sim.Interface) bool { return f.Queue > 0 }) {
		fmt.Fprintln(s.err, "braid: warning: queue has no effect at the flow level: nothing is lost there")
	}
	if har.Multiplexed(spec.Page) {
		fmt.Fprintf(s.err, "braid: warning: %s: recorded over HTTP/2 or HTTP/3, replayed over HTTP/1.1\n", c.Page)
	}
	loads, failed := simulateAll(*spec, policies)
	if len(loads) > 0 {
		if err := c.print(s, loads); err != nil {
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
		spec.Policy = p
		t, err := explain.Run(engine, spec)
		if err != nil {
			failed = append(failed, fmt.Errorf("policy %s: %w", policyLabel(p, spec.Interfaces), err))
			continue
		}
		loads = append(loads, newLoad(t))
	}
	return loads, errors.Join(failed...)
}

// print writes the files asked for, then the results.
func (c *loadCmd) print(s streams, loads []load) error {
	if err := c.loadFiles.write(s, loads); err != nil {
		return err
	}
	how := newSetup(loads, string(c.Deps), c.LikeRecorded)
	var b bytes.Buffer
	if !c.JSON {
		printLoads(&b, loads, how, c.Objects, c.Explain)
	} else if err := printLoadsJSON(&b, loads, how, c.Explain); err != nil {
		return err
	}
	_, err := c.loadFiles.text(s).Write(b.Bytes())
	return err
}

// spec turns arguments into what is run and under which policies. Every fault of the arguments shows here, before
// anything is simulated.
func (c *loadCmd) spec() (*sim.Spec, []string, error) {
	if c.Page == "" {
		return nil, nil, errors.New("no page (expected a HAR, a page in JSON, or a built-in page like mix28; braid load --help says more)")
	}
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
	if c.HAR != "" && len(policies) != 1 {
		return nil, nil, fmt.Errorf("--har %s: a HAR holds one load, these are %d policies (name one with --policy)", c.HAR, len(policies))
	}
	p, err := scenarios.OpenPage(c.Page, string(c.Deps))
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
	case http11:
		return nil
	case "2", "3":
		return fmt.Errorf("--http %s: this version replays pages over HTTP/1.1 only (use --http 1.1)", c.HTTP)
	}
	return fmt.Errorf("--http %q: unknown version of HTTP (use --http 1.1)", c.HTTP)
}

// policies returns the canonical names of the policies asked for, each once, in the order given.
func (c *loadCmd) policies(ifaces []sim.Interface) ([]string, error) {
	names := ifaceNames(ifaces)
	asked := c.Policy
	if len(asked) == 0 {
		asked = defaultPolicies(len(ifaces))
	}
	var policies []string
	for _, name := range asked {
		_, canonical, err := policy.Lookup(name, names)
		if err != nil {
			known := policy.Names(names)
			for _, n := range names {
				if !slices.Contains(known, n) {
					known = append(known, n)
				}
			}
			return nil, fmt.Errorf("--policy: unknown policy %q%s", name, scenarios.DidYouMean(name, "policies", known))
		}
		if !slices.Contains(policies, canonical) {
			policies = append(policies, canonical)
		}
	}
	return policies, nil
}

// policyLabel is how a policy is called in text and figures: its canonical name and, of a single network that was given a
// name, that name, too: "if1 (wifi)".
func policyLabel(canonical string, ifaces []sim.Interface) string {
	for i, f := range ifaces {
		if numbered := fmt.Sprintf("if%d", i+1); canonical == numbered && f.Name != numbered {
			return fmt.Sprintf("%s (%s)", canonical, f.Name)
		}
	}
	return canonical
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

// newLoad is a load as it is printed and drawn.
func newLoad(t *explain.Traced) load {
	spec, r := t.Trace.Spec, &t.Result
	return load{spec.Policy, policyLabel(spec.Policy, spec.Interfaces), t.Trace, r.LoadTime, r.Connections, r.IfaceBytes, &t.Load}
}
