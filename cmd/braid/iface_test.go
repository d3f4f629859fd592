package main

import (
	"strings"
	"testing"
	"time"

	"braid/sim"
)

func TestParseInterfaces(t *testing.T) {
	const ms = time.Millisecond
	got, err := parseInterfaces([]string{
		"6Mbit/s,20ms",
		"lte=5Mbit/s,50ms,queue=60kB",
		"rate=500kbit/s, rtt=1.5s, dns=20ms",
		"rtt=8ms,name=dsl,1.6Gbit/s",
		"sat=rate=2Mbit/s,rtt=600ms",
	})
	if err != nil {
		t.Fatal(err)
	}
	want := []sim.Interface{
		{Name: "if1", Rate: 750_000, RTT: 20 * ms},
		{Name: "lte", Rate: 625_000, RTT: 50 * ms, Queue: 60_000},
		{Name: "if3", Rate: 62_500, RTT: 1500 * ms, DNS: 20 * ms},
		{Name: "dsl", Rate: 200_000_000, RTT: 8 * ms},
		{Name: "sat", Rate: 250_000, RTT: 600 * ms},
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("interface %d: %+v, want %+v", i, got[i], want[i])
		}
	}
}

func TestParseInterfacesRefuses(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"6Mbit/s", "no round trip time"},
		{"rtt=20ms", "no rate"},
		{"", "rate"},
		{"0Mbit/s,20ms", "rate is 0Mbit/s (expected more than 0"},
		{"-6Mbit/s,20ms", "negative"},
		{"6Mbit/s,0ms", "rtt is 0ms (expected more than 0"},
		{"6Mbit/s,-20ms", "negative"},
		{"6,20ms", "no unit"},
		{"6Mbit/s,20", "no unit"},
		{"6Mbps,20ms", "did you mean Mbit/s"},
		{"6Mbit/s,20ms,queue=0B", "queue is 0B"},
		{"6Mbit/s,20ms,loss=0.1%", "loss needs the packet level, which this version does not have"},
		{"loss=1%", "loss needs the packet level"},
		{"6Mbit/s,20ms,30ms", `"30ms" has no key`},
		{"6Mbit/s,20ms,delay=3ms", `unknown key "delay"`},
		{"6Mbit/s,20ms,rtt=3ms", "rtt is given twice"},
		{"=6Mbit/s,20ms", "the name is empty"},
		{"eaf=6Mbit/s,20ms", "is a policy's"},
		{"rr=6Mbit/s,20ms", "is a policy's"},
		{"if2=6Mbit/s,20ms", "another network"},
		{"a b=6Mbit/s,20ms", "has a ' ' in it"},
		{"NaNMbit/s,20ms", "not a number"},
		{"1e400Mbit/s,20ms", "not a number"},
	} {
		_, err := parseInterfaces([]string{c.text})
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "network 1") {
			t.Errorf("%q: error %v, want one that names network 1 and says %q", c.text, err, c.want)
		}
	}
	if _, err := parseInterfaces([]string{"a=6Mbit/s,20ms", "a=6Mbit/s,20ms"}); err == nil || !strings.Contains(err.Error(), "taken by network 1") {
		t.Errorf("a name used twice: error %v", err)
	}
	if _, err := parseInterfaces(nil); err == nil || !strings.Contains(err.Error(), "--if wifi=6Mbit/s,20ms") {
		t.Errorf("no network: error %v, want an example", err)
	}
	if _, err := parseInterfaces(make([]string, sim.MaxInterfaces+1)); err == nil || !strings.Contains(err.Error(), "at most 8") {
		t.Errorf("too many networks: error %v", err)
	}
}

// Whatever is accepted has what an engine needs, and its name and round trip time read the same when written with keys.
func FuzzParseInterface(f *testing.F) {
	for _, s := range []string{"6Mbit/s,20ms", "lte=5Mbit/s,50ms,queue=60kB", "rate=5Mbit/s,rtt=50ms,dns=20ms", "=,", "a=b=c", "1e308Gbit/s,1h"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, err := parseInterface(text)
		if err != nil {
			return
		}
		if !(got.Rate > 0) || got.RTT <= 0 || got.Queue < 0 || got.DNS < 0 {
			t.Fatalf("%q is accepted as %+v", text, got)
		}
		again := "1Mbit/s,rtt=" + got.RTT.String()
		if got.Name != "" {
			again = "name=" + got.Name + "," + again
		}
		back, err := parseInterface(again)
		if err != nil || back.RTT != got.RTT || back.Name != got.Name {
			t.Fatalf("%q is accepted as %+v, but %q gives %+v, %v", text, got, again, back, err)
		}
	})
}
