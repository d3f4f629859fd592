package dataset

import (
	"strconv"

	"braid/scenarios"
)

// AppendCell appends the bare value in row i of a case, without its unit and in one form for equal numbers whatever the
// column's type, so that equal cells of two sets of results are equal bytes; false where the row has none.
func (c *Column) AppendCell(b []byte, of *Case, i int) ([]byte, bool) {
	if c.index < 0 {
		x, ok := c.Float(of, i)
		return strconv.AppendFloat(b, x, 'f', -1, 64), ok
	}
	v, ok := c.value(&of.Rows[i])
	switch {
	case !ok:
		return b, false
	case c.typ == scenarios.Float:
		return strconv.AppendFloat(b, v.Float, 'f', -1, 64), true
	case c.typ == scenarios.Integer:
		return strconv.AppendInt(b, v.Integer, 10), true
	case c.typ == scenarios.Bool:
		return strconv.AppendBool(b, v.Bool), true
	}
	return append(b, v.Text...), true
}
