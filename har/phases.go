package har

import (
	"math"
	"strings"
	"time"
)

// phases are the times of one entry. Unknown ones are 0.
type phases struct {
	blocked, dns, connect, ssl, send, wait, receive time.Duration
}

// maxMillis is more than three years: what is above is no time of a page load. Firebug 1.12 wrote 63596250212317 ms.
const maxMillis = 1e11

// millis turns a number of milliseconds into a duration, rounded to the nanosecond. Missing and negative ones are 0;
// ok is false for one that is out of range.
func millis(n number) (d time.Duration, ok bool) {
	if !n.ok || n.v <= 0 {
		return 0, true
	}
	if n.v > maxMillis {
		return 0, false
	}
	return time.Duration(math.Round(n.v * 1e6)), true
}

func (t *timings) phases() (p phases, ok bool) {
	ok = true
	if t == nil {
		return p, true
	}
	for _, x := range []struct {
		from number
		to   *time.Duration
	}{{t.Blocked, &p.blocked}, {t.DNS, &p.dns}, {t.Connect, &p.connect}, {t.SSL, &p.ssl}, {t.Send, &p.send}, {t.Wait, &p.wait}, {t.Receive, &p.receive}} {
		d, good := millis(x.from)
		*x.to = d
		ok = ok && good
	}
	return p, ok
}

// sum is the time from start to end. HAR 1.2 has ssl inside connect; beside says that this file has not.
func (p *phases) sum(beside bool) time.Duration {
	s := p.blocked + p.dns + p.connect + p.send + p.wait + p.receive
	if beside {
		s += p.ssl
	}
	return s
}

// tlsVote counts, over the entries of a file, which reading of ssl the stated times agree with.
type tlsVote struct{ inside, beside int }

// add votes with one entry: for the sum that is closer to the stated time, if it is close at all and the other is
// clearly farther. Files leave blocked out of the sum or not.
func (v *tlsVote) add(p *phases, stated time.Duration) {
	if p.ssl <= 0 || stated <= 0 {
		return
	}
	distance := func(beside bool) time.Duration {
		s := p.sum(beside)
		return min((stated - s).Abs(), (stated - s + p.blocked).Abs())
	}
	in, out := distance(false), distance(true)
	const clear = 2 * time.Millisecond
	near := max(5*time.Millisecond, stated/50)
	switch {
	case in+clear < out && in <= near:
		v.inside++
	case out+clear < in && out <= near:
		v.beside++
	}
}

// decide tells whether ssl is beside connect: by the votes, else by what the producer is known to do.
func (v *tlsVote) decide(producer, browser string) bool {
	if v.inside != v.beside {
		return v.beside > v.inside
	}
	name, version, _ := strings.Cut(producer, " ")
	switch name {
	case "Playwright", "mitmproxy":
		return true
	case "Firefox":
		return majorVersion(version) >= 62
	case "Browsertime":
		if name, version, _ := strings.Cut(browser, " "); name == "Firefox" {
			return majorVersion(version) >= 62
		}
	}
	return false
}

func majorVersion(s string) (n int) {
	for _, c := range s {
		if c < '0' || c > '9' || n > 1e6 {
			break
		}
		n = 10*n + int(c-'0')
	}
	return n
}
