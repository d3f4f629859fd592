package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"braid/scenarios"
	"braid/sim"
)

// setHelp is the value of --set that asks for the parameters there are.
const setHelp = "help"

// params are the profile's values with those of --knowledge and --set.
func (c *loadCmd) params() (sim.Params, error) {
	params, err := sim.NewParams(string(c.Profile))
	if err != nil {
		return params, err
	}
	if err := params.Set("knowledge", string(c.Knowledge)); err != nil {
		return params, fmt.Errorf("--%w", err)
	}
	for _, assignment := range c.Set {
		name, value, ok := strings.Cut(assignment, "=")
		name, value = strings.TrimSpace(name), strings.TrimSpace(value)
		if !slices.Contains(sim.ParamNames(), name) {
			return params, fmt.Errorf("--set %s: unknown parameter %q%s; braid load --set help lists them", assignment, name, scenarios.DidYouMean(name, "", sim.ParamNames()))
		}
		if !ok {
			return params, fmt.Errorf("--set %q has no value (write it like --set max_per_host=4)", assignment)
		}
		if err := params.Set(name, value); err != nil {
			return params, fmt.Errorf("--set %s: %w", assignment, err)
		}
	}
	if err := params.Validate(); err != nil {
		return params, fmt.Errorf("--set: %w", err)
	}
	return params, nil
}

// setting is a parameter and its value, as text.
type setting struct{ name, value string }

// changed returns the parameters that differ from those of their profile, in the order of sim.ParamTable, without
// knowledge, which is told apart.
func changed(params *sim.Params) []setting {
	profile, err := sim.NewParams(params.Profile)
	if err != nil {
		panic(err) // a programming error: the parameters were made from a profile
	}
	var list []setting
	for _, d := range sim.ParamTable {
		if v := d.Get(params); v != d.Get(&profile) && d.Name != "knowledge" {
			list = append(list, setting{d.Name, v})
		}
	}
	return list
}

// jsonSetting is one line of braid load --set help --json. Values are by profile.
type jsonSetting struct {
	Name   string            `json:"name"`
	Values map[string]string `json:"values"`
	Doc    string            `json:"doc"`
	Source string            `json:"source"`
}

// settingWidth is the width of the column that says what a parameter means, so that the table has at most 110 columns.
const settingWidth = 60

// printSettings prints the parameters of the model: name, value in each profile, meaning and source.
func printSettings(w io.Writer, asJSON bool) error {
	t := table{columns: []column{{"parameter", true}}}
	for _, p := range sim.Profiles {
		t.columns = append(t.columns, column{p.Name, true})
	}
	t.columns = append(t.columns, column{"meaning [source]", true})
	for _, d := range sim.ParamTable {
		j := jsonSetting{d.Name, map[string]string{}, d.Doc, d.Source}
		row := []string{d.Name}
		for _, p := range sim.Profiles {
			params := p.New()
			j.Values[p.Name] = d.Get(&params)
			row = append(row, j.Values[p.Name])
		}
		if asJSON {
			if err := encodeLine(w, j); err != nil {
				return err
			}
			continue
		}
		for _, line := range wrapped(d.Doc+" ["+d.Source+"]", settingWidth) {
			t.add(append(row, line)...)
			row = make([]string, len(row))
		}
	}
	if !asJSON {
		t.write(w)
	}
	return nil
}

// wrapped breaks text between words into lines of at most width characters; a longer word has a line of its own.
func wrapped(text string, width int) []string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(text) {
		if line != "" && utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > width {
			lines, line = append(lines, line), ""
		}
		if line != "" {
			line += " "
		}
		line += word
	}
	return append(lines, line)
}
