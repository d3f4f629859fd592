package main

import "braid/scenarios"

// schemaCmd prints the JSON Schema of scenarios.
type schemaCmd struct{}

// Help implements kong.HelpProvider.
func (schemaCmd) Help() string {
	return `Editors with a YAML language server complete and check scenarios with it:

  braid schema > scenario.schema.json

and as first line of the scenario:

  # yaml-language-server: $schema=scenario.schema.json`
}

// Run prints it.
func (c *schemaCmd) Run(s streams) error {
	text, err := scenarios.SchemaJSON()
	if err != nil {
		return err
	}
	_, err = s.out.Write(text)
	return err
}
