package units

import (
	"math"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestParseRate(t *testing.T) {
	for text, want := range map[string]Rate{ // bytes/s: bits over 8
		"512000bit/s": 64_000,
		"500kbit/s":   62_500,
		"6Mbit/s":     750_000,
		"1.6Gbit/s":   200_000_000,
		"1.6Mbit/s":   200_000,
		" 6 Mbit/s ":  750_000,
		"1e3kbit/s":   125_000,
		".5Mbit/s":    62_500,
		"+8bit/s":     1,
		"0Mbit/s":     0,
	} {
		if got, err := ParseRate(text); err != nil || got != want {
			t.Errorf("%q: %v bytes/s, %v; want %v", text, float64(got), err, float64(want))
		}
	}
}

func TestParseBytes(t *testing.T) {
	for text, want := range map[string]Bytes{
		"60000B":            60_000,
		"100kB":             100_000,
		"100KiB":            102_400,
		"1.5MiB":            1_572_864,
		"2GB":               2_000_000_000,
		"1GiB":              1_073_741_824,
		"0B":                0,
		"0.001kB":           1,
		"1.005MB":           1_005_000, // 1.005*1e6 is 1004999.9999999999 in float64
		"4.35kB":            4_350,
		"9007199254740992B": 1 << 53,
	} {
		if got, err := ParseBytes(text); err != nil || got != want {
			t.Errorf("%q: %d, %v; want %d", text, got, err, want)
		}
	}
}

func TestParseShare(t *testing.T) {
	for text, want := range map[string]Share{"0.1%": 0.001, "50 %": 0.5, "100%": 1, "0%": 0} {
		if got, err := ParseShare(text); err != nil || got != want {
			t.Errorf("%q: %v, %v; want %v", text, float64(got), err, float64(want))
		}
	}
}

func TestParseDuration(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"20ms":   20_000_000,
		"20 ms":  20_000_000,
		"1.5s":   1_500_000_000,
		"1m 30s": 90_000_000_000,
		"1m30s":  90_000_000_000,
		"7us":    7_000,
		"7µs":    7_000,
		"0ms":    0,
	} {
		if got, err := ParseDuration(text); err != nil || got != want {
			t.Errorf("%q: %v, %v; want %v", text, got, err, want)
		}
	}
}

// TestErrors names what is wrong and how to write it instead.
func TestErrors(t *testing.T) {
	rate := func(s string) error { _, err := ParseRate(s); return err }
	bytes := func(s string) error { _, err := ParseBytes(s); return err }
	share := func(s string) error { _, err := ParseShare(s); return err }
	duration := func(s string) error { _, err := ParseDuration(s); return err }
	for _, c := range []struct {
		parse func(string) error
		text  string
		want  string
	}{
		{rate, "", "is not a number with a unit (write it like 6Mbit/s)"},
		{rate, "Mbit/s", "is not a number"},
		{rate, "fastMbit/s", "is not a number"},
		{rate, "0x6Mbit/s", "is not a number"},
		{rate, "1_000kbit/s", "is not a number"},
		{rate, "6", "has no unit"},
		{rate, "-6Mbit/s", "is negative"},
		{rate, "-0Mbit/s", "is negative"},
		{rate, "6Mbps", "did you mean Mbit/s?"},
		{rate, "6MB/s", "a byte has 8"},
		{rate, "6mbit/s", "did you mean Mbit/s?"},
		{rate, "6KBIT/S", "did you mean kbit/s?"},
		{rate, "6furlongs", `unknown unit "furlongs" (units: bit/s, kbit/s, Mbit/s, Gbit/s)`},
		{rate, "1e308Gbit/s", "is too large"},
		{rate, "1e309Gbit/s", "is not a number"},
		{bytes, "100", "has no unit (write it like 100kB)"},
		{bytes, "100KB", "did you mean kB (1000) or KiB (1024)?"},
		{bytes, "0.5B", "is not a whole number of bytes"},
		{bytes, "1.0005kB", "is not a whole number of bytes"},
		{bytes, "9007199254740994B", "up to 2^53"},
		{bytes, "1e200GB", "up to 2^53"},
		{share, "0.1", "has no unit (write it like 0.1%)"},
		{share, "101%", "is above 100%"},
		{share, "-1%", "is negative"},
		{duration, "", "is not understood"},
		{duration, "20", "has no unit (write it like 20ms)"},
		{duration, "0", "has no unit"},
		{duration, "-20ms", "is negative"},
		{duration, "20 seconds", "units: ns, us, ms, s, m, h"},
		{duration, "2 0ms", "is not understood"},
		{duration, "1000000h", ""},
		{duration, "10000000h", "is not understood"}, // above 292 years
	} {
		err := c.parse(c.text)
		if c.want == "" {
			if err != nil {
				t.Errorf("%q: %v", c.text, err)
			}
			continue
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v; want an error with %q", c.text, err, c.want)
		}
		if err != nil && c.text != "" && !strings.Contains(err.Error(), c.text) {
			t.Errorf("%q: the error does not show it: %v", c.text, err)
		}
	}
}

func TestString(t *testing.T) {
	for _, c := range []struct {
		got  interface{ String() string }
		want string
	}{
		{Rate(750_000), "6Mbit/s"}, {Rate(64_000), "512kbit/s"}, {Rate(200_000_000), "1.6Gbit/s"}, {Rate(0), "0bit/s"}, {Rate(1), "8bit/s"}, {Rate(0.125), "1bit/s"},
		{Bytes(100_000), "100kB"}, {Bytes(10_240), "10KiB"}, {Bytes(1234), "1234B"}, {Bytes(0), "0B"}, {Bytes(1 << 30), "1GiB"},
		{Share(0.001), "0.1%"}, {Share(1), "100%"}, {Share(0), "0%"},
	} {
		if got := c.got.String(); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
	if got := (6 * MbitPerSecond).BitPerSecond(); got != 6e6 {
		t.Errorf("6 Mbit/s are %v bit/s", got)
	}
}

// TestRoundTrip: what String writes, Parse reads. Byte counts come back exactly; rates and shares, written with 12 digits,
// within 1e-11, and are written the same again.
func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := Bytes(rapid.Int64Range(0, maxBytes).Draw(t, "bytes"))
		if got, err := ParseBytes(b.String()); err != nil || got != b {
			t.Fatalf("%d is written %q and read as %d, %v", b, b, got, err)
		}
		r := Rate(rapid.Float64Range(0, 1e15).Draw(t, "rate"))
		if got, err := ParseRate(r.String()); err != nil || math.Abs(float64(got-r)) > 1e-11*float64(r) || got.String() != r.String() {
			t.Fatalf("%v is written %q and read as %v, %v", float64(r), r, float64(got), err)
		}
		s := Share(rapid.Float64Range(0, 1).Draw(t, "share"))
		if got, err := ParseShare(s.String()); err != nil || math.Abs(float64(got-s)) > 1e-11*float64(s) || got.String() != s.String() {
			t.Fatalf("%v is written %q and read as %v, %v", float64(s), s, float64(got), err)
		}
		d := time.Duration(rapid.Int64Range(0, math.MaxInt64).Draw(t, "duration"))
		if got, err := ParseDuration(d.String()); d > 0 && (err != nil || got != d) {
			t.Fatalf("%d is written %q and read as %d, %v", d, d, got, err)
		}
	})
}

// FuzzParse: whatever the text, a quantity is within its bounds or an error says which text was wrong.
func FuzzParse(f *testing.F) {
	for _, s := range []string{"6Mbit/s", "100kB", "0.1%", "20ms", "", "-1B", "1e400GB", "0x1p4B", "2 0ms", "٣B", "1e-999%", "NaNB"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if r, err := ParseRate(s); err == nil && !(r >= 0 && !math.IsInf(float64(r), 1)) || err != nil && r != 0 {
			t.Errorf("rate %q: %v, %v", s, float64(r), err)
		}
		if b, err := ParseBytes(s); err == nil && (b < 0 || b > maxBytes) || err != nil && b != 0 {
			t.Errorf("byte count %q: %d, %v", s, b, err)
		}
		if p, err := ParseShare(s); err == nil && !(p >= 0 && p <= 1) || err != nil && p != 0 {
			t.Errorf("share %q: %v, %v", s, float64(p), err)
		}
		if d, err := ParseDuration(s); d < 0 || err != nil && d != 0 {
			t.Errorf("duration %q: %v, %v", s, d, err)
		}
	})
}
