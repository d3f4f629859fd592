package figure

import (
	"slices"
	"testing"
)

func TestLogTicks(t *testing.T) {
	for _, c := range []struct {
		low, high float64
		labels    []string
	}{
		{0.04, 90, []string{"0.1", "1", "10"}},
		{1, 5, []string{"1", "2", "3", "4", "5"}},
		{1, 12, []string{"1", "2", "3", "5", "10"}},
		{0.5, 2, []string{"0.5", "1.0", "1.5", "2.0"}},
		{0.02, 1, []string{"0.02", "0.05", "0.1", "0.2", "0.5", "1"}},
		{1e-9, 1e9, []string{"1e-09", "1e-06", "0.001", "1", "1000", "1e+06", "1e+09"}},
	} {
		var labels []string
		for _, tick := range (logTicks{}).Ticks(c.low, c.high) {
			if tick.Label != "" {
				labels = append(labels, tick.Label)
			}
			if tick.Value < c.low*0.999 || tick.Value > c.high*1.001 {
				t.Errorf("%v to %v: a tick at %v", c.low, c.high, tick.Value)
			}
		}
		if !slices.Equal(labels, c.labels) {
			t.Errorf("%v to %v: %v, want %v", c.low, c.high, labels, c.labels)
		}
	}
}

func TestShort(t *testing.T) {
	for v, want := range map[float64]string{0.512: "0.512", 2.097152: "2.1", 20.97152: "21", 0: "0", 1500: "1500", 12345: "12300", 2e7: "2e+07", 1e-6: "1e-06", -3: "-3"} {
		if got := short(v); got != want {
			t.Errorf("%v: %s, want %s", v, got, want)
		}
	}
}

func TestUnits(t *testing.T) {
	for _, c := range []struct {
		of       string
		greatest float64
		want     string
	}{{"s", 0.2, "ms"}, {"s", 1.9, "ms"}, {"s", 2, "s"}, {"bit/s", 52e6, "Mbit/s"}, {"bit/s", 512e3, "kbit/s"}, {"bytes", 5e6, "MB"}, {"", 7, ""}, {"dB", 7, "dB"}} {
		if got := unitFor(c.of, c.greatest); got.name != c.want {
			t.Errorf("%v %s: in %s, want %s", c.greatest, c.of, got.name, c.want)
		}
	}
}
