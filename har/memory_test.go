package har

import (
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
)

// generated is a recording that is made while it is read, of the given size.
type generated struct {
	size    int64
	entry   func(n int) string // the n-th, from 1
	made    int64
	entries int
	pending string
	peak    uint64 // of the heap, sampled once a MiB
	sampled int64
	done    bool
}

func (g *generated) Read(p []byte) (int, error) {
	if g.pending == "" {
		switch {
		case g.made == 0:
			g.pending = `{"log": {"version": "1.2", "creator": {"name": "generated", "version": "1"}, "pages": [], "entries": [`
		case g.done:
			return 0, io.EOF
		case g.made >= g.size:
			g.pending, g.done = "\n]}}", true
		default:
			if g.entries++; g.entries > 1 {
				g.pending = ","
			}
			g.pending += g.entry(g.entries)
		}
	}
	n := copy(p, g.pending)
	g.pending = g.pending[n:]
	g.made += int64(n)
	if g.made-g.sampled >= 1<<20 {
		g.sampled = g.made
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		g.peak = max(g.peak, m.HeapInuse+m.StackInuse)
	}
	return n, nil
}

// bodied makes entries as a browser writes them, with bodies of the given size.
func bodied(body int) func(n int) string {
	text := strings.Repeat("0123456789abcdef", body/16)
	return func(n int) string {
		return fmt.Sprintf(`
{"startedDateTime": "2020-01-01T00:%02d:%02d.%03dZ", "time": 12.5, "request": {"method": "GET", "url": "https://host%d.example/object/%d", "httpVersion": "h2",
"headers": [], "queryString": [], "cookies": [], "headersSize": -1, "bodySize": 0}, "response": {"status": 200, "statusText": "", "httpVersion": "h2",
"headers": [{"name": "content-length", "value": "1000"}], "cookies": [], "content": {"size": 1000, "mimeType": "text/plain", "text": "%s"},
"redirectURL": "", "headersSize": -1, "bodySize": 1000, "_transferSize": 1100}, "cache": {}, "timings": {"send": 0.5, "wait": 10, "receive": 2}}`,
			n/60000%60, n/1000%60, n%1000, n%7, n, text)
	}
}

// minimal makes entries of 150 bytes: what a transfer needs to have a place in time.
func minimal(n int) string {
	return fmt.Sprintf(`{"startedDateTime":"2020-01-01T00:%02d:%02d.%03dZ","time":12.5,"request":{"url":"https://a.example/%d"},"response":{"status":200,"bodySize":1000}}`,
		n/60000%60, n/1000%60, n%1000, n)
}

// least makes entries of 58 bytes, the least that is a transfer: a URL and a status.
func least(int) string { return `{"request":{"url":"http://a/"},"response":{"status":200}}` }

// readGenerated reads a generated recording to a page and returns the peak of the heap over the size of the text.
func readGenerated(t testing.TB, g *generated) float64 {
	debug.FreeOSMemory()
	f, err := Read(g, "generated.har")
	if err != nil {
		t.Fatal(err)
	}
	p, _, err := f.Page("", Options{})
	if err != nil {
		t.Fatal(err)
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	g.peak = max(g.peak, m.HeapInuse+m.StackInuse)
	if len(p.Objects) != g.entries {
		t.Fatalf("%d objects of %d entries", len(p.Objects), g.entries)
	}
	return float64(g.peak) / float64(g.made)
}

// kinds of files, from what most are made of (bodies) to what nobody records.
var kinds = []struct {
	name  string
	entry func() func(int) string // made when it is needed: a body of 16 MB would count
}{
	{"bodies of 16 MB", func() func(int) string { return bodied(16 << 20) }},
	{"bodies of 20 kB", func() func(int) string { return bodied(20 << 10) }},
	{"no bodies", func() func(int) string { return bodied(0) }},
	{"minimal", func() func(int) string { return minimal }},
	{"least", func() func(int) string { return least }},
}

// A file needs at most four times its size; with bodies far less.
func TestMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("reads 200 MB")
	}
	for _, k := range kinds {
		g := &generated{size: 40 << 20, entry: k.entry()}
		share := readGenerated(t, g)
		t.Logf("%s: %.1f MiB read, heap at most %.1f MiB, %.2f of it", k.name, float64(g.made)/(1<<20), float64(g.peak)/(1<<20), share)
		if share > 4 {
			t.Errorf("%s: the heap grew to %.2f times the file's size, want at most 4", k.name, share)
		}
	}
}

// BenchmarkRead200MB reads 200 MB and reports the peak of the heap over the size of the text.
func BenchmarkRead200MB(b *testing.B) {
	for _, k := range kinds {
		b.Run(strings.ReplaceAll(k.name, " ", "_"), func(b *testing.B) {
			b.SetBytes(200e6)
			for b.Loop() {
				b.ReportMetric(readGenerated(b, &generated{size: 200e6, entry: k.entry()}), "heap/size")
			}
		})
	}
}

// BenchmarkRecordedPages reads the recorded pages, all of them an operation.
func BenchmarkRecordedPages(b *testing.B) {
	files := recordings(b, "pages")
	for b.Loop() {
		for _, file := range files {
			if _, _, err := Open(file, Options{}); err != nil {
				b.Fatal(err)
			}
		}
	}
}
