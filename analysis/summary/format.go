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

// words are the parts of a text that lines are made of: a number and its % stay together.
func words(text string) []string {
	var list []string
	for _, word := range strings.Fields(text) {
		if n := len(list); n > 0 && strings.HasPrefix(word, "%") {
			list[n-1] += " " + word
			continue
		}
		list = append(list, word)
	}
	return list
}

// wrap breaks text at blanks so that no line is longer than the width, where words allow.
func wrap(text string, width int) string {
	var b strings.Builder
	at := 0
	for i, word := range words(text) {
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

var nan = math.NaN()

// ratioDecimals is how many decimals speed-ups that are shown together need: two, or as many as give the least of them
// two digits.
func ratioDecimals(values ...float64) int {
	decimals := 2
	for _, x := range values {
		if x > 0 && x < 0.1 {
			decimals = max(decimals, min(6, 1-int(math.Floor(math.Log10(x)))))
		}
	}
	return decimals
}

// ratio writes a speed-up that stands by itself.
func ratio(x float64) string { return ratios(x)[0] }

// ratios writes speed-ups that stand in one column.
func ratios(values ...float64) []string {
	decimals := ratioDecimals(values...)
	texts := make([]string, len(values))
	for i, x := range values {
		texts[i] = "-"
		if !math.IsNaN(x) {
			texts[i] = strconv.FormatFloat(x, 'f', decimals, 64)
		}
	}
	return texts
}

func dash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}
