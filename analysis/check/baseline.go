package check

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"braid/analysis/measure"
	"braid/scenarios"
	"braid/scenarios/result"
)

// MaxChanges is how many changes are listed: more say no more, and a page of them can be read.
const MaxChanges = 20

// Baseline is how the rows compare with those of an earlier run.
type Baseline struct {
	File    string
	Fault   error    // why the rows cannot be compared; nil: they were
	Changed int64    // cells that changed beyond rounding (measure.Noise)
	Rows    int64    // rows in which they are
	Changes []Change // the largest, at most MaxChanges
	// Results says that the file is part of the results of a run, with a manifest beside it.
	Results bool
}

// Change is a cell that is another one than in the baseline.
type Change struct {
	Run      int64
	Factors  string // of the run: "page=mix52, policy=eaf"
	Column   string
	Old, New string
	Relative float64 // change as a share of the old value; infinite where that is 0, or not a number
}

// String names run, column, old and new value.
func (c *Change) String() string {
	how := ""
	if !math.IsInf(c.Relative, 0) {
		how = fmt.Sprintf(" (%+.3g %%)", 100*c.Relative)
	}
	return fmt.Sprintf("run %d (%s): %s from %s to %s%s", c.Run, c.Factors, c.Column, c.Old, c.New, how)
}

// Fails says whether rows changed, or could not be compared.
func (b *Baseline) Fails() bool { return b.Fault != nil || b.Changed > 0 }

// Text says what is wrong; empty where nothing is.
func (b *Baseline) Text() string {
	var lines []string
	if b.Fault != nil {
		lines = append(lines, b.Fault.Error())
	}
	if b.Changed > 0 {
		lines = append(lines, fmt.Sprintf("%d values changed in %d rows, the largest change first", b.Changed, b.Rows))
	}
	for i := range b.Changes {
		lines = append(lines, "  "+b.Changes[i].String())
	}
	if more := b.Changed - int64(len(b.Changes)); more > 0 {
		lines = append(lines, fmt.Sprintf("  and %d more", more))
	}
	return strings.Join(lines, "\n")
}

// baseline compares rows as they come, in the order of the grid. A nil one compares nothing.
type baseline struct {
	Baseline
	schema result.Schema
	reader *result.Reader // nil: nothing can be compared any more
	old    result.Row
	pairs  []pair
}

// pair is a column in the rows and in the baseline. Its values are compared by what they are: a text format does not tell
// a column of whole numbers from one of others.
type pair struct {
	column   scenarios.Column
	factor   bool
	index    int
	oldType  scenarios.ColumnType
	oldIndex int // in the factors of the baseline, and from the number of these on in its metrics
}

func openBaseline(file string, s result.Schema) *baseline {
	if file == "" {
		return nil
	}
	b := &baseline{Baseline: Baseline{File: file}, schema: s}
	r, err := result.Open(file)
	if err != nil {
		b.Fault = fmt.Errorf("cannot be read: %w", err)
		return b
	}
	b.reader, b.Results = r, r.Manifest() != nil
	if b.pairs, err = match(s, r.Schema()); err != nil {
		b.give(err)
	}
	return b
}

// give gives up comparing.
func (b *baseline) give(err error) {
	b.Fault = errors.Join(err, b.reader.Close())
	b.reader = nil
}

// end ends the comparison: the baseline has to end too.
func (b *baseline) end() error {
	if b == nil || b.reader == nil {
		return nil
	}
	switch err := b.reader.Read(&b.old); {
	case err == nil:
		b.give(errors.New("it has more rows than the scenario has runs"))
		return nil
	case !errors.Is(err, io.EOF):
		b.give(fmt.Errorf("cannot be read: %w", err))
		return nil
	}
	err := b.reader.Close()
	b.reader = nil
	return err
}

// match pairs the columns by name. It is an error if one side has a column that the other has not.
func match(now, old result.Schema) ([]pair, error) {
	olds := slices.Concat(old.Factors, old.Metrics)
	var pairs []pair
	var missing, other []string
	found := make([]bool, len(olds))
	for _, list := range []struct {
		columns []scenarios.Column
		factor  bool
	}{{now.Factors, true}, {now.Metrics, false}} {
		for i, c := range list.columns {
			k := slices.IndexFunc(olds, func(o scenarios.Column) bool { return o.Name == c.Name })
			if k < 0 {
				missing = append(missing, c.Name)
				continue
			}
			found[k] = true
			pairs = append(pairs, pair{c, list.factor, i, olds[k].Type, k})
		}
	}
	for k, c := range olds {
		if !found[k] {
			other = append(other, c.Name)
		}
	}
	if missing == nil && other == nil {
		return pairs, nil
	}
	text := "its columns are not those of the scenario:"
	if missing != nil {
		text += " it lacks " + strings.Join(missing, ", ")
	}
	if other != nil {
		if missing != nil {
			text += ", and"
		}
		text += " it has " + strings.Join(other, ", ") + " as well"
	}
	return nil, errors.New(text)
}

// add compares a row with the next one of the baseline.
func (b *baseline) add(row *result.Row) {
	if b == nil || b.reader == nil {
		return
	}
	err := b.reader.Read(&b.old)
	if errors.Is(err, io.EOF) {
		b.give(fmt.Errorf("it ends before run %d of the scenario", row.Run))
		return
	}
	if err != nil {
		b.give(fmt.Errorf("cannot be read: %w", err))
		return
	}
	before := b.Changed
	b.factors(row)
	if b.reader == nil {
		return
	}
	if row.Error != b.old.Error {
		b.changed(row, result.ErrorColumn, outcome(b.old.Error), outcome(row.Error), math.Inf(1))
	} else if row.Error == "" {
		b.cells(row, false)
	}
	if b.Changed > before {
		b.Rows++
	}
}

func outcome(err string) string {
	if err == "" {
		return "no error"
	}
	return strconv.Quote(err)
}

// factors compares the factors of a row. Another network or parameter is a change; with another page or policy it is
// another run, and nothing behind it can be compared.
func (b *baseline) factors(row *result.Row) {
	if len(row.Factors) == 0 || len(b.old.Factors) == 0 {
		if len(row.Factors) != len(b.old.Factors) {
			b.give(fmt.Errorf("the factors of run %d are not known", row.Run))
		}
		return
	}
	for _, p := range b.pairs {
		if !p.factor || p.column.Type != scenarios.Text {
			continue
		}
		if !b.sameText(p, row.Factors[p.index].Text) {
			b.give(fmt.Errorf("it has other runs than the scenario: run %d is %s, and was %s", row.Run, b.schema.Describe(row.Factors), b.reader.Schema().Describe(b.old.Factors)))
			return
		}
	}
	b.cells(row, true)
}

// sameText says whether the baseline has this text in a column. Where all texts of a column look like numbers (pages called
// 007 and 1e3), a text format has them as numbers.
func (b *baseline) sameText(p pair, now string) bool {
	old := b.cell(p)
	if text(p.oldType, old) == now {
		return true
	}
	x, isNumber := number(p.oldType, old)
	y, err := strconv.ParseFloat(now, 64)
	return isNumber && err == nil && x == y
}

// cell is the baseline's value of a column.
func (b *baseline) cell(p pair) scenarios.Value {
	if n := len(b.old.Factors); p.oldIndex >= n {
		return b.old.Metrics[p.oldIndex-n]
	}
	return b.old.Factors[p.oldIndex]
}

// cells compares the factors of a row, or its metrics.
func (b *baseline) cells(row *result.Row, factors bool) {
	values := row.Metrics
	if factors {
		values = row.Factors
	}
	for _, p := range b.pairs {
		if p.factor != factors || p.factor && p.column.Type == scenarios.Text {
			continue
		}
		now, old := values[p.index], b.cell(p)
		x, isNumber := number(p.column.Type, now)
		y, wasNumber := number(p.oldType, old)
		switch a, c := text(p.oldType, old), text(p.column.Type, now); {
		case a == c:
		case !isNumber || !wasNumber || y == 0:
			b.changed(row, p.column.Name, a, c, math.Inf(1))
		case measure.Above(x, y) || measure.Below(x, y):
			b.changed(row, p.column.Name, a, c, (x-y)/math.Abs(y))
		}
	}
}

// changed keeps a change, if it is one of the largest.
func (b *baseline) changed(row *result.Row, column, old, now string, relative float64) {
	b.Changed++
	if len(b.Changes) == MaxChanges && math.Abs(relative) <= math.Abs(b.Changes[MaxChanges-1].Relative) {
		return
	}
	// Equal ones keep the order of the runs.
	at := slices.IndexFunc(b.Changes, func(c Change) bool { return math.Abs(c.Relative) < math.Abs(relative) })
	if at < 0 {
		at = len(b.Changes)
	}
	b.Changes = slices.Insert(b.Changes, at, Change{row.Run, b.schema.Describe(row.Factors), column, old, now, relative})
	b.Changes = b.Changes[:min(len(b.Changes), MaxChanges)]
}

// report returns what was found; nil where there is no baseline.
func (b *baseline) report() *Baseline {
	if b == nil {
		return nil
	}
	return &b.Baseline
}

func number(t scenarios.ColumnType, v scenarios.Value) (float64, bool) {
	switch t {
	case scenarios.Integer:
		return float64(v.Integer), true
	case scenarios.Float:
		return v.Float, true
	}
	return 0, false
}

// text writes a value so that equal ones are equal, whatever their types.
func text(t scenarios.ColumnType, v scenarios.Value) string {
	if x, ok := number(t, v); ok {
		return strconv.FormatFloat(x, 'f', -1, 64)
	}
	if t == scenarios.Bool {
		return strconv.FormatBool(v.Bool)
	}
	return v.Text
}

// BaselineFormat returns the format of a baseline that is to be written, by the ending of its name.
func BaselineFormat(file string) (result.Format, error) {
	return result.ParseFormat(strings.TrimPrefix(filepath.Ext(file), "."))
}

// WriteBaseline runs the scenario once more and writes its rows.
func (c *Check) WriteBaseline(ctx context.Context, o Options, w io.Writer) error {
	format, err := BaselineFormat(c.Scenario.BaselineFile())
	if err != nil {
		return err
	}
	rows, err := result.NewWriter(w, format, c.schema)
	if err != nil {
		return err
	}
	if _, err := c.run(ctx, o, rows.Write); err != nil {
		return err
	}
	return rows.Close()
}
