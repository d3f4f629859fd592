package scenarios

import (
	"fmt"
	"regexp"
	"strconv"

	"braid/sim/page"
)

// The handcrafted pages of the Socket Intents paper, section VI: a document, then objects that all wait for it, on one
// host without TLS. k is 1024 bytes.
const (
	builtinHost   = "www.example"
	documentBytes = 10240
	kilo          = 1024
)

// objects is a number of equal objects.
type objects struct {
	n     int
	bytes int64
}

// builtinMixes are the pages with objects of several sizes, in page order.
var builtinMixes = []struct {
	name string
	doc  string
	runs []objects
}{
	{"mix28", "a 10 KiB document, then 16 objects of 1 KiB, 8 of 10 KiB, 4 of 100 KiB", []objects{{16, kilo}, {8, 10 * kilo}, {4, 100 * kilo}}},
	{"mix52", "a 10 KiB document, then 32 objects of 1 KiB, 16 of 10 KiB, 2 of 100 KiB, 2 of 200 KiB", []objects{{32, kilo}, {16, 10 * kilo}, {2, 100 * kilo}, {2, 200 * kilo}}},
}

// builtinForm is the name of the pages with N objects of S KiB: n32x100k.
var builtinForm = regexp.MustCompile(`^n([1-9][0-9]{0,4})x([1-9][0-9]{0,6})k$`)

// maxBuiltinObjects bounds N in nNxSk.
const maxBuiltinObjects = 10000

// BuiltinPages returns the names of the built-in pages of the paper. Beyond these, any nNxSk is a built-in page: a 10 KiB
// document, then N objects (at most 10000) of S KiB.
func BuiltinPages() []string {
	var names []string
	for _, n := range []int{2, 8, 32, 64} {
		for _, s := range []int{1, 10, 100, 1024} {
			names = append(names, fmt.Sprintf("n%dx%dk", n, s))
		}
	}
	for _, m := range builtinMixes {
		names = append(names, m.name)
	}
	return names
}

// BuiltinDocs returns the kinds of built-in pages and what each holds: the pages with objects of several sizes, and nNxSk.
func BuiltinDocs() (docs [][2]string) {
	for _, m := range builtinMixes {
		docs = append(docs, [2]string{m.name, m.doc})
	}
	return append(docs, [2]string{"nNxSk", "a 10 KiB document, then N objects of S KiB, like n32x100k"})
}

// BuiltinPage returns a built-in page; false if the name is none.
func BuiltinPage(name string) (*page.Page, bool) {
	var runs []objects
	for _, m := range builtinMixes {
		if m.name == name {
			runs = m.runs
		}
	}
	if m := builtinForm.FindStringSubmatch(name); m != nil {
		n, _ := strconv.Atoi(m[1]) // digits only, by the expression
		s, _ := strconv.ParseInt(m[2], 10, 64)
		if n <= maxBuiltinObjects {
			runs = []objects{{n, s * kilo}}
		}
	}
	if runs == nil {
		return nil, false
	}
	list := []page.Object{{Host: builtinHost, Bytes: documentBytes, After: page.None}}
	for _, r := range runs {
		for range r.n {
			list = append(list, page.Object{Host: builtinHost, Bytes: r.bytes, After: 0})
		}
	}
	p, err := page.New(name, list)
	if err != nil {
		panic(err) // a programming error: the objects above are valid
	}
	return p, true
}
