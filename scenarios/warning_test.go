package scenarios

import (
	"slices"
	"strings"
	"testing"
)

func TestQueueIsWarnedOf(t *testing.T) {
	if got := mustParse(t, base).Warnings(); got != nil {
		t.Errorf("%q", got)
	}
	s := mustParse(t, strings.ReplaceAll(base, "ms}", "ms, queue: 60kB}"))
	want := []string{"queue of wifi, lte has no effect: the flow level, which runs this scenario, does not model queues that overflow"}
	if got := s.Warnings(); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
