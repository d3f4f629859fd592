package page

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// jsonText reads a JSON text (RFC 8259) token by token. It knows where each token begins, refuses keys that are not asked
// for or given twice, and says what is wrong in the words of the text, not of Go.
type jsonText struct {
	data []byte
	dec  *json.Decoder
	at   int // where the last token begins
}

func newJSONText(data []byte) *jsonText {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	return &jsonText{data: data, dec: dec}
}

// textError is a fault at a byte of the text.
type textError struct {
	offset int
	text   string
}

func (e *textError) Error() string { return e.text }

func errorAt(offset int, format string, args ...any) error {
	return &textError{offset, fmt.Sprintf(format, args...)}
}

// skip returns the place of the first byte behind the last token that is not among those given.
func (t *jsonText) skip(between string) int {
	return len(t.data) - len(bytes.TrimLeft(t.data[t.dec.InputOffset():], between))
}

// token reads the next token.
func (t *jsonText) token() (json.Token, error) {
	t.at = t.skip(" \t\r\n,:")
	token, err := t.dec.Token()
	if err == nil {
		return token, nil
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, errorAt(t.at, "the text ends too early")
	}
	// Offsets in errors of Token count only part of what was read; those of Unmarshal count all of it.
	if syntax, ok := errors.AsType[*json.SyntaxError](json.Unmarshal(t.data, new(json.RawMessage))); ok {
		return nil, errorAt(int(syntax.Offset)-1, "%v", syntax)
	}
	return nil, errorAt(t.at, "%v", err)
}

// object reads the object that begins with open. Its keys are those listed, each at most once; each is called with a key
// and the first token of its value. A value that is null is as if its key were left out.
func (t *jsonText) object(open json.Token, what string, keys []string, each func(key string, value json.Token) error) error {
	if open != json.Delim('{') {
		return t.wrongType(open, what, "an object in { }")
	}
	given := make([]bool, len(keys))
	for {
		token, err := t.token()
		if err != nil || token == json.Delim('}') {
			return err
		}
		key := token.(string) // the decoder lets nothing else be a key
		i := slices.Index(keys, key)
		switch {
		case i < 0:
			return errorAt(t.at, "unknown key %q (keys: %s)", key, strings.Join(keys, ", "))
		case given[i]:
			return errorAt(t.at, "the key %q is given twice", key)
		}
		given[i] = true
		value, err := t.token()
		if err == nil && value != nil {
			err = each(key, value)
		}
		if err != nil {
			return err
		}
	}
}

// wrongType says that the value of the last token is not of its type.
func (t *jsonText) wrongType(token json.Token, what, expected string) error {
	is := "null"
	switch token := token.(type) {
	case json.Delim:
		is = map[json.Delim]string{'{': "an object", '[': "a list"}[token]
	case string:
		is = "text"
	case json.Number:
		is = "a number"
	case bool:
		is = "true or false"
	}
	return errorAt(t.at, "%s is %s (expected %s)", what, is, expected)
}

// scalar returns the value of the last token as what it has to be.
func scalar[T string | bool | json.Number](t *jsonText, token json.Token, what, expected string) (T, error) {
	v, ok := token.(T)
	if !ok {
		return v, t.wrongType(token, what, expected)
	}
	return v, nil
}

func (t *jsonText) text(token json.Token, what string) (string, error) {
	return scalar[string](t, token, what, "text in double quotes")
}

// whole returns a whole number from least to most. expected names these bounds.
func (t *jsonText) whole(token json.Token, what string, least, most int64, expected string) (int64, error) {
	number, err := scalar[json.Number](t, token, what, expected)
	if err != nil {
		return 0, err
	}
	v, err := number.Int64()
	if err != nil || v < least || v > most {
		return 0, errorAt(t.at, "%s is %s (expected %s)", what, number, expected)
	}
	return v, nil
}
