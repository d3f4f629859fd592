package scenarios

import (
	"fmt"
	"hash/fnv"
	"math"
	"strconv"
	"strings"

	"braid/sim/units"
)

// factor is one thing that may vary between runs, with the values it takes.
type factor struct {
	name   string // as in --where and zip: "wifi.rtt", "page", "max_per_host"
	column Column
	unit   unit
	levels []level
	alias  func(text string) string // other names of levels, as policies have; nil: there are none
	iface  int                      // the interface it belongs to, none if none
	random bool                     // it changes nothing but the random streams
	apply  func(r *Run, level int) error
}

// none is the iface of factors that belong to no interface.
const none = -1

// level is one value of a factor: as text with its unit, as a cell, and its hash, which names it whatever its position.
type level struct {
	text  string
	value Value
	hash  uint64
}

func (f *factor) add(text string, v Value) {
	h := fnv.New64a()
	h.Write([]byte(f.name))
	h.Write([]byte{'='})
	h.Write([]byte(text))
	f.levels = append(f.levels, level{text, v, scramble(h.Sum64())})
}

func (f *factor) texts() []string {
	texts := make([]string, len(f.levels))
	for i, l := range f.levels {
		texts[i] = l.text
	}
	return texts
}

// dimension is a group of factors that vary together: one factor, or the factors of a zip.
type dimension struct {
	factors []int // indexes into Grid.factors
	size    int   // levels before any selection
	keep    []int // the levels a selection kept, ascending; nil: all
}

func (d *dimension) len() int {
	if d.keep != nil {
		return len(d.keep)
	}
	return d.size
}

// at turns a position among the kept levels into a level of the dimension.
func (d *dimension) at(k int64) int {
	if d.keep != nil {
		return d.keep[k]
	}
	return int(k)
}

// level turns a position among the kept levels into a level of the factor. In a zip, a factor with one level keeps it.
func (d *dimension) level(f *factor, k int64) int {
	if len(f.levels) == 1 {
		return 0
	}
	return d.at(k)
}

// hash names the level at a kept position.
func (d *dimension) hash(g *Grid, k int64) uint64 {
	var sum uint64
	for _, i := range d.factors {
		f := &g.factors[i]
		sum += f.levels[d.level(f, k)].hash
	}
	return sum
}

// unit is what a factor's values are measured in: how they are read in a selection, and how a column is called.
type unit struct {
	suffix string // of the column's name
	typ    ColumnType
	parse  func(string) (float64, error) // text with its unit to the column's unit; nil: the column is not a quantity
}

var (
	noUnit   = unit{}
	rateUnit = unit{"_bit_s", Float, func(s string) (float64, error) {
		r, err := units.ParseRate(s)
		return r.BitPerSecond(), err
	}}
	timeUnit = unit{"_s", Float, func(s string) (float64, error) {
		d, err := units.ParseDuration(s)
		return d.Seconds(), err
	}}
	bytesUnit = unit{"_bytes", Integer, func(s string) (float64, error) {
		b, err := units.ParseBytes(s)
		return float64(b), err
	}}
	wholeUnit = unit{"", Integer, parseNumber}
	floatUnit = unit{"", Float, parseNumber}
	boolUnit  = unit{"", Bool, nil}
)

func parseNumber(s string) (float64, error) {
	v, err := strconv.ParseFloat(s, 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
		return 0, fmt.Errorf("%q is not a number", s)
	}
	return v, nil
}

// matches says whether the level is what the text of a selection asks for: its text, the same quantity in another unit
// ("0.05s" for "50ms"), the bare number in the column ("0.05"), another name of it, or a pattern ("n2x*") for text.
func (f *factor) matches(l *level, text string) bool {
	if l.text == text || f.alias != nil && l.text == f.alias(text) {
		return true
	}
	if f.column.Type == Text {
		return strings.ContainsAny(text, "*?[") && globMatch(text, l.text)
	}
	if f.unit.parse == nil {
		return false
	}
	have := l.value.Float
	if f.column.Type == Integer {
		have = float64(l.value.Integer)
	}
	want, err := f.unit.parse(text)
	if err != nil {
		if want, err = parseNumber(text); err != nil {
			return false
		}
	}
	return math.Abs(want-have) <= 1e-9*math.Abs(have)
}

// scramble is the finaliser of SplitMix64 (Steele, Lea, Flood 2014): it spreads close hashes over all 64 bits.
func scramble(x uint64) uint64 {
	x ^= x >> 30
	x *= 0xbf58476d1ce4e5b9
	x ^= x >> 27
	x *= 0x94d049bb133111eb
	return x ^ x>>31
}
