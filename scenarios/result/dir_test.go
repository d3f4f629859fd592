package result

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"braid/scenarios"
)

func names(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	list := []string{}
	for _, e := range entries {
		list = append(list, e.Name())
	}
	return list
}

// planned is the manifest of a grid of n runs in the given format, of which a shard is computed.
func planned(s Schema, f Format, shard Shard, first, runs, grid int64) *Manifest {
	m := NewManifest(s)
	m.Scenario = ScenarioIdentity{Name: "two networks", SHA256: "d1", Text: `{"policies": ["if1", "eaf"]}`}
	m.Seed = 1<<64 - 1
	m.Inputs = []Digest{{"page.har", "00ff"}}
	m.Plan(f, shard, grid, first, runs)
	return m
}

// all plans the whole grid.
func all(s Schema, f Format, runs int64) *Manifest { return planned(s, f, Shard{}, 0, runs, runs) }

func TestOpenDirRefuses(t *testing.T) {
	s := testSchema(t)
	root := t.TempDir()
	with := func(name, text string) string {
		dir := filepath.Join(root, "with "+name)
		if err := errors.Join(os.Mkdir(dir, 0o777), os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666)); err != nil {
			t.Fatal(err)
		}
		return dir
	}
	plain := filepath.Join(root, "plain")
	if err := os.WriteFile(plain, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	whole, third := all(s, CSV, 9), planned(s, CSV, Shard{3, 8}, 2, 3, 9)
	for _, c := range []struct {
		path string
		m    *Manifest
		want string
	}{
		{with("old.csv", ""), whole, "holds other rows (old.csv)"},
		{with("rows.csv", ""), whole, "holds rows (rows.csv) without the journal to go on from"},
		{with("rows.parquet", ""), whole, "holds rows (rows.parquet) without the journal to go on from"},
		{with("manifest.json", ""), whole, "not a manifest of results"},
		{with("rows-1-of-8.csv", ""), whole, "holds shards of 8 (rows-1-of-8.csv): join them with braid merge"},
		{with("manifest-1-of-8.json", ""), whole, "holds shards of 8 (manifest-1-of-8.json)"},
		{with("rows-01-of-10.csv", ""), third, "holds shards of 10 (rows-01-of-10.csv), and this is shard 3/8: give --shard i/10"},
		{with("rows.journal", "braid journal 1\n"), third, "holds the rows of a whole grid (rows.journal), and this is shard 3/8"},
		{with("rows-3-of-8.journal", "#!/bin/sh and more\n"), third, "not a journal of braid"},
		{plain, whole, "results go into a directory"},
		{filepath.Join(plain, "below"), whole, "not a directory"},
	} {
		before := names(t, root)
		var files []string
		if c.path != plain && filepath.Dir(c.path) == root {
			files = names(t, c.path)
		}
		_, err := OpenDir(c.path, c.m, s)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error is %v, want %q", c.path, err, c.want)
		}
		if after := names(t, root); !slices.Equal(before, after) {
			t.Errorf("%s: left %v", c.path, after)
		}
		if files != nil && !slices.Equal(files, names(t, c.path)) {
			t.Errorf("%s: left %v", c.path, names(t, c.path))
		}
	}
	// What are no results are left alone.
	d, err := OpenDir(with("notes.txt", "mine"), whole, s)
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Abort(); err != nil {
		t.Error(err)
	}
	if got := names(t, d.path); !slices.Equal(got, []string{"notes.txt"}) {
		t.Errorf("after Abort: %v", got)
	}
}

// Until Commit nothing has a final name; after Abort nothing is left, not even the directory.
func TestDirHasNoFinalNamesUntilCommit(t *testing.T) {
	s, rows := testSchema(t), testRows()
	dir := filepath.Join(t.TempDir(), "a", "b")
	d, err := OpenDir(dir, all(s, CSV, 9), s)
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Write(&rows[0]); err != nil {
		t.Fatal(err)
	}
	if got := names(t, dir); len(got) != 2 || !strings.HasPrefix(got[0], ".rows.csv.incomplete-") || got[1] != "rows.journal" {
		t.Errorf("before Commit: %v", got)
	}
	if err := d.Abort(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("after Abort: %v", err)
	}
}

// A journal that was there stays, whatever it holds; one of other runs is refused.
func TestJournalsThatWereThere(t *testing.T) {
	s := testSchema(t)
	dir := t.TempDir()
	path := filepath.Join(dir, "rows.journal")
	if err := openTestJournal(t, path, s).close(); err != nil {
		t.Fatal(err)
	}
	d, err := OpenDir(dir, all(s, CSV, 1000), s)
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Abort(); err != nil {
		t.Fatal(err)
	}
	if got := names(t, dir); !slices.Equal(got, []string{"rows.journal"}) {
		t.Errorf("after Abort: %v", got)
	}
	j := openTestJournal(t, path, s)
	if err := errors.Join(j.Append(outcomes(998, 4)), j.Sync(), j.close()); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenDir(dir, all(s, CSV, 1000), s); err == nil || !strings.Contains(err.Error(), "holds runs 998 to 1001, which are not among runs 0 to 999") {
		t.Errorf("a journal of other runs: %v", err)
	}
}

func TestCommitWritesManifest(t *testing.T) {
	s, rows := testSchema(t), testRows()
	dir := t.TempDir()
	m := all(s, Parquet, int64(len(rows)))
	d, err := OpenDir(dir, m, s)
	if err != nil {
		t.Fatal(err)
	}
	for i := range rows {
		if err := d.Write(&rows[i]); err != nil {
			t.Fatal(err)
		}
	}
	if err := d.Commit(); err != nil {
		t.Fatal(err)
	}
	if got := names(t, dir); !slices.Equal(got, []string{"manifest.json", "rows.parquet"}) {
		t.Errorf("files: %v", got)
	}
	read, err := ReadManifest(dir)
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(d.Place())
	if err != nil {
		t.Fatal(err)
	}
	if want := (Rows{File: "rows.parquet", Format: Parquet, Grid: 4, Planned: 4, Written: 4, Failed: 2, Bytes: info.Size(), Complete: true}); read.Rows != want {
		t.Errorf("rows: %+v, want %+v", read.Rows, want)
	}
	if !reflect.DeepEqual(read, m) {
		t.Errorf("read %+v\nwrote %+v", read, m)
	}
	if schema, err := read.Schema(); err != nil || !schema.equal(s) {
		t.Errorf("schema %v, %v", schema, err)
	}
	if info.Mode().Perm()&0o400 == 0 || info.Mode().Perm()&0o111 != 0 {
		t.Errorf("permissions %v", info.Mode())
	}
}

// A disk that takes no more bytes: the error names the file, and nothing is left but what the journal has.
func TestFailureToWriteKeepsTheJournal(t *testing.T) {
	for _, f := range FormatNames() {
		s, row := testSchema(t), testRows()[0]
		dir := filepath.Join(t.TempDir(), "out")
		d, err := OpenDir(dir, all(s, Format(f), 1<<20), s)
		if err != nil {
			t.Fatal(err)
		}
		// /dev/full gives the error of a full disk at each write.
		full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
		if err != nil {
			t.Skip("no /dev/full here")
		}
		if d.writer, err = NewWriter(full, Format(f), s); err != nil {
			t.Fatal(err)
		}
		if err := d.Journal().Append([]Row{row}); err != nil {
			t.Fatal(err)
		}
		var failed error
		for i := range 2*rowGroup + batch {
			row.Run, row.Metrics[0].Float = int64(i), 1/float64(i+1) // does not compress away
			if failed = d.Write(&row); failed != nil {
				break
			}
		}
		if failed == nil {
			t.Fatalf("%s: 2 row groups went onto a full disk", f)
		}
		if !strings.Contains(failed.Error(), "rows."+f) || !strings.Contains(failed.Error(), "no space left") {
			t.Errorf("%s: error is %v", f, failed)
		}
		if err := d.Commit(); !errors.Is(err, failed) {
			t.Errorf("%s: Commit after a failure: %v", f, err)
		}
		if got := names(t, dir); !slices.Equal(got, []string{"rows.journal"}) {
			t.Errorf("%s: left %v", f, got)
		}
		if d, err = OpenDir(dir, all(s, Format(f), 1<<20), s); err != nil || d.Journal().Rows() != 1 {
			t.Fatalf("%s: the journal has %d rows, error %v", f, d.Journal().Rows(), err)
		}
		if err := errors.Join(d.Abort(), full.Close()); err != nil {
			t.Fatal(err)
		}
	}
}

func TestReaderJoinsTheFilesOfADirectory(t *testing.T) {
	s, rows := testSchema(t), testRows()
	dir := t.TempDir()
	for name, part := range map[string][]Row{"rows-1-of-2.csv": rows[:2], "rows-2-of-2.csv": rows[2:]} {
		m := NewManifest(s)
		m.Rows.File = name
		text, err := json.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		err = errors.Join(os.WriteFile(filepath.Join(dir, name), encode(t, CSV, s, part), 0o666),
			os.WriteFile(filepath.Join(dir, strings.NewReplacer("rows", "manifest", "csv", "json").Replace(name)), text, 0o666))
		if err != nil {
			t.Fatal(err)
		}
	}
	if _, got := readAll(t, dir); !reflect.DeepEqual(got, rows) {
		t.Errorf("got %+v", got)
	}
}

func TestOpenRefuses(t *testing.T) {
	s := testSchema(t)
	dir := t.TempDir()
	other, err := NewSchema([]scenarios.Column{{Name: "page"}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o777), os.WriteFile(path, []byte(text), 0o666)); err != nil {
			t.Fatal(err)
		}
		return path
	}
	whole := string(encode(t, Parquet, s, testRows()))
	line := `{"run":0,"page":"a","load_time_s":1,"error":""}` + "\n"
	write("mixed/a.csv", string(encode(t, CSV, s, testRows())))
	write("mixed/b.csv", string(encode(t, CSV, other, nil)))
	for _, c := range []struct{ path, want string }{
		{write("empty/notes.txt", ""), "not a file of rows"},
		{filepath.Join(dir, "empty"), "no rows in it"},
		{filepath.Join(dir, "missing.csv"), "no such file"},
		{write("cut.parquet", whole[:len(whole)/2]), "not a whole Parquet file"},
		{write("huge.parquet", whole[:len(whole)-8]+"\xff\xff\xff\xffPAR1"), "metadata of 4294967295 bytes in a file of"},
		{write("no.parquet", ""), "not a whole Parquet file"},
		{write("empty.csv", ""), "empty.csv: empty"},
		{write("other.csv", "a,b\n1,2\n"), "not rows of braid"},
		{write("short.csv", "run,page,load_time_s,error\n0,a,1,\n1,a\n"), "short.csv: record on line 3: wrong number of fields"},
		{write("empty.jsonl", ""), "line 1: empty"},
		{write("list.jsonl", "[1]\n"), "line 1: expected an object"},
		{write("cut.jsonl", line+`{"run":1,`), "line 2"},
		{write("fewer.jsonl", line+`{"run":1}`), "line 2: 1 members (expected 4, as in line 1)"},
		{write("deep.jsonl", line+`{"run":1,"page":[],"load_time_s":1,"error":""}`), "line 2: page: an object or array"},
		{write("bad/manifest.json", "{}") + "/../rows.csv", "not a directory"},
	} {
		if _, err := Open(c.path); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error is %v, want %q", c.path, err, c.want)
		}
	}
	r, err := Open(filepath.Join(dir, "mixed"))
	if err != nil {
		t.Fatal(err)
	}
	var row Row
	for err == nil {
		err = r.Read(&row)
	}
	if !strings.Contains(err.Error(), "its columns are not those of the files before it") {
		t.Errorf("mixed columns: %v", err)
	}
}

// A row with some metrics but not all is neither a run that went well nor one that failed.
func TestPartialRowsAreRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "rows.csv")
	if err := os.WriteFile(path, []byte("run,page,load_time_s,events,error\n0,a,1,2,\n1,a,1,,\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	r, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var row Row
	if err := r.Read(&row); err != nil {
		t.Fatal(err)
	}
	if err := r.Read(&row); err == nil || !strings.Contains(err.Error(), "line 3: 1 of 2 values are missing") {
		t.Errorf("error is %v", err)
	}
}

func TestManifestRefuses(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", "not a manifest"},
		{"[]", "not a manifest"},
		{`{"manifest_version": 99}`, "manifest_version 99 (this braid reads 2)"},
	} {
		if _, err := parseManifest([]byte(c.text)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: error is %v, want %q", c.text, err, c.want)
		}
	}
	for _, c := range []ColumnIdentity{{"x", "complex", "factor"}, {"x", "text", "king"}} {
		m := Manifest{Columns: []ColumnIdentity{c}}
		if _, err := m.Schema(); err == nil || !strings.Contains(err.Error(), "unknown") {
			t.Errorf("%v: error is %v", c, err)
		}
	}
}
