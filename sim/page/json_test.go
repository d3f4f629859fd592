package page

import (
	"bytes"
	"encoding/json"
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
	if p, err := read(`{"name": null, "objects": [{"host": "a\u002eexample", "tls": null, "bytes": 1, "think": null}]}`); err != nil || p.Name != "p" ||
		p.Objects[0] != (Object{Host: "a.example", Bytes: 1, After: None}) {
		t.Errorf("with null and an escape: %+v, %v", p, err)
	}
	if p, err := read("\ufeff{\"objects\": [{\"host\": \"a.example\", \"bytes\": 1}]}"); err != nil || p.Bytes() != 1 {
		t.Errorf("with a byte order mark: %+v, %v", p, err)
	}
	if _, err := read("\ufeff{7"); err == nil || !strings.HasPrefix(err.Error(), "p.json:1:2: ") {
		t.Errorf("columns count from behind a byte order mark: %v", err)
	}
	if p, err := read(`{"objects": [{"host": "a.example", "bytes": 1}]}`); err != nil || p.Name != "p" || p.Objects[0].After != None {
		t.Errorf("without a name and after: %+v, %v", p, err)
	}
}

// TestReadJSONErrors: the place is file:line:column, both from 1; the column counts bytes. No error speaks of Go.
func TestReadJSONErrors(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"empty", "", `p.json:1:1: the text ends too early`},
		{"truncated", "{\n  \"objects\": [", `p.json:2:15: the text ends too early`},
		{"cut in a string", "{\"objects\": [\n{\"host\": \"a", `p.json:2:10: object 0: the text ends too early`},
		{"not JSON", "{\n  name}", `p.json:2:3: invalid character 'n'`},
		{"a comma too many", `{"objects": [{"host": "a", "bytes": 1},]}`, `p.json:1:40: invalid character ']'`},
		{"a comma too few", `{"objects": [{"host": "a" "bytes": 1}]}`, `p.json:1:27: object 0: invalid character '"'`},
		{"no colon", `{"objects" [`, `p.json:1:12: invalid character '['`},
		{"a wrong escape", `{"name": "\x"}`, `p.json:1:12: invalid character 'x'`},
		{"a short escape", `{"name": "\u12"}`, `p.json:1:15: invalid character '"'`},
		{"a line break in text", "{\"name\": \"a\nb\"}", `p.json:1:12: invalid character '\n'`},
		{"Latin-1", "{\"name\": \"caf\xe9\"}", `p.json:1:14: byte 0xe9 in text is not UTF-8 (save the file as UTF-8)`},
		{"UTF-16", "\xff\xfe{\x00}\x00", `p.json:1:1: the text is UTF-16 (save the file as UTF-8)`},
		{"a type", "{\"objects\": [\n{\"host\": 7, \"bytes\": 1}]}", `p.json:2:10: object 0: host is a number (expected text in double quotes)`},
		{"a text for a number", `{"objects": [{"host": "a", "bytes": "1"}]}`, `p.json:1:37: object 0: bytes is text (expected a whole number from 0 to 2^40)`},
		{"a number for a truth", `{"objects": [{"host": "a", "tls": 1}]}`, `p.json:1:35: object 0: tls is a number (expected true or false)`},
		{"a word", `{"objects": [{"host": "a", "tls": yes}]}`, `p.json:1:35: object 0: invalid character 'y'`},
		{"an object for a list", `{"objects": {}}`, `p.json:1:13: objects is an object (expected a list in [ ])`},
		{"a fraction", `{"objects": [{"host": "a", "bytes": 1.5}]}`, `p.json:1:37: object 0: bytes is 1.5 (expected a whole number from 0 to 2^40)`},
		{"a leading zero", `{"objects": [{"host": "a", "bytes": 012}]}`, `p.json:1:38: object 0: invalid character '1'`},
		{"too large", `{"objects": [{"host": "a", "bytes": 99999999999999999999}]}`, `p.json:1:37: object 0: bytes is 99999999999999999999 (expected a whole number from 0 to 2^40)`},
		{"unknown key", "{\"name\": \"size\", \"objects\": [\n  {\"host\": \"size\",\n   \"size\": 7}]}", `p.json:3:4: object 0: unknown key "size" (keys: host, tls, bytes, after, think, server)`},
		{"a key in capitals", `{"Objects": []}`, `p.json:1:2: unknown key "Objects" (keys: name, objects)`},
		{"a key twice", "{\"objects\": [\n{\"host\": \"a\", \"bytes\": 1, \"host\": \"b\"}]}", `p.json:2:27: object 0: the key "host" is given twice`},
		{"a key twice, once null", `{"objects": [{"host": "a", "bytes": 1, "after": null, "after": 0}]}`, `p.json:1:55: object 0: the key "after" is given twice`},
		{"a key twice, once escaped", `{"objects": [{"host": "a", "bytes": 1, "\u0068ost": "b"}]}`, `p.json:1:40: object 0: the key "host" is given twice`},
		{"objects twice", `{"objects": [], "objects": []}`, `p.json:1:17: the key "objects" is given twice`},
		{"a list", `[]`, `p.json:1:1: the page is a list (expected an object in { })`},
		{"a wrong escape behind much text", `{"name": "` + strings.Repeat("a", 5000) + `", "objects": [{"host": "\x"}]}`, `p.json:1:5037: object 0: invalid character 'x'`},
		{"cut in a word", `{"objects": [{"host": "a", "tls": tru`, `p.json:1:35: object 0: the text ends too early`},
		{"cut behind a comma", "{\"name\": \"a\", \n", `p.json:2:1: the text ends too early`},
		{"UTF-16 without a mark", "{\x00}\x00", `p.json:1:2: invalid character '\x00'`},
		{"a comma after the page", `{"objects": [{"host": "a", "bytes": 1}]},`, `p.json:1:41: text after the page`},
		{"a bracket after the page", `{"objects": [{"host": "a", "bytes": 1}]}]`, `p.json:1:41: text after the page`},
		{"deeply nested", `{"objects": ` + strings.Repeat("[", 1e6), `p.json:1:14: object 0: it is a list (expected an object in { })`},
		{"deeply nested key", `{"a": ` + strings.Repeat("[", 1e6), `p.json:1:2: unknown key "a"`},
		{"text after", "{\"objects\": [{\"host\": \"a\", \"bytes\": 1}]}\n  x", `p.json:2:3: text after the page`},
		{"no objects", `{}`, `p.json: page "p" has no objects`},
		{"null", `null`, `p.json:1:1: the page is null (expected an object in { })`},
		{"no host", "{\"objects\": [\n{\"bytes\": 1}]}", `p.json:2:1: page "p": object 0 has no host`},
		{"no bytes", "{\"name\": \"x\", \"objects\": [{\"host\": \"a\", \"bytes\": 1},\n\n   {\"host\": \"a\"}]}", `p.json:3:4: object 1 has no "bytes"`},
		{"null bytes", `{"objects": [{"host": "a", "bytes": null}]}`, `p.json:1:14: object 0 has no "bytes"`},
		{"a null object", `{"objects": [null]}`, `p.json:1:14: object 0: it is null (expected an object in { })`},
		{"negative bytes", `{"objects": [{"host": "a", "bytes": -1}]}`, `p.json:1:37: object 0: bytes is -1 (expected a whole number from 0 to 2^40)`},
		{"after itself", `{"objects": [{"host": "a", "bytes": 1, "after": 0}]}`, `p.json:1:14: page "p": object 0 waits for itself: 0 -> 0 (drop one of these "after")`},
		{"after -1", `{"objects": [{"host": "a", "bytes": 1, "after": -1}]}`, `p.json:1:49: object 0: after is -1 (expected null or the index of an object)`},
		{"after nothing", "{\"objects\": [{\"host\": \"a\", \"bytes\": 1},\n {\"host\": \"a\", \"bytes\": 1, \"after\": 2}]}", `p.json:2:2: page "p": object 1 is after 2 (expected null or an index from 0 to 1)`},
		{"after far away", `{"objects": [{"host": "a", "bytes": 1, "after": 4294967296}]}`, `p.json:1:49: object 0: after is 4294967296 (expected null or the index of an object)`},
		{"think without unit", `{"objects": [{"host": "a", "bytes": 1, "think": "20"}]}`, `p.json:1:49: object 0: think: duration "20" has no unit (write it like 20ms)`},
		{"negative server", `{"objects": [{"host": "a", "bytes": 1, "server": "-1s"}]}`, `p.json:1:50: object 0: server: duration "-1s" is negative`},
		{"a long server", "{\"objects\": [\n{\"host\": \"a\", \"bytes\": 1, \"server\": \"9999h\"}]}", `p.json:2:`},
	} {
		p, err := read(c.text)
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), "p.json:") {
			t.Errorf("%s: %v, %v; want an error with %q", c.name, p, err, c.want)
		}
		for _, word := range []string{" json: ", "int64", "struct", "unmarshal"} {
			if err != nil && strings.Contains(err.Error(), word) {
				t.Errorf("%s: %v speaks of %s", c.name, err, word)
			}
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
		if !json.Valid(bytes.TrimPrefix(data, utf8Mark)) {
			t.Errorf("%q is no JSON, but read as a page", data)
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
