package flow_test

import (
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"

	"braid/sim"
	"braid/sim/page"
	"braid/sim/units"
)

// network is two interfaces with a name.
type network struct {
	name   string
	ifaces []sim.Interface
}

func iface(name string, rate units.Rate, rtt time.Duration) sim.Interface {
	return sim.Interface{Name: name, Rate: rate, RTT: rtt}
}

// networks are corners of the paper's grid (Table IV), with odd rates and round trips so that nothing but what is
// symmetric falls on one instant.
var networks = []network{
	{"slow-fast", []sim.Interface{iface("one", 62503, 10_000_019), iface("two", 6250027, 20_000_003)}},
	{"fast-slow", []sim.Interface{iface("one", 6250027, 50_000_017), iface("two", 62507, 200_000_033)}},
	{"alike", []sim.Interface{iface("one", 750019, 30_000_001), iface("two", 625007, 50_000_021)}},
	{"far", []sim.Interface{iface("one", 2500009, 20_000_003), iface("two", 2500033, 200_000_009)}},
}

// handcraftedPages are a document, then the objects that wait for it, as in the paper's section VII, and one page with all
// that a page can have: hosts, TLS, chains, think and server times, an empty object.
func handcraftedPages(t testing.TB) []*page.Page {
	t.Helper()
	after := func(name string, sizes ...int64) *page.Page {
		objects := []page.Object{{Host: "a.example", Bytes: 10 * 1024, After: page.None}}
		for _, n := range sizes {
			objects = append(objects, page.Object{Host: "a.example", Bytes: n, After: 0})
		}
		return newPage(t, name, objects)
	}
	mix := func(ones, tens, hundreds int) (sizes []int64) {
		for i := range ones {
			sizes = append(sizes, 1024+int64(i))
		}
		for i := range tens {
			sizes = append(sizes, 10*1024+int64(i))
		}
		for i := range hundreds {
			sizes = append(sizes, 100*1024+int64(i))
		}
		return sizes
	}
	return []*page.Page{
		after("one"),
		after("n2x1k", 1024, 1025),
		after("n4x1024k", 1<<20, 1<<20+1, 1<<20+2, 1<<20+3),
		after("mix28", mix(16, 8, 4)...),
		newPage(t, "hosts", []page.Object{
			{Host: "a.example", TLS: true, Bytes: 20011, After: page.None, Secure: page.TLS12},
			{Host: "a.example", TLS: true, Bytes: 90001, After: 0},
			{Host: "b.example", TLS: true, Bytes: 30011, After: 0, Think: 7 * time.Millisecond},
			{Host: "b.example", TLS: false, Bytes: 0, After: 0, Server: 13 * time.Millisecond},
			{Host: "b.example", TLS: false, Bytes: 500009, After: 2, Think: 900 * time.Millisecond},
			{Host: "c.example", TLS: true, Bytes: 1, After: 3, Secure: page.TLSResumed},
			{Host: "a.example", TLS: true, Bytes: 4001, After: 5, Server: 101 * time.Millisecond},
			{Host: "a.example", TLS: true, Bytes: 70001, After: 5},
			{Host: "a.example", TLS: true, Bytes: 250007, After: 1, Think: 1500 * time.Millisecond},
		}),
	}
}

func newPage(t interface {
	Helper()
	Fatal(...any)
}, name string, objects []page.Object) *page.Page {
	t.Helper()
	p, err := page.New(name, objects)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// drawSpec draws a small page, two interfaces, a profile, and limits that small pages reach. Sizes differ, and rates and
// round trips are odd.
func drawSpec(t *rapid.T) *sim.Spec {
	p := rapid.SampledFrom(sim.Profiles).Draw(t, "profile").New()
	if rapid.Bool().Draw(t, "limits") {
		p.MaxPerHost = rapid.IntRange(1, 4).Draw(t, "max per host")
		p.MaxConnections = rapid.IntRange(1, 6).Draw(t, "max connections")
		p.IdleTimeout = time.Duration(rapid.IntRange(1_000_000, 1_000_000_000).Draw(t, "idle timeout"))
		p.InitialWindow = rapid.IntRange(1, 40).Draw(t, "initial window")
	}
	p.Pipelining = rapid.Bool().Draw(t, "pipelining")
	return &sim.Spec{Page: drawPage(t), Params: p, Interfaces: []sim.Interface{drawIface(t, "one"), drawIface(t, "two")}}
}

func drawIface(t *rapid.T, name string) sim.Interface {
	rate := 2*rapid.IntRange(20_000, 4_000_000).Draw(t, name+" half rate") + 1
	rtt := 2*rapid.IntRange(2_000_000, 150_000_000).Draw(t, name+" half rtt") + 1
	return iface(name, units.Rate(rate), time.Duration(rtt))
}

func drawPage(t *rapid.T) *page.Page {
	n := rapid.IntRange(1, 8).Draw(t, "objects")
	hosts := rapid.IntRange(1, 3).Draw(t, "hosts")
	objects := make([]page.Object, n)
	seen := map[int64]bool{}
	for i := range objects {
		size := rapid.OneOf(rapid.Int64Range(0, 3000), rapid.Int64Range(1, 50_000), rapid.Int64Range(1, 400_000)).Draw(t, "bytes")
		for seen[size] {
			size++
		}
		seen[size] = true
		think := time.Duration(0)
		if rapid.Bool().Draw(t, "thinks") {
			think = time.Duration(rapid.IntRange(1, 800_000_000).Draw(t, "think"))
		}
		server := time.Duration(0)
		if rapid.Bool().Draw(t, "server thinks") {
			server = time.Duration(rapid.IntRange(1, 300_000_000).Draw(t, "server"))
		}
		objects[i] = page.Object{
			Host:   fmt.Sprintf("%c.example", 'a'+rapid.IntRange(0, hosts-1).Draw(t, "host")),
			TLS:    rapid.Bool().Draw(t, "tls"),
			Bytes:  size,
			After:  int32(rapid.IntRange(-1, i-1).Draw(t, "after")),
			Think:  think,
			Server: server,
			Secure: page.TLSVersion(rapid.IntRange(0, 3).Draw(t, "secure")),
		}
	}
	return newPage(t, "drawn", objects)
}
