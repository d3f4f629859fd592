package main

import (
	"fmt"
	"runtime/debug"

	"braid/sim"
)

// version says which build this is and which model it holds: two builds of one model version give the same results.
func version() string {
	module, revision, modified := "(devel)", "", ""
	if info, ok := debug.ReadBuildInfo(); ok {
		if info.Main.Version != "" {
			module = info.Main.Version
		}
		for _, s := range info.Settings {
			switch {
			case s.Key == "vcs.revision":
				revision = " " + s.Value[:min(12, len(s.Value))]
			case s.Key == "vcs.modified" && s.Value == "true":
				modified = " (modified)"
			}
		}
	}
	return fmt.Sprintf("braid %s%s%s, model version %d", module, revision, modified, sim.ModelVersion)
}
