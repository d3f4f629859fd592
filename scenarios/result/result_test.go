package result

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"
	"pgregory.net/rapid"

	"braid/scenarios"
)

// testSchema has a column of each type, in an order that is not that of the names.
func testSchema(t testing.TB) Schema {
	t.Helper()
	s, err := NewSchema(
		[]scenarios.Column{
			{Name: "page", Type: scenarios.Text},
			{Name: "wifi_rtt_s", Type: scenarios.Float},
			{Name: "max_per_host", Type: scenarios.Integer},
			{Name: "idle_restart", Type: scenarios.Bool},
			{Name: "policy", Type: scenarios.Text},
		},
		PageLoad([]string{"wifi", "lte"}))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// testRows are a run that went well, one that failed, one whose factors are not known either, and awkward text.
func testRows() []Row {
	metrics := func(load float64, connections, wifi, lte, events, predictions int64) []scenarios.Value {
		return []scenarios.Value{{Float: load}, {Integer: connections}, {Integer: wifi}, {Integer: lte}, {Integer: events}, {Integer: predictions}}
	}
	return []Row{
		{0, []scenarios.Value{{Text: "mix52"}, {Float: 0.02}, {Integer: 6}, {Bool: true}, {Text: "if1"}}, metrics(1.234567891, 7, 1<<40, 0, 250, 0), ""},
		{1, []scenarios.Value{{Text: "mix52"}, {Float: 0.02}, {Integer: 6}, {}, {Text: "eaf"}}, nil, `no "page", <b>, a,b`},
		{2, nil, nil, "unknown"},
		{3, []scenarios.Value{{Text: "a,\"b\"\nü"}, {Float: 1e-9}, {Integer: -1}, {}, {Text: "é"}}, metrics(2, 1, 2, 3, 4, 5), ""},
	}
}

func encode(t testing.TB, f Format, s Schema, rows []Row) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := NewWriter(&b, f, s)
	if err != nil {
		t.Fatal(err)
	}
	for i := range rows {
		if err := w.Write(&rows[i]); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func readAll(t testing.TB, path string) (Schema, []Row) {
	t.Helper()
	r, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var rows []Row
	for {
		var row Row
		err := r.Read(&row)
		if errors.Is(err, io.EOF) {
			return r.Schema(), rows
		}
		if err != nil {
			t.Fatal(err)
		}
		rows = append(rows, row)
	}
}

func TestCSVIsReadByEncodingCSV(t *testing.T) {
	got, err := csv.NewReader(bytes.NewReader(encode(t, CSV, testSchema(t), testRows()))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	want := [][]string{
		{"run", "page", "wifi_rtt_s", "max_per_host", "idle_restart", "policy", "load_time_s", "connections", "wifi_bytes", "lte_bytes", "events", "predictions", "error"},
		{"0", "mix52", "0.02", "6", "true", "if1", "1.234567891", "7", "1099511627776", "0", "250", "0", ""},
		{"1", "mix52", "0.02", "6", "false", "eaf", "", "", "", "", "", "", `no "page", <b>, a,b`},
		{"2", "", "", "", "", "", "", "", "", "", "", "", "unknown"},
		{"3", "a,\"b\"\nü", "1e-09", "-1", "false", "é", "2", "1", "2", "3", "4", "5", ""},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
}

func TestJSONLinesAreReadByEncodingJSON(t *testing.T) {
	text := encode(t, JSONLines, testSchema(t), testRows())
	lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	if len(lines) != 4 {
		t.Fatalf("%d lines, want 4", len(lines))
	}
	if !strings.HasPrefix(lines[0], `{"run":0,"page":"mix52","wifi_rtt_s":0.02,"max_per_host":6,"idle_restart":true,"policy":"if1","load_time_s":1.234567891,`) {
		t.Errorf("order of columns or numbers: %s", lines[0])
	}
	if !strings.Contains(lines[1], "<b>") {
		t.Errorf("HTML is escaped: %s", lines[1])
	}
	want := []map[string]any{
		{"page": "mix52", "load_time_s": 1.234567891, "wifi_bytes": 1099511627776.0, "idle_restart": true, "error": ""},
		{"page": "mix52", "load_time_s": nil, "predictions": nil, "error": `no "page", <b>, a,b`},
		{"page": nil, "wifi_rtt_s": nil, "load_time_s": nil, "error": "unknown"},
		{"page": "a,\"b\"\nü", "wifi_rtt_s": 1e-9, "load_time_s": 2.0},
	}
	for i, line := range lines {
		var got map[string]any
		if err := json.Unmarshal([]byte(line), &got); err != nil {
			t.Fatalf("line %d: %v", i+1, err)
		}
		if got["run"] != float64(i) || len(got) != 13 {
			t.Errorf("line %d: run %v, %d members", i+1, got["run"], len(got))
		}
		for name, v := range want[i] {
			if got[name] != v {
				t.Errorf("line %d: %s is %v, want %v", i+1, name, got[name], v)
			}
		}
	}
}

// parquetRow is a row as somebody else's Go program would declare it.
type parquetRow struct {
	Run         int64    `parquet:"run"`
	Page        *string  `parquet:"page"`
	RTT         *float64 `parquet:"wifi_rtt_s"`
	MaxPerHost  *int64   `parquet:"max_per_host"`
	IdleRestart *bool    `parquet:"idle_restart"`
	Policy      *string  `parquet:"policy"`
	LoadTime    *float64 `parquet:"load_time_s"`
	WifiBytes   *int64   `parquet:"wifi_bytes"`
	Error       string   `parquet:"error"`
}

func TestParquetIsReadByGenericReader(t *testing.T) {
	data := encode(t, Parquet, testSchema(t), testRows())
	rows, err := parquet.Read[parquetRow](bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	if len(rows) != 4 {
		t.Fatalf("%d rows, want 4", len(rows))
	}
	first := rows[0]
	if first.Run != 0 || *first.Page != "mix52" || *first.RTT != 0.02 || *first.MaxPerHost != 6 || !*first.IdleRestart ||
		*first.Policy != "if1" || *first.LoadTime != 1.234567891 || *first.WifiBytes != 1<<40 || first.Error != "" {
		t.Errorf("first row is %+v", first)
	}
	if r := rows[1]; *r.Policy != "eaf" || *r.IdleRestart || r.LoadTime != nil || r.WifiBytes != nil || r.Error != `no "page", <b>, a,b` {
		t.Errorf("failed row is %+v", r)
	}
	if r := rows[2]; r.Page != nil || r.RTT != nil || r.IdleRestart != nil || r.Error != "unknown" {
		t.Errorf("row without factors is %+v", r)
	}
}

func TestParquetSchemaIsTypedAndInOrder(t *testing.T) {
	data := encode(t, Parquet, testSchema(t), testRows())
	f, err := parquet.OpenFile(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	want := `message rows {
	required int64 run (INT(64,true));
	optional binary page (STRING);
	optional double wifi_rtt_s;
	optional int64 max_per_host (INT(64,true));
	optional boolean idle_restart;
	optional binary policy (STRING);
	optional double load_time_s;
	optional int64 connections (INT(64,true));
	optional int64 wifi_bytes (INT(64,true));
	optional int64 lte_bytes (INT(64,true));
	optional int64 events (INT(64,true));
	optional int64 predictions (INT(64,true));
	required binary error (STRING);
}`
	if got := f.Schema().String(); got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
	for _, c := range f.Metadata().RowGroups[0].Columns {
		if c.MetaData.Codec.String() != "ZSTD" {
			t.Errorf("column %v is compressed with %v", c.MetaData.PathInSchema, c.MetaData.Codec)
		}
	}
}

// What is written comes back, from every format, with the types of its columns: in a directory and as a lone file.
func TestRowsComeBack(t *testing.T) {
	s, want := testSchema(t), testRows()
	for _, format := range FormatNames() {
		t.Run(format, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "out")
			d, err := OpenDir(dir, all(s, Format(format), 4), s)
			if err != nil {
				t.Fatal(err)
			}
			for i := range want {
				if err := d.Write(&want[i]); err != nil {
					t.Fatal(err)
				}
			}
			if err := d.Commit(); err != nil {
				t.Fatal(err)
			}
			for _, path := range []string{dir, d.Place()} {
				schema, got := readAll(t, path)
				if !schema.equal(s) {
					t.Errorf("%s: schema %v, want %v", path, schema, s)
				}
				if !reflect.DeepEqual(got, want) {
					t.Errorf("%s: got %+v\nwant %+v", path, got, want)
				}
			}
			if err := os.Remove(filepath.Join(dir, ManifestName)); err != nil {
				t.Fatal(err)
			}
			schema, got := readAll(t, dir)
			if !schema.equal(s) || !reflect.DeepEqual(got, want) {
				t.Errorf("without a manifest: schema %v, rows %+v", schema, got)
			}
		})
	}
}

// Any finite numbers and any text come back from every format.
func TestRowsComeBackProperty(t *testing.T) {
	s, err := NewSchema(
		[]scenarios.Column{{Name: "text", Type: scenarios.Text}, {Name: "float", Type: scenarios.Float}, {Name: "integer", Type: scenarios.Integer}, {Name: "bool", Type: scenarios.Bool}},
		[]scenarios.Column{{Name: LoadTime, Type: scenarios.Float}})
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	n := 0
	rapid.Check(t, func(t *rapid.T) {
		n++
		row := Row{Run: rapid.Int64().Draw(t, "run")}
		row.Factors = []scenarios.Value{
			{Text: strings.ReplaceAll(strings.ToValidUTF8(rapid.String().Draw(t, "text"), "?"), "\r", "")}, // CSV cannot keep \r\n apart from \n
			{Float: rapid.Float64().Draw(t, "float")},
			{Integer: rapid.Int64().Draw(t, "integer")},
			{Bool: rapid.Bool().Draw(t, "bool")},
		}
		if rapid.Bool().Draw(t, "well") {
			row.Metrics = []scenarios.Value{{Float: rapid.Float64().Draw(t, "load")}}
		} else {
			row.Error = "failed"
		}
		for _, format := range FormatNames() {
			path := filepath.Join(dir, strconv.Itoa(n)+"."+format)
			var b bytes.Buffer
			w, err := NewWriter(&b, Format(format), s)
			if err != nil {
				t.Fatal(err)
			}
			if err := errors.Join(w.Write(&row), w.Close(), os.WriteFile(path, b.Bytes(), 0o666)); err != nil {
				t.Fatal(err)
			}
			var src source
			for _, f := range Formats {
				if string(f.Format) == format {
					src, err = f.read(path, &s)
				}
			}
			if err != nil {
				t.Fatal(err)
			}
			var got Row
			if err := src.Read(&got); err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(got, row) {
				t.Fatalf("%s: got %+v, want %+v", format, got, row)
			}
			if err := src.Read(&got); !errors.Is(err, io.EOF) {
				t.Fatalf("%s: after the last row: %v", format, err)
			}
			if err := errors.Join(src.Close(), os.Remove(path)); err != nil {
				t.Fatal(err)
			}
		}
	})
}

func TestParquetManyRowGroups(t *testing.T) {
	s := testSchema(t)
	var b bytes.Buffer
	w, err := NewWriter(&b, Parquet, s)
	if err != nil {
		t.Fatal(err)
	}
	const n = rowGroup + 100
	row := testRows()[0]
	for i := range int64(n) {
		row.Run = i
		if err := w.Write(&row); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "rows.parquet")
	if err := os.WriteFile(path, b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	f, err := parquet.OpenFile(bytes.NewReader(b.Bytes()), int64(b.Len()))
	if err != nil {
		t.Fatal(err)
	}
	if groups := f.RowGroups(); len(groups) != 2 || groups[0].NumRows() != rowGroup || groups[1].NumRows() != 100 {
		t.Errorf("%d row groups", len(groups))
	}
	_, rows := readAll(t, path)
	if len(rows) != n || rows[n-1].Run != n-1 {
		t.Errorf("%d rows, the last is %+v", len(rows), rows[len(rows)-1])
	}
}

// A file without rows is still a file with columns.
func TestNoRows(t *testing.T) {
	s := testSchema(t)
	for _, f := range []Format{Parquet, CSV} {
		path := filepath.Join(t.TempDir(), "rows."+string(f))
		if err := os.WriteFile(path, encode(t, f, s, nil), 0o666); err != nil {
			t.Fatal(err)
		}
		schema, rows := readAll(t, path)
		if len(rows) != 0 || !reflect.DeepEqual(schema.Names(), s.Names()) {
			t.Errorf("%s: %d rows, columns %v", f, len(rows), schema.Names())
		}
	}
}

func TestTextThatIsNotUTF8IsMadeSo(t *testing.T) {
	s, err := NewSchema([]scenarios.Column{{Name: "page", Type: scenarios.Text}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range FormatNames() {
		data := encode(t, Format(f), s, []Row{{Factors: []scenarios.Value{{Text: "a\xffb"}}, Error: "c\xff"}})
		path := filepath.Join(t.TempDir(), "rows."+f)
		if err := os.WriteFile(path, data, 0o666); err != nil {
			t.Fatal(err)
		}
		if _, rows := readAll(t, path); rows[0].Factors[0].Text != "a\uFFFDb" || rows[0].Error != "c\uFFFD" {
			t.Errorf("%s: %+v", f, rows[0])
		}
	}
}

func TestJSONRefusesWhatItCannotHold(t *testing.T) {
	s, err := NewSchema([]scenarios.Column{{Name: "x", Type: scenarios.Float}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	w, err := NewWriter(io.Discard, JSONLines, s)
	if err != nil {
		t.Fatal(err)
	}
	err = w.Write(&Row{Factors: []scenarios.Value{{Float: math.NaN()}}})
	if err == nil || !strings.Contains(err.Error(), "column x is NaN") {
		t.Errorf("error is %v", err)
	}
}

func TestRowsOfAnotherSchemaAreRefused(t *testing.T) {
	for _, f := range FormatNames() {
		w, err := NewWriter(io.Discard, Format(f), testSchema(t))
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Write(&Row{Factors: []scenarios.Value{{}}}); err == nil {
			t.Errorf("%s: a row with one factor of five was written", f)
		}
	}
}

func TestNewSchemaRefusesNames(t *testing.T) {
	for _, c := range []struct{ name, want string }{
		{"", "no name"},
		{"a,b", "a comma"},
		{"a\nb", "control character"},
		{"error", `two columns of the results are called "error"`},
		{"load_time_s", "two columns"},
	} {
		_, err := NewSchema([]scenarios.Column{{Name: c.name}}, PageLoad(nil))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: error is %v, want %q", c.name, err, c.want)
		}
	}
}

func TestSecondsIsTheNearestFloat(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ns := rapid.Int64Range(1, 1<<52).Draw(t, "ns")
		// Independent: the decimal number of nanoseconds, read by the standard library, which rounds correctly.
		want, err := strconv.ParseFloat(strconv.FormatInt(ns, 10)+"e-9", 64)
		if err != nil {
			t.Fatal(err)
		}
		if got := Seconds(time.Duration(ns)); got != want {
			t.Fatalf("Seconds(%d ns) = %v, want %v", ns, got, want)
		}
	})
}

func TestDescribe(t *testing.T) {
	s, rows := testSchema(t), testRows()
	if got, want := s.Describe(rows[0].Factors), "page=mix52, wifi_rtt_s=0.02, max_per_host=6, idle_restart=true, policy=if1"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := s.Describe(nil); got != "its factors are not known" {
		t.Errorf("got %q", got)
	}
}

func TestStreamWritesRowsOnly(t *testing.T) {
	var b bytes.Buffer
	s, rows := testSchema(t), testRows()
	sink, err := Stream(&b, CSV, s)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(sink.Write(&rows[0]), sink.Write(&rows[1]), sink.Commit()); err != nil {
		t.Fatal(err)
	}
	if want := encode(t, CSV, s, rows[:2]); !bytes.Equal(b.Bytes(), want) {
		t.Errorf("got %s\nwant %s", b.Bytes(), want)
	}
}
