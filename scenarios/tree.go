package scenarios

import (
	"errors"
	"fmt"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

// tree is a YAML value with its place. Scalars keep their text: what it means is for the key that takes it.
type tree struct {
	at   place
	kind treeKind
	text string  // of a scalar
	list []*tree // of a list
	keys []keyed // of a map, in the order written
	null bool    // a scalar that is not there
}

type keyed struct {
	name  string
	at    place
	value *tree
}

type treeKind uint8

const (
	scalar treeKind = iota
	list
	mapping
)

func (k treeKind) String() string {
	return [...]string{"a single value", "a list", "a map"}[k]
}

// get returns the value of a key, or nil.
func (t *tree) get(name string) *tree {
	for i := range t.keys {
		if t.keys[i].name == name {
			return t.keys[i].value
		}
	}
	return nil
}

// items returns the values of a list, or the single value.
func (t *tree) items() []*tree {
	if t.kind == list {
		return t.list
	}
	return []*tree{t}
}

// maxBrackets bounds how deep flow lists and maps are nested: the parser's memory grows with the square of it.
const maxBrackets = 200

// tooDeep looks for more open brackets than maxBrackets, wherever they stand, and returns the line.
func tooDeep(text string) (line int, deep bool) {
	open := 0
	line = 1
	for _, r := range text {
		switch r {
		case '\n':
			line++
		case '[', '{':
			open++
		case ']', '}':
			open = max(0, open-1)
		}
		if open > maxBrackets {
			return line, true
		}
	}
	return 0, false
}

// parseTree reads one YAML document. Faults of syntax, keys given twice, tags, merge keys and further documents are
// errors with their place.
func parseTree(src *source, text string) (t *tree, err error) {
	// The parser is not ours: a text it cannot handle is a fault of the text, not the end of the program.
	defer func() {
		if r := recover(); r != nil {
			t, err = nil, place{src, 0, 0}.errorf("not YAML that can be read")
		}
	}()
	if at, deep := tooDeep(text); deep {
		return nil, place{src, at, 1}.errorf("lists and maps are nested more than %d deep", maxBrackets)
	}
	// After a comment the parser counts "\r\n" as two lines.
	file, err := parser.ParseBytes([]byte(strings.ReplaceAll(text, "\r\n", "\n")), 0)
	if err != nil {
		return nil, syntaxError(src, err)
	}
	var body ast.Node
	for _, doc := range file.Docs {
		switch {
		case doc.Body == nil:
		case body != nil:
			return nil, placeOf(src, doc.Body).errorf("a second document (expected one scenario in a file)")
		default:
			body = doc.Body
		}
	}
	if body == nil {
		return nil, place{src, 0, 0}.errorf("the file is empty (expected a scenario)")
	}
	r := reader{src: src, anchors: map[string]*tree{}}
	return r.read(body)
}

func syntaxError(src *source, err error) error {
	var e yaml.Error
	if !errors.As(err, &e) || e.GetToken() == nil || e.GetToken().Position == nil {
		return place{src, 0, 0}.errorf("not YAML: %v", err)
	}
	pos := e.GetToken().Position
	return place{src, pos.Line, pos.Column}.errorf("not YAML: %s", e.GetMessage())
}

type reader struct {
	src     *source
	anchors map[string]*tree
	depth   int
}

// maxDepth bounds nesting; a scenario needs 4 levels.
const maxDepth = 32

func (r *reader) read(n ast.Node) (*tree, error) {
	at := placeOf(r.src, n)
	if r.depth++; r.depth > maxDepth {
		return nil, at.errorf("nested more than %d deep", maxDepth)
	}
	defer func() { r.depth-- }()
	switch n := n.(type) {
	case *ast.MappingNode:
		return r.readMap(at, n.Values)
	case *ast.MappingValueNode:
		return r.readMap(at, []*ast.MappingValueNode{n})
	case *ast.SequenceNode:
		t := &tree{at: at, kind: list}
		for _, v := range n.Values {
			item, err := r.read(v)
			if err != nil {
				return nil, err
			}
			t.list = append(t.list, item)
		}
		return t, nil
	case *ast.AnchorNode:
		t, err := r.read(n.Value)
		if err == nil {
			r.anchors[n.Name.GetToken().Value] = t
		}
		return t, err
	case *ast.AliasNode:
		name := n.Value.GetToken().Value
		t, ok := r.anchors[name]
		if !ok {
			return nil, at.errorf("unknown alias *%s (expected an anchor &%s before it)", name, name)
		}
		return t, nil
	case *ast.StringNode:
		return &tree{at: at, text: n.Value}, nil
	case *ast.LiteralNode:
		return &tree{at: at, text: n.Value.Value}, nil
	case *ast.IntegerNode, *ast.FloatNode:
		return &tree{at: at, text: n.GetToken().Value}, nil
	case *ast.InfinityNode, *ast.NanNode:
		return &tree{at: at, text: n.GetToken().Value}, nil
	case *ast.BoolNode:
		return &tree{at: at, text: fmt.Sprint(n.Value)}, nil
	case *ast.NullNode:
		return &tree{at: at, null: true}, nil
	case nil:
		return nil, at.errorf("a value is missing")
	}
	return nil, at.errorf("%s is not used in scenarios (expected a value, a list or a map)", strings.ToLower(n.Type().String()))
}

func (r *reader) readMap(at place, values []*ast.MappingValueNode) (*tree, error) {
	t := &tree{at: at, kind: mapping}
	if len(values) > 0 {
		t.at = placeOf(r.src, values[0].Key)
	}
	for _, v := range values {
		key := placeOf(r.src, v.Key)
		switch v.Key.(type) {
		case *ast.StringNode, *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.NullNode:
		default:
			return nil, key.errorf("this key is not a plain word (anchors, merge keys and complex keys are not used as keys)")
		}
		name := v.Key.GetToken().Value
		if t.get(name) != nil {
			return nil, key.errorf("key %q is given twice", name)
		}
		value, err := r.read(v.Value)
		if err != nil {
			return nil, err
		}
		if value.null {
			value.at = key
		}
		t.keys = append(t.keys, keyed{name, key, value})
	}
	return t, nil
}

func placeOf(src *source, n ast.Node) place {
	if n == nil {
		return place{src, 0, 0}
	}
	var tk *token.Token
	switch n := n.(type) {
	case *ast.MappingNode:
		tk = n.Start
		if len(n.Values) > 0 {
			tk = n.Values[0].Key.GetToken()
		}
	case *ast.MappingValueNode:
		tk = n.Key.GetToken()
	case *ast.SequenceNode:
		tk = n.Start
	default:
		tk = n.GetToken()
	}
	if tk == nil || tk.Position == nil {
		return place{src, 0, 0}
	}
	return place{src, tk.Position.Line, tk.Position.Column}
}
