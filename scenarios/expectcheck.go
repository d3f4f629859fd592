package scenarios

import (
	"strings"

	"braid/sim/policy"
)

// checkExpect finds factors and policies that expectations name and the scenario does not have. Levels are not checked: a
// --set may have taken them away, which is for the check to say.
func (s *Scenario) checkExpect() error {
	names := s.factorNames()
	ifaces := s.interfaceNames()
	canonical := func(at place, list []string) error {
		for i, name := range list {
			if strings.ContainsAny(name, "*?[") {
				continue // a pattern, for Grid.Match
			}
			_, c, err := policy.Lookup(name, ifaces)
			if err != nil {
				return at.errorf("unknown policy %q%s", name, DidYouMean(name, "policies", append(policy.Names(ifaces), ifaces...)))
			}
			list[i] = c
		}
		return nil
	}
	for i := range s.Expect {
		e := &s.Expect[i]
		item := s.root.get("expect").list[i]
		if where := item.get("where"); where != nil {
			for _, k := range where.keys {
				known := false
				for _, n := range names {
					known = known || n == k.name
				}
				if !known {
					return k.at.errorf("unknown factor %q%s", k.name, DidYouMean(k.name, "factors", names))
				}
				if k.name == "policy" {
					list := strings.Split(e.Where[k.name], ",")
					if err := canonical(k.value.at, list); err != nil {
						return err
					}
					e.Where[k.name] = strings.Join(list, ",")
				}
			}
		}
		if e.Order != nil {
			if err := canonical(item.get("order").at, e.Order); err != nil {
				return err
			}
		}
		if e.Over != nil {
			if err := canonical(item.get("over").at, e.Over); err != nil {
				return err
			}
		}
	}
	return nil
}

// factorNames lists the names of factors and of their columns.
func (s *Scenario) factorNames() []string {
	names := []string{"page"}
	add := func(f factor) {
		names = append(names, f.name)
		if f.column.Name != f.name {
			names = append(names, f.column.Name)
		}
	}
	for i := range s.Interfaces {
		for _, f := range interfaceFactors(i, &s.Interfaces[i]) {
			add(f)
		}
	}
	for i := range s.Parameters {
		add(parameterFactor(&s.Parameters[i]))
	}
	return append(names, "seed", "repetition", "profile", "policy")
}
