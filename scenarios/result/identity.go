package result

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"braid/scenarios"
)

// Differences says what makes rows with one manifest not belong to rows with another: seed, scenario, selection, inputs,
// model version, architecture or format; each on a line, first what was, then what is now. None: they are rows of one
// grid, though perhaps of different shards. The name, description and expectations of a scenario change no row, and so
// do neither the version of the program nor GOAMD64, under which golden digests are the same.
func (m *Manifest) Differences(now *Manifest) []string {
	var d []string
	differ := func(what string, then, now any) {
		if then != now {
			d = append(d, fmt.Sprintf("%s: was %v, is %v", what, then, now))
		}
	}
	differ("model version", m.ModelVersion, now.ModelVersion)
	differ("architecture", m.GOARCH, now.GOARCH)
	differ("seed", m.Seed, now.Seed)
	if m.Scenario.SHA256 != now.Scenario.SHA256 {
		d = append(d, scenarioDifferences(&m.Scenario, &now.Scenario)...)
		if len(d) == 0 {
			d = append(d, "scenario: its text differs")
		}
	}
	differ("--where", listed(m.Scenario.Where), listed(now.Scenario.Where))
	differ("--sample", given(m.Scenario.Sample), given(now.Scenario.Sample))
	d = append(d, inputDifferences(m, now)...)
	if len(d) == 0 {
		// What follows from the rest when nothing is wrong.
		differ("runs of the grid", m.Rows.Grid, now.Rows.Grid)
		if !slices.Equal(m.Columns, now.Columns) {
			d = append(d, "columns: other ones")
		}
	}
	differ("format", m.Rows.Format, now.Rows.Format)
	return d
}

func listed(values []string) string {
	if len(values) == 0 {
		return "not given"
	}
	return strings.Join(values, ", ")
}

func given(value string) string {
	if value == "" {
		return "not given"
	}
	return value
}

// scenarioDifferences names the keys of the scenario that differ.
func scenarioDifferences(then, now *ScenarioIdentity) []string {
	was, is := map[string]any{}, map[string]any{}
	// The canonical text is JSON. A manifest may hold anything: then only the digests are known to differ.
	err := json.Unmarshal([]byte(then.Text), &was)
	if err == nil {
		err = json.Unmarshal([]byte(now.Text), &is)
	}
	var d []string
	for _, key := range keysOf(was, is) {
		if key == "seed" || !scenarios.DecidesRows(key) || err != nil {
			continue
		}
		d = append(d, valueDifferences(key, was[key], is[key])...)
	}
	const most = 5
	if len(d) > most {
		d = append(d[:most], fmt.Sprintf("and %d more", len(d)-most))
	}
	return d
}

// valueDifferences goes into maps, and into lists of as many maps, which go by their names, to say what differs.
func valueDifferences(path string, was, is any) []string {
	if reflect.DeepEqual(was, is) {
		return nil
	}
	var d []string
	if a, ok := was.(map[string]any); ok {
		if b, ok := is.(map[string]any); ok {
			for _, key := range keysOf(a, b) {
				d = append(d, valueDifferences(path+"."+key, a[key], b[key])...)
			}
			return d
		}
	}
	a, ok := was.([]any)
	b, ok2 := is.([]any)
	if !ok || !ok2 || len(a) != len(b) || !allMaps(a) || !allMaps(b) {
		return []string{fmt.Sprintf("%s: was %s, is %s", path, compact(was), compact(is))}
	}
	for i := range a {
		name := fmt.Sprint(i)
		if s, ok := a[i].(map[string]any)["name"].(string); ok {
			name = s
		}
		d = append(d, valueDifferences(path+"."+name, a[i], b[i])...)
	}
	return d
}

func allMaps(list []any) bool {
	return !slices.ContainsFunc(list, func(v any) bool { _, ok := v.(map[string]any); return !ok })
}

func keysOf(maps ...map[string]any) []string {
	var keys []string
	for _, m := range maps {
		for k := range m {
			keys = append(keys, k)
		}
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}

// compact writes a value of a scenario on one line that is not too long to read.
func compact(v any) string {
	if v == nil {
		return "not given"
	}
	text, err := json.Marshal(v)
	if err != nil {
		return "other"
	}
	const most = 80
	s := []rune(strings.ReplaceAll(string(text), `"`, ""))
	if len(s) > most {
		return string(s[:most]) + "..."
	}
	return string(s)
}

// inputDifferences names the files that differ, but for the scenario's own, which Digest stands for.
func inputDifferences(then, now *Manifest) []string {
	was, is := then.pageDigests(), now.pageDigests()
	var d []string
	for name, digest := range was {
		switch other, ok := is[name]; {
		case !ok:
			d = append(d, fmt.Sprintf("input %s: is not read any more", name))
		case other != digest:
			d = append(d, fmt.Sprintf("input %s: has other bytes now", name))
		}
	}
	for name := range is {
		if _, ok := was[name]; !ok {
			d = append(d, fmt.Sprintf("input %s: was not read", name))
		}
	}
	slices.Sort(d)
	return d
}

func (m *Manifest) pageDigests() map[string]string {
	digests := map[string]string{}
	for _, in := range m.Inputs {
		if in.Name != m.Scenario.File {
			digests[in.Name] = in.SHA256
		}
	}
	return digests
}
