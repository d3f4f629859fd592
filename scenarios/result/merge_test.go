package result

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// gridRows are the rows of a grid of n runs, some of which failed.
func gridRows(n int64) []Row {
	kinds := testRows()
	rows := make([]Row, n)
	for i := range rows {
		rows[i] = kinds[i%len(kinds)]
		rows[i].Run = int64(i)
	}
	return rows
}

// writeRows writes the rows of one part of a grid of so many runs; all that are planned, or fewer.
func writeRows(t *testing.T, dir string, m *Manifest, s Schema, rows []Row) {
	t.Helper()
	d, err := OpenDir(dir, m, s)
	if err != nil {
		t.Fatal(err)
	}
	for i := range rows {
		if err := errors.Join(d.Journal().Append(rows[i:i+1]), d.Write(&rows[i])); err != nil {
			t.Fatal(err)
		}
	}
	if err := d.Commit(); err != nil {
		t.Fatal(err)
	}
}

// bounds divides a grid of 40 runs into four shards; the third has none.
var bounds = []int64{0, 7, 30, 30, 40}

func writeShard(t *testing.T, dir string, f Format, i int) {
	t.Helper()
	s := testSchema(t)
	first, end := bounds[i-1], bounds[i]
	writeRows(t, dir, planned(s, f, Shard{i, 4}, first, end-first, 40), s, gridRows(40)[first:end])
}

func read(t *testing.T, path ...string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(path...))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// Merged shards are what one run of the whole grid writes, to the byte, rows and manifest.
func TestMerge(t *testing.T) {
	s := testSchema(t)
	for _, name := range FormatNames() {
		f := Format(name)
		whole, shards, other := t.TempDir(), t.TempDir(), filepath.Join(t.TempDir(), "new")
		writeRows(t, whole, all(s, f, 40), s, gridRows(40))
		for _, i := range []int{4, 2, 1, 3} {
			writeShard(t, shards, f, i)
		}
		before := names(t, shards)
		if _, err := Merge(shards, other); err != nil {
			t.Fatalf("%s: %v", f, err)
		}
		if after := names(t, shards); !slices.Equal(before, after) {
			t.Errorf("%s: merging elsewhere left %v", f, after)
		}
		if _, err := Merge(shards, ""); err != nil {
			t.Fatalf("%s: %v", f, err)
		}
		if got := names(t, shards); !slices.Equal(got, names(t, whole)) {
			t.Errorf("%s: merged in place: %v", f, got)
		}
		for _, file := range names(t, whole) {
			for _, dir := range []string{shards, other} {
				if !bytes.Equal(read(t, dir, file), read(t, whole, file)) {
					t.Errorf("%s: other bytes in %s", f, file)
				}
			}
		}
		// Once more there is nothing to do; and killed before the shards were removed, that is done.
		writeLeftover(t, shards, f)
		m, err := Merge(shards, "")
		if err != nil || m.Rows.Written != 40 || m.Rows.Failed != 20 {
			t.Errorf("%s: merged again: %+v, %v", f, m, err)
		}
		if got := names(t, shards); !slices.Equal(got, names(t, whole)) {
			t.Errorf("%s: merged again: %v", f, got)
		}
	}
}

// writeLeftover puts the files of one shard beside the merged rows.
func writeLeftover(t *testing.T, dir string, f Format) {
	t.Helper()
	elsewhere := t.TempDir()
	writeShard(t, elsewhere, f, 2)
	for _, name := range names(t, elsewhere) {
		if err := os.WriteFile(filepath.Join(dir, name), read(t, elsewhere, name), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// A directory of shards is read as one table, in their order; after a merge its rows come once.
func TestShardsAreReadInOrder(t *testing.T) {
	for _, f := range []Format{Parquet, CSV} {
		dir := t.TempDir()
		for _, i := range []int{2, 4, 1} {
			writeShard(t, dir, f, i)
		}
		_, rows := readAll(t, dir)
		if len(rows) != 40 || !slices.IsSortedFunc(rows, func(a, b Row) int { return int(a.Run - b.Run) }) {
			t.Errorf("%s: %d rows", f, len(rows))
		}
		writeShard(t, dir, f, 3)
		if _, err := Merge(dir, ""); err != nil {
			t.Fatal(err)
		}
		writeLeftover(t, dir, f)
		if _, rows = readAll(t, dir); len(rows) != 40 {
			t.Errorf("%s: %d rows after a merge", f, len(rows))
		}
	}
}

func TestMergeRefuses(t *testing.T) {
	s := testSchema(t)
	// shards writes those that are not changed.
	shards := func(t *testing.T, dir string, list ...int) {
		for _, i := range list {
			writeShard(t, dir, CSV, i)
		}
	}
	second := func(change func(*Manifest)) *Manifest {
		m := planned(s, CSV, Shard{2, 4}, 7, 23, 40)
		change(m)
		return m
	}
	for name, c := range map[string]struct {
		make func(t *testing.T, dir string)
		want string
	}{
		"nothing":  {func(*testing.T, string) {}, "holds no shards (braid run -o "},
		"missing":  {func(t *testing.T, dir string) { shards(t, dir, 3) }, "the shards are not complete: missing 1-2, 4 of 4; repeat the command of each with --shard i/4"},
		"journals": {func(t *testing.T, dir string) { shards(t, dir, 1, 3); begin(t, dir, second(func(*Manifest) {}), s) }, "missing 4, unfinished 2 of 4"},
		"interrupted": {func(t *testing.T, dir string) {
			shards(t, dir, 1, 3, 4)
			writeRows(t, dir, second(func(*Manifest) {}), s, gridRows(40)[7:9])
		}, "unfinished 2 of 4"},
		"another seed": {func(t *testing.T, dir string) {
			shards(t, dir, 1, 3, 4)
			writeRows(t, dir, second(func(m *Manifest) { m.Seed = 5 }), s, gridRows(40)[7:30])
		}, "shards 1 and 2 are of different runs:\n  seed: was 18446744073709551615, is 5\n"},
		"another architecture": {func(t *testing.T, dir string) {
			shards(t, dir, 1, 3, 4)
			writeRows(t, dir, second(func(m *Manifest) { m.GOARCH = "riscv64" }), s, gridRows(40)[7:30])
		}, "is riscv64"},
		"another division": {func(t *testing.T, dir string) {
			shards(t, dir, 1, 3, 4)
			writeRows(t, dir, planned(s, CSV, Shard{2, 4}, 8, 22, 40), s, gridRows(40)[8:30])
		}, "shard 2 begins with run 8 (expected 7): it was made with another division of the grid"},
		"another count": {func(t *testing.T, dir string) {
			shards(t, dir, 1)
			other := t.TempDir()
			writeRows(t, other, planned(s, CSV, Shard{1, 2}, 0, 20, 40), s, gridRows(20))
			for _, name := range names(t, other) {
				if err := os.WriteFile(filepath.Join(dir, name), read(t, other, name), 0o666); err != nil {
					t.Fatal(err)
				}
			}
		}, "holds shards of 2 and of 4"},
		"a cut file": {func(t *testing.T, dir string) {
			shards(t, dir, 1, 2, 3, 4)
			if err := os.Truncate(filepath.Join(dir, "rows-2-of-4.csv"), 100); err != nil {
				t.Fatal(err)
			}
		}, "rows-2-of-4.csv has 100 bytes, its manifest says"},
		"a file that is gone": {func(t *testing.T, dir string) {
			shards(t, dir, 1, 2, 3, 4)
			if err := os.Remove(filepath.Join(dir, "rows-2-of-4.csv")); err != nil {
				t.Fatal(err)
			}
		}, "shard 2: its manifest says that the rows are complete"},
		"renamed": {func(t *testing.T, dir string) {
			shards(t, dir, 1)
			if err := os.Rename(filepath.Join(dir, "manifest-1-of-4.json"), filepath.Join(dir, "manifest-2-of-4.json")); err != nil {
				t.Fatal(err)
			}
		}, "says that it is of shard 1/4, in rows-1-of-4.csv: it was renamed"},
		"rows of other runs": {func(t *testing.T, dir string) {
			shards(t, dir, 1, 3, 4)
			writeRows(t, dir, second(func(*Manifest) {}), s, gridRows(40)[6:29])
		}, "rows-2-of-4.csv: a row of run 6 (expected run 7 of 30)"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			c.make(t, dir)
			before := names(t, dir)
			_, err := Merge(dir, "")
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error is %v, want %q", err, c.want)
			}
			if after := names(t, dir); !slices.Equal(before, after) {
				t.Errorf("left %v, there was %v", after, before)
			}
		})
	}
}

// Merged rows that are gone or damaged are no reason to remove the shards, and neither are shards without a manifest.
func TestMergeKeepsShardsOfRowsThatAreNotThere(t *testing.T) {
	s := testSchema(t)
	whole := t.TempDir()
	writeRows(t, whole, all(s, CSV, 40), s, gridRows(40))
	for name, rows := range map[string][]byte{"gone": nil, "damaged": []byte("run,page\n")} {
		dir := t.TempDir()
		for i := 1; i <= 4; i++ {
			writeShard(t, dir, CSV, i)
		}
		err := os.WriteFile(filepath.Join(dir, ManifestName), read(t, whole, ManifestName), 0o666)
		if err == nil && rows != nil {
			err = os.WriteFile(filepath.Join(dir, "rows.csv"), rows, 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
		before := names(t, dir)
		if _, err := Merge(dir, ""); err == nil || !strings.Contains(err.Error(), "rows.csv") {
			t.Errorf("%s: error is %v", name, err)
		}
		if after := names(t, dir); !slices.Equal(before, after) {
			t.Errorf("%s: left %v, there was %v", name, after, before)
		}
	}
	if err := os.WriteFile(filepath.Join(whole, "rows-1-of-4.csv"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := Merge(whole, ""); err != nil || !slices.Contains(names(t, whole), "rows-1-of-4.csv") {
		t.Errorf("a shard without a manifest: %v, left %v", err, names(t, whole))
	}
}

// Of several merges at once each ends with the right rows or says that another one is at it.
func TestMergesAtOnce(t *testing.T) {
	s := testSchema(t)
	whole := t.TempDir()
	writeRows(t, whole, all(s, CSV, 40), s, gridRows(40))
	for range 30 {
		dir := t.TempDir()
		for i := 1; i <= 4; i++ {
			writeShard(t, dir, CSV, i)
		}
		var merges sync.WaitGroup
		for range 3 {
			merges.Go(func() {
				if _, err := Merge(dir, ""); err != nil && !errors.Is(err, errLocked) && !errors.Is(err, os.ErrNotExist) && !errors.Is(err, ErrIncomplete) {
					t.Error(err)
				}
			})
		}
		merges.Wait()
		if got := names(t, dir); !slices.Equal(got, names(t, whole)) {
			t.Fatalf("left %v", got)
		}
		if !bytes.Equal(read(t, dir, "rows.csv"), read(t, whole, "rows.csv")) {
			t.Fatal("other rows")
		}
	}
}

// A merge that was killed at any of its steps is repeated.
func TestMergeAgainAfterAKill(t *testing.T) {
	s := testSchema(t)
	whole := t.TempDir()
	writeRows(t, whole, all(s, CSV, 40), s, gridRows(40))
	copyTo := func(dir string, list ...string) {
		for _, name := range list {
			if err := os.WriteFile(filepath.Join(dir, name), read(t, whole, name), 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
	for name, left := range map[string]func(dir string){
		"nothing but the journal": func(dir string) {},
		"half of the rows": func(dir string) {
			copyTo(dir, "rows.csv")
			os.Rename(filepath.Join(dir, "rows.csv"), filepath.Join(dir, ".rows.csv.incomplete-0123abcd"))
		},
		"the rows": func(dir string) { copyTo(dir, "rows.csv") },
		"the rows and half the manifest": func(dir string) {
			copyTo(dir, "rows.csv", "manifest.json")
			os.Rename(filepath.Join(dir, "manifest.json"), filepath.Join(dir, ".manifest.json.incomplete-0123abcd"))
		},
		"all but the shards": func(dir string) { copyTo(dir, "rows.csv", "manifest.json") },
	} {
		for _, to := range []string{"", t.TempDir()} {
			dir := t.TempDir()
			for i := 1; i <= 4; i++ {
				writeShard(t, dir, CSV, i)
			}
			target := dir
			if to != "" {
				target = to
			}
			j, _, err := openJournal(filepath.Join(target, "rows.journal"), all(s, CSV, 40), s)
			if err != nil {
				t.Fatal(err)
			}
			if err := j.close(); err != nil {
				t.Fatal(err)
			}
			left(target)
			if _, err := Merge(dir, to); err != nil {
				t.Errorf("%s: %v", name, err)
			} else if got := names(t, target); !slices.Equal(got, names(t, whole)) {
				t.Errorf("%s: left %v", name, got)
			} else if !bytes.Equal(read(t, target, "rows.csv"), read(t, whole, "rows.csv")) {
				t.Errorf("%s: other rows", name)
			}
		}
	}
}

// begin leaves the journal of a run that was killed.
func begin(t *testing.T, dir string, m *Manifest, s Schema) {
	t.Helper()
	d, err := OpenDir(dir, m, s)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(d.journal.Append(gridRows(40)[7:9]), d.journal.Sync(), d.journal.close(), d.rows.abort()); err != nil {
		t.Fatal(err)
	}
}

// What differs within long values is found.
func TestDifferencesWithinValues(t *testing.T) {
	text := func(rtt, crawls string) string {
		return `{"interfaces": [{"name": "wifi", "bandwidth": ["1Mbit/s", "2Mbit/s", "3Mbit/s", "4Mbit/s", "5Mbit/s", "6Mbit/s", "7Mbit/s", "8Mbit/s"], "rtt": "10ms"},
			{"name": "lte", "bandwidth": "5Mbit/s", "rtt": ` + rtt + `}], "workload": [{"like": "alexa-2015", "crawls": ` + crawls + `}]}`
	}
	s := testSchema(t)
	then, now := all(s, CSV, 9), all(s, CSV, 9)
	then.Scenario.Text = text(`"20ms"`, `"2"`)
	now.Scenario.SHA256, now.Scenario.Text = "d2", text(`["20ms", "30ms"]`, `"3"`)
	want := []string{"interfaces.lte.rtt: was 20ms, is [20ms,30ms]", "workload.0.crawls: was 2, is 3"}
	if got := then.Differences(now); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestParseShard(t *testing.T) {
	for text, want := range map[string]Shard{"3/8": {3, 8}, "1/1": {}, "8/8": {8, 8}} {
		s, err := ParseShard(text)
		if err != nil || s != want || s.String() != text {
			t.Errorf("%s: %v, %v", text, s, err)
		}
	}
	for text, want := range map[string]string{
		"": "expected i/n", "+1/2": "expected i/n", "01/02": "expected i/n", " 1/2": "expected i/n", "3": "expected i/n", "a/8": "expected i/n", "3/b": "expected i/n", "0/8": "shards count from 1 to 8",
		"9/8": "shard 9 of 8", "1/0": "0 shards (expected 1 to 100000)", "1/-2": "expected 1 to", "1/1000000": "expected 1 to",
	} {
		if _, err := ParseShard(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error is %v, want %q", text, err, want)
		}
	}
}

func TestNamesOfParts(t *testing.T) {
	for name, want := range map[string]part{
		"rows.parquet":          {"rows", "parquet", Shard{}},
		"rows-03-of-12.csv":     {"rows", "csv", Shard{3, 12}},
		"rows-03-of-12.journal": {"rows", "journal", Shard{3, 12}},
		"manifest-1-of-2.json":  {"manifest", "json", Shard{1, 2}},
		"manifest.json":         {"manifest", "json", Shard{}},
	} {
		if got, ok := parsePart(name); !ok || got != want || want.shard.file(want.base, want.ending) != name {
			t.Errorf("%s: %+v, %v", name, got, ok)
		}
	}
	for _, name := range []string{"rows.json", "manifest.csv", "rows-3-of-12.csv", "rows-13-of-12.csv", "rows-1-of-1.csv", "rows-0-of-2.csv", "rows", "old.csv", ".rows.csv.incomplete-0"} {
		if got, ok := parsePart(name); ok {
			t.Errorf("%s is taken for %+v", name, got)
		}
	}
}

// What decides rows makes a difference, and nothing else.
func TestDifferences(t *testing.T) {
	s := testSchema(t)
	for name, c := range map[string]struct {
		change func(*Manifest)
		want   []string
	}{
		"the same":     {func(*Manifest) {}, nil},
		"the name":     {func(m *Manifest) { m.Scenario.Name, m.Braid, m.GOAMD64 = "x", "x", "v9" }, nil},
		"the file":     {func(m *Manifest) { m.Inputs = append(m.Inputs, Digest{"my.yaml", "1"}); m.Scenario.File = "my.yaml" }, nil},
		"the seed":     {func(m *Manifest) { m.Seed, m.Scenario.SHA256 = 2, "d2" }, []string{"seed: was 18446744073709551615, is 2"}},
		"the model":    {func(m *Manifest) { m.ModelVersion = 99 }, []string{"model version: was 1, is 99"}},
		"a page":       {func(m *Manifest) { m.Inputs = []Digest{{"page.har", "11ff"}} }, []string{"input page.har: has other bytes now"}},
		"other pages":  {func(m *Manifest) { m.Inputs = []Digest{{"b.har", "00ff"}} }, []string{"input b.har: was not read", "input page.har: is not read any more"}},
		"a selection":  {func(m *Manifest) { m.Scenario.Where = []string{"policy=eaf"} }, []string{"--where: was not given, is policy=eaf"}},
		"a sample":     {func(m *Manifest) { m.Scenario.Sample = "5" }, []string{"--sample: was not given, is 5"}},
		"the format":   {func(m *Manifest) { m.Rows.Format = CSV }, []string{"format: was parquet, is csv"}},
		"the policies": {func(m *Manifest) { m.Scenario.SHA256, m.Scenario.Text = "d2", `{"policies": ["if1"], "name": "x"}` }, []string{"policies: was [if1,eaf], is [if1]"}},
		"a network": {func(m *Manifest) {
			m.Scenario.SHA256, m.Scenario.Text = "d2", `{"policies": ["if1", "eaf"], "interfaces": [{"name": "wifi", "rtt": "10ms"}]}`
		}, []string{"interfaces: was not given, is [{name:wifi,rtt:10ms}]"}},
		"a text":  {func(m *Manifest) { m.Scenario.SHA256, m.Scenario.Text = "d2", "no JSON" }, []string{"scenario: its text differs"}},
		"columns": {func(m *Manifest) { m.Columns = m.Columns[1:] }, []string{"columns: other ones"}},
	} {
		then, now := all(s, Parquet, 9), all(s, Parquet, 9)
		c.change(now)
		if got := then.Differences(now); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
