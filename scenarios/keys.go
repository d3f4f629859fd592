package scenarios

import (
	"math"

	"github.com/google/jsonschema-go/jsonschema"

	"braid/har"
	"braid/scenarios/workload"
	"braid/sim"
	"braid/sim/units"
)

// key is one key of a map in a scenario: the parser, the schema and the suggestions all read the tables of keys below.
type key[T any] struct {
	name     string
	doc      string
	required bool
	schema   func() *jsonschema.Schema
	decode   func(s *Scenario, t *tree, to *T) error
}

// scenarioKeys are the keys of a scenario.
var scenarioKeys = []key[Scenario]{
	{"name", "what the scenario is called in reports", true, textSchema, func(s *Scenario, t *tree, to *Scenario) error {
		return decodeText(t, "name", &to.Name)
	}},
	{"description", "what it shows, and what to look at", false, textSchema, func(s *Scenario, t *tree, to *Scenario) error {
		return decodeText(t, "description", &to.Description)
	}},
	{"source", "paper and section, or where the idea is from", false, textSchema, func(s *Scenario, t *tree, to *Scenario) error {
		return decodeText(t, "source", &to.Source)
	}},
	{"kind", "what is simulated: page-load", false, func() *jsonschema.Schema { return enumSchema(PageLoad) }, decodeKind},
	{"tier", "quick: at most 20 s on two cores; full: longer", false, func() *jsonschema.Schema { return enumSchema(Quick, Full) }, func(s *Scenario, t *tree, to *Scenario) error {
		return decodeName(t, "tier", []string{Quick, Full}, &to.Tier)
	}},
	{"profile", "the model's values; a list is a factor", false, func() *jsonschema.Schema { return oneOrMore(profileSchema()) }, func(s *Scenario, t *tree, to *Scenario) error {
		return decodeNames(t, "profile", sim.ProfileNames(), &to.Profiles)
	}},
	{"pages", "built-in pages, pages in JSON, HAR files and globs, relative to the scenario", false, func() *jsonschema.Schema { return oneOrMore(pageSchema()) }, decodePages},
	{"workload", "generated pages; a list adds them up", false, func() *jsonschema.Schema { return oneOrMore(mapSchema(workloadKeys)) }, decodeWorkloads},
	{"policies", "what chooses paths; speed-ups are over the first one", true, func() *jsonschema.Schema { return oneOrMore(policySchema()) }, decodePolicies},
	{"interfaces", "the access networks of the device", true, func() *jsonschema.Schema { return listSchema(mapSchema(interfaceKeys), 1, sim.MaxInterfaces) }, decodeInterfaces},
	{"parameters", "values of the model that differ from the profile's; a list is a factor", false, parametersSchema, decodeParameters},
	{"deps", "dependencies of recorded pages: from times or from initiators", false, func() *jsonschema.Schema { return enumSchema(har.DepsNames...) }, func(s *Scenario, t *tree, to *Scenario) error {
		return decodeName(t, "deps", har.DepsNames, &to.Deps)
	}},
	{"zip", "groups of factors that vary together: each of their lists has the same length", false, func() *jsonschema.Schema { return listSchema(listSchema(textSchema(), 2, 0), 1, 0) }, decodeZip},
	{"sample", "keep this many cases, or this share of them, with all their profiles and policies", false, sampleSchema, decodeSample},
	{"seed", "of every random stream; a whole number", false, func() *jsonschema.Schema { return wholeSchema(0) }, func(s *Scenario, t *tree, to *Scenario) error {
		v, err := decodeWhole(t, "seed", 0, math.MaxInt64)
		to.Seed = uint64(v)
		return err
	}},
	{"repetitions", "how often each run is repeated with other random numbers", false, func() *jsonschema.Schema { return wholeSchema(1) }, func(s *Scenario, t *tree, to *Scenario) error {
		v, err := decodeWhole(t, "repetitions", 1, 1e6)
		to.Repetitions = int(v)
		return err
	}},
	{"expect", "what the results should be, for braid check; braid run prints the published numbers beside its own", false, func() *jsonschema.Schema { return listSchema(expectSchema(), 0, 0) }, decodeExpect},
	{"baseline", "rows of an earlier run (.parquet, .csv, .jsonl), relative to the scenario: braid check lists every change", false, textSchema, func(s *Scenario, t *tree, to *Scenario) error {
		return decodeText(t, "baseline", &to.Baseline)
	}},
}

// interfaceKeys are the keys of an interface.
var interfaceKeys = []key[Interface]{
	{"name", "a short name, like wifi", true, func() *jsonschema.Schema { return patternSchema(interfaceName.String()) }, decodeInterfaceName},
	{"bandwidth", "what the link carries, headers included, like 6Mbit/s", true, quantitySchema(ratePattern), func(s *Scenario, t *tree, to *Interface) error {
		return decodeLevels(t, "bandwidth", &to.Bandwidth, atLeast(positive(units.ParseRate, sim.MaxRate, "6Mbit/s"), sim.MinRate))
	}},
	{"rtt", "round trip time to every server without queueing, like 20ms", true, quantitySchema(durationPattern), func(s *Scenario, t *tree, to *Interface) error {
		return decodeLevels(t, "rtt", &to.RTT, positive(units.ParseDuration, sim.MaxRTT, "20ms"))
	}},
	{"dns", "name resolution, once for each host, like 15ms", false, quantitySchema(durationPattern), func(s *Scenario, t *tree, to *Interface) error {
		return decodeLevels(t, "dns", &to.DNS, atMost(units.ParseDuration, sim.MaxRTT))
	}},
	{"queue", "size of the bottleneck queue, like 60kB; it has no effect at the flow level, so it takes one value", false, func() *jsonschema.Schema { return patternSchema(bytesPattern) }, func(s *Scenario, t *tree, to *Interface) error {
		if t.kind == list && len(t.list) > 1 {
			return t.list[1].at.errorf("%d values of queue (the flow level, which runs this scenario, does not read it, so they would repeat the same runs; keep one)", len(t.list))
		}
		return decodeLevels(t, "queue", &to.Queue, positive(units.ParseBytes, units.Bytes(1e15), "60kB"))
	}},
}

// workloadKeys are the keys of a workload.
var workloadKeys = []key[workload.Range]{
	{"like", "the pages it resembles", true, func() *jsonschema.Schema { return enumSchema(workload.Names()...) }, func(s *Scenario, t *tree, to *workload.Range) error {
		return decodeName(t, "like", workload.Names(), &to.Like)
	}},
	{"pages", "how many pages", true, func() *jsonschema.Schema { return wholeSchema(1) }, func(s *Scenario, t *tree, to *workload.Range) error {
		v, err := decodeWhole(t, "pages", 1, workload.MaxPage)
		to.Pages = int(v)
		return err
	}},
	{"crawls", "how often each page is crawled; crawls differ a little", false, func() *jsonschema.Schema { return wholeSchema(1) }, func(s *Scenario, t *tree, to *workload.Range) error {
		v, err := decodeWhole(t, "crawls", 1, workload.MaxCrawl)
		to.Crawls = int(v)
		return err
	}},
	{"first", "number of the first page, 1 where not given", false, func() *jsonschema.Schema { return wholeSchema(1) }, func(s *Scenario, t *tree, to *workload.Range) error {
		v, err := decodeWhole(t, "first", 1, workload.MaxPage)
		to.First = int(v)
		return err
	}},
}
