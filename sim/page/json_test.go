package page

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"
)

func read(s string) (*Page, error) { return ReadJSON(strings.NewReader(s), "p.json", "p") }

func TestReadJSON(t *testing.T) {
	p, err := read(`{
		"name": "shop",
		"objects": [
			{"host": "a.example", "tls": true, "bytes": 1234, "after": null},
			{"host": "a.example:8080", "bytes": 0, "after": 0, "think": "20ms", "server": "1.5s"}
		]
	}`)
	if err != nil {
		t.Fatal(err)
	}
	want := []Object{
		{Host: "a.example", TLS: true, Bytes: 1234, After: None},
		{Host: "a.example:8080", Bytes: 0, After: 0, Think: 20 * time.Millisecond, Server: 1500 * time.Millisecond},
	}
	if p.Name != "shop" || !slices.Equal(p.Objects, want) {
		t.Errorf("%q %+v, want %+v", p.Name, p.Objects, want)
	}
	var text bytes.Buffer
	if err := p.WriteJSON(&text); err != nil {
		t.Fatal(err)
	}
	again, err := read(text.String())
	if err != nil || again.Name != p.Name || !slices.Equal(again.Objects, p.Objects) {
		t.Errorf("written and read again: %+v, %v", again, err)
	}
	if p, err := read(`{"objects": [{"host": "a.example", "bytes": 1}]}`); err != nil || p.Name != "p" || p.Objects[0].After != None {
		t.Errorf("without a name and after: %+v, %v", p, err)
	}
}

// TestReadJSONErrors: the place is file:line:column, both from 1; the column counts bytes.
func TestReadJSONErrors(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"empty", "", `p.json:1:1: not a page in JSON: EOF`},
		{"truncated", "{\n  \"objects\": [", `p.json:2:15: not a page in JSON: unexpected EOF`},
		{"not JSON", "{\n  name}", `p.json:2:3: not a page in JSON: invalid character 'n'`},
		{"a type", "{\"objects\": [\n{\"host\": 7, \"bytes\": 1}]}", `p.json:2:10: not a page in JSON: json: cannot unmarshal number`}, // the last byte of the value
		{"a fraction", `{"objects": [{"host": "a", "bytes": 1.5}]}`, `p.json:1:39: not a page in JSON`},
		{"too large", `{"objects": [{"host": "a", "bytes": 99999999999999999999}]}`, `not a page in JSON`},
		{"unknown key", "{\"name\": \"size\", \"objects\": [\n  {\"host\": \"size\",\n   \"size\": 7}]}", `p.json:3:4: not a page in JSON: json: unknown field "size"`},
		{"a list", `[]`, `p.json:1:1: not a page in JSON`},
		{"text after", "{\"objects\": [{\"host\": \"a\", \"bytes\": 1}]}\n  x", `p.json:2:3: text after the page`},
		{"no objects", `{}`, `p.json: page "p" has no objects`},
		{"null", `null`, `p.json: page "p" has no objects`},
		{"no host", "{\"objects\": [\n{\"bytes\": 1}]}", `p.json:2:1: page "p": object 0 has no host`},
		{"no bytes", "{\"name\": \"x\", \"objects\": [{\"host\": \"a\", \"bytes\": 1},\n\n   {\"host\": \"a\"}]}", `p.json:3:4: page "x": object 1 has no "bytes"`},
		{"a null object", `{"objects": [null]}`, `p.json:1:14: page "p": object 0 has no "bytes"`},
		{"negative bytes", `{"objects": [{"host": "a", "bytes": -1}]}`, `p.json:1:14: page "p": object 0 has -1 bytes (expected 0 to 2^40)`},
		{"after itself", `{"objects": [{"host": "a", "bytes": 1, "after": 0}]}`, `p.json:1:14: page "p": objects wait for each other in a cycle: 0 -> 0 (drop one of these "after")`},
		{"after -1", `{"objects": [{"host": "a", "bytes": 1, "after": -1}]}`, `object 0 is after -1 (expected null or an index from 0 to 0)`},
		{"after nothing", "{\"objects\": [{\"host\": \"a\", \"bytes\": 1},\n {\"host\": \"a\", \"bytes\": 1, \"after\": 2}]}", `p.json:2:2: page "p": object 1 is after 2 (expected null or an index from 0 to 1)`},
		{"think without unit", `{"objects": [{"host": "a", "bytes": 1, "think": "20"}]}`, `p.json:1:14: page "p": object 0 has a wrong "think": duration "20" has no unit (write it like 20ms)`},
		{"negative server", `{"objects": [{"host": "a", "bytes": 1, "server": "-1s"}]}`, `object 0 has a wrong "server": duration "-1s" is negative`},
	} {
		p, err := read(c.text)
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), "p.json:") {
			t.Errorf("%s: %v, %v; want an error with %q", c.name, p, err, c.want)
		}
	}
}

type brokenReader struct{ err error }

func (r brokenReader) Read([]byte) (int, error) { return 0, r.err }

func TestReadJSONPassesReadErrorsOn(t *testing.T) {
	broken := errors.New("disk on fire")
	if _, err := ReadJSON(brokenReader{broken}, "p.json", "p"); !errors.Is(err, broken) {
		t.Errorf("%v", err)
	}
}

func TestLineColumn(t *testing.T) {
	data := []byte("ab\n\ncd")
	for offset, want := range [][2]int{{1, 1}, {1, 2}, {1, 3}, {2, 1}, {3, 1}, {3, 2}, {3, 3}} {
		if line, col := LineColumn(data, int64(offset)); line != want[0] || col != want[1] {
			t.Errorf("offset %d: %d:%d, want %d:%d", offset, line, col, want[0], want[1])
		}
	}
	if line, col := LineColumn(data, 99); line != 3 || col != 3 {
		t.Errorf("past the end: %d:%d", line, col)
	}
	if line, col := LineColumn(data, -1); line != 1 || col != 1 {
		t.Errorf("before the start: %d:%d", line, col)
	}
}

// FuzzReadJSON: whatever the text, there is a page that can be written and read again, or an error that names the file.
func FuzzReadJSON(f *testing.F) {
	for _, s := range []string{
		`{"name": "p", "objects": [{"host": "a", "tls": true, "bytes": 1, "after": null, "think": "20ms"}]}`,
		`{"objects": [{"host": "a", "bytes": 1, "after": 0}]}`, `{"objects": [null]}`, `{"OBJECTS": [{}], "objects": 7}`, `[`, `null`, "\ufeff{}",
		`{"objects": [{"host": "a", "bytes": 1, "after": 1}, {"host": "a", "bytes": 1, "after": 0}]}`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := ReadJSON(bytes.NewReader(data), "p.json", "p")
		if err != nil {
			if !strings.HasPrefix(err.Error(), "p.json:") {
				t.Errorf("the error does not name the file: %v", err)
			}
			return
		}
		p.Depth() // ends: there is no cycle
		var text bytes.Buffer
		if err := p.WriteJSON(&text); err != nil {
			t.Fatal(err)
		}
		again, err := ReadJSON(&text, "p.json", "p")
		if err != nil || again.Name != p.Name || !slices.Equal(again.Objects, p.Objects) {
			t.Errorf("written and read again: %+v, %v; was %+v", again, err, p)
		}
	})
}
