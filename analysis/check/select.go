package check

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"braid/scenarios"
)

// Select returns the checks of the scenarios that are named: files, names of the library, and globs of both. A scenario
// named in full is always taken; of a glob, and of the library where nothing is named, only those of the quick tier, unless
// all is true. Each is taken once. It is an error if a name or a glob means nothing, or a scenario has a fault.
func Select(names []string, all bool) ([]*Check, error) {
	s := selection{all: all, taken: map[string]bool{}}
	if len(names) == 0 {
		if err := s.add(scenarios.Library(), false); err != nil {
			return nil, err
		}
	}
	for _, name := range names {
		if !isGlob(name) {
			if err := s.add([]string{name}, true); err != nil {
				return nil, err
			}
			continue
		}
		matches, err := glob(name)
		if err != nil {
			return nil, err
		}
		before, seen := len(s.checks), s.again
		if err := s.add(matches, false); err != nil {
			return nil, err
		}
		if len(s.checks) == before && s.again == seen {
			return nil, fmt.Errorf("%s: only scenarios of the tier %s (%s); add --all, or name one in full", name, scenarios.Full, strings.Join(matches, ", "))
		}
	}
	return s.checks, nil
}

// selection is the scenarios taken so far.
type selection struct {
	all    bool
	checks []*Check
	taken  map[string]bool
	again  int // how often one was named that is taken already
}

// add takes scenarios; any tells that their tier does not matter.
func (s *selection) add(names []string, any bool) error {
	for _, name := range names {
		key := filepath.Clean(name)
		if s.taken[key] {
			s.again++
			continue
		}
		scenario, err := scenarios.Load(name)
		if err != nil {
			return err
		}
		if !any && !s.all && scenario.Tier != scenarios.Quick {
			continue
		}
		c, err := New(name, scenario)
		if err != nil {
			return err
		}
		s.taken[key] = true
		s.checks = append(s.checks, c)
	}
	return nil
}

// isGlob says whether a name is a pattern, and not that of a file with such characters.
func isGlob(name string) bool {
	if _, err := os.Lstat(name); err == nil {
		return false
	}
	return strings.ContainsAny(name, "*?[")
}

// glob lists the scenarios of the library, and the files of scenarios, that a pattern matches.
func glob(pattern string) ([]string, error) {
	var matches []string
	for _, name := range scenarios.Library() {
		ok, err := path.Match(pattern, name)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", pattern, err)
		}
		if ok {
			matches = append(matches, name)
		}
	}
	files, err := filepath.Glob(pattern)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", pattern, err)
	}
	files = slices.DeleteFunc(files, func(f string) bool { return !slices.Contains([]string{".yaml", ".yml"}, filepath.Ext(f)) })
	if matches = append(matches, files...); len(matches) == 0 {
		return nil, fmt.Errorf("%s matches no file ending in .yaml or .yml, and no scenario of the library%s", pattern, scenarios.DidYouMean(pattern, "library", scenarios.Library()))
	}
	return matches, nil
}
