package result

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"braid/scenarios"
)

func openTestJournal(t testing.TB, path string, s Schema) *Journal {
	t.Helper()
	j, _, err := openJournal(path, all(s, CSV, 1000), s)
	if err != nil {
		t.Fatal(err)
	}
	return j
}

// outcomes are rows of consecutive runs as a journal gives them back: without factors.
func outcomes(first, count int64) []Row {
	kinds := testRows()
	rows := make([]Row, count)
	for i := range rows {
		kind := kinds[(first+int64(i))%int64(len(kinds))]
		rows[i] = Row{Run: first + int64(i), Metrics: slices.Clone(kind.Metrics), Error: kind.Error}
		if rows[i].Metrics != nil {
			rows[i].Metrics[0].Float = float64(rows[i].Run) / 7
		}
	}
	return rows
}

// readBack asks for each run and returns those that are there.
func readBack(t testing.TB, j *Journal, runs int64) []Row {
	t.Helper()
	f := j.Finished()
	var rows []Row
	for i := range runs {
		row := Row{Run: i}
		ok, err := f.Read(i, &row)
		if err != nil {
			t.Fatal(err)
		}
		if ok {
			row.Metrics = slices.Clone(row.Metrics)
			rows = append(rows, row)
		}
	}
	return rows
}

func TestJournalKeepsRowsInAnyOrder(t *testing.T) {
	s := testSchema(t)
	path := filepath.Join(t.TempDir(), "rows.journal")
	j := openTestJournal(t, path, s)
	if j.Rows() != 0 {
		t.Errorf("%d rows in a new journal", j.Rows())
	}
	for _, r := range []struct{ first, count int64 }{{40, 3}, {0, 10}, {12, 1}, {43, 7}} {
		if err := j.Append(outcomes(r.first, r.count)); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(j.Sync(), j.close()); err != nil {
		t.Fatal(err)
	}
	j = openTestJournal(t, path, s)
	defer j.close()
	want := slices.Concat(outcomes(0, 10), outcomes(12, 1), outcomes(40, 10))
	if got := readBack(t, j, 100); !reflect.DeepEqual(got, want) || j.Rows() != 21 {
		t.Errorf("%d rows: %+v\nwant %+v", j.Rows(), got, want)
	}
	// Backwards, and again and again, it is the same.
	f := j.Finished()
	for _, run := range []int64{49, 41, 41, 12, 9, 3, 4, 49} {
		var row Row
		if ok, err := f.Read(run, &row); !ok || err != nil || !reflect.DeepEqual(row.Metrics, outcomes(run, 1)[0].Metrics) {
			t.Errorf("run %d: %v, %v, %+v", run, ok, err, row)
		}
	}
}

// Cut anywhere, the journal gives back the frames before the cut, and goes on.
func TestJournalCutAnywhere(t *testing.T) {
	s := testSchema(t)
	dir := t.TempDir()
	path := filepath.Join(dir, "whole")
	j := openTestJournal(t, path, s)
	ends := []int64{j.size} // behind each frame
	for i := range int64(5) {
		if err := errors.Join(j.Append(outcomes(10*i, 4)), j.flush()); err != nil {
			t.Fatal(err)
		}
		ends = append(ends, j.size)
	}
	if err := j.close(); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	cut := filepath.Join(dir, "cut")
	for n := range len(whole) + 1 {
		if n > len(journalMark) && int64(n) < ends[3]-10 && n%37 != 0 {
			continue // the manifest is long, and one frame like another
		}
		frames := -1 // of rows
		for _, end := range ends {
			if int64(n) >= end {
				frames++
			}
		}
		var want []Row
		for i := range int64(max(frames, 0)) {
			want = append(want, outcomes(10*i, 4)...)
		}
		// What is behind the cut may also be anything: here zeros, as file systems leave them.
		for _, tail := range []string{"", "\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"} {
			if err := os.WriteFile(cut, append(whole[:n:n], tail...), 0o666); err != nil {
				t.Fatal(err)
			}
			if n < len(journalMark) && tail != "" {
				continue // not even a mark
			}
			j := openTestJournal(t, cut, s)
			if got := readBack(t, j, 100); !reflect.DeepEqual(got, want) {
				t.Fatalf("%d of %d bytes: %+v\nwant %+v", n, len(whole), got, want)
			}
			if err := errors.Join(j.Append(outcomes(60, 1)), j.Sync(), j.close()); err != nil {
				t.Fatal(err)
			}
			j = openTestJournal(t, cut, s)
			if got := readBack(t, j, 100); !reflect.DeepEqual(got, slices.Concat(want, outcomes(60, 1))) {
				t.Fatalf("%d of %d bytes, gone on with: %+v", n, len(whole), got)
			}
			if err := j.close(); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// A journal in which a byte was changed gives rows that were written, or fewer, or an error.
func TestJournalWithADamagedByte(t *testing.T) {
	s := testSchema(t)
	dir := t.TempDir()
	path := filepath.Join(dir, "whole")
	j := openTestJournal(t, path, s)
	manifest := j.size // and what is before it
	for i := range int64(3) {
		if err := errors.Join(j.Append(outcomes(10*i, 4)), j.flush()); err != nil {
			t.Fatal(err)
		}
	}
	if err := j.close(); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	written := slices.Concat(outcomes(0, 4), outcomes(10, 4), outcomes(20, 4))
	for n := range whole {
		if n > len(journalMark)+frameHead && int64(n) < manifest && n%37 != 0 {
			continue // the manifest is long
		}
		damaged := slices.Clone(whole)
		damaged[n] ^= 0x5a
		bad := filepath.Join(dir, "bad")
		if err := os.WriteFile(bad, damaged, 0o666); err != nil {
			t.Fatal(err)
		}
		j, _, err := openJournal(bad, all(s, CSV, 1000), s)
		if err != nil {
			continue
		}
		if got := readBack(t, j, 100); len(got) > len(written) || !reflect.DeepEqual(got, written[:len(got)]) && len(got) > 0 {
			t.Fatalf("byte %d: %+v", n, got)
		}
		if err := j.close(); err != nil {
			t.Fatal(err)
		}
	}
}

// A journal whose beginning is damaged is not begun anew: what it holds may be hours of work. Damage behind good frames is
// told from the rest of a frame that a killed program leaves.
func TestDamageIsTold(t *testing.T) {
	s := testSchema(t)
	path := filepath.Join(t.TempDir(), "rows.journal")
	j := openTestJournal(t, path, s)
	manifest := j.size
	if err := errors.Join(j.Append(outcomes(0, 4)), j.flush(), j.Append(outcomes(10, 4)), j.Sync(), j.close()); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	write := func(data []byte) {
		if err := os.WriteFile(path, data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for at := len(journalMark); at < int(manifest); at += 50 {
		damaged := slices.Clone(whole)
		damaged[at] ^= 0x5a
		write(damaged)
		if j, _, err := openJournal(path, all(s, CSV, 1000), s); err == nil {
			t.Errorf("byte %d: opened with %d rows", at, j.Rows())
			j.close()
		} else if !strings.Contains(err.Error(), "(remove it to begin anew)") {
			t.Errorf("byte %d: %v", at, err)
		}
	}
	damaged := slices.Clone(whole)
	damaged[manifest+frameHead+3] ^= 0x5a
	for _, c := range []struct {
		data []byte
		want int64
	}{{damaged, int64(len(whole)) - manifest}, {whole[:len(whole)-5], 0}, {append(slices.Clone(whole), make([]byte, 100)...), 0}} {
		write(c.data)
		j := openTestJournal(t, path, s)
		if j.Damaged() != c.want {
			t.Errorf("%d bytes damaged, want %d", j.Damaged(), c.want)
		}
		if err := j.close(); err != nil {
			t.Fatal(err)
		}
	}
}

// Any outcome comes back.
func TestOutcomeProperty(t *testing.T) {
	columns := []scenarios.Column{{Name: "text", Type: scenarios.Text}, {Name: "float", Type: scenarios.Float}, {Name: "integer", Type: scenarios.Integer}, {Name: "bool", Type: scenarios.Bool}}
	rapid.Check(t, func(t *rapid.T) {
		var want []Row
		var bytes []byte
		for range rapid.IntRange(1, 5).Draw(t, "rows") {
			var r Row
			if rapid.Bool().Draw(t, "failed") {
				r.Error = rapid.StringN(1, 20, -1).Draw(t, "error")
			} else {
				r.Metrics = []scenarios.Value{{Text: rapid.String().Draw(t, "text")}, {Float: rapid.Float64().Draw(t, "float")}, {Integer: rapid.Int64().Draw(t, "integer")}, {Bool: rapid.Bool().Draw(t, "bool")}}
			}
			want = append(want, r)
			bytes = appendOutcome(bytes, columns, &r)
		}
		for i := range want {
			var got Row
			var err error
			if bytes, err = readOutcome(bytes, columns, &got); err != nil || !reflect.DeepEqual(got, want[i]) {
				t.Fatalf("got %+v, %v, want %+v", got, err, want[i])
			}
		}
		if len(bytes) != 0 {
			t.Fatalf("%d bytes are left", len(bytes))
		}
	})
}

// Whatever a journal holds, opening it ends with an error or with rows that can be read or give an error.
func FuzzJournal(f *testing.F) {
	s := testSchema(f)
	path := filepath.Join(f.TempDir(), "rows.journal")
	j := openTestJournal(f, path, s)
	if err := errors.Join(j.Append(outcomes(5, 4)), j.Sync(), j.close()); err != nil {
		f.Fatal(err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(whole)
	f.Add(appendFrame(whole[:j.size:j.size], func(b []byte) []byte { return append(b, 5, 200, 0) }))
	f.Fuzz(func(t *testing.T, data []byte) {
		path := filepath.Join(t.TempDir(), "rows.journal")
		if err := os.WriteFile(path, data, 0o666); err != nil {
			t.Fatal(err)
		}
		j, _, err := openJournal(path, all(s, CSV, 1000), s)
		if err != nil {
			return
		}
		defer j.close()
		r := j.Finished()
		for _, span := range j.spans {
			var row Row
			if ok, err := r.Read(span.first+span.count-1, &row); !ok && err == nil {
				t.Error("a run of a frame is not there")
			}
		}
	})
}

func TestJournalIsLocked(t *testing.T) {
	s := testSchema(t)
	dir := t.TempDir()
	d, err := OpenDir(dir, all(s, CSV, 9), s)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := OpenDir(dir, all(s, CSV, 9), s); err == nil || !strings.Contains(err.Error(), "another braid is writing it: wait until it is done") {
		t.Errorf("a second run into one directory: %v", err)
	}
	if err := d.Abort(); err != nil {
		t.Fatal(err)
	}
}
