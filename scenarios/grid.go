package scenarios

import "braid/sim"

// ColumnType is the type of a result column.
type ColumnType uint8

// Column types.
const (
	Text ColumnType = iota
	Float
	Integer
	Bool
)

// Column is one factor (or metric) as a typed column of the results, with its unit in the name ("wifi_rtt_s").
type Column struct {
	Name string
	Type ColumnType
}

// Value is one cell. The field that counts is given by the column's type.
type Value struct {
	Text    string
	Float   float64
	Integer int64
	Bool    bool
}

// Run is one run of a grid. Everything in it is a pure function of the factor values, the repetition and the seed.
type Run struct {
	Index      int64 // position in the grid
	Repetition int   // from 0
	Seed       uint64
	Factors    []Value // one for each of Grid.Columns
	Spec       sim.Spec
}
