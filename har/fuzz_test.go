package har

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

// Whatever the bytes: no panic, an error or a page that holds what every page holds, and the same again. Text that
// the standard library takes as JSON is no syntax error here.
func FuzzRead(f *testing.F) {
	seeds, err := filepath.Glob(filepath.Join("testdata", "*.har"))
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range seeds {
		text, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Add([]byte("\x1f\x8b\x08"))
	f.Add([]byte("\xff\xfe{\x00}\x00"))
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := Read(bytes.NewReader(data), "fuzz.har")
		if err != nil {
			if json.Valid(data) && bytes.HasPrefix(bytes.TrimSpace(data), []byte("{")) && isSyntax(err) {
				t.Fatalf("valid JSON is refused: %v", err)
			}
			return
		}
		for _, deps := range []Deps{ByTime, ByInitiator} {
			for _, selector := range []string{"", All, "1"} {
				p, found, err := file.Page(selector, Options{Deps: deps})
				if err != nil {
					continue
				}
				checkPage(t, p, found)
				again, foundAgain, err := file.Page(selector, Options{Deps: deps})
				if err != nil || len(again.Objects) != len(p.Objects) || rules(found) != rules(foundAgain) {
					t.Fatalf("the same page again: %v, %v", again, err)
				}
			}
		}
	})
}

// isSyntax tells errors of grammar from those of content, by what they say.
func isSyntax(err error) bool {
	return bytes.Contains([]byte(err.Error()), []byte("is not valid here"))
}

func FuzzInstant(f *testing.F) {
	for _, s := range []string{"2020-01-01T00:00:00Z", "2020-01-01T00:00:00.59+02:00", "2020-12-31 23:59:60,123456789-0430", "1577836800005"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		i := parseInstant(s)
		if i.known() && (i.digits > 6 || i.fraction < 0 || i.fraction > 999999) {
			t.Fatalf("%q: %+v", s, i)
		}
	})
}
