package result

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
)

// fuzzRows reads whatever bytes as rows: rows or an error, never a panic or a read without end.
func fuzzRows(f *testing.F, format Format) {
	f.Add(encode(f, format, testSchema(f), testRows()))
	f.Add(encode(f, format, testSchema(f), nil))
	f.Add([]byte{})
	path := filepath.Join(f.TempDir(), "rows."+string(format))
	f.Fuzz(func(t *testing.T, data []byte) {
		if err := os.WriteFile(path, data, 0o666); err != nil {
			t.Fatal(err)
		}
		r, err := Open(path)
		if err != nil {
			return
		}
		defer r.Close()
		var row Row
		for range 1000 {
			if err := r.Read(&row); err != nil {
				if errors.Is(err, io.EOF) && err != io.EOF {
					t.Errorf("the end of the rows is wrapped: %v", err)
				}
				return
			}
			if err := r.Schema().fits(&row); err != nil {
				t.Fatal(err)
			}
		}
	})
}

func FuzzCSV(f *testing.F)       { fuzzRows(f, CSV) }
func FuzzJSONLines(f *testing.F) { fuzzRows(f, JSONLines) }
func FuzzParquet(f *testing.F)   { fuzzRows(f, Parquet) }

func FuzzManifest(f *testing.F) {
	f.Add([]byte(`{"manifest_version": 1, "columns": [{"name": "run", "type": "integer", "role": "index"}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := parseManifest(data)
		if err != nil {
			return
		}
		if _, err := m.Schema(); err != nil {
			return
		}
	})
}
