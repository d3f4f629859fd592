package har

import (
	"path/filepath"
	"testing"
	"time"
)

// A summary is about one page, and its entries are those of that page; all pages as one have the sums.
func TestSummary(t *testing.T) {
	f, err := ReadFile(filepath.Join("testdata", "pages.har"))
	if err != nil {
		t.Fatal(err)
	}
	infos := f.Pages()
	if len(infos) != 4 {
		t.Fatalf("%d pages, want 4", len(infos))
	}
	whole := 0
	for _, p := range infos {
		whole += p.Entries
	}
	if whole != f.Entries {
		t.Errorf("the pages have %d entries, the file has %d", whole, f.Entries)
	}
	for selector, want := range map[string]struct {
		page, entries, transfers, hosts int
		load                            time.Duration
	}{
		"":    {2, infos[1].Entries, 1, 1, 0}, // the first with a transfer
		"2":   {2, infos[1].Entries, 1, 1, 0},
		"4":   {3, infos[2].Entries, 2, 2, 900 * ms}, // an id comes before a number
		"3rd": {4, infos[3].Entries, 1, 1, 500 * ms},
		All:   {0, f.Entries, 4, 4, 0},
	} {
		s, err := f.Summary(selector)
		if err != nil {
			t.Fatal(err)
		}
		if s.Page != want.page || s.Entries != want.entries || s.Transfers != want.transfers || s.Hosts != want.hosts || s.Load != want.load || len(s.Pages) != 4 {
			t.Errorf("%q: page %d of %d, %d entries, %d transfers, %d hosts, load %v; want %+v", selector, s.Page, len(s.Pages), s.Entries, s.Transfers, s.Hosts, s.Load, want)
		}
	}
	if _, err := f.Summary("1"); err == nil {
		t.Error("a page without transfers has a summary")
	}
}
