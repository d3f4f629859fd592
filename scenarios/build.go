package scenarios

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"braid/sim"
	"braid/sim/policy"
	"braid/sim/units"
)

// maxLevels bounds the levels of one factor, maxSample the cases of a sample (both are kept in memory), maxRuns the length
// of a grid (2^53: an index is exact as a float64 too).
const (
	maxLevels = 1_000_000
	maxSample = 100_000_000
	maxRuns   = 1 << 53
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

// Grid opens the pages and returns the runs. Faults of pages, globs that match nothing, values given twice and groups of
// zip that do not fit are errors with their place.
func (s *Scenario) Grid() (*Grid, error) {
	items, _, err := s.pageItems()
	if err != nil {
		return nil, err
	}
	g := &Grid{seed: s.Seed}
	for _, f := range s.Interfaces {
		g.ifaces = append(g.ifaces, sim.Interface{Name: f.Name})
	}
	for _, name := range s.Profiles {
		params, err := sim.NewParams(name)
		if err != nil {
			return nil, err
		}
		g.profiles = append(g.profiles, params)
	}
	g.factors = append(g.factors, pageFactor(items, s.Seed))
	for i := range s.Interfaces {
		g.factors = append(g.factors, interfaceFactors(i, &s.Interfaces[i])...)
	}
	for i := range s.Parameters {
		g.factors = append(g.factors, parameterFactor(&s.Parameters[i]))
	}
	g.factors = append(g.factors, factorOf("seed", wholeUnit, []uint64{s.Seed}, uintText,
		func(v uint64) Value { return Value{Integer: int64(v)} }, func(*Run, int) error { return nil }))
	repetitions := make([]int, s.Repetitions)
	for i := range repetitions {
		repetitions[i] = i
	}
	g.factors = append(g.factors, factorOf("repetition", wholeUnit, repetitions, strconv.Itoa,
		func(v int) Value { return Value{Integer: int64(v)} }, func(r *Run, k int) error { r.Repetition = k; return nil }))
	g.factors = append(g.factors, factorOf("profile", noUnit, s.Profiles, sameText, textValue,
		func(r *Run, k int) error { r.Spec.Params = g.profiles[k]; return nil }))
	g.factors = append(g.factors, factorOf("policy", noUnit, s.Policies, sameText, textValue,
		func(r *Run, k int) error { r.Spec.Policy = s.Policies[k]; return nil }))
	for i := range g.factors {
		g.columns = append(g.columns, g.factors[i].column)
	}
	if err := s.arrange(g); err != nil {
		return nil, err
	}
	if s.Sample != (Sample{}) {
		g.sample(s.Sample)
	}
	return g, nil
}

func sameText(s string) string        { return s }
func textValue(s string) Value        { return Value{Text: s} }
func uintText(v uint64) string        { return strconv.FormatUint(v, 10) }
func floatValue(v float64) Value      { return Value{Float: v} }
func secondsOf(d time.Duration) Value { return Value{Float: d.Seconds()} }

// factorOf makes a factor from its levels.
func factorOf[Q any](name string, u unit, levels []Q, text func(Q) string, value func(Q) Value, apply func(*Run, int) error) factor {
	f := factor{name: name, unit: u, apply: apply, column: Column{strings.ReplaceAll(name, ".", "_") + u.suffix, u.typ}}
	for _, l := range levels {
		f.add(text(l), value(l))
	}
	return f
}

func pageFactor(items []pageItem, seed uint64) factor {
	made := &generated{seed: seed}
	return factorOf("page", noUnit, items,
		func(it pageItem) string { return it.name },
		func(it pageItem) Value { return Value{Text: it.name} },
		func(r *Run, k int) (err error) {
			it := &items[k]
			if r.Spec.Page = it.page; it.page == nil {
				r.Spec.Page, err = made.get(k, it.item)
			}
			return err
		})
}

func interfaceFactors(i int, f *Interface) []factor {
	factors := []factor{
		factorOf(f.Name+".bandwidth", rateUnit, f.Bandwidth, units.Rate.String,
			func(v units.Rate) Value { return floatValue(v.BitPerSecond()) },
			func(r *Run, k int) error { r.Spec.Interfaces[i].Rate = f.Bandwidth[k]; return nil }),
		factorOf(f.Name+".rtt", timeUnit, f.RTT, time.Duration.String, secondsOf,
			func(r *Run, k int) error { r.Spec.Interfaces[i].RTT = f.RTT[k]; return nil }),
	}
	if f.DNS != nil {
		factors = append(factors, factorOf(f.Name+".dns", timeUnit, f.DNS, time.Duration.String, secondsOf,
			func(r *Run, k int) error { r.Spec.Interfaces[i].DNS = f.DNS[k]; return nil }))
	}
	if f.Queue != nil {
		factors = append(factors, factorOf(f.Name+".queue", bytesUnit, f.Queue, units.Bytes.String,
			func(v units.Bytes) Value { return Value{Integer: int64(v)} },
			func(r *Run, k int) error { r.Spec.Interfaces[i].Queue = f.Queue[k]; return nil }))
	}
	return factors
}

// paramUnits gives the unit of each kind of parameter.
var paramUnits = [...]unit{
	sim.WordParam: noUnit, sim.IntParam: wholeUnit, sim.FloatParam: floatUnit, sim.BoolParam: boolUnit,
	sim.DurationParam: timeUnit, sim.BytesParam: bytesUnit, sim.RateParam: rateUnit,
}

func parameterFactor(p *Parameter) factor {
	doc := paramDoc(p.Name)
	u := paramUnits[doc.Kind]
	if u.suffix == bytesUnit.suffix && strings.HasSuffix(p.Name, u.suffix) {
		u.suffix = "" // estimate_min_bytes has its unit in its name
	}
	return factorOf(p.Name, u, p.Levels, sameText, func(text string) Value {
		switch u.typ {
		case Bool:
			return Value{Bool: text == "true"}
		case Integer, Float:
			v, err := u.parse(text)
			if err != nil {
				panic(fmt.Sprintf("scenarios: %s: %v", p.Name, err)) // a programming error: the parameter wrote the text
			}
			return Value{Float: v, Integer: int64(v)}
		}
		return Value{Text: text}
	}, func(r *Run, k int) error { return doc.Set(&r.Spec.Params, p.Levels[k]) })
}

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

// factor returns the index of the factor of that name or column name, or -1.
func (g *Grid) factor(name string) int {
	for i := range g.factors {
		if g.factors[i].name == name || g.factors[i].column.Name == name {
			return i
		}
	}
	return -1
}

// zippable lists the factors that may vary together.
func (g *Grid) zippable() []string {
	var names []string
	for i := range g.factors {
		switch n := g.factors[i].name; n {
		case "policy", "profile", "repetition", "seed":
		default:
			names = append(names, n)
		}
	}
	return names
}

// share turns a share into the threshold a hash is compared with.
func (s Sample) threshold() uint64 {
	if s.Share >= 1 {
		return math.MaxUint64
	}
	return uint64(float64(s.Share) * (1 << 63) * 2)
}
