package dataset

import (
	"slices"
	"testing"
)

// The bytes of a page are those of all interfaces; a metric in bytes that is of no interface is none of them.
func TestPageBytes(t *testing.T) {
	s := open(t, `run,page,a_rtt_s,b_rtt_s,policy,load_time_s,a_bytes,b_bytes,buffer_bytes,error
0,p,0.02,0.05,if1,2,1000,0,64,
1,p,0.02,0.05,eaf,1,300,700,64,
2,p,0.02,0.05,if2,,,,,no path
`)
	column, err := Lookup(s.Schema, PageBytes, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := each(t, s, nil, column.Text), []string{"0 1kB", "1 1kB"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	s = open(t, "run,page,policy,load_time_s,error\n0,p,if1,1,\n")
	if _, err := Lookup(s.Schema, PageBytes, nil); err == nil {
		t.Error("bytes without interfaces")
	}
}

func TestParse(t *testing.T) {
	s := open(t, rows)
	for _, c := range []struct {
		column, text string
		want         float64
	}{
		{"wifi.rtt", "20ms", 0.02}, {"wifi.rtt", "0.02", 0.02}, {"wifi.bandwidth", "6Mbit/s", 6e6}, {"queue", "60kB", 60000},
		{"connections", "7", 7}, {SpeedUp, "1.5", 1.5},
	} {
		column, err := Lookup(s.Schema, c.column, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := column.Parse(c.text); err != nil || got != c.want {
			t.Errorf("%s %s: %v, %v", c.column, c.text, got, err)
		}
	}
	column, err := Lookup(s.Schema, "load_time_s", nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := column.Parse("6Mbit/s"); err == nil {
		t.Error("a rate is a time")
	}
}

func TestNamed(t *testing.T) {
	for name, want := range map[string]string{"goodput_bit_s": "goodput (bit/s)", "power_w": "power (W)", "time_s": "time (s)", "cwnd": "cwnd"} {
		if c := Named(name); c.Label() != want {
			t.Errorf("%s is called %q, want %q", name, c.Label(), want)
		}
	}
}
