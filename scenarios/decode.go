package scenarios

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"braid/sim/units"
)

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

// atLeast refuses less than the limit.
func atLeast[Q units.Rate | units.Bytes | time.Duration](parse func(string) (Q, error), limit Q) func(string) (Q, error) {
	return func(s string) (Q, error) {
		q, err := parse(s)
		if err == nil && q < limit {
			err = fmt.Errorf("%q is below %v", s, limit)
		}
		return q, err
	}
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
