package scenarios

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/google/jsonschema-go/jsonschema"

	"braid/har"
	"braid/scenarios/workload"
	"braid/sim"
	"braid/sim/policy"
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

// decodeMap reads a map by its table of keys. what names the map in errors.
func decodeMap[T any](s *Scenario, t *tree, what string, keys []key[T], to *T) error {
	if t.kind != mapping {
		return t.at.errorf("%s is %s (expected a map with the keys %s)", what, t.kind, enumerate(keyNames(keys)))
	}
	for _, k := range t.keys {
		known := false
		for i := range keys {
			if keys[i].name != k.name {
				continue
			}
			known = true
			if k.value.null {
				return k.at.errorf("%s has no value (write one, or remove the key)", k.name)
			}
			if err := keys[i].decode(s, k.value, to); err != nil {
				return err
			}
		}
		if !known {
			return k.at.errorf("unknown key %q in %s%s", k.name, what, DidYouMean(k.name, "keys", keyNames(keys)))
		}
	}
	for i := range keys {
		if keys[i].required && t.get(keys[i].name) == nil {
			return t.at.errorf("%s has no %q (%s)", what, keys[i].name, keys[i].doc)
		}
	}
	return nil
}

func keyNames[T any](keys []key[T]) []string {
	names := make([]string, len(keys))
	for i, k := range keys {
		names[i] = k.name
	}
	return names
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
	{"tier", "quick: at most 20 s on two cores; full: longer, run when named or with --all", false, func() *jsonschema.Schema { return enumSchema(Quick, Full) }, func(s *Scenario, t *tree, to *Scenario) error {
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
		v, err := decodeWhole(t, "repetitions", 1, 1e9)
		to.Repetitions = int(v)
		return err
	}},
	{"expect", "what the results should be", false, func() *jsonschema.Schema { return listSchema(expectSchema(), 0, 0) }, decodeExpect},
}

// interfaceKeys are the keys of an interface.
var interfaceKeys = []key[Interface]{
	{"name", "a short name, like wifi", true, func() *jsonschema.Schema { return patternSchema(interfaceName.String()) }, decodeInterfaceName},
	{"bandwidth", "what the link carries, headers included, like 6Mbit/s", true, quantitySchema(ratePattern), func(s *Scenario, t *tree, to *Interface) error {
		return decodeLevels(t, "bandwidth", &to.Bandwidth, positive(units.ParseRate, 1e15, "6Mbit/s"))
	}},
	{"rtt", "round trip time to every server without queueing, like 20ms", true, quantitySchema(durationPattern), func(s *Scenario, t *tree, to *Interface) error {
		return decodeLevels(t, "rtt", &to.RTT, positive(units.ParseDuration, time.Hour, "20ms"))
	}},
	{"dns", "name resolution, once for each host, like 15ms", false, quantitySchema(durationPattern), func(s *Scenario, t *tree, to *Interface) error {
		return decodeLevels(t, "dns", &to.DNS, atMost(units.ParseDuration, time.Hour))
	}},
	{"queue", "size of the bottleneck queue, like 60kB; only MPTCP in the linux profile reads it", false, quantitySchema(bytesPattern), func(s *Scenario, t *tree, to *Interface) error {
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

func decodeText(t *tree, what string, to *string) error {
	if t.kind != scalar || strings.TrimSpace(t.text) == "" {
		return t.at.errorf("%s is not a text", what)
	}
	*to = strings.TrimSpace(t.text)
	return nil
}

func decodeName(t *tree, what string, names []string, to *string) error {
	if t.kind != scalar {
		return t.at.errorf("%s is %s (expected one of: %s)", what, t.kind, enumerate(names))
	}
	for _, n := range names {
		if n == t.text {
			*to = n
			return nil
		}
	}
	return t.at.errorf("unknown %s %q%s", what, t.text, DidYouMean(t.text, "expected one of", names))
}

func decodeNames(t *tree, what string, names []string, to *[]string) error {
	*to = nil
	return eachScalar(t, what, func(item *tree) error {
		var name string
		if err := decodeName(item, what, names, &name); err != nil {
			return err
		}
		*to = append(*to, name)
		return nil
	})
}

// eachScalar calls f for the single value, or each value of the list. An empty list, a value that is none, and a value
// given twice as written are errors.
func eachScalar(t *tree, what string, f func(*tree) error) error {
	if t.kind == mapping || t.kind == list && len(t.list) == 0 {
		if t.kind == mapping {
			return t.at.errorf("%s is a map (expected a value or a list of values)", what)
		}
		return t.at.errorf("%s is an empty list (expected at least one value)", what)
	}
	for _, item := range t.items() {
		switch {
		case item.kind != scalar:
			return item.at.errorf("%s has %s in its list (expected single values)", what, item.kind)
		case item.null:
			return item.at.errorf("%s has an empty value in its list", what)
		}
		if err := f(item); err != nil {
			return err
		}
	}
	return nil
}

func decodeWhole(t *tree, what string, low, high int64) (int64, error) {
	v, err := strconv.ParseInt(t.text, 10, 64)
	if t.kind != scalar || err != nil || v < low || v > high {
		return 0, t.at.errorf("%s %q is not a whole number from %d to %d", what, t.text, low, high)
	}
	return v, nil
}

// decodeLevels reads the levels of a factor.
func decodeLevels[Q comparable](t *tree, what string, to *[]Q, parse func(string) (Q, error)) error {
	*to = nil
	return eachScalar(t, what, func(item *tree) error {
		v, err := parse(item.text)
		if err != nil {
			return item.at.errorf("%s: %v", what, err)
		}
		*to = append(*to, v)
		return nil
	})
}

// positive refuses zero, and more than the limit.
func positive[Q units.Rate | units.Bytes | time.Duration](parse func(string) (Q, error), limit Q, example string) func(string) (Q, error) {
	return func(text string) (Q, error) {
		v, err := atMost(parse, limit)(text)
		if err == nil && v <= 0 {
			err = fmt.Errorf("%q is not above 0 (write it like %s)", text, example)
		}
		return v, err
	}
}

func atMost[Q units.Rate | units.Bytes | time.Duration](parse func(string) (Q, error), limit Q) func(string) (Q, error) {
	return func(text string) (Q, error) {
		v, err := parse(text)
		if err == nil && v > limit {
			err = fmt.Errorf("%q is above %v", text, limit)
		}
		return v, err
	}
}

func decodeKind(s *Scenario, t *tree, to *Scenario) error {
	if t.kind == scalar && t.text == Flows {
		return t.at.errorf("kind: flows (flows over links) is not what this version simulates (expected kind: page-load)")
	}
	return decodeName(t, "kind", []string{PageLoad}, &to.Kind)
}

func decodePages(s *Scenario, t *tree, to *Scenario) error {
	to.Pages = nil
	return eachScalar(t, "pages", func(item *tree) error {
		if strings.TrimSpace(item.text) == "" {
			return item.at.errorf("a page without a name")
		}
		to.Pages = append(to.Pages, item.text)
		return nil
	})
}

func decodeWorkloads(s *Scenario, t *tree, to *Scenario) error {
	to.Workloads = nil
	for _, item := range t.items() {
		w := workload.Range{Crawls: 1, First: 1}
		if err := decodeMap(s, item, "workload", workloadKeys, &w); err != nil {
			return err
		}
		if w.First+w.Pages-1 > workload.MaxPage {
			return item.at.errorf("workload: pages up to number %d (expected at most %d)", w.First+w.Pages-1, workload.MaxPage)
		}
		to.Workloads = append(to.Workloads, w)
	}
	if len(to.Workloads) == 0 {
		return t.at.errorf("workload is an empty list")
	}
	return nil
}

// decodePolicies keeps the names as written; check makes them canonical once the interfaces are known.
func decodePolicies(s *Scenario, t *tree, to *Scenario) error {
	to.Policies = nil
	return eachScalar(t, "policies", func(item *tree) error {
		to.Policies = append(to.Policies, item.text)
		return nil
	})
}

func decodeInterfaces(s *Scenario, t *tree, to *Scenario) error {
	to.Interfaces = nil
	if t.kind != list || len(t.list) == 0 {
		return t.at.errorf("interfaces is not a list of at least one interface (write it like - {name: wifi, bandwidth: 6Mbit/s, rtt: 20ms})")
	}
	if len(t.list) > sim.MaxInterfaces {
		return t.list[sim.MaxInterfaces].at.errorf("%d interfaces (expected at most %d)", len(t.list), sim.MaxInterfaces)
	}
	for n, item := range t.list {
		var f Interface
		for _, k := range item.keys {
			if k.name == "loss" {
				return k.at.errorf("the flow level, which runs this scenario, has no losses (remove loss)")
			}
		}
		if err := decodeMap(s, item, "interface", interfaceKeys, &f); err != nil {
			return err
		}
		at := item.get("name").at
		for _, g := range to.Interfaces {
			if strings.EqualFold(g.Name, f.Name) {
				return at.errorf("interface name %q is used twice", f.Name)
			}
		}
		// "if2" as the name of the first interface would be two things as a policy.
		if _, canonical, err := policy.Lookup(f.Name, make([]string, len(t.list))); err == nil && canonical != fmt.Sprintf("if%d", n+1) {
			return at.errorf("interface name %q is the name of a policy", f.Name)
		}
		to.Interfaces = append(to.Interfaces, f)
	}
	return nil
}

var interfaceName = regexp.MustCompile(`^[A-Za-z0-9_-]{1,40}$`)

func decodeInterfaceName(s *Scenario, t *tree, to *Interface) error {
	if t.kind != scalar || !interfaceName.MatchString(t.text) {
		return t.at.errorf("interface name %q (expected 1 to 40 letters, digits, _ and -)", t.text)
	}
	to.Name = t.text
	return nil
}

func decodeParameters(s *Scenario, t *tree, to *Scenario) error {
	to.Parameters = nil
	if t.kind != mapping {
		return t.at.errorf("parameters is %s (expected a map, like {max_per_host: 6})", t.kind)
	}
	for _, k := range t.keys {
		doc := paramDoc(k.name)
		if doc == nil {
			return k.at.errorf("unknown parameter %q%s", k.name, DidYouMean(k.name, "parameters", sim.ParamNames()))
		}
		p := Parameter{Name: k.name}
		err := eachScalar(k.value, k.name, func(item *tree) error {
			params := sim.Linux()
			if err := doc.Set(&params, item.text); err != nil {
				return item.at.errorf("%s: %v", k.name, err)
			}
			p.Levels = append(p.Levels, doc.Get(&params))
			return nil
		})
		if err != nil {
			return err
		}
		to.Parameters = append(to.Parameters, p)
	}
	return nil
}

func paramDoc(name string) *sim.ParamDoc {
	for i := range sim.ParamTable {
		if sim.ParamTable[i].Name == name {
			return &sim.ParamTable[i]
		}
	}
	return nil
}

func decodeZip(s *Scenario, t *tree, to *Scenario) error {
	to.Zip = nil
	if t.kind != list {
		return t.at.errorf("zip is %s (expected a list of groups, like [[wifi.bandwidth, wifi.rtt]])", t.kind)
	}
	for _, group := range t.list {
		if group.kind != list || len(group.list) < 2 {
			return group.at.errorf("a group of zip is a list of at least two factors (write it like [[wifi.bandwidth, wifi.rtt]])")
		}
		var names []string
		err := eachScalar(group, "zip", func(item *tree) error {
			names = append(names, item.text)
			return nil
		})
		if err != nil {
			return err
		}
		to.Zip = append(to.Zip, names)
	}
	return nil
}

func decodeSample(s *Scenario, t *tree, to *Scenario) error {
	if t.kind != scalar {
		return t.at.errorf("sample is %s (expected a number of cases, like 500, or a share, like 2%%)", t.kind)
	}
	to.Sample = Sample{}
	if strings.HasSuffix(t.text, "%") {
		share, err := units.ParseShare(t.text)
		if err == nil && share <= 0 {
			err = fmt.Errorf("%q is not above 0", t.text)
		}
		if err != nil {
			return t.at.errorf("sample: %v", err)
		}
		to.Sample.Share = share
		return nil
	}
	v, err := strconv.ParseInt(t.text, 10, 64)
	if err != nil || v < 1 || v > maxSample {
		return t.at.errorf("sample %q is neither a number of cases, like 500, nor a share, like 2%%", t.text)
	}
	to.Sample.Cases = v
	return nil
}
