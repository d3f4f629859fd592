package scenarios

import (
	"fmt"
	"math"
	"strings"

	"braid/sim/units"
)

// statistic reads "want" of a statistic in the metric's unit.
func statistic(kind Statistic, quantile float64) func(*Scenario, *tree, *Expect) error {
	return func(s *Scenario, t *tree, to *Expect) error {
		to.Statistic, to.Quantile = kind, quantile
		return decodeWant(t, metricParser(to.Metric), to)
	}
}

// metricParser reads values of a metric by the unit at the end of its name.
func metricParser(metric string) func(string) (float64, error) {
	for _, u := range []unit{rateUnit, timeUnit, bytesUnit} {
		if strings.HasSuffix(metric, u.suffix) {
			return u.parse
		}
	}
	return parseNumber
}

func parseShare(text string) (float64, error) {
	v, err := units.ParseShare(text)
	return float64(v), err
}

// decodeWant reads "0.91s", "0.91s +-2%", "0.91s +-10ms", "0.9s..1s", ">= 1.2" or "<= 2". Without a tolerance the value is
// exact.
func decodeWant(t *tree, parse func(string) (float64, error), to *Expect) error {
	if t.kind != scalar {
		return t.at.errorf("expected a value with its tolerance, like 0.91s +-2%%, not %s", t.kind)
	}
	to.Want, to.wanted = strings.TrimSpace(t.text), t.at
	low, high, err := parseWant(to.Want, parse)
	if err != nil {
		return t.at.errorf("%v", err)
	}
	to.Low, to.High = low, high
	return nil
}

func parseWant(text string, parse func(string) (float64, error)) (low, high float64, err error) {
	if rest, ok := strings.CutPrefix(text, ">="); ok {
		low, err = parse(strings.TrimSpace(rest))
		return low, math.Inf(1), err
	}
	if rest, ok := strings.CutPrefix(text, "<="); ok {
		high, err = parse(strings.TrimSpace(rest))
		return math.Inf(-1), high, err
	}
	if a, b, ok := strings.Cut(text, ".."); ok {
		if low, err = parse(strings.TrimSpace(a)); err == nil {
			high, err = parse(strings.TrimSpace(b))
		}
		if err == nil && low > high {
			err = fmt.Errorf("range %q ends below its start", text)
		}
		return low, high, err
	}
	value, tolerance, ok := strings.Cut(strings.Replace(text, "±", "+-", 1), "+-")
	v, err := parse(strings.TrimSpace(value))
	if err != nil || !ok {
		return v, v, err
	}
	tolerance = strings.TrimSpace(tolerance)
	// Of a share, "+-2%" would be two things; it means percentage points, the unit of the value.
	if strings.HasSuffix(tolerance, "%") && !strings.HasSuffix(strings.TrimSpace(value), "%") {
		share, err := units.ParseShare(tolerance)
		width := math.Abs(float64(v * float64(share)))
		return v - width, v + width, err
	}
	width, err := parse(tolerance)
	return v - width, v + width, err
}
