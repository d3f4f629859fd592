package sim

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"braid/sim/units"
)

// values returns texts the parameter takes, at least two different ones, and texts it refuses.
func values(t *testing.T, d *ParamDoc) (good, bad []string) {
	t.Helper()
	switch d.Kind {
	case WordParam:
		return d.Words, []string{"", "other"}
	case IntParam:
		low, high := int(d.Low), int(d.High)
		return []string{fmt.Sprint(low), fmt.Sprint(low + 1), fmt.Sprint(high)}, []string{"", "x", "1.5", fmt.Sprint(low - 1), fmt.Sprint(high + 1), "99999999999999999999"}
	case FloatParam:
		return []string{fmt.Sprint(d.Low), fmt.Sprint((d.Low + d.High) / 3), fmt.Sprint(d.High)}, []string{"", "x", "NaN", "Inf", fmt.Sprint(d.Low - 0.001), fmt.Sprint(d.High * 1.001)}
	case BoolParam:
		return []string{"true", "false"}, []string{"", "yes", "1", "True"}
	case DurationParam:
		return []string{"37ms", "1m0s"}, []string{"", "37", "-1ms", "fast"}
	case BytesParam:
		return []string{"12345B", "64KiB"}, []string{"", "12345", "-1B", "0.5B"}
	case RateParam:
		return []string{"7Mbit/s", "300kbit/s"}, []string{"", "7", "-7Mbit/s", "7Mbps"}
	}
	t.Fatalf("%s: a kind of parameter without a test", d.Name)
	return nil, nil
}

// TestParamTable sets every parameter to several values: each is read back as it was set, changes one field of Params, and
// no two parameters the same; all fields but the two that make the profile can be set.
func TestParamTable(t *testing.T) {
	fields := reflect.VisibleFields(reflect.TypeOf(Params{}))
	by := map[string]string{} // parameter that sets the field
	names := map[string]bool{}
	for i := range ParamTable {
		d := &ParamTable[i]
		if names[d.Name] || d.Name == "" || d.Doc == "" || d.Source == "" {
			t.Errorf("%q: twice, or without name, meaning or source", d.Name)
		}
		names[d.Name] = true
		good, bad := values(t, d)
		for _, profile := range Profiles {
			p := profile.New()
			if before := d.Get(&p); p.Set(d.Name, before) != nil || d.Get(&p) != before || !reflect.DeepEqual(p, profile.New()) {
				t.Errorf("%s: its value in profile %s, %s, cannot be set", d.Name, profile.Name, before)
			}
			for _, text := range good {
				before := p
				if err := p.Set(d.Name, text); err != nil {
					t.Errorf("%s: %v", d.Name, err)
					continue
				}
				if got := d.Get(&p); got != text {
					t.Errorf("%s: set to %s, is %s", d.Name, text, got)
				}
				for _, f := range fields {
					if reflect.ValueOf(p).FieldByIndex(f.Index).Interface() == reflect.ValueOf(before).FieldByIndex(f.Index).Interface() {
						continue
					}
					if other := by[f.Name]; other != "" && other != d.Name {
						t.Errorf("%s and %s both set %s", d.Name, other, f.Name)
					}
					by[f.Name] = d.Name
				}
			}
			for _, text := range bad {
				if err := p.Set(d.Name, text); err == nil || !strings.HasPrefix(err.Error(), d.Name+": ") || !strings.Contains(err.Error(), fmt.Sprintf("%q", text)) {
					t.Errorf("%s set to %q: %v", d.Name, text, err)
				}
			}
		}
	}
	var unset []string
	for _, f := range fields {
		if by[f.Name] == "" {
			unset = append(unset, f.Name)
		}
	}
	if want := []string{"Profile", "Transmission"}; !slices.Equal(unset, want) {
		t.Errorf("fields no parameter sets: %v, want %v", unset, want)
	}
	if list := ParamNames(); len(list) != len(ParamTable) || !slices.IsSorted(list) {
		t.Errorf("names %v", list)
	}
}

func TestUnknownParameter(t *testing.T) {
	p := Linux()
	err := p.Set("initial_windows", "10")
	if err == nil || !strings.HasPrefix(err.Error(), `unknown parameter "initial_windows" (parameters: announce_rtts, `) {
		t.Errorf("%v", err)
	}
}

// TestProfiles: the constants the model's text gives for each profile.
func TestProfiles(t *testing.T) {
	for _, c := range []struct {
		profile string
		want    map[string]string
	}{
		{"linux", map[string]string{
			"handshake_rtts": "1", "tls": "1.3", "request_rtts": "1", "max_per_host": "6", "max_connections": "256", "idle_timeout": "30s", "persistent": "true",
			"pipelining": "false", "initial_window": "10", "payload": "1448", "packet": "1500", "idle_restart": "true", "rto_margin": "200ms", "host_time": "0s",
			"mptcp_payload": "1420", "join_rtts": "1.5", "announce_rtts": "2", "send_buffer": "4608", "pacing_slow_start": "2", "pacing_avoidance": "1.2",
			"exit_bdp": "1.5", "flight_parts": "4", "knowledge": "exact",
		}},
		{"dtsimulator", map[string]string{
			"handshake_rtts": "2", "tls": "1.2", "tls_from_recording": "false", "request_rtts": "0", "max_per_host": "6", "max_connections": "17",
			"pipelining": "true", "initial_window": "10", "payload": "1460", "idle_restart": "false", "knowledge": "exact",
		}},
	} {
		p, err := NewParams(c.profile)
		if err != nil || p.Profile != c.profile || p.Validate() != nil {
			t.Fatalf("%s: %v, %v", p.Profile, err, p.Validate())
		}
		for _, d := range ParamTable {
			if want, ok := c.want[d.Name]; ok && d.Get(&p) != want {
				t.Errorf("%s: %s is %s, want %s", c.profile, d.Name, d.Get(&p), want)
			}
		}
	}
	if _, err := NewParams("windows"); err == nil || err.Error() != `unknown profile "windows" (profiles: linux, dtsimulator)` {
		t.Errorf("%v", err)
	}
}

func TestParamsValidate(t *testing.T) {
	for want, change := range map[string]func(*Params){
		"no profile (profiles: linux, dtsimulator)": func(p *Params) { p.Profile = "" },
		"idle_timeout 0s (expected more than 0)":    func(p *Params) { p.IdleTimeout = 0 },
		"payload 1501 or":                           func(p *Params) { p.Payload = 1501 },
		"mptcp_payload 1501 is above packet 1500":   func(p *Params) { p.MPTCPPayload = 1501 },
		"initial_rate":                              func(p *Params) { p.InitialRate = units.Rate(0) },
		"initial_rtt":                               func(p *Params) { p.InitialRTT = -time.Second },
		"bind_max":                                  func(p *Params) { p.BindMax = 0 },
		"bind_stop":                                 func(p *Params) { p.BindStop = 0 },
		"early_limit":                               func(p *Params) { p.EarlyLimit = 0 },
	} {
		p := Linux()
		change(&p)
		if err := p.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v; want an error with %q", err, want)
		}
	}
}
