package figure

import (
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
)

// The same series from both formats, columns in any order, an empty cell left out.
func TestReadSeries(t *testing.T) {
	dir := t.TempDir()
	want := map[[2]int][]instant{
		{0, 0}: {{0, 1}, {0.5, 3}}, {0, 1}: {{0, 10}, {0.5, 30}},
		{1, 0}: {{0, 2}},
	}
	csv := filepath.Join(dir, "a.csv")
	if err := os.WriteFile(csv, []byte("rate_bit_s,series,time_s,cwnd_bytes\n1,a,0,10\n2,b,0,\n3,a,0.5,30\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	type row struct {
		Series *string  `parquet:"series"`
		Time   float64  `parquet:"time_s"`
		ARate  int64    `parquet:"a_rate"`
		Cwnd   *float32 `parquet:"cwnd_bytes"`
	}
	a, b := "a", "b"
	ten, thirty := float32(10), float32(30)
	file := filepath.Join(dir, "a.parquet")
	if err := parquet.WriteFile(file, []row{{&a, 0, 1, &ten}, {&b, 0, 2, nil}, {&a, 0.5, 3, &thirty}}); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{csv, file} {
		s, err := readSeries(path)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(s.lines, want) || !reflect.DeepEqual(s.series, []string{"a", "b"}) {
			t.Errorf("%s: %+v, want %v", path, s, want)
		}
	}
}

func TestReadSeriesRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"":                                "the line of column names: EOF",
		"a,b\n1,2\n":                      "no column time_s",
		"time_s,series\n1,a\n":            "no column of numbers beside time_s",
		"time_s,x\n":                      "no values in it",
		"time_s,x\n1,2\nsoon,3\n":         `line 3: time_s is "soon" (expected seconds)`,
		"time_s,x\n1,fast\n":              `line 2: x is "fast" (expected a number)`,
		"time_s,x\n1,NaN\n":               "line 2: NaN at 1 s is no finite number",
		"time_s,x\n2,1\n1,1\n":            `line 3: time 1 s of series "" comes after 2 s (expected ascending times)`,
		"time_s,x\n1,2,3\n":               "wrong number of fields",
		"time_s,series,x\n1,a,1\n0,b,1\n": "",
	} {
		path := filepath.Join(t.TempDir(), "s.csv")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := readSeries(path)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%q: error %v, want %q", text, err, want)
		}
	}
	for name, want := range map[string]string{"s.txt": "not a file of series", "s.parquet": "s.parquet: "} {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, []byte("PAR1 not really"), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := readSeries(path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", name, err, want)
		}
	}
}

// A long line is drawn with its extremes, its ends, and what is next to the range on both sides.
func TestReduce(t *testing.T) {
	const n = 100_000
	var line []instant
	for i := range n {
		line = append(line, instant{float64(i) / n, math.Sin(float64(i) / 50)})
	}
	line[33_333].value = 9
	short := reduce(line, limits{0, 1})
	if len(short) > 4*(timeColumns+1) || short[0] != line[0] || short[len(short)-1] != line[n-1] {
		t.Errorf("%d values from %v to %v", len(short), short[0], short[len(short)-1])
	}
	top := 0.0
	for i, v := range short {
		top = max(top, v.value)
		if i > 0 && v.at <= short[i-1].at {
			t.Fatalf("time %v after %v", v.at, short[i-1].at)
		}
	}
	if top != 9 {
		t.Errorf("the greatest value is %v, want 9", top)
	}
	if got := reduce(line, limits{0.50001, 0.50003}); len(got) != 5 {
		t.Errorf("%d values around three", len(got))
	}
}
