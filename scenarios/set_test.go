package scenarios

import (
	"strings"
	"testing"
	"time"
)

func TestSetReplacesValues(t *testing.T) {
	s := mustParse(t, two)
	for _, c := range []struct {
		assignment string
		ok         func(*Scenario) bool
	}{
		{"seed=7", func(s *Scenario) bool { return s.Seed == 7 }},
		{"profile=dtsimulator", func(s *Scenario) bool { return len(s.Profiles) == 1 && s.Profiles[0] == "dtsimulator" }},
		{"policies=lte, rr", func(s *Scenario) bool {
			return len(s.Policies) == 2 && s.Policies[0] == "if2" && s.Policies[1] == "round-robin"
		}},
		{"interfaces.wifi.rtt=10ms", func(s *Scenario) bool {
			return len(s.Interfaces[0].RTT) == 1 && s.Interfaces[0].RTT[0] == 10*time.Millisecond && len(s.Interfaces[1].RTT) == 2
		}},
		{"interfaces.1.rtt=10ms,1s", func(s *Scenario) bool { return s.Interfaces[1].RTT[1] == time.Second }},
		{"interfaces.lte.dns=15ms", func(s *Scenario) bool {
			return len(s.Interfaces[1].DNS) == 1 && s.Interfaces[1].DNS[0] == 15*time.Millisecond
		}},
		{"interfaces=[{name: a, bandwidth: 1Mbit/s, rtt: 1ms}]", func(s *Scenario) bool { return len(s.Interfaces) == 1 && s.Interfaces[0].Name == "a" }},
		{"parameters.knowledge=estimated", func(s *Scenario) bool { return len(s.Parameters) == 2 }},
		{"workload={like: alexa-2015, pages: 3}", func(s *Scenario) bool { return len(s.Workloads) == 1 && s.Workloads[0].Pages == 3 }},
		{"sample=2%", func(s *Scenario) bool { return s.Sample.Share == 0.02 }},
		{"deps=initiator", func(s *Scenario) bool { return s.Deps == "initiator" }},
	} {
		changed, err := s.Set(c.assignment)
		if err != nil {
			t.Errorf("%s: %v", c.assignment, err)
			continue
		}
		if !c.ok(changed) {
			t.Errorf("%s: %+v", c.assignment, changed)
		}
		if c.ok(s) {
			t.Errorf("%s changed the scenario it was asked of", c.assignment)
		}
	}
}

func TestBadSet(t *testing.T) {
	s := mustParse(t, two)
	for _, c := range []struct{ assignment, want string }{
		{"seed", "expected path=value"},
		{"=1", "expected path=value"},
		{"seed=", "no value"},
		{"sed=1", `did you mean "seed"?`},
		{"interfaces.wify.rtt=1ms", `did you mean "wifi"?`},
		{"interfaces.wifi.rt=1ms", `did you mean "rtt"?`},
		{"interfaces.7.rtt=1ms", "there are: wifi, lte"},
		{"interfaces.wifi.rtt=10", "has no unit"},
		{"interfaces.wifi.rtt=10ms,,20ms", "empty value"},
		{"interfaces.wifi.rtt=10ms,lte.rtt=20ms", `"lte.rtt=20ms" looks like a second assignment (give each its own --set`},
		{"seed=1,repetitions=2", "second assignment"},
		{"interfaces.wifi.rtt.x=10ms", "item"},
		{"name.x=1", "single value"},
		{"policies=efa", `did you mean "eaf"?`},
		{"pages=[mix28", "not YAML"},
		{"profile=linus", `did you mean "linux"?`},
	} {
		_, err := s.Set(c.assignment)
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), "--set "+c.assignment+":") {
			t.Errorf("%s: %v, want %q", c.assignment, err, c.want)
		}
	}
}

func TestSeedOfARunVerb(t *testing.T) {
	s, err := mustParse(t, two).WithSeed(9)
	if err != nil {
		t.Fatal(err)
	}
	var r Run
	if err := mustGrid(t, s).Run(0, &r); err != nil {
		t.Fatal(err)
	}
	if r.Seed != 9 || r.Spec.Key.Seed != 9 || !strings.Contains(row(mustGrid(t, s), &r), "seed=9") {
		t.Errorf("seed %d, key %v", r.Seed, r.Spec.Key)
	}
}
