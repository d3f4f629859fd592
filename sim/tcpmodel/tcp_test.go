package tcpmodel

import (
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"

	"braid/sim/page"
)

const ms = time.Millisecond

func TestPackets(t *testing.T) {
	for _, c := range []struct {
		bytes   int64
		payload int
		want    int64
	}{
		{0, 1448, 0}, {1, 1448, 1}, {1448, 1448, 1}, {1449, 1448, 2}, {14480, 1448, 10}, {14481, 1448, 11},
		{100 << 20, 1448, 72_416}, // 104857600 / 1448 = 72415.47
	} {
		if got := Packets(c.bytes, c.payload); got != c.want {
			t.Errorf("%d bytes in %d: %d packets, want %d", c.bytes, c.payload, got, c.want)
		}
	}
}

// TestDuration: the first whole nanosecond at which the bytes have passed.
func TestDuration(t *testing.T) {
	for _, c := range []struct {
		bytes, rate float64
		want        time.Duration
	}{
		{0, 1000, 0}, {-3, 1000, 0},
		{1500, 750_000, 2 * ms},                // 6 Mbit/s
		{120, 750_000, 160 * time.Microsecond}, // two SYNs
		{1, 3, 333_333_334},                    // 333333333.3 ns
		{2, 3, 666_666_667},
		{1, 1e9, 1}, {1, 2e9, 1}, // half a nanosecond is one
		{1e18, 1e-3, math.MaxInt64 / 4}, // never, as far as a run is concerned
		{1, 0, math.MaxInt64 / 4},
	} {
		if got := Duration(c.bytes, c.rate); got != c.want {
			t.Errorf("%v bytes at %v bytes/s: %d ns, want %d", c.bytes, c.rate, got, c.want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		// Whole numbers far below 2^53 in all products, so that the check itself is exact.
		bytes, rate := rapid.Int64Range(1, 1_000_000).Draw(t, "bytes"), rapid.Int64Range(1, 1_000_000_000).Draw(t, "rate")
		want := (bytes*1e9 + rate - 1) / rate
		got := Duration(float64(bytes), float64(rate)).Nanoseconds()
		// The quotient and the product are rounded, each by 2^-53 of its value; rounding up may turn that into 1 ns.
		if math.Abs(float64(got-want)) > 1+0x1p-52*float64(want) {
			t.Fatalf("%d bytes at %d bytes/s: %d ns, want %d", bytes, rate, got, want)
		}
	})
}

func TestRTTs(t *testing.T) {
	for _, c := range []struct {
		n    float64
		rtt  time.Duration
		want time.Duration
	}{{1, 20 * ms, 20 * ms}, {0.5, 15, 8}, {1.5, 20 * ms, 30 * ms}, {0, 20 * ms, 0}, {4, 50 * ms, 200 * ms}, {1.5, 3, 5}} {
		if got := RTTs(c.n, c.rtt); got != c.want {
			t.Errorf("%v x %v: %v, want %v", c.n, c.rtt, got, c.want)
		}
	}
}

func TestTLSRoundTrips(t *testing.T) {
	for v, want := range map[page.TLSVersion]int{page.TLS12: 2, page.TLS13: 1, page.TLSResumed: 0, page.TLSUnknown: 1} {
		if got := TLSRoundTrips(v); got != want {
			t.Errorf("TLS variant %d: %d round trips, want %d", v, got, want)
		}
	}
}

// TestGrow: a full window doubles; one used by half or less stays; between, it grows to twice what was used.
func TestGrow(t *testing.T) {
	for _, c := range []struct{ window, flight, want int64 }{
		{10, 10, 20}, // 10 + 10
		{20, 20, 40},
		{20, 1, 20},  // 2 x 1 is below 20
		{20, 10, 20}, // 2 x 10 is 20
		{20, 11, 22}, // 20 + 11 = 31, but not above 2 x 11
		{20, 15, 30},
		{10, 0, 10},
	} {
		if got := Grow(c.window, c.flight); got != c.want {
			t.Errorf("window %d, flight %d: %d, want %d", c.window, c.flight, got, c.want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		window := rapid.Int64Range(1, 1000).Draw(t, "window")
		flight := rapid.Int64Range(0, window).Draw(t, "flight")
		// One acknowledgement at a time: the window grows by one while it is below twice the flight.
		want := window
		for range flight {
			if want < 2*flight {
				want++
			}
		}
		if got := Grow(window, flight); got != want {
			t.Fatalf("window %d, flight %d: %d, want %d", window, flight, got, want)
		}
	})
}

// TestIdleWindow: RTT 50 ms and RTO 250 ms.
func TestIdleWindow(t *testing.T) {
	const rto = 250 * ms
	for _, c := range []struct {
		window, initial int64
		idle            time.Duration
		want            int64
		restarted       bool
	}{
		{80, 10, 0, 80, false},
		{80, 10, 249 * ms, 80, false},
		{80, 10, 250 * ms, 40, true},
		{80, 10, 499 * ms, 40, true},
		{80, 10, 500 * ms, 20, true},
		{80, 10, 750 * ms, 10, true},
		{80, 10, time.Hour, 10, true}, // not below the initial window
		{25, 10, 250 * ms, 12, true},
		{15, 10, 250 * ms, 10, true},
		{10, 10, 250 * ms, 10, true},
		{4, 10, time.Hour, 4, true}, // a window below the initial one does not grow
	} {
		if got, restarted := IdleWindow(c.window, c.initial, c.idle, rto); got != c.want || restarted != c.restarted {
			t.Errorf("window %d, initial %d, idle %v: %d %v, want %d %v", c.window, c.initial, c.idle, got, restarted, c.want, c.restarted)
		}
	}
	if got, restarted := IdleWindow(80, 10, time.Hour, 0); got != 80 || restarted {
		t.Errorf("without an RTO: %d %v", got, restarted)
	}
}
