package link

import (
	"testing"
	"time"

	"braid/sim/units"
)

func TestConstant(t *testing.T) {
	var p Process = Constant{Rate: 6 * units.MbitPerSecond, RTT: 20 * time.Millisecond}
	want := State{Rate: 750_000, RTT: 20 * time.Millisecond, Up: true} // 6e6 / 8
	for _, at := range []time.Duration{0, time.Nanosecond, time.Hour} {
		if got := p.At(at); got != want {
			t.Errorf("at %v: %+v, want %+v", at, got, want)
		}
		if next, ok := p.Next(at); ok {
			t.Errorf("a constant link changes at %v", next)
		}
	}
}
