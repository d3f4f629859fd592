package figure

import (
	"strings"

	"braid/analysis/dataset"
)

// unit is what numbers on an axis are shown in: Mbit/s for numbers in bit/s.
type unit struct {
	name string
	in   float64 // of the column's unit
}

// unitsOf are the units that numbers of a column's unit are shown in, ascending.
var unitsOf = map[string][]unit{
	"s":     {{"ms", 1e-3}, {"s", 1}},
	"bit/s": {{"bit/s", 1}, {"kbit/s", 1e3}, {"Mbit/s", 1e6}, {"Gbit/s", 1e9}},
	"bytes": {{"bytes", 1}, {"kB", 1e3}, {"MB", 1e6}, {"GB", 1e9}},
	"W":     {{"mW", 1e-3}, {"W", 1}},
	"J":     {{"mJ", 1e-3}, {"J", 1}, {"kJ", 1e3}},
}

// unitFor chooses the unit in which numbers up to greatest are shown: the largest of which it is at least 2.
func unitFor(of string, greatest float64) unit {
	list := unitsOf[of]
	if len(list) == 0 {
		return unit{of, 1}
	}
	u := list[0]
	for _, next := range list[1:] {
		if greatest >= 2*next.in {
			u = next
		}
	}
	return u
}

// axisLabel is a column's title with the unit its numbers are shown in.
func axisLabel(c *dataset.Column, u unit) string {
	title := titleOf(c)
	if u.name == "" {
		return title
	}
	return title + " (" + u.name + ")"
}

// titleOf is a column's title as papers write it.
func titleOf(c *dataset.Column) string {
	words := strings.Fields(c.Title())
	for i, w := range words {
		if w == "rtt" {
			words[i] = "RTT"
		}
	}
	return strings.Join(words, " ")
}
