package scenarios

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"braid/sim"
	"braid/sim/policy"
	"braid/sim/units"
)

func sameText(s string) string        { return s }
func textValue(s string) Value        { return Value{Text: s} }
func uintText(v uint64) string        { return strconv.FormatUint(v, 10) }
func floatValue(v float64) Value      { return Value{Float: v} }
func secondsOf(d time.Duration) Value { return Value{Float: d.Seconds()} }

// factorOf makes a factor from its levels.
func factorOf[Q any](name string, u unit, levels []Q, text func(Q) string, value func(Q) Value, apply func(*Run, int) error) factor {
	f := factor{name: name, unit: u, apply: apply, iface: none, column: Column{strings.ReplaceAll(name, ".", "_") + u.suffix, u.typ}}
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

// policyFactor has the canonical names as levels; an interface's name and "rr" mean the policies they stand for.
func policyFactor(policies, ifaces []string) factor {
	f := factorOf("policy", noUnit, policies, sameText, textValue,
		func(r *Run, k int) error { r.Spec.Policy = policies[k]; return nil })
	f.alias = func(text string) string {
		if _, canonical, err := policy.Lookup(text, ifaces); err == nil {
			return canonical
		}
		return text
	}
	return f
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
	for k := range factors {
		factors[k].iface = i
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
