package page

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// jsonText reads a JSON text (RFC 8259) from the first value to the last. It knows where it is, refuses keys that are not
// asked for or given twice, and says what is wrong in the words of the text, not of Go.
type jsonText struct {
	data []byte
	pos  int // of the next byte
}

// textError is a fault at a byte of the text.
type textError struct {
	offset int
	text   string
}

func (e *textError) Error() string { return e.text }

func (t *jsonText) errorAt(offset int, format string, args ...any) error {
	return &textError{offset, fmt.Sprintf(format, args...)}
}

// peek returns the next byte, 0 at the end of the text.
func (t *jsonText) peek() byte {
	if t.pos == len(t.data) {
		return 0
	}
	return t.data[t.pos]
}

// next skips white space and returns the byte after it, 0 at the end of the text.
func (t *jsonText) next() byte {
	for t.pos < len(t.data) && strings.IndexByte(" \t\r\n", t.data[t.pos]) >= 0 {
		t.pos++
	}
	return t.peek()
}

// fail says what the next byte is, and what was expected.
func (t *jsonText) fail(expected string) error {
	switch c := t.peek(); {
	case t.pos == len(t.data):
		return t.errorAt(t.pos, "the text ends here (expected %s)", expected)
	case c > 0x20 && c < 0x7f:
		return t.errorAt(t.pos, "%q is not valid here (expected %s)", c, expected)
	default:
		return t.errorAt(t.pos, "byte 0x%02x is not valid here (expected %s)", c, expected)
	}
}

// object reads an object. Its keys are those listed, each at most once; each is called with the position of the key in the
// list and the value next. A value that is null is as if its key were left out.
func (t *jsonText) object(what string, keys []string, each func(key int) error) error {
	if t.next() != '{' {
		return t.wrongType(what, "an object in { }")
	}
	t.pos++
	given := make([]bool, len(keys))
	for first := true; ; first = false {
		if c := t.next(); first && c == '}' {
			break
		} else if c != '"' {
			return t.fail("a key in double quotes" + or(first, "}"))
		}
		at := t.pos
		name, err := t.str()
		if err != nil {
			return err
		}
		key := slices.Index(keys, name)
		switch {
		case key < 0:
			return t.errorAt(at, "unknown key %q (keys: %s)", name, strings.Join(keys, ", "))
		case given[key]:
			return t.errorAt(at, "the key %q is given twice", name)
		}
		given[key] = true
		if t.next() != ':' {
			return t.fail("':' after the key")
		}
		t.pos++
		if t.next(); !t.null() {
			if err := each(key); err != nil {
				return err
			}
		}
		if c := t.next(); c == '}' {
			break
		} else if c != ',' {
			return t.fail("',' or '}'")
		}
		t.pos++
	}
	t.pos++
	return nil
}

// list reads a list and calls each for every element, with the element next.
func (t *jsonText) list(what string, each func() error) error {
	if t.next() != '[' {
		return t.wrongType(what, "a list in [ ]")
	}
	t.pos++
	for first := true; ; first = false {
		if t.next() == ']' && first {
			break
		}
		if err := each(); err != nil {
			return err
		}
		if c := t.next(); c == ']' {
			break
		} else if c != ',' {
			return t.fail("',' or ']'")
		}
		t.pos++
	}
	t.pos++
	return nil
}

// or is the rest of what may stand where an object begins.
func or(first bool, end string) string {
	if first {
		return " or '" + end + "'"
	}
	return ""
}

// wrongType says that a value is not of its type; what is no value at all is a fault of the text.
func (t *jsonText) wrongType(what, expected string) error {
	types := []struct{ begins, is string }{
		{"{", "an object"}, {"[", "a list"}, {`"`, "text"}, {"-0123456789", "a number"}, {"tf", "true or false"}, {"n", "null"},
	}
	for _, ty := range types {
		if t.pos < len(t.data) && strings.IndexByte(ty.begins, t.peek()) >= 0 {
			return t.errorAt(t.pos, "%s is %s (expected %s)", what, ty.is, expected)
		}
	}
	return t.fail(expected)
}

// null reads null, if that is what comes next.
func (t *jsonText) null() bool { return t.word("null") }

func (t *jsonText) word(word string) bool {
	if !bytes.HasPrefix(t.data[t.pos:], []byte(word)) {
		return false
	}
	t.pos += len(word)
	return true
}

// boolean reads true or false.
func (t *jsonText) boolean(what string) (bool, error) {
	switch {
	case t.word("true"):
		return true, nil
	case t.word("false"):
		return false, nil
	}
	return false, t.wrongType(what, "true or false")
}

// whole reads a whole number from least to most. expected names these bounds.
func (t *jsonText) whole(what string, least, most int64, expected string) (int64, error) {
	end := t.pos
	for end < len(t.data) && strings.IndexByte("+-.0123456789eE", t.data[end]) >= 0 {
		end++
	}
	text := string(t.data[t.pos:end])
	if text == "" {
		return 0, t.wrongType(what, expected)
	}
	v, err := strconv.ParseInt(text, 10, 64)
	if err != nil || v < least || v > most || !json.Valid(t.data[t.pos:end]) {
		return 0, t.errorAt(t.pos, "%s is %s (expected %s)", what, text, expected)
	}
	t.pos = end
	return v, nil
}

// text reads a string that is a value.
func (t *jsonText) text(what string) (string, error) {
	if t.peek() != '"' {
		return "", t.wrongType(what, "text in double quotes")
	}
	return t.str()
}

// str reads a string.
func (t *jsonText) str() (string, error) {
	opened := t.pos
	t.pos++
	escaped := false
	for {
		switch c := t.peek(); {
		case t.pos == len(t.data):
			return "", t.errorAt(opened, "text without its end (expected another double quote)")
		case c == '"':
			t.pos++
			return unquoted(t.data[opened:t.pos], escaped), nil
		case c == '\\':
			escaped = true
			if err := t.escape(); err != nil {
				return "", err
			}
		case c < 0x20:
			return "", t.errorAt(t.pos, "byte 0x%02x in text (write it as \\u%04x)", c, c)
		case c < utf8.RuneSelf:
			t.pos++
		default:
			r, size := utf8.DecodeRune(t.data[t.pos:])
			if r == utf8.RuneError && size == 1 {
				return "", t.errorAt(t.pos, "byte 0x%02x in text is not UTF-8 (save the file as UTF-8)", c)
			}
			t.pos += size
		}
	}
}

// escape skips an escape sequence.
func (t *jsonText) escape() error {
	t.pos++
	c := t.peek()
	if strings.IndexByte(`"\/bfnrtu`, c) < 0 || t.pos == len(t.data) {
		return t.fail(`one of "\/bfnrtu after a backslash`)
	}
	t.pos++
	if c != 'u' {
		return nil
	}
	for range 4 {
		if strings.IndexByte("0123456789abcdefABCDEF", t.peek()) < 0 || t.pos == len(t.data) {
			return t.fail(`four hexadecimal digits after \u`)
		}
		t.pos++
	}
	return nil
}

// unquoted is what a string that was checked stands for.
func unquoted(quoted []byte, escaped bool) string {
	if !escaped {
		return string(quoted[1 : len(quoted)-1])
	}
	var s string
	if err := json.Unmarshal(quoted, &s); err != nil {
		panic(err) // a programming error: the string was checked
	}
	return s
}
