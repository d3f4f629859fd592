package scenarios

import (
	"errors"
	"testing"
)

// Any text gives a scenario or an *Error; a scenario's canonical form gives it again.
func FuzzParse(f *testing.F) {
	f.Add(two)
	f.Add(base)
	for _, name := range Library() {
		text, _ := libraryFile(name)
		f.Add(string(text))
	}
	f.Add("a: &x [*x]\n")
	f.Add("<<: {name: x}\n? [a]\n: b\n")
	f.Add("name: |\n  x\n--- \n")
	f.Add("\xef\xbb\xbfname: x\n\tpages: 1")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := Parse([]byte(text), "fuzz.yaml")
		if err != nil {
			var e *Error
			if !errors.As(err, &e) {
				t.Fatalf("not an *Error: %v", err)
			}
			return
		}
		again, err := Parse(s.Canonical(), "fuzz.yaml")
		if err != nil {
			t.Fatalf("canonical form: %v\n%s", err, s.Canonical())
		}
		if string(again.Canonical()) != string(s.Canonical()) {
			t.Fatalf("canonical form is not stable:\n%s\n%s", s.Canonical(), again.Canonical())
		}
	})
}

// Any assignment gives a scenario or an *Error.
func FuzzSet(f *testing.F) {
	for _, a := range []string{"seed=2", "interfaces.wifi.rtt=1ms,2ms", "pages=[mix28]", "workload={like: alexa-2015, pages: 2}", "interfaces.0=x", "a.b.c=d", "=", "zip.0.0=page"} {
		f.Add(a)
	}
	f.Fuzz(func(t *testing.T, assignment string) {
		s, err := Parse([]byte(two), "two.yaml")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Set(assignment); err != nil {
			var e *Error
			if !errors.As(err, &e) {
				t.Fatalf("not an *Error: %v", err)
			}
		}
	})
}
