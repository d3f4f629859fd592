package har

import "time"

// Summary is what one page of a file holds, or all of them together.
type Summary struct {
	File      string
	Producer  string     // "" if not known
	Browser   string     // "" if not known
	Page      int        // the number of the page, from 1; 0: all pages as one
	Pages     []PageInfo // all of the file's pages
	Entries   int
	Transfers int           // the entries that went over the network,
	Hosts     int           // the hosts they came from,
	Bytes     int64         // and their bytes, header and body
	Load      time.Duration // onLoad; 0: not recorded, or several pages as one
}

// Summary counts what is in the page that File.Page chooses by the selector. A selector that names no page, and a page
// without transfers, are errors.
func (f *File) Summary(selector string) (Summary, error) {
	chosen, err := f.choose(selector, newFindings(f.Name))
	if err != nil {
		return Summary{}, err
	}
	p, _, err := f.Page(selector, Options{})
	if err != nil {
		return Summary{}, err
	}
	s := Summary{
		File: f.Name, Producer: f.Producer, Browser: f.Browser, Page: chosen + 1, Pages: f.Pages(),
		Entries: f.Entries, Transfers: len(p.Objects), Hosts: p.Hosts(), Bytes: p.Bytes(), Load: p.RecordedLoad,
	}
	if chosen >= 0 {
		s.Entries = s.Pages[chosen].Entries
	}
	return s, nil
}
