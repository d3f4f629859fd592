package har

import (
	"cmp"
	"math"
	"runtime"
	"slices"
	"time"

	"braid/sim/page"
)

// draft is a page that is being made. Until it is settled, Start and End of what was recorded are Unix time, counted
// in microseconds, so that entries of every age fit.
type draft struct {
	objects  []page.Object
	recorded []page.Recorded
	traced   []int32    // of the objects in turn, the numbers of their records; nil: not asked for
	links    []pageLink // of the objects in turn, as far as they have one
}

// manyTransfers is far above any page a browser loads. A page of more is allocated in pieces as large as the file; what
// decoding left behind is collected before, or it would count on top of them.
const manyTransfers = 1 << 17

// unknown is the start of a transfer without a start time. It starts at 0, and nothing waits for it.
const unknown = time.Duration(math.MinInt64)

// gather takes the transfers of the chosen page, or of all for -1, in the order of the file, and counts its entries
// by kind.
func (f *File) gather(chosen int, found *findings) (d *draft, counts [numKinds]int) {
	n := 0
	for i, p := range f.pages {
		if chosen < 0 || chosen == i {
			n += p.transfers
		}
	}
	if n > manyTransfers {
		runtime.GC()
	}
	d = &draft{objects: make([]page.Object, 0, n), recorded: make([]page.Recorded, 0, n)}
	links := f.links
	f.eachOf(chosen, found, func(i int, r *record) {
		counts[r.kind]++
		for len(links) > 0 && int(links[0].record) < i {
			links = links[1:]
		}
		if r.kind != transfer {
			return
		}
		if len(links) > 0 && int(links[0].record) == i {
			d.links = append(d.links, pageLink{links[0], int32(f.pageOf(i))})
		}
		og := parseOrigin(r.url)
		d.objects = append(d.objects, page.Object{Host: og.host, TLS: og.scheme == "https", Bytes: r.bytes, After: page.None, Secure: r.secure})
		d.recorded = append(d.recorded, f.recorded(r))
	})
	return d, counts
}

// eachOf calls do with every record of the chosen page, or of all for -1, relative URLs resolved.
func (f *File) eachOf(chosen int, found *findings, do func(i int, r *record)) {
	of := func(i int) bool { return chosen < 0 || chosen == f.pageOf(i) }
	base := ""
	f.records.each(func(i int, r *record) bool {
		if of(i) && r.kind == transfer && !r.relative() {
			base = r.url
		}
		return base == ""
	})
	f.records.each(func(i int, r *record) bool {
		if !of(i) {
			return true
		}
		if r.kind == transfer && r.relative() {
			found.add(RuleRelativeURL, r.at, int(r.index), short(r.url))
			if u := resolve(r.url, base); parseOrigin(u).host == "" {
				r.kind = noURL
				found.add(RuleNoURL, r.at, int(r.index), short(r.url))
			} else {
				r.url = u
			}
		}
		do(i, r)
		return true
	})
}

// recorded is what the recording measured. Connect is without TLS; Start and End are as a draft has them.
func (f *File) recorded(r *record) page.Recorded {
	connect := r.phases.connect
	if !f.beside {
		connect = max(0, connect-r.phases.ssl)
	}
	start, end := unknown, time.Duration(f.duration(r))
	if r.start.known() {
		start = time.Duration(f.micros(r))
		end += start
	}
	return page.Recorded{
		URL: r.url, HTTP: r.http, Method: r.method, Status: int(r.status), MIME: r.mime, Start: start, End: end,
		Blocked: r.phases.blocked, DNS: r.phases.dns, Connect: connect, TLS: r.phases.ssl,
		Send: r.phases.send, Wait: r.phases.wait, Receive: r.phases.receive,
	}
}

// sort puts the transfers in the order of before, those that are equal as they are.
func (d *draft) sort(before func(a, b int32) int) {
	n := len(d.objects)
	sorted := true
	for i := 1; i < n && sorted; i++ {
		sorted = before(int32(i-1), int32(i)) <= 0
	}
	if sorted {
		return
	}
	order := make([]int32, n)
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortStableFunc(order, before)
	permute(d.objects, order)
	permute(d.recorded, order)
	if len(d.links) == n {
		permute(d.links, order)
	}
	if d.traced != nil {
		permute(d.traced, order)
	}
}

// permute puts s[order[i]] at i, along the cycles of the order, without a second copy of s.
func permute[T any](s []T, order []int32) {
	done := make([]bool, len(s))
	for i := range s {
		if done[i] {
			continue
		}
		first, at := s[i], i
		for {
			done[at] = true
			next := int(order[at])
			if next == i {
				s[at] = first
				break
			}
			s[at] = s[next]
			at = next
		}
	}
}

// byStart orders by start; those without one come first.
func (d *draft) byStart(a, b int32) int { return cmp.Compare(d.recorded[a].Start, d.recorded[b].Start) }

// settle turns the times into those since the first start, and returns the last end.
func (d *draft) settle() (last time.Duration) {
	zero := time.Duration(math.MaxInt64)
	for i := range d.recorded {
		if s := d.recorded[i].Start; s != unknown {
			zero = min(zero, s)
		}
	}
	for i := range d.recorded {
		r := &d.recorded[i]
		if r.Start == unknown {
			r.Start, r.End = 0, fromMicros(int64(r.End))
		} else {
			r.Start, r.End = fromMicros(int64(r.Start-zero)), fromMicros(int64(r.End-zero))
		}
		last = max(last, r.End)
	}
	return last
}

// fromMicros saturates: entries of one page may claim to be centuries apart.
func fromMicros(us int64) time.Duration {
	return time.Duration(min(us, maxMillis*1000)) * time.Microsecond
}
