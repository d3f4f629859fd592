package workload

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Range is a range of generated pages: numbers First to First+Pages-1, each in crawls 1 to Crawls.
type Range struct {
	Like                 string
	First, Pages, Crawls int
}

// Len returns the number of pages, all crawls counted.
func (r Range) Len() int { return r.Pages * r.Crawls }

// Item returns the k-th page, from 0: the crawls of a page are next to each other.
func (r Range) Item(k int) Item {
	return Item{Like: r.Like, Page: r.First + k/r.Crawls, Crawl: 1 + k%r.Crawls}
}

// Write writes the pages as JSON into dir, one file each ("alexa-2015-p0007-c03.json"), and returns how many. Names have
// as many digits as the last one needs, so that they sort. dir appears complete or not at all: it must not exist yet, or be
// empty.
func Write(dir string, r Range, seed uint64) (n int, err error) {
	dir = filepath.Clean(dir)
	entries, err := os.ReadDir(dir)
	exists := err == nil
	switch {
	case exists && len(entries) > 0:
		return 0, fmt.Errorf("%s is not empty (name a folder that is new or empty)", dir)
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return 0, err
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o777); err != nil {
		return 0, err
	}
	temp, err := os.MkdirTemp(filepath.Dir(dir), "."+filepath.Base(dir)+"-*")
	if err != nil {
		return 0, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.RemoveAll(temp))
		}
	}()
	pages, crawls := len(fmt.Sprint(r.First+r.Pages-1)), len(fmt.Sprint(r.Crawls))
	for ; n < r.Len(); n++ {
		it := r.Item(n)
		name := fmt.Sprintf("%s-p%0*d-c%0*d.json", it.Like, max(4, pages), it.Page, max(2, crawls), it.Crawl)
		if err := writePage(filepath.Join(temp, name), it, seed); err != nil {
			return 0, err
		}
	}
	if err := os.Chmod(temp, 0o755); err != nil {
		return 0, err
	}
	if exists {
		if err := os.Remove(dir); err != nil {
			return 0, err
		}
	}
	return n, os.Rename(temp, dir)
}

func writePage(name string, it Item, seed uint64) error {
	p, err := Generate(it, seed)
	if err != nil {
		return err
	}
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	return errors.Join(p.WriteJSON(f), f.Close())
}
