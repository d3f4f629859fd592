package workload

import (
	"fmt"
	"strings"

	"braid/sim/page"
	"braid/sim/rng"
)

// Bounds of page and crawl numbers.
const (
	MaxPage  = 1_000_000
	MaxCrawl = 1000
)

// Model is a kind of pages.
type Model struct {
	Name, Doc string
	generate  func(Item, rng.Key) []page.Object
}

// Models lists the kinds of pages there are.
var Models = []Model{
	{"alexa-2015", "landing pages of popular sites of 2015, as in the Socket Intents paper", alexa2015.generate},
}

// Names returns the names of Models.
func Names() []string {
	names := make([]string, len(Models))
	for i, m := range Models {
		names[i] = m.Name
	}
	return names
}

// Item names one generated page: a page of a model, by its number and its crawl, both from 1.
type Item struct {
	Like        string
	Page, Crawl int
}

// Name is the page's name: "alexa-2015-p0007-c03". Names of pages up to 9999 and crawls up to 99 sort like their numbers.
func (it Item) Name() string { return fmt.Sprintf("%s-c%02d", it.site(), it.Crawl) }

// site names what the crawls of a page have in common.
func (it Item) site() string { return fmt.Sprintf("%s-p%04d", it.Like, it.Page) }

// Generate returns the page. Errors: an unknown model; a number below 1 or above MaxPage or MaxCrawl.
func Generate(it Item, seed uint64) (*page.Page, error) {
	switch {
	case it.Page < 1 || it.Page > MaxPage:
		return nil, fmt.Errorf("page number %d (expected 1 to %d)", it.Page, MaxPage)
	case it.Crawl < 1 || it.Crawl > MaxCrawl:
		return nil, fmt.Errorf("crawl number %d (expected 1 to %d)", it.Crawl, MaxCrawl)
	}
	for _, m := range Models {
		if m.Name == it.Like {
			return page.New(it.Name(), m.generate(it, rng.Key{Seed: seed, Item: it.site()}))
		}
	}
	return nil, fmt.Errorf("no generated pages are like %q (there are: %s)", it.Like, strings.Join(Names(), ", "))
}
