package dataset

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// rows is a file of three cases: two networks of one page under three policies, in one of which if1 failed, and a case
// under two.
const rows = `run,page,wifi_bandwidth_bit_s,wifi_rtt_s,queue_bytes,fresh,policy,load_time_s,connections,wifi_bytes,error
0,mix52,6000000,0.02,60000,true,if1,2,7,1000,
1,mix52,6000000,0.02,60000,true,eaf,1,9,500,
2,mix52,6000000,0.02,60000,true,mptcp-if1,1.6,9,600,
3,mix52,20000000,0.02,60000,true,if1,,,,no path
4,mix52,20000000,0.02,60000,true,eaf,0.5,9,500,
5,mix52,20000000,0.02,60000,true,mptcp-if1,0.4,9,500,
6,n2x1k,20000000,0.05,60000,false,if1,0.3,1,2000,
7,n2x1k,20000000,0.05,60000,false,eaf,0.6,1,2000,
`

func open(t *testing.T, text string) *Set {
	t.Helper()
	path := filepath.Join(t.TempDir(), "rows.csv")
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	s, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// each lists what f makes of the rows that meet the conditions, by run; nothing where it has nothing to say.
func each(t *testing.T, s *Set, where []string, f func(c *Case, i int) (string, bool)) []string {
	t.Helper()
	filter, err := NewFilter(s.Schema, where)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	err = s.Each(filter, func(c *Case) error {
		for i := range c.Rows {
			if !filter.Keeps(c, i) {
				continue
			}
			if text, ok := f(c, i); ok {
				list = append(list, fmt.Sprintf("%d %s", c.Rows[i].Run, text))
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func TestCases(t *testing.T) {
	s := open(t, rows)
	var sizes []int
	if err := s.Each(nil, func(c *Case) error { sizes = append(sizes, len(c.Rows)); return nil }); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(sizes, []int{3, 3, 2}) {
		t.Errorf("cases of %v rows", sizes)
	}
	if b, err := s.Baseline(); b != "if1" || err != nil {
		t.Errorf("baseline %q, %v", b, err)
	}
	stop := errors.New("enough")
	n := 0
	if err := s.Each(nil, func(*Case) error { n++; return stop }); !errors.Is(err, stop) || n != 1 {
		t.Errorf("stopped with %v after %d cases", err, n)
	}
}

// Speed-ups by hand: 2/1, 2/1.6; none where if1 failed; 0.3/0.6. Over the fastest of eaf and mptcp-if1: 1/2, ...
func TestSpeedUp(t *testing.T) {
	s := open(t, rows)
	for _, c := range []struct {
		over []string
		want []string
	}{
		{[]string{"if1"}, []string{"0 1", "1 2", "2 1.25", "6 1", "7 0.5"}},
		{[]string{"eaf", "mptcp-*"}, []string{"0 0.5", "1 1", "2 0.625", "4 0.8", "5 1", "6 2", "7 1"}},
		{[]string{"eaf-mptcp"}, nil},
	} {
		column, err := Lookup(s.Schema, SpeedUp, c.over)
		if err != nil {
			t.Fatal(err)
		}
		if got := each(t, s, nil, column.Text); !slices.Equal(got, c.want) {
			t.Errorf("over %v: %q, want %q", c.over, got, c.want)
		}
	}
}

func TestColumns(t *testing.T) {
	s := open(t, rows)
	for _, c := range []struct {
		name, label string
		want        []string // of the first and the fourth run
	}{
		{"load_time_s", "load time (s)", []string{"0 2s"}},
		{"wifi.bandwidth", "wifi bandwidth (bit/s)", []string{"0 6Mbit/s", "3 20Mbit/s"}},
		{"wifi_rtt_s", "wifi rtt (s)", []string{"0 20ms", "3 20ms"}},
		{"queue", "queue (bytes)", []string{"0 60kB", "3 60kB"}},
		{"fresh", "fresh", []string{"0 true", "3 true"}},
		{"page", "page", []string{"0 mix52", "3 mix52"}},
		{"connections", "connections", []string{"0 7"}},
		{"wifi_bytes", "wifi (bytes)", []string{"0 1kB"}},
		{"page_bytes", "page size (bytes)", []string{"0 1kB"}},
	} {
		column, err := Lookup(s.Schema, c.name, nil)
		if err != nil {
			t.Fatal(err)
		}
		got := each(t, s, nil, func(of *Case, i int) (string, bool) {
			text, ok := column.Text(of, i)
			return text, ok && of.Rows[i].Run%3 == 0 && of.Rows[i].Run < 6
		})
		if !slices.Equal(got, c.want) || column.Label() != c.label {
			t.Errorf("%s: %q called %q, want %q called %q", c.name, got, column.Label(), c.want, c.label)
		}
	}
	if _, err := Lookup(s.Schema, "load_tim_s", nil); err == nil || !strings.Contains(err.Error(), `did you mean "load_time_s"?`) {
		t.Errorf("error is %v", err)
	}
}

func TestFilter(t *testing.T) {
	s := open(t, rows)
	for _, c := range []struct {
		where []string
		want  string
	}{
		{nil, "0 1 2 3 4 5 6 7"},
		{[]string{"policy=eaf, if1"}, "0 1 3 4 6 7"},
		{[]string{"wifi.bandwidth=6Mbit/s"}, "0 1 2"},
		{[]string{"wifi_bandwidth_bit_s=20000000", "policy=mptcp-*"}, "5"},
		{[]string{"wifi_rtt_s=0.05"}, "6 7"},
		{[]string{"wifi.rtt=50ms,20ms", "page=n2x*"}, "6 7"},
		{[]string{"fresh=false"}, "6 7"},
	} {
		got := each(t, s, c.where, func(*Case, int) (string, bool) { return "", true })
		if text := strings.Join(strings.Fields(strings.Join(got, " ")), " "); text != c.want {
			t.Errorf("%v: runs %s, want %s", c.where, text, c.want)
		}
	}
	for where, want := range map[string]string{
		"policy":            "is not like factor=level",
		"polcy=eaf":         `did you mean "policy"?`,
		"load_time_s=2":     "load_time_s is not a factor",
		"policy=eaf,eaff":   "no row has policy = eaff",
		"wifi.rtt=50Mbit/s": "no row has wifi_rtt_s = 50Mbit/s",
	} {
		f, err := NewFilter(s.Schema, []string{where})
		if err == nil {
			err = s.Each(f, func(c *Case) error {
				for i := range c.Rows {
					f.Keeps(c, i)
				}
				return nil
			})
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error is %v, want %q", where, err, want)
		}
	}
}

// A case of many rows, as repetitions without a column would be, takes time in proportion to them.
func TestBestIsAskedOncePerCase(t *testing.T) {
	var text strings.Builder
	text.WriteString("run,page,policy,load_time_s,error\n")
	const n = 50_000
	for i := range n {
		fmt.Fprintf(&text, "%d,a,if1,%d,\n", i, 1+i%7)
	}
	s := open(t, text.String())
	column, err := Lookup(s.Schema, SpeedUp, []string{"if1"})
	if err != nil {
		t.Fatal(err)
	}
	sum := 0.0
	if err := s.Each(nil, func(c *Case) error {
		for i := range c.Rows {
			x, ok := column.Float(c, i)
			if !ok {
				t.Fatal("no speed-up")
			}
			sum += x
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	// 1/1 + 1/2 + ... + 1/7, n/7 times, but for the last few.
	if want := (1 + 1./2 + 1./3 + 1./4 + 1./5 + 1./6 + 1./7) * n / 7; math.Abs(sum-want) > 3 {
		t.Errorf("sum of speed-ups %v, want %v", sum, want)
	}
}

func TestFind(t *testing.T) {
	s := open(t, rows)
	row, m, err := s.Find(4)
	if err != nil || m != nil || row.Run != 4 || row.Factors[s.Schema.Factor(PolicyColumn)].Text != "eaf" || row.Metrics[0].Float != 0.5 {
		t.Errorf("run 4 is %+v, manifest %v, error %v", row, m, err)
	}
	if _, _, err := s.Find(8); err == nil || !strings.Contains(err.Error(), "no run 8 (its 8 rows are of runs 0 to 7)") {
		t.Errorf("error %v", err)
	}
}

func TestCells(t *testing.T) {
	s := open(t, rows)
	for name, want := range map[string]string{
		"page": "0 mix52", "wifi.bandwidth": "0 6000000", "wifi.rtt": "0 0.02", "queue": "0 60000", "fresh": "0 true", "load_time_s": "0 2", SpeedUp: "0 1",
	} {
		column, err := Lookup(s.Schema, name, []string{"if1"})
		if err != nil {
			t.Fatal(err)
		}
		got := each(t, s, nil, func(of *Case, i int) (string, bool) {
			cell, ok := column.AppendCell(nil, of, i)
			return string(cell), ok && of.Rows[i].Run == 0
		})
		if !slices.Equal(got, []string{want}) {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}
