package scenarios

import (
	"strings"
)

// arrange makes the dimensions: a zip is one, at the place of its first factor, every other factor is its own.
func (s *Scenario) arrange(g *Grid) error {
	zip := make([]int, len(g.factors)) // group of each factor, from 1
	for n, names := range s.Zip {
		group := s.root.get("zip").list[n]
		for k, name := range names {
			at := group.list[k].at
			i := g.factor(name)
			switch {
			case i < 0:
				return at.errorf("zip: unknown factor %q%s", name, DidYouMean(name, "factors", g.zippable()))
			case name == "policy" || name == "profile" || name == "repetition" || name == "seed":
				return at.errorf("zip: %s is always crossed with everything else, so that runs can be paired (factors: %s)", name, enumerate(g.zippable()))
			case zip[i] != 0:
				return at.errorf("zip: %s is in a group already", name)
			}
			zip[i] = n + 1
		}
	}
	made := map[int]int{} // group to index in outer
	runs := int64(1)
	for i := range g.factors {
		f := &g.factors[i]
		n := len(f.levels)
		switch d := (dimension{factors: []int{i}, size: n}); {
		case f.name == "policy":
			g.policy = d
		case f.name == "profile":
			g.profile = d
		case zip[i] == 0:
			g.outer = append(g.outer, d)
		default:
			if at, ok := made[zip[i]]; ok {
				o := &g.outer[at]
				o.factors = append(o.factors, i)
				if o.size != n && o.size != 1 && n != 1 {
					other := &g.factors[o.factors[0]]
					return s.root.get("zip").list[zip[i]-1].at.errorf("zip: %s has %d values, %s has %d (expected as many)", other.name, o.size, f.name, n)
				}
				o.size = max(o.size, n)
			} else {
				made[zip[i]] = len(g.outer)
				g.outer = append(g.outer, d)
			}
		}
	}
	for _, d := range append([]dimension{g.policy, g.profile}, g.outer...) {
		if err := s.checkTwice(g, &d); err != nil {
			return err
		}
		if runs > maxRuns/int64(d.size) {
			return s.root.at.errorf("the grid has more than 2^53 runs")
		}
		runs *= int64(d.size)
	}
	g.cases = runs / int64(g.policy.size) / int64(g.profile.size)
	return nil
}

// checkTwice refuses a level given twice: its runs would be rows given twice.
func (s *Scenario) checkTwice(g *Grid, d *dimension) error {
	seen := make(map[string]bool, d.size)
	for k := range d.size {
		var texts []string
		for _, i := range d.factors {
			f := &g.factors[i]
			texts = append(texts, f.levels[d.level(f, int64(k))].text)
		}
		text := strings.Join(texts, ", ")
		if seen[text] {
			var names []string
			for _, i := range d.factors {
				names = append(names, g.factors[i].name)
			}
			return s.placeOfLevel(names[0], k).errorf("%s: %s is given twice", strings.Join(names, ", "), text)
		}
		seen[text] = true
	}
	return nil
}

// placeOfLevel finds where level k of a factor was written.
func (s *Scenario) placeOfLevel(name string, k int) place {
	var t *tree
	iface, of, isInterface := strings.Cut(name, ".")
	switch {
	case isInterface:
		for _, f := range s.root.get("interfaces").list {
			if f.get("name").text == iface {
				t = f.get(of)
			}
		}
	case name == "policy":
		t = s.root.get("policies")
	case s.root.get("parameters") != nil && s.root.get("parameters").get(name) != nil:
		t = s.root.get("parameters").get(name)
	default:
		t = s.root.get(name)
	}
	switch {
	case t == nil:
		return s.root.at
	case t.kind == list && k < len(t.list):
		return t.list[k].at
	}
	return t.at
}
