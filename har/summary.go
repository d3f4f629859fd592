package har

import "time"

// Summary is what one file, or one page of it, holds.
type Summary struct {
	File      string
	Producer  string // "" if not known
	Browser   string // "" if not known
	Entries   int
	Transfers int   // the entries that went over the network,
	Hosts     int   // the hosts they came from,
	Bytes     int64 // and their bytes, header and body
	Pages     []PageInfo
	Load      time.Duration // onLoad of the page, or of the one that is read where none is chosen; 0: not recorded
}

// Summary counts what is in the file: in all of its pages where the selector is "" or All, else in the page that
// File.Page chooses by it. A file, or page, without transfers is an error.
func (f *File) Summary(selector string) (Summary, error) {
	counted := selector
	if selector == "" {
		counted = All
	}
	p, _, err := f.Page(counted, Options{})
	if err != nil {
		return Summary{}, err
	}
	s := Summary{
		File: f.Name, Producer: f.Producer, Browser: f.Browser,
		Entries: f.Entries, Transfers: len(p.Objects), Hosts: p.Hosts(), Bytes: p.Bytes(),
		Pages: f.Pages(), Load: p.RecordedLoad,
	}
	if counted == All {
		first, _, err := f.Page("", Options{})
		if err != nil {
			return Summary{}, err
		}
		s.Load = first.RecordedLoad
		return s, nil
	}
	chosen, err := f.choose(selector, newFindings(f.Name))
	if err != nil {
		return Summary{}, err
	}
	s.Pages = s.Pages[chosen : chosen+1]
	s.Entries = s.Pages[0].Entries
	return s, nil
}
