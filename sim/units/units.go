// Package units holds the quantities of scenarios, command lines and results: rates, byte counts, durations
// and shares. Every quantity is written with its unit ("6Mbit/s", "60kB", "20ms", "0.1%"); a bare number is an
// error, because a network tool that guesses between bits and bytes, or seconds and milliseconds, guesses wrong.
package units

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// Rate is a data rate in bytes per second.
type Rate float64

// Bytes is a count of bytes.
type Bytes int64

// Share is a fraction of one: 0.001 is 0.1 %.
type Share float64

// Decimal rates, in bytes per second.
const (
	BitPerSecond  Rate = 1.0 / 8
	KbitPerSecond Rate = 1e3 / 8
	MbitPerSecond Rate = 1e6 / 8
	GbitPerSecond Rate = 1e9 / 8
)

// Decimal and binary byte counts.
const (
	Byte Bytes = 1
	KB   Bytes = 1e3
	MB   Bytes = 1e6
	GB   Bytes = 1e9
	KiB  Bytes = 1 << 10
	MiB  Bytes = 1 << 20
	GiB  Bytes = 1 << 30
)

// maxBytes bounds byte counts: up to here a float64 holds every whole number.
const maxBytes = 1 << 53

type unit struct {
	name   string
	factor float64
}

// Longest names first: "Mbit/s" must not be read as a number followed by "bit/s".
var (
	rateUnits = []unit{
		{"Gbit/s", float64(GbitPerSecond)}, {"Mbit/s", float64(MbitPerSecond)}, {"kbit/s", float64(KbitPerSecond)}, {"bit/s", float64(BitPerSecond)},
	}
	byteUnits = []unit{
		{"GiB", float64(GiB)}, {"MiB", float64(MiB)}, {"KiB", float64(KiB)}, {"GB", float64(GB)}, {"MB", float64(MB)}, {"kB", float64(KB)}, {"B", 1},
	}
	shareUnits = []unit{{"%", 0.01}}
)

// ParseRate reads a rate such as "512000bit/s", "500kbit/s", "6Mbit/s" or "1.6Gbit/s". A rate is at least 0.
func ParseRate(s string) (Rate, error) {
	v, err := parse(s, "rate", "6Mbit/s", rateUnits, rateHints)
	return Rate(v), err
}

// ParseBytes reads a byte count such as "60000B", "100kB" (decimal) or "100KiB" (binary). The count must be whole.
func ParseBytes(s string) (Bytes, error) {
	v, err := parse(s, "byte count", "100kB", byteUnits, byteHints)
	if err != nil {
		return 0, err
	}
	// The decimal fraction and its product with the unit are off by up to 2^-52 of the value: 1.005MB is whole.
	whole := math.Round(v)
	if v > maxBytes || math.Abs(v-whole) > float64(v*0x1p-52) {
		return 0, fmt.Errorf("byte count %q is not a whole number of bytes up to 2^53", s)
	}
	return Bytes(whole), nil
}

// ParseShare reads a share such as "0.1%". A share is between 0 % and 100 %.
func ParseShare(s string) (Share, error) {
	v, err := parse(s, "share", "0.1%", shareUnits, shareHints)
	if err == nil && v > 1 {
		return 0, fmt.Errorf("share %q is above 100%%", s)
	}
	return Share(v), err
}

// ParseDuration reads a duration such as "20ms", "1.5s" or "30s". Unlike time.ParseDuration it refuses a bare 0
// and negative durations, and allows a space between number and unit.
func ParseDuration(s string) (time.Duration, error) {
	t := strings.TrimSpace(s)
	if _, err := strconv.ParseFloat(t, 64); err == nil {
		return 0, fmt.Errorf("duration %q has no unit (write it like 20ms)", s)
	}
	d, err := time.ParseDuration(joined(t))
	if err != nil {
		return 0, fmt.Errorf("duration %q is not understood (write it like 20ms; units: ns, us, ms, s, m, h)", s)
	}
	if d < 0 {
		return 0, fmt.Errorf("duration %q is negative", s)
	}
	return d, nil
}

// joined takes out the spaces that do not split a number: "20 ms" and "1m 30s", but not "2 0ms".
func joined(s string) string {
	const digits = "0123456789."
	all := ""
	for _, f := range strings.Fields(s) {
		if all != "" && strings.ContainsRune(digits, rune(all[len(all)-1])) && strings.ContainsRune(digits, rune(f[0])) {
			return s
		}
		all += f
	}
	return all
}

// Units people write in place of ours, in lower case, and what they most likely mean.
var (
	rateHints = map[string]string{
		"bps": "bit/s", "kbps": "kbit/s", "mbps": "Mbit/s", "gbps": "Gbit/s", "b": "bit/s", "kb": "kbit/s", "mb": "Mbit/s", "gb": "Gbit/s",
		"bit": "bit/s", "kbit": "kbit/s", "mbit": "Mbit/s", "gbit": "Gbit/s", "bits/s": "bit/s", "kbits/s": "kbit/s", "mbits/s": "Mbit/s", "gbits/s": "Gbit/s",
		"b/s": "bit/s (a byte has 8)", "kb/s": "kbit/s (a byte has 8)", "mb/s": "Mbit/s (a byte has 8)", "gb/s": "Gbit/s (a byte has 8)",
		"k": "kbit/s", "m": "Mbit/s", "g": "Gbit/s",
	}
	byteHints = map[string]string{
		"bytes": "B", "byte": "B", "k": "kB (1000) or KiB (1024)", "kb": "kB (1000) or KiB (1024)", "m": "MB or MiB", "mb": "MB", "g": "GB or GiB", "gb": "GB",
		"kib": "KiB", "mib": "MiB", "gib": "GiB", "b": "B",
	}
	shareHints = map[string]string{"percent": "%", "pct": "%"}
)

func parse(s, what, example string, table []unit, hints map[string]string) (float64, error) {
	t := strings.TrimSpace(s)
	end := strings.LastIndexAny(t, "0123456789.") + 1
	number, suffix := t[:end], strings.TrimSpace(t[end:])
	v, err := strconv.ParseFloat(number, 64)
	if err != nil || strings.ContainsAny(number, "xX_") || math.IsNaN(v) || math.IsInf(v, 0) {
		return 0, fmt.Errorf("%s %q is not a number with a unit (write it like %s)", what, s, example)
	}
	if suffix == "" {
		return 0, fmt.Errorf("%s %q has no unit (write it like %s)", what, s, example)
	}
	for _, u := range table {
		if u.name != suffix {
			continue
		}
		if math.Signbit(v) {
			return 0, fmt.Errorf("%s %q is negative", what, s)
		}
		if v *= u.factor; math.IsInf(v, 0) {
			return 0, fmt.Errorf("%s %q is too large", what, s)
		}
		return v, nil
	}
	names := make([]string, len(table))
	for i, u := range table {
		names[len(table)-1-i] = u.name
	}
	msg := fmt.Sprintf("%s %q has an unknown unit %q (units: %s", what, s, suffix, strings.Join(names, ", "))
	if h := meant(suffix, table, hints); h != "" {
		msg += "; did you mean " + h + "?"
	}
	return 0, fmt.Errorf("%s)", msg)
}

// meant is the unit an unknown one most likely stands for, "" if none is close: one of the hints, or the unit that differs
// in the case of its letters only.
func meant(suffix string, table []unit, hints map[string]string) string {
	if h, ok := hints[strings.ToLower(suffix)]; ok {
		return h
	}
	for _, u := range table {
		if strings.EqualFold(u.name, suffix) {
			return u.name
		}
	}
	return ""
}

// BitPerSecond returns the rate in bit/s, the unit of result columns.
func (r Rate) BitPerSecond() float64 { return float64(r) * 8 }

// String writes the rate in the largest unit that keeps it short: "6Mbit/s", "512kbit/s".
func (r Rate) String() string { return scaled(float64(r), rateUnits) }

// String writes the count in the largest decimal or binary unit that divides it: "100kB", "10KiB", "1234B".
func (b Bytes) String() string {
	for _, u := range byteUnits {
		f := Bytes(u.factor)
		if b != 0 && b%f == 0 {
			return strconv.FormatInt(int64(b/f), 10) + u.name
		}
	}
	return strconv.FormatInt(int64(b), 10) + "B"
}

// String writes the share in per cent.
func (s Share) String() string { return strconv.FormatFloat(float64(s)*100, 'g', 12, 64) + "%" }

func scaled(v float64, table []unit) string {
	for _, u := range table {
		if v >= u.factor {
			return strconv.FormatFloat(v/u.factor, 'g', 12, 64) + u.name
		}
	}
	return strconv.FormatFloat(v/table[len(table)-1].factor, 'g', 12, 64) + table[len(table)-1].name
}
