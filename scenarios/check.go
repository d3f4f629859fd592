package scenarios

import (
	"fmt"

	"braid/sim"
	"braid/sim/policy"
)

// check finds what the keys alone cannot: policies that no interface has, values given twice, no pages at all.
func (s *Scenario) check() error {
	if len(s.Pages) == 0 && len(s.Workloads) == 0 {
		return s.root.at.errorf("the scenario has no pages (add pages, like [mix52], or a workload)")
	}
	names := s.interfaceNames()
	items := s.root.get("policies").items()
	for i, name := range s.Policies {
		_, canonical, err := policy.Lookup(name, names)
		if err != nil {
			return items[i].at.errorf("unknown policy %q%s", name, DidYouMean(name, "policies", append(policy.Names(names), names...)))
		}
		for _, other := range s.Policies[:i] {
			if other == canonical {
				return items[i].at.errorf("policy %s is given twice%s", canonical, also(name, canonical))
			}
		}
		s.Policies[i] = canonical
	}
	if err := s.checkParams(); err != nil {
		return err
	}
	return s.checkExpect()
}

// also says what a name as written stands for.
func also(name, canonical string) string {
	if name == canonical {
		return ""
	}
	return fmt.Sprintf(" (%s is %s)", name, canonical)
}

func (s *Scenario) interfaceNames() []string {
	names := make([]string, len(s.Interfaces))
	for i, f := range s.Interfaces {
		names[i] = f.Name
	}
	return names
}

// checkParams validates the combinations of profiles and parameters, the first few thousand of them.
func (s *Scenario) checkParams() error {
	const most = 4096
	index := make([]int, len(s.Parameters))
	for range most {
		for _, profile := range s.Profiles {
			params, err := sim.NewParams(profile)
			if err != nil {
				return s.root.at.errorf("%v", err)
			}
			for i, p := range s.Parameters {
				if err := params.Set(p.Name, p.Levels[index[i]]); err != nil {
					return s.root.get("parameters").at.errorf("%v", err)
				}
			}
			if err := params.Validate(); err != nil && len(s.Zip) == 0 {
				return s.root.get("parameters").at.errorf("profile %s: %v", profile, err)
			}
		}
		k := 0
		for ; k < len(index); k++ {
			if index[k]++; index[k] < len(s.Parameters[k].Levels) {
				break
			}
			index[k] = 0
		}
		if k == len(index) {
			return nil
		}
	}
	return nil
}
