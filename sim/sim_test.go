package sim

import (
	"math"
	"strings"
	"testing"
	"time"

	"braid/sim/page"
	"braid/sim/units"
)

func onePage(t *testing.T, objects ...page.Object) *page.Page {
	t.Helper()
	p, err := page.New("p", objects)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestSpecValidate(t *testing.T) {
	valid := func() *Spec {
		return &Spec{
			Page: onePage(t, page.Object{Host: "a", Bytes: 1, After: page.None}), Policy: "if1", Params: Linux(),
			Interfaces: []Interface{{Name: "wifi", Rate: 6 * units.MbitPerSecond, RTT: 20 * time.Millisecond}, {Name: "lte", Rate: units.KbitPerSecond, RTT: 1}},
		}
	}
	if err := valid().Validate(); err != nil {
		t.Fatal(err)
	}
	for want, change := range map[string]func(*Spec){
		"no page":                                 func(s *Spec) { s.Page = nil },
		"0 interfaces":                            func(s *Spec) { s.Interfaces = nil },
		"9 interfaces (expected 1 to 8)":          func(s *Spec) { s.Interfaces = make([]Interface, 9) },
		"interface 2 has no name":                 func(s *Spec) { s.Interfaces[1].Name = "" },
		`name "wifi" is used twice`:               func(s *Spec) { s.Interfaces[1].Name = "wifi" },
		"lte: bandwidth 0bit/s (expected 1kbit/s": func(s *Spec) { s.Interfaces[1].Rate = 0 },
		"wifi: bandwidth -8bit/s":                 func(s *Spec) { s.Interfaces[0].Rate = -1 },
		"wifi: bandwidth NaN":                     func(s *Spec) { s.Interfaces[0].Rate = units.Rate(math.NaN()) },
		"wifi: bandwidth +Inf":                    func(s *Spec) { s.Interfaces[0].Rate = units.Rate(math.Inf(1)) },
		"wifi: RTT 0s (expected more than 0":      func(s *Spec) { s.Interfaces[0].RTT = 0 },
		"wifi: RTT -1ms":                          func(s *Spec) { s.Interfaces[0].RTT = -time.Millisecond },
		"wifi: RTT 2h0m0s":                        func(s *Spec) { s.Interfaces[0].RTT = 2 * time.Hour },
		"wifi: dns -1ns (expected 0 to 10m":       func(s *Spec) { s.Interfaces[0].DNS = -1 },
		"wifi: queue -1B":                         func(s *Spec) { s.Interfaces[0].Queue = -1 },
		"more than a year": func(s *Spec) {
			s.Interfaces[1].Rate = units.KbitPerSecond
			s.Page = onePage(t, page.Object{Host: "a", Bytes: 1 << 40, After: page.None})
		},
		"below 1 byte/s for each of 200": func(s *Spec) { s.Params = DTSimulator(); s.Params.MaxConnections = 200 },
		"has no requests":                func(s *Spec) { s.Params = DTSimulator(); s.Params.RequestRTTs = 1 },
		"no profile":                     func(s *Spec) { s.Params = Params{} },
	} {
		s := valid()
		change(s)
		if err := s.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v; want an error with %q", err, want)
		}
	}
}
