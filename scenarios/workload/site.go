package workload

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"braid/sim/page"
	"braid/sim/rng"
)

// fit holds the numbers of a model; doc.go says where they come from.
type fit struct {
	objectsMedian, objectsSigma float64
	maxObjects                  int

	hostsMedian, hostsSigma float64
	hostsExponent           float64 // hosts grow with objects to this power
	maxHosts                int
	hostsZipf               float64 // use of the k-th host is as k to minus this power

	bytesMedian, bytesSigma float64 // of a page
	bytesObjects            float64 // correlation of the logarithms of bytes and objects
	objectSigma             float64 // of an object's share of its page
	document                float64 // median of documents, in medians of the other objects
	minBytes                float64 // of an object: a response header and an empty body

	maxJoin float64 // highest chance that an object joins the group before it

	tlsSites, tlsHosts float64

	volatile, present float64 // share of objects that come and go; share of the crawls they are in
	jitter            float64 // of sizes between crawls, relative
}

// alexa2015 is the model of that name.
var alexa2015 = fit{
	objectsMedian: 24, objectsSigma: 0.86, maxObjects: 260,
	hostsMedian: 7.2, hostsSigma: 0.45, hostsExponent: 0.75, maxHosts: 60, hostsZipf: 2.2,
	// A lognormal with 23.1 kB and 1.8 MB at its 5th and 95th percentile, 1.645 sigma from its median.
	bytesMedian: math.Sqrt(23.1e3 * 1.8e6), bytesSigma: math.Log(1.8e6/23.1e3) / (2 * 1.645),
	bytesObjects: 0.7, objectSigma: 1.6, document: 2, minBytes: 150,
	maxJoin:  0.985,
	tlsSites: 0.063, tlsHosts: 0.05,
	volatile: 1.0 / 8, present: 0.7, jitter: 0.02,
}

// thing is one object of a site, whatever the crawl.
type thing struct {
	host, after int
	bytes       float64
	volatile    bool
}

// generate makes one crawl of a site. The key is the site's; a crawl has a stream of its own.
func (f fit) generate(it Item, key rng.Key) []page.Object {
	r := key.Stream("site")
	things, tls := f.site(r)
	return f.crawl(it, things, tls, r, key.Stream(fmt.Sprint("crawl ", it.Crawl)))
}

// site draws what the crawls of a page have in common: its objects, and which of its hosts use TLS.
func (f fit) site(r *rand.Rand) (things []thing, tls []bool) {
	n, z := f.objects(r)
	things = make([]thing, n)
	f.group(things, r)
	tls = f.spread(things, r)
	f.size(things, z, r)
	for i := 1; i < n; i++ {
		things[i].volatile = r.Float64() < f.volatile
	}
	return things, tls
}

// objects draws their number, and how far it is from the median, in sigmas.
func (f fit) objects(r *rand.Rand) (n int, z float64) {
	for {
		z = r.NormFloat64()
		n = int(f.objectsMedian * math.Exp(f.objectsSigma*z))
		if n >= 1 && n <= f.maxObjects {
			return n, z
		}
	}
}

// group decides which object each waits for. The document waits for none.
func (f fit) group(things []thing, r *rand.Rand) {
	things[0].after = -1
	parent := 0
	join := f.maxJoin * r.Float64()
	for i := 1; i < len(things); i++ {
		if i > 1 && r.Float64() >= join {
			// A new group waits for a later object than the group before it; the last one has itself as the only choice.
			if later := i - 1 - parent; later > 0 {
				parent += 1 + r.IntN(later)
			}
			join = f.maxJoin * r.Float64()
		}
		things[i].after = parent
	}
}

// spread gives the objects their hosts: the document the first, every host at least one object, the rest by popularity.
// It returns which hosts use TLS.
func (f fit) spread(things []thing, r *rand.Rand) []bool {
	n := len(things)
	median := f.hostsMedian * math.Pow(float64(n)/f.objectsMedian, f.hostsExponent)
	hosts := int(math.Round(median * math.Exp(f.hostsSigma*r.NormFloat64())))
	hosts = min(max(hosts, 1), n, f.maxHosts)

	use := make([]float64, hosts) // cumulative
	total := 0.0
	for k := range use {
		total += math.Pow(float64(k+1), -f.hostsZipf)
		use[k] = total
	}
	// Half of the sites keep most objects on a host of their own, not the document's.
	first := r.IntN(2)
	at := r.Perm(n - 1) // where each further host is used for certain
	for i := 1; i < n; i++ {
		if k := at[i-1]; k < hosts-1 {
			things[i].host = k + 1
			continue
		}
		x := total * r.Float64()
		k, _ := slices.BinarySearch(use, x)
		things[i].host = (min(k, hosts-1) + first) % hosts
	}

	tls := make([]bool, hosts)
	site := r.Float64() < f.tlsSites
	for k := range tls {
		tls[k] = site || k > 0 && r.Float64() < f.tlsHosts
	}
	return tls
}

// size gives the objects their bytes. z is the number of objects, in sigmas from its median.
func (f fit) size(things []thing, z float64, r *rand.Rand) {
	rest := math.Sqrt(1 - float64(f.bytesObjects*f.bytesObjects))
	sigmas := float64(f.bytesObjects*z) + float64(rest*r.NormFloat64())
	// What is published is of crawls, which miss some objects.
	total := f.bytesMedian * math.Exp(f.bytesSigma*sigmas) / (1 - float64(f.volatile*(1-f.present)))
	sum := 0.0
	for i := range things {
		s := f.objectSigma * r.NormFloat64()
		if i == 0 {
			s += math.Log(f.document)
		}
		things[i].bytes = math.Exp(s)
		sum += things[i].bytes
	}
	spare := max(0, total-float64(f.minBytes*float64(len(things))))
	for i := range things {
		things[i].bytes = f.minBytes + float64(spare*things[i].bytes/sum)
	}
}

// crawl makes one crawl: r is the crawl's stream, site the stream of the site after its objects.
func (f fit) crawl(it Item, things []thing, tls []bool, site, r *rand.Rand) []page.Object {
	objects := make([]page.Object, 0, len(things))
	at := make([]int32, len(things)) // index in the crawl; of a missing object, of the one it waits for
	for i, t := range things {
		after := page.None
		if t.after >= 0 {
			after = at[t.after]
		}
		missing := t.volatile && r.Float64() >= f.present
		bytes := t.bytes * math.Exp(f.jitter*r.NormFloat64())
		if missing {
			at[i] = after
			continue
		}
		at[i] = int32(len(objects))
		objects = append(objects, page.Object{
			Host: fmt.Sprintf("h%d.%s.example", t.host+1, it.site()), TLS: tls[t.host],
			Bytes: int64(math.Round(bytes)), After: after,
		})
	}
	objects[0].Bytes = f.documentBytes(things[0].bytes, it.Crawl, site)
	return objects
}

// documentBytes is the size of the document in a crawl. It steps through a span of sizes without meeting one twice, so that no
// two crawls are equal, however small the page.
func (f fit) documentBytes(bytes float64, crawl int, site *rand.Rand) int64 {
	span := max(int64(4*f.jitter*bytes), 2*MaxCrawl)
	step := 1 + site.Int64N(span-1)
	for gcd(step, span) != 1 {
		step = 1 + site.Int64N(span-1)
	}
	offset := site.Int64N(span)
	return max(int64(bytes)-span/2, int64(f.minBytes)) + (offset+int64(crawl)*step)%span
}

func gcd(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}
