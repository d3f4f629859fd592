package har

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"braid/sim/page"
)

// link is what braid writes of an object beside HAR 1.2: its index, that of the object it waits for, and the times of
// client and server. It makes a simulated load read back as the page that was loaded; from times or URLs that cannot be
// told, as objects start just when others end, and URLs may be used twice.
type link struct {
	record        int32 // the number of its record
	object, after int32
	think, server time.Duration
	host          string // where the URL does not hold it as it is
}

// pageLink is a link and the page it belongs to: indices count in each page from 0.
type pageLink struct {
	link
	page int32
}

// readLink returns the link of an entry. An entry without _object has none.
func readLink(e *entry, record int) (link, bool) {
	index := func(n number) (int32, bool) {
		if !n.ok || n.v < 0 || n.v > math.MaxInt32 || n.v != math.Trunc(n.v) {
			return page.None, false
		}
		return int32(n.v), true
	}
	object, ok := index(e.Object)
	if !ok {
		return link{}, false
	}
	after, _ := index(e.After)
	l := link{record: int32(record), object: object, after: after, host: string(e.Host)}
	l.think, _ = millis(e.Think)
	l.server, _ = millis(e.Server)
	return l, true
}

// linked puts the objects of a simulated load in their order and links them as written. It returns false, and leaves
// the draft alone, if the file is no simulated load or its links do not fit together.
func (d *draft) linked(f *File, found *findings) bool {
	if producer, _, _ := strings.Cut(f.Producer, " "); producer != writtenBy || len(d.links) == 0 {
		return false
	}
	parents, wrong := d.parents()
	if wrong != "" {
		found.add(RuleLinksBroken, place{}, -1, wrong)
		return false
	}
	for i := range d.links {
		l, o := &d.links[i], &d.objects[i]
		o.Think, o.Server = l.think, l.server
		if l.host != "" {
			o.Host = l.host
		}
	}
	order := func(a, b int32) int {
		return cmp.Or(cmp.Compare(d.links[a].page, d.links[b].page), cmp.Compare(d.links[a].object, d.links[b].object))
	}
	d.sort(order)
	for i := range parents {
		d.objects[i].After = parents[i]
	}
	found.add(RuleLinks, place{}, -1, "")
	return true
}

// parents returns what each object waits for, in the order of their indices, or what is wrong with the links.
func (d *draft) parents() (parents []int32, wrong string) {
	if len(d.links) < len(d.objects) {
		return nil, fmt.Sprintf("%d of %d transfers have none", len(d.objects)-len(d.links), len(d.objects))
	}
	type key struct{ page, object int32 }
	keys := make([]key, len(d.links))
	after := make(map[key]int32, len(d.links))
	for i, l := range d.links {
		keys[i] = key{l.page, l.object}
		if _, twice := after[keys[i]]; twice {
			return nil, fmt.Sprintf("two objects have index %d", l.object)
		}
		after[keys[i]] = l.after
	}
	slices.SortFunc(keys, func(a, b key) int { return cmp.Or(cmp.Compare(a.page, b.page), cmp.Compare(a.object, b.object)) })
	at := make(map[key]int32, len(keys))
	for i, k := range keys {
		at[k] = int32(i)
	}
	parents = make([]int32, len(keys))
	for i, k := range keys {
		parents[i] = page.None
		if a := after[k]; a != page.None {
			p, ok := at[key{k.page, a}]
			if !ok {
				return nil, fmt.Sprintf("object %d waits for %d, which is not there", k.object, a)
			}
			parents[i] = p
		}
	}
	circular := false
	dropCycles(slices.Clone(parents), func(a, b int32) int { return cmp.Compare(a, b) }, func(int32) { circular = true })
	if circular {
		return nil, "objects wait for each other in a cycle"
	}
	return parents, ""
}
