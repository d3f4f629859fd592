package scenarios

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// BaselineFile returns the path of the baseline; empty where there is none.
func (s *Scenario) BaselineFile() string {
	if s.Baseline == "" || filepath.IsAbs(s.Baseline) {
		return s.Baseline
	}
	return filepath.Join(s.dir, filepath.FromSlash(s.Baseline))
}

// File returns the file that the scenario was read from; false for one of the library.
func (s *Scenario) File() (string, bool) { return s.file, s.dir != "" }

// measured is a value that a program may replace by another one: a number with its unit, and perhaps a tolerance. Ranges
// and bounds are statements, which only their author can take back.
var measured = regexp.MustCompile(`^([0-9.]+)\s*([^0-9.\s]*)(\s*(?:\+-|±).*)?$`)

// Measured says whether what is expected is one number, as measured by an earlier version, which Rewrite can replace.
func (e *Expect) Measured() bool {
	return e.Statistic != StatOrder && !strings.Contains(e.Want, "..") && measured.MatchString(e.Want)
}

// Resolution is the finest difference between two values as they are written, in the unit of the metric's column; 0 where
// there is no limit.
func (e *Expect) Resolution() float64 {
	switch {
	case e.Statistic == StatShare || strings.HasSuffix(e.Metric, rateUnit.suffix):
		return 0
	case strings.HasSuffix(e.Metric, timeUnit.suffix):
		return 1e-9
	case strings.HasSuffix(e.Metric, bytesUnit.suffix):
		return 1
	}
	return 0
}

// firstUnit finds the unit of the first number in what is expected.
var firstUnit = regexp.MustCompile(`[0-9]\s*([^0-9.\s+±-]+)`)

// Unit returns the unit that Want is written in, of several (1m30s) the first, and how large it is in the unit of the metric's
// column; empty and 1 where there is none.
func (e *Expect) Unit() (name string, size float64) {
	units := firstUnit.FindAllStringSubmatch(e.Want, -1)
	if e.Statistic == StatOrder || len(units) == 0 {
		return "", 1
	}
	name = units[0][1]
	hundred, err := e.parser()("100" + name)
	if err != nil {
		return "", 1
	}
	return name, hundred / 100
}

// parser reads values as Want has them.
func (e *Expect) parser() func(string) (float64, error) {
	if e.Statistic == StatShare {
		return parseShare
	}
	return metricParser(e.Metric)
}

// Limits of how a new value is written.
const (
	// ofTolerance is how much of the tolerance the rounding of a new value may take.
	ofTolerance = 0.05
	// ofValue is how far, as a share of it, a value without tolerance may be rounded.
	ofValue = 1e-10
	// maxDecimals is more than any value needs.
	maxDecimals = 15
)

// rewritten returns Want with another value in the unit and with the tolerance that are written: the shortest number that
// is close enough.
func (e *Expect) rewritten(x float64) (string, error) {
	m := measured.FindStringSubmatch(e.Want)
	if m == nil || !e.Measured() {
		return "", errors.New("not one measured value")
	}
	parse := e.parser()
	_, scale := e.Unit()
	for decimals := range maxDecimals + 1 {
		text := strconv.FormatFloat(x/scale, 'f', decimals, 64) + e.Want[len(m[1]):]
		low, high, err := parseWant(text, parse)
		if err != nil {
			continue // such as half a byte
		}
		// Half of the resolution, and the rounding of float64.
		near := max((high-low)/2*ofTolerance, ofValue*math.Abs(x), e.Resolution()*0.51)
		if math.Abs((low+high)/2-x) <= near {
			return text, nil
		}
	}
	return "", fmt.Errorf("no way to write %v like %s", x, e.Want)
}

// Rewrite returns the text of the scenario's file with the values of some expectations, by their index in Expect, replaced
// by others in the unit of the metric's column. Everything else of the text stays as it is: comments, layout, units and
// tolerances. It is an error if the file is not any more what was read, if the scenario was changed by Set, or if a
// value is written in a way that cannot be replaced.
func (s *Scenario) Rewrite(values map[int]float64) ([]byte, error) {
	text, err := os.ReadFile(s.file)
	if err != nil {
		return nil, err
	}
	if sum := sha256.Sum256(text); hex.EncodeToString(sum[:]) != s.inputs[0].SHA256 {
		return nil, fmt.Errorf("%s: the file was changed in the meantime", s.file)
	}
	lines := strings.Split(string(text), "\n")
	want := slices.Clone(s.Expect)
	indexes := make([]int, 0, len(values))
	for i := range values {
		indexes = append(indexes, i)
	}
	// From the end: what is replaced moves what is behind it in its line.
	slices.SortFunc(indexes, func(i, j int) int {
		a, b := s.Expect[i].wanted, s.Expect[j].wanted
		if a.line != b.line {
			return b.line - a.line
		}
		return b.column - a.column
	})
	for n, i := range indexes {
		e := &s.Expect[i]
		if n > 0 && s.Expect[indexes[n-1]].wanted == e.wanted {
			return nil, s.sharedValue()
		}
		replacement, err := e.rewritten(values[i])
		if err == nil {
			err = replaceScalar(lines, e.wanted, e.Want, replacement)
		}
		if err != nil {
			return nil, e.wanted.errorf("cannot replace the value %q: %v (write it by hand)", e.Want, err)
		}
		want[i].Want = replacement
	}
	changed := []byte(strings.Join(lines, "\n"))
	return changed, s.sameBut(changed, want)
}

// replaceScalar replaces the text of a scalar that stands in one line.
func replaceScalar(lines []string, at place, old, replacement string) error {
	elsewhere := errors.New("it does not stand in one line as it is read")
	if at.src.flag || at.line < 1 || at.line > len(lines) {
		return elsewhere
	}
	line := []rune(lines[at.line-1])
	if at.column < 1 || at.column > len(line) {
		return elsewhere
	}
	before, rest := string(line[:at.column-1]), string(line[at.column-1:])
	if rest[0] == '"' || rest[0] == '\'' {
		inside := strings.TrimLeft(rest[1:], " ")
		before += rest[:len(rest)-len(inside)]
		rest = inside
	}
	after, ok := strings.CutPrefix(rest, old)
	if !ok {
		return elsewhere
	}
	lines[at.line-1] = before + replacement + after
	return nil
}

// sameBut is an error if the text is not the scenario with these expectations.
func (s *Scenario) sameBut(text []byte, expect []Expect) error {
	changed, err := parse(text, s.file, s.dir)
	if err != nil {
		return fmt.Errorf("with the new values: %w", err)
	}
	same := len(changed.Expect) == len(expect) && bytes.Equal(changed.canonical(notExpect), s.canonical(notExpect))
	for i := range expect {
		if !same {
			break
		}
		a, b := &changed.Expect[i], &expect[i]
		same = a.Want == b.Want && a.Metric == b.Metric && a.String() == b.String() && a.Line == b.Line
	}
	if !same {
		return s.sharedValue()
	}
	return nil
}

func (s *Scenario) sharedValue() error {
	return fmt.Errorf("%s: a new value would change more than itself, as where it is shared by an anchor (write it by hand)", s.file)
}

func notExpect(key string) bool { return key != "expect" }
