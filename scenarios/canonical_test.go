package scenarios

import (
	"slices"
	"strings"
	"testing"
)

func TestCanonicalGivesTheSameRowsFromAnyFolder(t *testing.T) {
	text := strings.Replace(two, "[mix28, n2x1k, n8x10k]", "[pages/tiny.har, mix28, pages/two*.json]", 1)
	s, err := Parse([]byte(text), "testdata/two.yaml")
	if err != nil {
		t.Fatal(err)
	}
	s = set(t, s, "interfaces.wifi.rtt=10ms,35ms", "sample=40", "seed=3")
	want := rows(t, mustGrid(t, s))
	canonical := s.Canonical()
	t.Chdir(t.TempDir())
	again, err := Parse(canonical, "canonical.yaml")
	if err != nil {
		t.Fatalf("%v\n%s", err, canonical)
	}
	if got := rows(t, mustGrid(t, again)); !slices.Equal(got, want) {
		t.Errorf("%d rows, want %d", len(got), len(want))
	}
	if string(again.Canonical()) != string(canonical) || again.Digest() != s.Digest() {
		t.Errorf("not stable:\n%s\nthen\n%s", canonical, again.Canonical())
	}
}

func TestDigestChangesWithTheScenario(t *testing.T) {
	s := mustParse(t, two)
	seen := map[string]string{s.Digest(): "the scenario"}
	for _, a := range []string{"seed=2", "policies=if1", "interfaces.wifi.rtt=20ms", "deps=initiator"} {
		d := set(t, s, a).Digest()
		if other, ok := seen[d]; ok {
			t.Errorf("%s has the digest of %s", a, other)
		}
		seen[d] = a
	}
	for _, a := range []string{"name=other", "tier=full", "description=x"} {
		if set(t, s, a).Digest() != s.Digest() {
			t.Errorf("%s changes the digest, but no row", a)
		}
	}
}
