package check

import (
	"fmt"
	"strings"

	"braid/scenarios"
)

// repositoryFile is the scenario's file as systems that look into a repository call it: of a scenario of the library the
// file in braid's own.
func repositoryFile(r *Report) string {
	file, ok := r.Scenario.File()
	if !ok {
		return scenarios.LibrarySource(file)
	}
	return file
}

func firstLine(text string) string {
	first, _, _ := strings.Cut(text, "\n")
	return first
}

// publishedText says of a published number what was published, simulated, and how far they are apart.
func (l *Line) publishedText() string {
	text := fmt.Sprintf("published %s, simulated %s, difference %s", l.Expect.Want, l.Simulated, l.Difference)
	if l.Runs == 0 {
		text = fmt.Sprintf("published %s: %v", l.Expect.Want, l.Fault)
	}
	if l.Expect.Source != "" {
		text += " (" + l.Expect.Source + ")"
	}
	return text
}
