package har

import (
	"bytes"
	"encoding/json"
	"math/big"
	"strings"
	"testing"
	"time"

	"braid/sim"
	"braid/sim/page"
	"braid/sim/units"
)

// written by hand: a document over wifi, then two objects at its end, one queued on the same connection, one over both
// interfaces with TLS. Times are chosen so that no phase is a whole number of microseconds.
func tracedLoad(t *testing.T) *sim.Trace {
	t.Helper()
	p, err := page.New("by hand", []page.Object{
		{Host: "a.example", Bytes: 10240, After: page.None},
		{Host: "a.example", Bytes: 0, After: 0},
		{Host: "b.example:8443", TLS: true, Bytes: 5000, After: 0},
	})
	if err != nil {
		t.Fatal(err)
	}
	spec := &sim.Spec{
		Page: p, Policy: "eaf-mptcp", Params: sim.Linux(),
		Interfaces: []sim.Interface{{Name: "wifi", Rate: units.MbitPerSecond, RTT: 20 * ms}, {Name: "lte", Rate: units.MbitPerSecond, RTT: 50 * ms}},
	}
	tr := sim.NewTrace(spec)
	phases := func(object int32, steps ...any) {
		for i := 0; i < len(steps); i += 2 {
			tr.Phase(object, steps[i].(sim.Phase), time.Duration(steps[i+1].(int)))
		}
	}
	tr.Opened(0, 0, []int8{0}, 0)
	tr.Opened(1, 1, []int8{1, 0}, 61*ms)
	phases(0, sim.WaitParent, 0, sim.WaitConnection, 0, sim.WaitDNS, 1, sim.WaitHandshake, 1_000_001, sim.WaitRequest, 21_000_001,
		sim.SlowStart, 41_000_002, sim.Link, 50_000_003, sim.Done, 60_000_007)
	phases(1, sim.WaitParent, 0, sim.WaitTurn, 60_000_007, sim.WaitRequest, 70_000_000, sim.SlowStart, 90_000_000, sim.Done, 90_000_001)
	phases(2, sim.WaitParent, 0, sim.WaitConnection, 60_000_007, sim.WaitHandshake, 61_000_000, sim.WaitTLS, 81_000_000, sim.WaitRequest, 131_000_000,
		sim.Window, 181_000_000, sim.Done, 190_123_456)
	for object, conn := range []int32{0, 0, 1} {
		tr.Assigned(int32(object), conn, 0)
	}
	tr.Delivered(0, 0, 10240)
	tr.Delivered(2, 0, 2000)
	tr.Delivered(2, 1, 3000)
	return tr
}

func TestWriteIsRead(t *testing.T) {
	tr := tracedLoad(t)
	var b bytes.Buffer
	if err := Write(&b, tr); err != nil {
		t.Fatal(err)
	}
	f, err := Read(&b, "out.har")
	if err != nil {
		t.Fatal(err)
	}
	p, found, err := f.Page("", Options{Deps: ByInitiator})
	if err != nil {
		t.Fatal(err)
	}
	checkFindings(t, rules(found), "exact-links")
	for i, want := range tr.Spec.Page.Objects {
		if p.Objects[i] != want {
			t.Errorf("object %d: %+v, want %+v", i, p.Objects[i], want)
		}
	}
	us := func(ns int) time.Duration { return time.Duration(ns) }
	wanted := []page.Recorded{
		{URL: "http://a.example/0", End: 60 * ms, Blocked: us(1), DNS: 1 * ms, Connect: 20 * ms, Wait: us(20_000_001), Receive: us(19_000_005)},
		{URL: "http://a.example/1", Start: 60 * ms, End: 90 * ms, Blocked: us(9_999_993), Wait: 20 * ms, Receive: us(1)},
		{URL: "https://b.example:8443/2", Start: 60 * ms, End: 190123 * time.Microsecond, Blocked: us(999_993), Connect: 20 * ms, TLS: 50 * ms, Wait: 50 * ms, Receive: us(9_123_456)},
	}
	for i, want := range wanted {
		want.HTTP, want.Method, want.Status, want.MIME = http11, "GET", 200, "application/octet-stream"
		if p.Recorded[i] != want {
			t.Errorf("object %d recorded as %+v, want %+v", i, p.Recorded[i], want)
		}
	}
	if want := time.Duration(190_123_456); p.RecordedLoad != want {
		t.Errorf("load time %v, want %v", p.RecordedLoad, want)
	}
}

// What HAR 1.2 requires is there, and the phases sum to the time exactly; ssl is part of connect.
func TestWriteIsHAR(t *testing.T) {
	var b, again bytes.Buffer
	if err := Write(&b, tracedLoad(t)); err != nil {
		t.Fatal(err)
	}
	if err := Write(&again, tracedLoad(t)); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(b.Bytes(), again.Bytes()) {
		t.Error("equal traces give different bytes")
	}
	var doc struct {
		Log struct {
			Version string
			Creator map[string]string
			Pages   []map[string]any
			Entries []map[string]any
		}
	}
	dec := json.NewDecoder(&b)
	dec.UseNumber()
	if err := dec.Decode(&doc); err != nil {
		t.Fatal(err)
	}
	if doc.Log.Version != "1.2" || doc.Log.Creator["name"] != "braid" || len(doc.Log.Pages) != 1 || len(doc.Log.Entries) != 3 {
		t.Fatalf("version %q, creator %v, %d pages, %d entries; want 1.2, braid, 1, 3", doc.Log.Version, doc.Log.Creator, len(doc.Log.Pages), len(doc.Log.Entries))
	}
	need := func(what string, of any, keys ...string) map[string]any {
		m, ok := of.(map[string]any)
		for _, k := range keys {
			if _, has := m[k]; !has || !ok {
				t.Errorf("%s has no %q", what, k)
			}
		}
		return m
	}
	need("page", doc.Log.Pages[0], "startedDateTime", "id", "title", "pageTimings")
	for i, e := range doc.Log.Entries {
		need("entry", e, "pageref", "startedDateTime", "time", "request", "response", "cache", "timings", "connection", "_interface")
		need("request", e["request"], "method", "url", "httpVersion", "cookies", "headers", "queryString", "headersSize", "bodySize")
		r := need("response", e["response"], "status", "statusText", "httpVersion", "cookies", "headers", "content", "redirectURL", "headersSize", "bodySize")
		need("content", r["content"], "size", "mimeType")
		timings := need("timings", e["timings"], "blocked", "dns", "connect", "send", "wait", "receive", "ssl")
		sum := new(big.Rat)
		for phase, v := range timings {
			x, ok := new(big.Rat).SetString(string(v.(json.Number)))
			if !ok {
				t.Fatalf("entry %d: %s is %v", i, phase, v)
			}
			if x.Sign() > 0 && phase != "ssl" {
				sum.Add(sum, x)
			}
		}
		if want, _ := new(big.Rat).SetString(string(e["time"].(json.Number))); sum.Cmp(want) != 0 {
			t.Errorf("entry %d: the phases sum to %v ms, the time is %v", i, sum.FloatString(6), e["time"])
		}
	}
	third := doc.Log.Entries[2]
	if third["_interface"] != "lte+wifi" || third["connection"] != "2" || third["_initiator"] != "http://a.example/0" {
		t.Errorf("interface %v, connection %v, initiator %v; want lte+wifi, 2, http://a.example/0", third["_interface"], third["connection"], third["_initiator"])
	}
	if got := third["startedDateTime"]; got != "2000-01-01T00:00:00.060000007Z" {
		t.Errorf("starts %v, want 2000-01-01T00:00:00.060000007Z", got)
	}
}

// A recorded page keeps what its recording says.
func TestWriteRecorded(t *testing.T) {
	tr := tracedLoad(t)
	tr.Spec.Page.Recorded = []page.Recorded{
		{URL: "http://a.example/?q=<&>", Method: "POST", Status: 404, MIME: "text/html"}, {URL: "http://a.example/b"}, {URL: "https://b.example:8443/c"},
	}
	var b bytes.Buffer
	if err := Write(&b, tr); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(b.String(), `"http://a.example/?q=<&>"`) {
		t.Error("the URL is escaped")
	}
	f, err := Read(&b, "out.har")
	if err != nil {
		t.Fatal(err)
	}
	p, _, err := f.Page("", Options{})
	if err != nil {
		t.Fatal(err)
	}
	if r := p.Recorded[0]; r.URL != "http://a.example/?q=<&>" || r.Method != "POST" || r.Status != 404 || r.MIME != "text/html" {
		t.Errorf("recorded %+v, want what was recorded before", r)
	}
}

func TestWriteInconsistent(t *testing.T) {
	tr := tracedLoad(t)
	tr.Objects[1].End = -1
	if err := Write(&bytes.Buffer{}, tr); err == nil || !strings.Contains(err.Error(), "never ended") {
		t.Errorf("error %v, want one about the object that never ended", err)
	}
}
