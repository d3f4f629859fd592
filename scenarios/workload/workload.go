// Package workload generates pages.
package workload

import (
	"fmt"

	"braid/sim/page"
	"braid/sim/rng"
)

// Bounds of page and crawl numbers.
const (
	MaxPage  = 1_000_000
	MaxCrawl = 1000
)

// Item names one generated page: page number and crawl number count from 1.
type Item struct {
	Like        string
	Page, Crawl int
}

// Name is the page's name, which sorts: "alexa-2015-p0007-c03".
func (it Item) Name() string { return fmt.Sprintf("%s-p%04d-c%02d", it.Like, it.Page, it.Crawl) }

// Names lists what pages can be like.
func Names() []string { return []string{"alexa-2015"} }

// Generate returns the page.
func Generate(it Item, seed uint64) (*page.Page, error) {
	r := rng.Key{Seed: seed, Item: it.Name()}.Stream("workload")
	return page.New(it.Name(), []page.Object{{Host: "a.example", Bytes: 1 + r.Int64N(100000), After: page.None}})
}
