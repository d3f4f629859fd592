package main

import (
	"encoding/json"
	"fmt"
	"strings"

	"braid/scenarios"
)

// scenariosCmd lists the scenarios that ship, prints one, or writes them all out.
type scenariosCmd struct {
	List   scenariosListCmd   `cmd:"" default:"withargs" hidden:"" help:"Print the names, one a line."`
	Show   scenariosShowCmd   `cmd:"" help:"Print a scenario; it runs the same from any folder."`
	Export scenariosExportCmd `cmd:"" help:"Write all of them, and the schema for editors, into a folder."`
}

// Help implements kong.HelpProvider.
func (scenariosCmd) Help() string {
	return "Without a command, the names are printed, one a line; with --json, tier, runs and description, too."
}

// scenariosListCmd prints names.
type scenariosListCmd struct {
	JSON bool `name:"json" help:"One JSON object a line, with name, tier, runs and description."`
}

// Run prints the list.
func (c *scenariosListCmd) Run(s streams) error {
	enc := json.NewEncoder(s.out)
	enc.SetEscapeHTML(false)
	for _, name := range scenarios.Library() {
		if !c.JSON {
			if _, err := fmt.Fprintln(s.out, name); err != nil {
				return err
			}
			continue
		}
		sc, err := scenarios.Load(name)
		if err != nil {
			return err
		}
		grid, err := sc.Grid()
		if err != nil {
			return err
		}
		err = enc.Encode(struct {
			Name        string `json:"name"`
			Tier        string `json:"tier"`
			Runs        int64  `json:"runs"`
			Description string `json:"description"`
		}{name, sc.Tier, grid.Len(), strings.Join(strings.Fields(sc.Description), " ")})
		if err != nil {
			return err
		}
	}
	return nil
}

// scenariosShowCmd prints a scenario.
type scenariosShowCmd struct {
	Name string `arg:"" help:"Name of a scenario, as braid scenarios prints it."`
}

// Run prints the text.
func (c *scenariosShowCmd) Run(s streams) error {
	text, err := scenarios.Show(c.Name)
	if err != nil {
		return err
	}
	_, err = s.out.Write(text)
	return err
}

// scenariosExportCmd writes the library.
type scenariosExportCmd struct {
	Dir folderName `arg:"" help:"Folder; made where it is missing. Files that are there and differ are kept, and are an error."`
}

// Run writes the files and prints their names.
func (c *scenariosExportCmd) Run(s streams) error {
	written, err := scenarios.Export(string(c.Dir))
	for _, name := range written {
		if _, err := fmt.Fprintln(s.out, name); err != nil {
			return err
		}
	}
	return err
}
