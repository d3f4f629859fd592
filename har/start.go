package har

import (
	"strconv"
	"strings"
	"time"
)

// instant is a start time as it was written. Whether its fraction is a decimal one or a count of milliseconds depends
// on the producer, which a file may name after its entries.
type instant struct {
	second   int64 // Unix time
	fraction int32 // up to six digits as they are written: "059" is 59
	digits   int8  // how many; -1: no time that can be read
	noZone   bool
	noColon  bool // the zone is written +0200
}

// known tells whether there is a time.
func (t instant) known() bool { return t.digits >= 0 }

// micros returns Unix time in microseconds. Digits past the sixth were cut off.
func (t instant) micros() int64 {
	f := int64(t.fraction)
	for d := t.digits; d < 6; d++ {
		f *= 10
	}
	return t.second*1e6 + f
}

// asMilliseconds returns the time with its fraction read as a count of milliseconds: .59 is 59 ms, .1000 is 1 s.
func (t instant) asMilliseconds() int64 { return t.second*1e6 + int64(t.fraction)*1000 }

var noInstant = instant{digits: -1}

// parseInstant reads an ISO 8601 time: date, "T" or a space, time, up to any number of fraction digits after "." or
// ",", and "Z", "+02:00", "+0200", "+02" or nothing (then it is UTC). A bare number is milliseconds since 1970.
func parseInstant(s string) instant {
	s = strings.TrimSpace(s)
	const layout = "2006-01-02T15:04:05"
	if len(s) < len(layout) {
		return epoch(s)
	}
	head := []byte(s[:len(layout)])
	if head[10] == ' ' || head[10] == 't' {
		head[10] = 'T'
	}
	second := 0
	if head[17] == '6' && head[18] == '0' { // a leap second
		head[17], head[18], second = '5', '9', 1
	}
	when, err := time.Parse(layout, string(head))
	if err != nil {
		return epoch(s)
	}
	t := instant{second: when.Unix() + int64(second)}
	rest := s[len(layout):]
	if rest != "" && (rest[0] == '.' || rest[0] == ',') {
		n := 1
		for n < len(rest) && rest[n] >= '0' && rest[n] <= '9' {
			n++
		}
		digits := rest[1:min(n, 7)]
		if v, err := strconv.Atoi(digits); err == nil {
			t.fraction, t.digits = int32(v), int8(len(digits))
		}
		rest = rest[n:]
	}
	offset, zone, ok := parseOffset(strings.TrimSpace(rest))
	if !ok {
		return noInstant
	}
	t.second -= int64(offset)
	t.noZone, t.noColon = !zone, zone && !strings.ContainsAny(rest, ":Zz")
	return t
}

// epoch reads milliseconds since 1970, from 1980 to 2100.
func epoch(s string) instant {
	ms, err := strconv.ParseFloat(s, 64)
	if err != nil || !(ms >= 3.2e11 && ms < 4.1e12) {
		return noInstant
	}
	us := int64(ms * 1000)
	return instant{second: us / 1e6, fraction: int32(us % 1e6), digits: 6}
}

// parseOffset returns the seconds east of UTC, and whether there is a zone at all.
func parseOffset(s string) (seconds int, zone, ok bool) {
	switch s {
	case "":
		return 0, false, true
	case "Z", "z":
		return 0, true, true
	}
	sign := 1
	switch s[0] {
	case '-':
		sign = -1
	case '+':
	default:
		return 0, false, false
	}
	d := strings.Replace(s[1:], ":", "", 1)
	v, err := strconv.ParseUint(d, 10, 16)
	switch {
	case err != nil:
		return 0, false, false
	case len(d) == 2 && v < 24:
		return sign * int(v) * 3600, true, true
	case len(d) == 4 && v%100 < 60 && v/100 < 24:
		return sign * int(v/100*3600+v%100*60), true, true
	}
	return 0, false, false
}

// countsMilliseconds tells whether the producer writes this fraction as a count of milliseconds. IE 11 does not pad
// it (".59" after ".856" is 59 ms); WebPageTest rounds 999.6 ms up to ".1000".
func (t instant) countsMilliseconds(producer string) bool {
	switch {
	case strings.HasPrefix(producer, "Internet Explorer"):
		return t.digits == 1 || t.digits == 2
	case strings.HasPrefix(producer, "WebPagetest"):
		return t.digits == 4 && t.fraction == 1000
	}
	return false
}
