package scenarios

import (
	"fmt"
	"regexp"
	"strings"

	"braid/scenarios/workload"
	"braid/sim"
	"braid/sim/policy"
)

func decodeKind(s *Scenario, t *tree, to *Scenario) error {
	if t.kind == scalar && t.text == "flows" {
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
	sample, err := ParseSample(t.text)
	if err != nil {
		return t.at.errorf("%v", err)
	}
	to.Sample = sample
	return nil
}
