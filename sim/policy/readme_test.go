package policy

import (
	"os"
	"strings"
	"testing"
)

// readmeFewest opens connections until there are three, then waits for the one that would be done first.
type readmeFewest struct{}

func (readmeFewest) Place(v View) (Choice, bool) {
	s := search{view: v}
	s.reuse()
	if len(v.Conns()) < 3 {
		s.open(Over(0))
	}
	return s.best, s.found
}

func (readmeFewest) Reads() Reads { return Reads{Ifaces: 1, Predictions: true} }

// TestReadmePolicy holds the README's example to the code above, which has to compile. The names differ, so that who
// follows the README does not meet them here.
func TestReadmePolicy(t *testing.T) {
	var _ Policy = readmeFewest{}
	code, err := os.ReadFile("readme_test.go")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, block, _ := strings.Cut(string(text), "```go\n")
	block, _, found := strings.Cut(block, "```")
	if !found || !strings.Contains(strings.ReplaceAll(string(code), "readmeFewest", "fewest"), block) {
		t.Error("the README's policy is not the one in readme_test.go")
	}
}
