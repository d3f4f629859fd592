package repeat

import (
	"fmt"
	"math"
	"strings"

	"braid/analysis/explain"
	"braid/scenarios"
	"braid/scenarios/result"
)

// FailedError is of a row without a load that could be repeated: the run failed.
type FailedError struct {
	Run     int64
	Message string // what the row says
}

// Error implements error.
func (e *FailedError) Error() string { return fmt.Sprintf("run %d failed: %s", e.Run, e.Message) }

// Load simulates the run of a row again, with a trace, on the reference engine. It is an error if the row is not that run of
// the grid, or if any metric differs by a bit, and a *FailedError if the row says that the run failed.
func (g *Grid) Load(row *result.Row) (*explain.Traced, error) {
	var run scenarios.Run
	if row.Run < 0 || row.Run >= g.grid.Len() {
		return nil, fmt.Errorf("run %d is not one of the %d of the manifest's grid", row.Run, g.grid.Len())
	}
	err := g.grid.Run(row.Run, &run)
	if d := differences(g.schema.Factors, row.Factors, run.Factors); d != nil {
		return nil, g.differ(row, "the row is not that run of the manifest's grid", d)
	}
	if row.Error != "" {
		return nil, &FailedError{row.Run, row.Error}
	}
	if err != nil {
		return nil, fmt.Errorf("run %d: %w", row.Run, err)
	}
	t, err := explain.Run(g.engine, run.Spec)
	if err != nil {
		return nil, fmt.Errorf("run %d: %w", row.Run, err)
	}
	metrics, err := result.AppendPageLoad(nil, len(run.Spec.Interfaces), &t.Result)
	if err != nil {
		return nil, fmt.Errorf("run %d: %w", row.Run, err)
	}
	if d := differences(g.schema.Metrics, row.Metrics, metrics); d != nil {
		return nil, g.differ(row, "the repeated load is not the row's", d)
	}
	return t, nil
}

// differ is the error of a row that cannot be repeated, with what is known of the cause.
func (g *Grid) differ(row *result.Row, what string, differences []string) error {
	cause := otherModel(g.manifest)
	if cause == "" {
		cause = fmt.Sprintf("model version and architecture are those of the rows (%s): the rows, the manifest, or the model without its version were changed", g.manifest.Braid)
	}
	return fmt.Errorf("run %d: %s:\n  %s\n%s", row.Run, what, strings.Join(differences, "\n  "), cause)
}

// differences lists the cells of a row that are not, to the bit, what the run has.
func differences(columns []scenarios.Column, row, run []scenarios.Value) (list []string) {
	if len(row) != len(columns) || len(run) != len(columns) {
		return []string{fmt.Sprintf("the row has %d columns of them, the run %d", len(row), len(run))}
	}
	for i, c := range columns {
		was, is := row[i], run[i]
		if !equal(c.Type, was, is) {
			list = append(list, fmt.Sprintf("%s: the row has %s, the run %s", c.Name, cell(c.Type, was), cell(c.Type, is)))
		}
	}
	return list
}

// equal compares the field that counts for the type.
func equal(t scenarios.ColumnType, a, b scenarios.Value) bool {
	switch t {
	case scenarios.Float:
		return math.Float64bits(a.Float) == math.Float64bits(b.Float)
	case scenarios.Integer:
		return a.Integer == b.Integer
	case scenarios.Bool:
		return a.Bool == b.Bool
	}
	return a.Text == b.Text
}

func cell(t scenarios.ColumnType, v scenarios.Value) string {
	switch t {
	case scenarios.Float:
		return fmt.Sprint(v.Float)
	case scenarios.Integer:
		return fmt.Sprint(v.Integer)
	case scenarios.Bool:
		return fmt.Sprint(v.Bool)
	}
	return v.Text
}
