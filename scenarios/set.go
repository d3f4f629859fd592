package scenarios

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Set returns a copy of the scenario with values replaced. An assignment is path=value: "seed=2", "profile=linux",
// "policies=if1,eaf", "interfaces.wifi.rtt=10ms,20ms", "parameters.max_per_host=6", "workload.pages=10". Values apart by
// commas are a list; a value that begins with [ or { is read as YAML. Interfaces go by name, other lists by position
// from 0. A faulty assignment is an error that names it.
func (s *Scenario) Set(assignments ...string) (*Scenario, error) {
	root := s.root
	for _, a := range assignments {
		src := newSource("--set "+a, a, true)
		at := place{src, 0, 0}
		dotted, text, ok := strings.Cut(a, "=")
		if !ok || strings.TrimSpace(dotted) == "" {
			return nil, at.errorf("expected path=value, like interfaces.wifi.rtt=10ms,20ms")
		}
		value, err := setValue(src, at, text)
		if err != nil {
			return nil, err
		}
		if root, err = root.with(strings.Split(strings.TrimSpace(dotted), "."), "scenario", value); err != nil {
			return nil, err
		}
	}
	c := &Scenario{file: s.file, dir: s.dir, absolute: s.absolute, root: root, cache: s.cache, inputs: s.inputs}
	if err := c.decode(); err != nil {
		return nil, err
	}
	return c, nil
}

// assignment is text that is more likely a name with its value than a value.
var assignment = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_-]*(\.[A-Za-z0-9_-]+)*=`)

// setValue reads the value of an assignment.
func setValue(src *source, at place, text string) (*tree, error) {
	text = strings.TrimSpace(text)
	switch {
	case text == "":
		return nil, at.errorf("no value after =")
	case text[0] == '[' || text[0] == '{':
		return parseTree(src, text)
	case strings.Contains(text, ","):
		t := &tree{at: at, kind: list}
		for part := range strings.SplitSeq(text, ",") {
			part = strings.TrimSpace(part)
			switch {
			case part == "":
				return nil, at.errorf("an empty value in the list")
			case assignment.MatchString(part):
				return nil, at.errorf("%q looks like a second assignment (give each its own --set; write a value with = in it as [%s])", part, text)
			}
			t.list = append(t.list, &tree{at: at, text: part})
		}
		return t, nil
	}
	return &tree{at: at, text: text}, nil
}

// with returns a copy of the tree with the value at the path; what is not on the path is shared. Keys that are missing are
// added: the keys' tables decide whether they exist.
func (t *tree) with(path []string, what string, value *tree) (*tree, error) {
	if len(path) == 0 {
		return value, nil
	}
	c := *t
	name := path[0]
	switch t.kind {
	case mapping:
		c.keys = slices.Clone(t.keys)
		for i := range c.keys {
			if c.keys[i].name == name {
				v, err := c.keys[i].value.with(path[1:], name, value)
				c.keys[i].value = v
				return &c, err
			}
		}
		child, err := (&tree{at: value.at, kind: mapping}).with(path[1:], name, value)
		c.keys = append(c.keys, keyed{name, value.at, child})
		return &c, err
	case list:
		i, err := t.position(name, value.at, what)
		if err != nil {
			return nil, err
		}
		c.list = slices.Clone(t.list)
		c.list[i], err = t.list[i].with(path[1:], name, value)
		return &c, err
	}
	return nil, value.at.errorf("%s is a single value, it has no %q", what, name)
}

// position finds an item of a list by its name or position.
func (t *tree) position(name string, at place, what string) (int, error) {
	var names []string
	for i, item := range t.list {
		if n := item.get("name"); n != nil {
			names = append(names, n.text)
			if n.text == name {
				return i, nil
			}
		}
	}
	if i, err := strconv.Atoi(name); err == nil && i >= 0 && i < len(t.list) {
		return i, nil
	}
	if names == nil {
		return 0, at.errorf("%s has no item %q (expected 0 to %d)", what, name, len(t.list)-1)
	}
	return 0, at.errorf("%s has no %q%s", what, name, DidYouMean(name, "there are", names))
}
