package page

import (
	"strings"
	"testing"
	"time"
)

// Two hosts: a.example was connected to in 30 and 20 ms, so its round trip is 20 ms; b.example over an open connection
// only, so its round trip is its smallest wait, 45 ms.
func TestLikeRecorded(t *testing.T) {
	const ms = time.Millisecond
	p, err := New("recorded", []Object{
		{Host: "a.example", Bytes: 1, After: None},
		{Host: "a.example", Bytes: 2, After: 0},
		{Host: "b.example", Bytes: 3, After: 0},
		{Host: "b.example", Bytes: 4, After: 1},
		{Host: "a.example", Bytes: 5, After: 3},
	})
	if err != nil {
		t.Fatal(err)
	}
	p.Recorded = []Recorded{
		{Start: 3 * ms, End: 100 * ms, Connect: 30 * ms, Wait: 50 * ms},
		{Start: 110 * ms, End: 200 * ms, Connect: 20 * ms, Wait: 15 * ms},
		{Start: 104 * ms, End: 300 * ms, Wait: 45 * ms},
		{Start: 190 * ms, End: 400 * ms, Wait: 60 * ms}, // starts while what it waits for is still loading
		{Start: 401 * ms, End: 500 * ms},
	}
	like, err := p.LikeRecorded()
	if err != nil {
		t.Fatal(err)
	}
	want := []struct{ think, server time.Duration }{
		{3 * ms, 30 * ms}, // 3 - 0; 50 - 20
		{10 * ms, 0},      // 110 - 100; 15 - 20 is below 0
		{4 * ms, 0},       // 104 - 100; 45 - 45
		{0, 15 * ms},      // 190 - 200 is below 0; 60 - 45
		{1 * ms, 0 * ms},  // 401 - 400; no wait recorded
	}
	for i, w := range want {
		if o := like.Objects[i]; o.Think != w.think || o.Server != w.server {
			t.Errorf("object %d: think %v, server %v; want %v, %v", i, o.Think, o.Server, w.think, w.server)
		}
		if o := p.Objects[i]; o.Think != 0 || o.Server != 0 {
			t.Errorf("object %d of the page itself changed: think %v, server %v", i, o.Think, o.Server)
		}
	}
	if got := like.Children(0); len(got) != 2 || like.Hosts() != 2 {
		t.Errorf("the copy has children %v of object 0 and %d hosts, want 2 and 2", got, like.Hosts())
	}
}

func TestLikeRecordedNeedsRecording(t *testing.T) {
	p, err := New("made up", []Object{{Host: "a.example", Bytes: 1, After: None}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.LikeRecorded(); err == nil || !strings.Contains(err.Error(), "no recording") {
		t.Errorf("error %v, want one that says the page is no recording", err)
	}
}

// Times no object can have are told with the URL, as a recording's reader knows its entries, not our indexes.
func TestLikeRecordedNamesTheURL(t *testing.T) {
	p, err := New("x", []Object{{Host: "a.example", Bytes: 1, After: None}})
	if err != nil {
		t.Fatal(err)
	}
	p.Recorded = []Recorded{{URL: "http://a.example/slow", Start: 48 * time.Hour}}
	if _, err := p.LikeRecorded(); err == nil || !strings.HasSuffix(err.Error(), "has think time 48h0m0s and server time 0s (expected 0 to 24h0m0s): http://a.example/slow") {
		t.Errorf("%v", err)
	}
}
