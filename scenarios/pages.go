package scenarios

import (
	"bufio"
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"sync"
	"sync/atomic"

	"braid/har"
	"braid/scenarios/workload"
	"braid/sim/page"
)

// OpenPage returns the page a reference names: a built-in page (n32x100k), a page in JSON (its name ends in .json), or a
// HAR, with #id, #number or #* behind the file name where it holds several pages. deps says how the dependencies of a
// recording are found: "time" or "initiator".
func OpenPage(ref, deps string) (*page.Page, error) {
	if p, ok := BuiltinPage(ref); ok {
		return p, nil
	}
	p, _, err := newPageCache().open(ref, deps)
	return p, err
}

// pageItem is one level of the factor "page".
type pageItem struct {
	name string
	page *page.Page    // nil: generated
	item workload.Item // where generated
}

// pageCache holds the pages of files, parsed once, and the digests of the files.
type pageCache struct {
	mu     sync.Mutex
	pages  map[string]*page.Page // by file, fragment and deps
	inputs map[string]Input      // by file
}

func newPageCache() *pageCache {
	return &pageCache{pages: map[string]*page.Page{}, inputs: map[string]Input{}}
}

// open reads the page of a file, or returns it if it was read before. ref is the file with an optional #fragment.
func (c *pageCache) open(ref, deps string) (*page.Page, Input, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	file, fragment := har.SplitName(ref)
	known := deps + "\x00" + ref
	if p := c.pages[known]; p != nil {
		return p, c.inputs[file], nil
	}
	p, digest, err := readPage(file, fragment, deps)
	if err != nil {
		return nil, Input{}, openError(ref, file, err)
	}
	c.pages[known] = p
	c.inputs[file] = Input{file, digest}
	return p, c.inputs[file], nil
}

// readPage reads the page of a file, and the SHA-256 of its bytes on the way.
func readPage(file, fragment, deps string) (*page.Page, string, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, "", err
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || info.IsDir() {
		return nil, "", cmp.Or(err, fmt.Errorf("%s: is a directory (expected a page; %s names the HAR files in it)", file, filepath.Join(file, "*.har")))
	}
	digest := sha256.New()
	r := bufio.NewReader(io.TeeReader(f, digest))
	p, err := decodePage(r, file, fragment, deps)
	if err != nil {
		return nil, "", err
	}
	// A reader may stop before the last bytes.
	if _, err := io.Copy(io.Discard, r); err != nil {
		return nil, "", err
	}
	return p, hex.EncodeToString(digest.Sum(nil)), nil
}

func decodePage(r *bufio.Reader, file, fragment, deps string) (*page.Page, error) {
	if isPageJSON(r, file) {
		if fragment != "" {
			return nil, fmt.Errorf("%s: a page in JSON is one page (remove #%s)", file, fragment)
		}
		return page.ReadJSON(r, file, baseName(file))
	}
	from, err := har.ParseDeps(deps)
	if err != nil {
		return nil, err
	}
	h, err := har.Read(r, file)
	if err != nil {
		return nil, err
	}
	p, _, err := h.Page(fragment, har.Options{Deps: from})
	return p, err
}

// isPageJSON tells a page in JSON from a HAR that is called .json.
func isPageJSON(r *bufio.Reader, file string) bool {
	if !strings.EqualFold(filepath.Ext(file), ".json") {
		return false
	}
	head, _ := r.Peek(4096) // a shorter file gives an error and all of it
	return bytes.Contains(head, []byte(`"objects"`)) || !bytes.Contains(head, []byte(`"log"`))
}

// openError names the page where the operating system's error does not.
func openError(ref, file string, err error) error {
	var pe *fs.PathError
	switch {
	case errors.Is(err, fs.ErrNotExist) && !looksLikeFile(file):
		return fmt.Errorf("unknown page %q%s", ref, DidYouMean(ref, "expected a file, nNxSk like n32x100k, or one of", BuiltinPages()))
	case errors.As(err, &pe):
		return fmt.Errorf("%s: cannot read the page: %w", file, pe.Err)
	}
	return err
}

// looksLikeFile tells a path or a file name from a bare word.
func looksLikeFile(name string) bool { return strings.ContainsAny(name, `/\.`) }

// baseName is the file name without folder and extension.
func baseName(file string) string {
	base := filepath.Base(file)
	return strings.TrimSuffix(base, filepath.Ext(base))
}

// pageItems resolves pages and workloads, in the order written; the files of a glob are sorted by name. It also returns
// the files read. Pages of files are parsed here, so that a fault shows before anything runs.
func (s *Scenario) pageItems() ([]pageItem, []Input, error) {
	var items []pageItem
	var inputs []Input
	from := map[string]string{}
	add := func(it pageItem, ref string, at place) error {
		if old, ok := from[it.name]; ok {
			if old == ref {
				return at.errorf("page %s is given twice", ref)
			}
			return at.errorf("two pages are called %q: %s and %s (rename one, each row is named after its page)", it.name, old, ref)
		}
		if len(items) >= maxLevels {
			return at.errorf("more than %d pages", maxLevels)
		}
		from[it.name] = ref
		items = append(items, it)
		return nil
	}
	for i, ref := range s.Pages {
		at := s.root.get("pages").items()[i].at
		if p, ok := BuiltinPage(ref); ok {
			if err := add(pageItem{name: p.Name, page: p}, ref, at); err != nil {
				return nil, nil, err
			}
			continue
		}
		files, err := s.expand(ref)
		if err != nil {
			return nil, nil, at.errorf("%v", err)
		}
		for _, f := range files {
			p, input, err := s.cache.open(f, s.Deps)
			if err != nil {
				return nil, nil, at.errorf("%v", err)
			}
			if err := add(pageItem{name: p.Name, page: p}, f, at); err != nil {
				return nil, nil, err
			}
			input.Name = s.pageName(ref, input.Name)
			inputs = append(inputs, input)
		}
	}
	for i := range s.Workloads {
		w := &s.Workloads[i]
		at := s.root.get("workload").items()[i].at
		for k := range w.Len() {
			it := w.Item(k)
			if err := add(pageItem{name: it.Name(), item: it}, it.Name(), at); err != nil {
				return nil, nil, err
			}
		}
	}
	return items, inputs, nil
}

// expand makes a page's file relative to the scenario and resolves a glob. A glob that matches nothing is an error.
func (s *Scenario) expand(ref string) ([]string, error) {
	file := ref
	if s.dir != "" && !filepath.IsAbs(ref) && looksLikeFile(ref) {
		file = filepath.Join(s.dir, ref)
	}
	name, fragment := har.SplitName(file)
	if !strings.ContainsAny(name, "*?[") {
		return []string{file}, nil
	}
	if _, err := os.Stat(name); err == nil {
		return []string{file}, nil
	}
	matches, err := filepath.Glob(name)
	if err != nil {
		return nil, fmt.Errorf("glob %q: %w (a [ needs its ])", ref, err)
	}
	sort.Strings(matches)
	var files []string
	for _, m := range matches {
		if info, err := os.Stat(m); err == nil && info.Mode().IsRegular() {
			if fragment != "" {
				m += "#" + fragment
			}
			files = append(files, m)
		}
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("glob %q matches no file (it is relative to %s)", ref, s.dir)
	}
	return files, nil
}

// generated hands out generated pages. Runs of one page are next to each other, so a few are kept.
type generated struct {
	seed  uint64
	slots [64]atomic.Pointer[madePage]
}

type madePage struct {
	item workload.Item
	page *page.Page
}

func (g *generated) get(level int, it workload.Item) (*page.Page, error) {
	slot := &g.slots[level%len(g.slots)]
	if m := slot.Load(); m != nil && m.item == it {
		return m.page, nil
	}
	p, err := workload.Generate(it, g.seed)
	if err != nil {
		return nil, err
	}
	slot.Store(&madePage{it, p})
	return p, nil
}
