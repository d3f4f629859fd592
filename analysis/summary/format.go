package summary

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

func plural(n int64, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// wrap breaks text at blanks so that no line is longer than the width, where words allow.
func wrap(text string, width int) string {
	var b strings.Builder
	at := 0
	for i, word := range strings.Fields(text) {
		n := utf8.RuneCountInString(word)
		switch {
		case i == 0:
		case at+1+n > width:
			b.WriteByte('\n')
			at = 0
		default:
			b.WriteByte(' ')
			at++
		}
		b.WriteString(word)
		at += n
	}
	return b.String()
}

// unit is the unit of a column of times, and how many of its digits are shown.
type unit struct {
	name     string
	scale    float64
	decimals int
}

// timeUnit is one unit for all tables, so that they can be compared: milliseconds where no median reaches a second.
func timeUnit(groups []*Group) unit {
	largest := 0.0
	for _, g := range groups {
		if g.LoadTime.N() > 0 {
			largest = math.Max(largest, g.LoadTime.Quantile(0.5))
		}
	}
	switch {
	case largest >= 1:
		return unit{"s", 1, 3}
	case largest >= 0.1:
		return unit{"ms", 1e3, 1}
	}
	return unit{"ms", 1e3, 3}
}

func (u unit) format(seconds float64) string {
	if math.IsNaN(seconds) {
		return "-"
	}
	return strconv.FormatFloat(seconds*u.scale, 'f', u.decimals, 64)
}

func percent(share float64) string { return strconv.FormatFloat(100*share, 'f', 1, 64) }

// ratio writes a speed-up with two decimals, or two digits where that would show too few.
func ratio(x float64) string {
	if x < 0.1 {
		return strconv.FormatFloat(x, 'g', 2, 64)
	}
	return strconv.FormatFloat(x, 'f', 2, 64)
}

func dash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

// quantity writes a value of a metric with the unit that the end of its name says.
func quantity(metric string, x float64) string {
	text := strconv.FormatFloat(x, 'g', 4, 64)
	for _, u := range []struct{ suffix, unit string }{{"_bit_s", "bit/s"}, {"_s", "s"}, {"_bytes", "B"}} {
		if strings.HasSuffix(metric, u.suffix) {
			return text + u.unit
		}
	}
	return text
}
