package scenarios

import (
	"fmt"
	"strings"
)

// Warnings says what the scenario sets and what has no effect on its runs, one line each.
func (s *Scenario) Warnings() []string {
	var names []string
	for _, f := range s.Interfaces {
		if f.Queue != nil {
			names = append(names, f.Name)
		}
	}
	if names == nil {
		return nil
	}
	return []string{fmt.Sprintf("queue of %s has no effect: the flow level, which runs this scenario, does not model queues that overflow", strings.Join(names, ", "))}
}
