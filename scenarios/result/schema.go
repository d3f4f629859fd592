package result

import (
	"fmt"
	"strings"
	"unicode"

	"braid/scenarios"
)

// Columns that every row has besides factors and metrics.
const (
	RunColumn   = "run"   // position in the grid
	ErrorColumn = "error" // empty: the run went well
)

// leading is how many columns stand before the factors.
const leading = 1

// Schema says which columns rows have besides run and error.
type Schema struct {
	Factors []scenarios.Column
	Metrics []scenarios.Column
}

// NewSchema returns the schema of rows with these factors and metrics. It fails when a name is used twice, is one of
// the columns every row has, is empty, or holds a comma, a quote or a control character, which some reader would stumble over.
func NewSchema(factors, metrics []scenarios.Column) (Schema, error) {
	s := Schema{Factors: factors, Metrics: metrics}
	seen := map[string]bool{}
	for _, name := range s.Names() {
		switch {
		case name == "":
			return s, fmt.Errorf("a column of the results has no name")
		case strings.ContainsFunc(name, func(r rune) bool { return r == ',' || r == '"' || unicode.IsControl(r) }):
			return s, fmt.Errorf("column %q: the name holds a comma, a quote or a control character (rename the factor or interface it comes from)", name)
		case seen[name]:
			return s, fmt.Errorf("two columns of the results are called %q (rename the factor or interface one of them comes from)", name)
		}
		seen[name] = true
	}
	return s, nil
}

// Names returns the names of all columns, in the order of the file.
func (s Schema) Names() []string {
	names := []string{RunColumn}
	for _, c := range s.Factors {
		names = append(names, c.Name)
	}
	for _, c := range s.Metrics {
		names = append(names, c.Name)
	}
	return append(names, ErrorColumn)
}

// Factor returns the index of the named factor in Factors, or -1.
func (s Schema) Factor(name string) int { return index(s.Factors, name) }

// Metric returns the index of the named metric in Metrics, or -1.
func (s Schema) Metric(name string) int { return index(s.Metrics, name) }

func index(columns []scenarios.Column, name string) int {
	for i, c := range columns {
		if c.Name == name {
			return i
		}
	}
	return -1
}

// Describe writes factors as "page=mix52, wifi_rtt_s=0.02".
func (s Schema) Describe(factors []scenarios.Value) string {
	if len(factors) != len(s.Factors) {
		return "its factors are not known"
	}
	list := make([]string, len(factors))
	for i, c := range s.Factors {
		list[i] = c.Name + "=" + cellText(c.Type, factors[i])
	}
	return strings.Join(list, ", ")
}

// equal says whether rows of the two schemas can stand in one table.
func (s Schema) equal(t Schema) bool {
	return equalColumns(s.Factors, t.Factors) && equalColumns(s.Metrics, t.Metrics)
}

func equalColumns(a, b []scenarios.Column) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// Row is one run. Writers read it, readers fill it; both leave it to the caller.
type Row struct {
	Run     int64
	Factors []scenarios.Value // one for each of Schema.Factors; nil: not known, all null
	Metrics []scenarios.Value // one for each of Schema.Metrics; nil: the run failed, all null
	Error   string            // empty: the run went well
}

// fits reports a row that does not have the columns of the schema: a mistake of the program.
func (s Schema) fits(r *Row) error {
	if r.Factors != nil && len(r.Factors) != len(s.Factors) || r.Metrics != nil && len(r.Metrics) != len(s.Metrics) {
		return fmt.Errorf("run %d has %d factors and %d metrics (expected %d and %d)",
			r.Run, len(r.Factors), len(r.Metrics), len(s.Factors), len(s.Metrics))
	}
	return nil
}
