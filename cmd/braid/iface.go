package main

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"braid/scenarios"
	"braid/sim"
	"braid/sim/policy"
	"braid/sim/units"
)

// ifaceExample ends the errors about --if.
const ifaceExample = "write it like --if wifi=6Mbit/s,20ms or --if rate=6Mbit/s,rtt=20ms"

// ifaceKeys are the keys of --if, in the order they are listed in errors.
var ifaceKeys = []string{"name", "rate", "rtt", "queue", "dns"}

// parseInterfaces reads the values of --if in order. The i-th interface without a name is called if<i>.
func parseInterfaces(texts []string) ([]sim.Interface, error) {
	if len(texts) == 0 {
		return nil, fmt.Errorf("no network (%s)", ifaceExample)
	}
	if len(texts) > sim.MaxInterfaces {
		return nil, fmt.Errorf("%d networks (expected at most %d --if)", len(texts), sim.MaxInterfaces)
	}
	ifaces := make([]sim.Interface, len(texts))
	for i, text := range texts {
		f, err := parseInterface(text)
		if f.Name == "" {
			f.Name = fmt.Sprintf("if%d", i+1)
		}
		if err == nil {
			err = checkIfaceName(f.Name, i)
		}
		for j := 0; err == nil && j < i; j++ {
			if ifaces[j].Name == f.Name {
				err = fmt.Errorf("the name %q is taken by network %d (give each --if a name of its own)", f.Name, j+1)
			}
		}
		if err != nil {
			return nil, fmt.Errorf("--if %q (network %d): %w", text, i+1, err)
		}
		ifaces[i] = f
	}
	return ifaces, nil
}

// parseInterface reads one network: [NAME=]RATE,RTT with key=value for everything else, or key=value throughout. The
// first value without a key is the rate, the second one the round trip time.
func parseInterface(text string) (sim.Interface, error) {
	var f sim.Interface
	given := map[string]bool{}
	set := func(key, value string) error {
		if given[key] {
			return fmt.Errorf("%s is given twice", key)
		}
		given[key] = true
		return setIfaceKey(&f, key, strings.TrimSpace(value))
	}
	for i, part := range strings.Split(text, ",") {
		key, value, keyed := strings.Cut(part, "=")
		key = strings.TrimSpace(key)
		if i == 0 && keyed && key != "loss" && !slices.Contains(ifaceKeys, key) {
			if err := set("name", key); err != nil {
				return f, err
			}
			part = value
			key, value, keyed = strings.Cut(part, "=")
		}
		if !keyed {
			key, value = nextKey(given), part
		}
		if key == "" {
			return f, fmt.Errorf("the value %q has no key (keys: %s)", value, strings.Join(ifaceKeys, ", "))
		}
		if err := set(key, value); err != nil {
			return f, err
		}
	}
	switch {
	case !given["rate"]:
		return f, fmt.Errorf("no rate (%s)", ifaceExample)
	case !given["rtt"]:
		return f, fmt.Errorf("no round trip time (%s)", ifaceExample)
	}
	return f, nil
}

// nextKey is what the next value without a key stands for; "" if there is nothing left.
func nextKey(given map[string]bool) string {
	for _, key := range []string{"rate", "rtt"} {
		if !given[key] {
			return key
		}
	}
	return ""
}

// setIfaceKey reads one value into the interface.
func setIfaceKey(f *sim.Interface, key, value string) (err error) {
	var zero bool
	switch key {
	case "name":
		f.Name, zero = value, value == ""
	case "rate":
		f.Rate, err = units.ParseRate(value)
		zero = f.Rate == 0
	case "rtt":
		f.RTT, err = units.ParseDuration(value)
		zero = f.RTT == 0
	case "queue":
		f.Queue, err = units.ParseBytes(value)
		zero = f.Queue == 0
	case "dns":
		f.DNS, err = units.ParseDuration(value)
	case "loss":
		return fmt.Errorf("loss needs the packet level, which this version does not have (leave loss= out)")
	default:
		return fmt.Errorf("unknown key %q%s", key, scenarios.DidYouMean(key, "keys", ifaceKeys))
	}
	switch {
	case err != nil:
		return fmt.Errorf("%s: %w", key, err)
	case zero && key == "name":
		return fmt.Errorf("the name is empty (write a name before the =, or none)")
	case zero:
		return fmt.Errorf("%s is %s (expected more than 0; %s)", key, value, ifaceExample)
	}
	return nil
}

// positional matches the names of policies that mean an interface by its number.
var positional = regexp.MustCompile(`^if[0-9]+$`)

// checkIfaceName refuses names that could not be told from a policy, and names that would break tables and columns.
func checkIfaceName(name string, index int) error {
	if positional.MatchString(name) && name != fmt.Sprintf("if%d", index+1) {
		return fmt.Errorf("the name %q means another network by its number (choose another name)", name)
	}
	for _, e := range policy.Table {
		for _, taken := range append([]string{e.Name}, e.Aliases...) {
			if name == taken {
				return fmt.Errorf("the name %q is a policy's (choose another name)", name)
			}
		}
	}
	for _, r := range name {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("-_.", r) {
			return fmt.Errorf("the name %q has a %q in it (expected letters, digits, -, _ and .)", name, r)
		}
	}
	return nil
}
