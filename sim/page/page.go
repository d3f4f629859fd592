// Package page holds what a browser loads: objects, the hosts they come from, and which object waits for which.
// It knows nothing of time on a network, nor of where a page came from.
//
// A page can be written by hand, in JSON (ReadJSON, Page.WriteJSON):
//
//	{
//	  "name": "shop",
//	  "objects": [
//	    {"host": "shop.example", "tls": true, "bytes": 12000, "after": null},
//	    {"host": "shop.example", "tls": true, "bytes": 40000, "after": 0},
//	    {"host": "cdn.example", "bytes": 90000, "after": 0, "think": "5ms", "server": "20ms"}
//	  ]
//	}
//
// Of an object, "host" and "bytes" are needed: bytes are the response with its header, as on the wire but without TCP/IP
// headers. "after" is the index, from 0, of the object whose end it waits for; null or left out: it starts with the page.
// "tls" is false where left out. "think" is the time from the end of what it waits for to its request, "server" the
// time from the request's arrival at the server to the first byte's departure; both are durations with their unit and 0
// where left out. The name may be left out: it is that of the file then. Any other key, and a key given twice, is an error;
// null is as if the key were left out.
package page

import (
	"fmt"
	"strings"
	"time"
)

// TLSVersion is the TLS variant of a connection, as far as a recording tells.
type TLSVersion uint8

// TLS variants. TLSUnknown leaves the choice to the profile.
const (
	TLSUnknown TLSVersion = iota
	TLS12                 // full handshake, 2 round trips (RFC 5246, section 7.3)
	TLS13                 // 1 round trip (RFC 8446, section 2)
	TLSResumed            // 0-RTT resumption, no round trip (RFC 8446, section 2.3)
)

// None is the After of an object that waits for no other.
const None int32 = -1

// MaxBytes bounds the bytes of an object. Like the other bounds it is far above any page's, so that sums of bytes and times
// cannot overflow.
const MaxBytes = 1 << 40

const (
	maxWait  = 24 * time.Hour
	maxWaits = 366 * 24 * time.Hour // of all objects
)

// Object is one transfer of a page. The order of its fields leaves no gaps: a page may have millions of objects.
type Object struct {
	Host   string        // host, with the port where it is not the scheme's own
	Bytes  int64         // response header and body, on the wire, without TCP/IP headers; 0 to 2^40
	Think  time.Duration // from the end of After (or 0) to the request
	Server time.Duration // from the request's arrival at the server to the first byte's departure
	After  int32         // index of the object whose end it waits for; None: it starts at 0
	TLS    bool          // over TLS
	Secure TLSVersion    // what the recording says of its TLS handshake
}

// Recorded is what a recording measured for one object. Times are since the start of the page.
type Recorded struct {
	URL    string
	HTTP   string // protocol as recorded: "http/1.1", "h2", "h3", "" if not known
	Method string
	Status int
	MIME   string
	Start  time.Duration
	End    time.Duration
	// Phases; 0 where the recording has none. Connect does not include TLS.
	Blocked, DNS, Connect, TLS, Send, Wait, Receive time.Duration
}

// Page is a validated page. Make it with New; do not change its objects afterwards.
type Page struct {
	Name    string
	Objects []Object

	// Recording, when the page came from one: one entry per object, else empty.
	Recorded []Recorded
	// RecordedLoad is the load time the recording states (its onLoad), 0 if none.
	RecordedLoad time.Duration

	children []int32 // concatenated children of all objects, each in page order
	first    []int32 // first[i]..first[i+1] are the children of object i; the last group are the roots
	origins  []Origin
	origin   []int32 // origin of each object
	hosts    int
	bytes    int64
}

// Origin is what a connection belongs to.
type Origin struct {
	Host  string
	TLS   bool
	Index int32 // index of the host, shared by the origins that differ in TLS only
}

// New validates objects and returns the page. A page without objects is an error; an empty host, bytes or times out of
// bounds, an After that is out of range, and a cycle are an *ObjectError.
func New(name string, objects []Object) (*Page, error) {
	if len(objects) == 0 {
		return nil, fmt.Errorf("page %q has no objects", name)
	}
	p := &Page{Name: name, Objects: objects}
	n := len(objects)
	p.first = make([]int32, n+2)
	p.origin = make([]int32, n)
	hosts := map[string]int32{}
	origins := map[Origin]int32{}
	var waits time.Duration
	for i := range objects {
		o := &objects[i]
		switch {
		case o.Host == "":
			return nil, wrong(name, i, "has no host")
		case o.Bytes < 0 || o.Bytes > MaxBytes:
			return nil, wrong(name, i, "has %d bytes (expected 0 to 2^40)", o.Bytes)
		case o.Think < 0 || o.Think > maxWait || o.Server < 0 || o.Server > maxWait:
			return nil, wrong(name, i, "has think time %v and server time %v (expected 0 to %v)", o.Think, o.Server, maxWait)
		case o.After < None || int(o.After) >= n:
			return nil, wrong(name, i, "is after %d (expected null or an index from 0 to %d)", o.After, n-1)
		}
		p.bytes += o.Bytes
		if waits += o.Think + o.Server; waits > maxWaits {
			return nil, wrong(name, i, "brings the think and server times of the page to %v (expected at most %v)", waits, maxWaits)
		}
		h, ok := hosts[o.Host]
		if !ok {
			h = int32(len(hosts))
			hosts[o.Host] = h
		}
		or := Origin{o.Host, o.TLS, h}
		k, ok := origins[or]
		if !ok {
			k = int32(len(p.origins))
			origins[or] = k
			p.origins = append(p.origins, or)
		}
		p.origin[i] = k
		p.first[p.group(o.After)+1]++
	}
	p.hosts = len(hosts)
	for g := 1; g < len(p.first); g++ {
		p.first[g] += p.first[g-1]
	}
	p.children = make([]int32, n)
	next := append([]int32(nil), p.first...)
	for i := range objects {
		g := p.group(objects[i].After)
		p.children[next[g]] = int32(i)
		next[g]++
	}
	if c := cycle(objects); c != nil {
		return nil, wrong(name, int(c[0]), "waits for itself: %s (drop one of these \"after\")", arrows(c))
	}
	return p, nil
}

// ObjectError says what is wrong with one object of a page. Readers add the object's place in their text.
type ObjectError struct {
	Page   string // its name
	Object int    // index in the page
	Fault  string // continues "the object ...", like "has no host"
}

// Error names page and object.
func (e *ObjectError) Error() string {
	return fmt.Sprintf("page %q: object %d %s", e.Page, e.Object, e.Fault)
}

func wrong(page string, object int, format string, args ...any) error {
	return &ObjectError{page, object, fmt.Sprintf(format, args...)}
}

// group is where the children of After are kept; roots come last.
func (p *Page) group(after int32) int32 {
	if after == None {
		return int32(len(p.Objects))
	}
	return after
}

// Children returns the objects that wait for object i, in page order. The slice must not be changed.
func (p *Page) Children(i int32) []int32 { return p.children[p.first[i]:p.first[i+1]] }

// Roots returns the objects that wait for none, in page order. The slice must not be changed.
func (p *Page) Roots() []int32 {
	n := len(p.Objects)
	return p.children[p.first[n]:p.first[n+1]]
}

// Origin returns the index of object i's origin in Origins.
func (p *Page) Origin(i int32) int32 { return p.origin[i] }

// Origins returns the distinct origins, in order of first use.
func (p *Page) Origins() []Origin { return p.origins }

// Hosts returns the number of distinct hosts.
func (p *Page) Hosts() int { return p.hosts }

// Bytes returns the sum of all objects' bytes.
func (p *Page) Bytes() int64 { return p.bytes }

// Depth returns the number of objects on the longest chain of After.
func (p *Page) Depth() int {
	deepest := 0
	depth := make([]int, len(p.Objects))
	var chain []int32
	for i := range p.Objects {
		chain = chain[:0]
		for j := int32(i); j != None && depth[j] == 0; j = p.Objects[j].After {
			chain = append(chain, j)
		}
		for k := len(chain) - 1; k >= 0; k-- {
			d := 1
			if a := p.Objects[chain[k]].After; a != None {
				d = depth[a] + 1
			}
			depth[chain[k]] = d
			deepest = max(deepest, d)
		}
	}
	return deepest
}

// cycle returns the objects of one cycle of After, or nil.
func cycle(objects []Object) []int32 {
	const done = -1
	seen := make([]int32, len(objects)) // 0: not yet; done: leads to a root; else the walk that met it
	for i := range objects {
		walk := int32(i) + 1
		j := int32(i)
		for j != None && seen[j] == 0 {
			seen[j] = walk
			j = objects[j].After
		}
		if j != None && seen[j] == walk {
			c := []int32{j}
			for k := objects[j].After; k != j; k = objects[k].After {
				c = append(c, k)
			}
			return c
		}
		for j = int32(i); j != None && seen[j] == walk; j = objects[j].After {
			seen[j] = done
		}
	}
	return nil
}

// arrows writes a cycle, a long one shortened.
func arrows(c []int32) string {
	const most = 10
	var b strings.Builder
	for _, i := range c[:min(len(c), most)] {
		fmt.Fprintf(&b, "%d -> ", i)
	}
	if len(c) > most {
		fmt.Fprintf(&b, "%d more -> ", len(c)-most)
	}
	return fmt.Sprint(b.String(), c[0])
}
