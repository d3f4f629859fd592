package figure

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/parquet-go/parquet-go"
)

// Columns of a file of series.
const (
	timeColumn   = "time_s"
	seriesColumn = "series"
)

// seriesTable is a file of series: what was measured of several things over time.
type seriesTable struct {
	metrics []string             // columns of numbers but for the time
	series  []string             // in order of appearance
	lines   map[[2]int][]instant // by series and metric
}

// instant is a value at a time.
type instant struct{ at, value float64 }

// readSeries reads a CSV or Parquet file with the column time_s, in seconds, columns of numbers, and, where there are several
// things, series, their names. Within a series times ascend. An empty cell is no value. It keeps the whole file in memory.
func readSeries(path string) (*seriesTable, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	t := &seriesTable{lines: map[[2]int][]instant{}}
	switch ext := strings.ToLower(filepath.Ext(path)); ext {
	case ".csv":
		err = t.readCSV(f)
	case ".parquet":
		err = t.readParquet(f)
	default:
		err = fmt.Errorf("not a file of series (expected a name ending in .csv or .parquet)")
	}
	if err == nil && len(t.lines) == 0 {
		err = errors.New("no values in it")
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return t, nil
}

// header finds time, series (-1: there is none) and metrics among the columns.
func (t *seriesTable) header(columns []string) (time, series int, metrics []int, err error) {
	time, series = slices.Index(columns, timeColumn), slices.Index(columns, seriesColumn)
	if time < 0 {
		return 0, 0, nil, fmt.Errorf("no column %s (expected %s, columns of numbers, and %s where there are several; it has %s)",
			timeColumn, timeColumn, seriesColumn, strings.Join(columns, ", "))
	}
	for i, name := range columns {
		if i != time && i != series {
			metrics, t.metrics = append(metrics, i), append(t.metrics, name)
		}
	}
	if len(metrics) == 0 {
		return 0, 0, nil, fmt.Errorf("no column of numbers beside %s", timeColumn)
	}
	return time, series, metrics, nil
}

// add takes in a value.
func (t *seriesTable) add(series string, metric int, v instant) error {
	k := slices.Index(t.series, series)
	if k < 0 {
		if k = len(t.series); k == most {
			return fmt.Errorf("more than %d series, too many to tell apart", most)
		}
		t.series = append(t.series, series)
	}
	at := [2]int{k, metric}
	line := t.lines[at]
	if math.IsNaN(v.at) || math.IsInf(v.at, 0) || math.IsNaN(v.value) || math.IsInf(v.value, 0) {
		return fmt.Errorf("%v at %v s is no finite number", v.value, v.at)
	}
	if n := len(line); n > 0 && v.at < line[n-1].at {
		return fmt.Errorf("time %v s of series %q comes after %v s (expected ascending times)", v.at, series, line[n-1].at)
	}
	t.lines[at] = append(line, v)
	return nil
}

func (t *seriesTable) readCSV(f *os.File) error {
	r := csv.NewReader(f)
	r.ReuseRecord = true
	names, err := r.Read()
	if err != nil {
		return fmt.Errorf("the line of column names: %w", err)
	}
	names = slices.Clone(names)
	time, series, metrics, err := t.header(names)
	if err != nil {
		return err
	}
	for {
		record, err := r.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		line, _ := r.FieldPos(0)
		at, err := strconv.ParseFloat(record[time], 64)
		if err != nil {
			return fmt.Errorf("line %d: %s is %q (expected seconds)", line, timeColumn, record[time])
		}
		name := ""
		if series >= 0 {
			name = strings.Clone(record[series])
		}
		for k, i := range metrics {
			if record[i] == "" {
				continue
			}
			v, err := strconv.ParseFloat(record[i], 64)
			if err != nil {
				return fmt.Errorf("line %d: %s is %q (expected a number)", line, names[i], record[i])
			}
			if err := t.add(name, k, instant{at, v}); err != nil {
				return fmt.Errorf("line %d: %w", line, err)
			}
		}
	}
}

func (t *seriesTable) readParquet(f *os.File) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	file, err := parquet.OpenFile(f, info.Size())
	if err != nil {
		return err
	}
	var names []string
	for _, path := range file.Schema().Columns() {
		names = append(names, strings.Join(path, "."))
	}
	time, series, metrics, err := t.header(names)
	if err != nil {
		return err
	}
	r := parquet.NewReader(file)
	rows := make([]parquet.Row, 256)
	for number := 1; ; {
		n, err := r.ReadRows(rows)
		for _, row := range rows[:n] {
			if err := t.addRow(row, time, series, metrics); err != nil {
				return errors.Join(fmt.Errorf("row %d: %w", number, err), r.Close())
			}
			number++
		}
		if errors.Is(err, io.EOF) {
			return r.Close()
		}
		if err != nil {
			return errors.Join(err, r.Close())
		}
	}
}

// addRow takes in a row, whose values are in the order of the columns.
func (t *seriesTable) addRow(row parquet.Row, time, series int, metrics []int) error {
	if len(row) <= max(time, series, slices.Max(metrics)) {
		return fmt.Errorf("%d values, of which some are lists (expected one a column)", len(row))
	}
	at, ok := parquetNumber(row[time])
	if !ok {
		return fmt.Errorf("%s is %v (expected seconds)", timeColumn, row[time])
	}
	name := ""
	if series >= 0 && !row[series].IsNull() {
		name = row[series].String()
	}
	for k, i := range metrics {
		if row[i].IsNull() {
			continue
		}
		v, ok := parquetNumber(row[i])
		if !ok {
			return fmt.Errorf("%s is %v (expected a number)", t.metrics[k], row[i])
		}
		if err := t.add(name, k, instant{at, v}); err != nil {
			return err
		}
	}
	return nil
}

func parquetNumber(v parquet.Value) (float64, bool) {
	switch v.Kind() {
	case parquet.Double:
		return v.Double(), true
	case parquet.Float:
		return float64(v.Float()), true
	case parquet.Int32:
		return float64(v.Int32()), true
	case parquet.Int64:
		return float64(v.Int64()), true
	}
	return 0, false
}
