package workload

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
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
// as many digits as the last one needs, so that they sort. dir must not exist yet, and then appears complete or not at all;
// or be empty, and then stays the folder it is and gets the pages when all of them are written.
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
	beside := dir
	if !exists {
		if _, err := os.Lstat(dir); err == nil {
			return 0, fmt.Errorf("%s is a link to a folder that is not there (make that folder first)", dir)
		}
		beside = filepath.Dir(dir)
		if err := os.MkdirAll(beside, 0o777); err != nil {
			return 0, err
		}
	}
	temp := filepath.Join(beside, fmt.Sprintf(".pages.incomplete-%08x", rand.Uint32()))
	if err := os.Mkdir(temp, 0o777); err != nil {
		return 0, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.RemoveAll(temp))
		}
	}()
	names := make([]string, r.Len())
	pages, crawls := len(fmt.Sprint(r.First+r.Pages-1)), len(fmt.Sprint(r.Crawls))
	for i := range names {
		it := r.Item(i)
		names[i] = fmt.Sprintf("%s-p%0*d-c%0*d.json", it.Like, max(4, pages), it.Page, max(2, crawls), it.Crawl)
		if err := writePage(filepath.Join(temp, names[i]), it, seed); err != nil {
			return 0, err
		}
	}
	if !exists {
		return len(names), os.Rename(temp, dir)
	}
	for _, name := range names {
		if err := os.Rename(filepath.Join(temp, name), filepath.Join(dir, name)); err != nil {
			return 0, err
		}
	}
	return len(names), os.Remove(temp)
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
