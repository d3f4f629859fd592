package scenarios

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"path/filepath"
	"sort"
)

// Canonical returns the scenario with every --set applied, as YAML in the form of JSON: one line for each key, quantities
// as written, files relative to the scenario's folder where they are below it. Load and Parse read it, and it gives the same
// rows as a file in that folder, wherever the folder is.
func (s *Scenario) Canonical() []byte {
	return s.canonical(func(string) bool { return true })
}

// Digest is the SHA-256 of the part of Canonical that decides the rows: two scenarios of one digest have the same rows if
// their pages have the same bytes (see Inputs). Name, description, source, tier, expectations and
// baseline do not count.
func (s *Scenario) Digest() string {
	sum := sha256.Sum256(s.canonical(DecidesRows))
	return hex.EncodeToString(sum[:])
}

// DecidesRows says whether a key of a scenario has a say in its rows.
func DecidesRows(key string) bool {
	switch key {
	case "name", "description", "source", "tier", "expect", "baseline":
		return false
	}
	return true
}

// InputName returns what the scenario's own file is called in Inputs.
func (s *Scenario) InputName() string { return s.inputName(s.file) }

func (s *Scenario) canonical(keep func(key string) bool) []byte {
	out := []byte("{")
	for _, k := range s.root.keys {
		if !keep(k.name) {
			continue
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(out, "\n  "...)
		out = appendJSON(out, k.name)
		out = append(out, ": "...)
		v := k.value
		if k.name == "pages" {
			v = s.relativePages(v)
		}
		out = v.appendCanonical(out)
	}
	return append(out, "\n}\n"...)
}

// Inputs returns the scenario's file and the files of its pages, named from the scenario's folder and sorted by name, each
// once, with their digests.
func (s *Scenario) Inputs() ([]Input, error) {
	_, pages, err := s.pageItems()
	if err != nil {
		return nil, err
	}
	seen := map[Input]bool{}
	var inputs []Input
	for _, in := range s.inputs {
		inputs = append(inputs, Input{s.inputName(in.Name), in.SHA256})
	}
	for _, in := range pages {
		if !seen[in] {
			seen[in] = true
			inputs = append(inputs, in)
		}
	}
	sort.Slice(inputs, func(i, j int) bool { return inputs[i].Name < inputs[j].Name })
	return inputs, nil
}

func (s *Scenario) relativePages(t *tree) *tree {
	c := &tree{at: t.at, kind: list}
	for _, item := range t.items() {
		i := *item
		if _, ok := BuiltinPage(i.text); !ok && looksLikeFile(i.text) {
			i.text = s.relative(i.text)
		}
		c.list = append(c.list, &i)
	}
	return c
}

// pageName is the name of a page's file in Inputs: from the scenario's folder, unless it was written as an absolute path
// that leads elsewhere. It is the same on any machine where the folders lie alike.
func (s *Scenario) pageName(written, file string) string {
	if !filepath.IsAbs(written) && s.absolute != "" {
		if absolute, err := filepath.Abs(file); err == nil {
			if rel, err := filepath.Rel(s.absolute, absolute); err == nil {
				return filepath.ToSlash(rel)
			}
		}
	}
	return s.inputName(file)
}

// relative is a path as it is from the scenario's folder, with slashes. An absolute path that leads elsewhere stays one.
// path is absolute, or relative to the scenario's folder.
func (s *Scenario) relative(path string) string {
	path = filepath.Clean(path)
	if filepath.IsAbs(path) && s.absolute != "" {
		if rel, err := filepath.Rel(s.absolute, path); err == nil && filepath.IsLocal(rel) {
			path = rel
		}
	}
	return filepath.ToSlash(path)
}

// inputName is the name of a file that was read, from the scenario's folder.
func (s *Scenario) inputName(name string) string {
	if s.absolute == "" {
		return filepath.ToSlash(name) // a scenario of the library reads no files beside itself
	}
	if absolute, err := filepath.Abs(name); err == nil {
		return s.relative(absolute)
	}
	return filepath.ToSlash(name)
}

func (t *tree) appendCanonical(out []byte) []byte {
	switch t.kind {
	case list:
		out = append(out, '[')
		for i, item := range t.list {
			if i > 0 {
				out = append(out, ", "...)
			}
			out = item.appendCanonical(out)
		}
		return append(out, ']')
	case mapping:
		out = append(out, '{')
		for i, k := range t.keys {
			if i > 0 {
				out = append(out, ", "...)
			}
			out = appendJSON(out, k.name)
			out = append(out, ": "...)
			out = k.value.appendCanonical(out)
		}
		return append(out, '}')
	}
	return appendJSON(out, t.text)
}

// appendJSON writes a text in quotes. Every scalar is one: the keys' tables read text.
func appendJSON(out []byte, s string) []byte {
	q, err := json.Marshal(s)
	if err != nil {
		panic(err) // a programming error: a string always has a JSON form
	}
	return append(out, q...)
}
