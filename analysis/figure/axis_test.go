package figure

import (
	"slices"
	"testing"
	"time"
)

func TestTimeAxis(t *testing.T) {
	for _, c := range []struct {
		last   time.Duration
		unit   string
		text   string // of last
		labels []string
	}{
		{377 * time.Millisecond, "ms", "377.0 ms", []string{"0", "50", "100", "150", "200", "250", "300", "350"}},
		{1999 * time.Millisecond, "ms", "1999.0 ms", []string{"0", "500", "1000", "1500", "2000"}},
		{2 * time.Second, "s", "2.00 s", []string{"0.0", "0.5", "1.0", "1.5", "2.0"}},
		{25 * time.Second, "s", "25.00 s", []string{"0", "5", "10", "15", "20", "25"}},
		{700 * time.Microsecond, "ms", "0.7 ms", []string{"0.0", "0.1", "0.2", "0.3", "0.4", "0.5", "0.6", "0.7"}},
	} {
		a := timeAxis(c.last)
		var labels []string
		for _, tick := range a.Ticks(0, a.max) {
			labels = append(labels, tick.Label)
		}
		if got := a.text(c.last); got != c.text {
			t.Errorf("%v is written %q, want %q", c.last, got, c.text)
		}
		if a.unit != c.unit || !slices.Equal(labels, c.labels) {
			t.Errorf("%v: %s %v, want %s %v", c.last, a.unit, labels, c.unit, c.labels)
		}
	}
}
