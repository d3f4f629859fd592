package page

import (
	"errors"
	"fmt"
	"slices"
	"time"
)

// LikeRecorded returns a copy of a recorded page that also takes the time of client and servers from its recording:
//
//   - think time: from the recorded end of the object it waits for (from 0 for one that waits for none) to the object's
//     recorded start; 0 where that is negative, as initiators may still be loading when the object starts;
//   - server time: the recorded wait less the round trip of the recording, not below 0. The round trip is taken as the
//     smallest connect time seen on the object's host; on a host without one, as the smallest wait seen there.
//
// A page that is no recording, and recorded times beyond the bounds of New, are errors.
func (p *Page) LikeRecorded() (*Page, error) {
	if len(p.Recorded) != len(p.Objects) {
		return nil, fmt.Errorf("page %q is no recording: it has no recorded times", p.Name)
	}
	rtt := p.recordedRTTs()
	objects := slices.Clone(p.Objects)
	for i := range objects {
		o, r := &objects[i], &p.Recorded[i]
		var parent time.Duration
		if o.After != None {
			parent = p.Recorded[o.After].End
		}
		o.Think = max(0, r.Start-parent)
		o.Server = max(0, r.Wait-rtt[o.Host])
	}
	c, err := New(p.Name, objects)
	if of, ok := errors.AsType[*ObjectError](err); ok {
		return nil, fmt.Errorf("%w: %s", err, p.Recorded[of.Object].URL)
	} else if err != nil {
		return nil, err
	}
	c.Recorded, c.RecordedLoad = p.Recorded, p.RecordedLoad
	return c, nil
}

// recordedRTTs estimates the round trip of the recording to each host.
func (p *Page) recordedRTTs() map[string]time.Duration {
	connect, wait := map[string]time.Duration{}, map[string]time.Duration{}
	smallest := func(m map[string]time.Duration, host string, d time.Duration) {
		if old, ok := m[host]; d > 0 && (!ok || d < old) {
			m[host] = d
		}
	}
	for i := range p.Recorded {
		smallest(connect, p.Objects[i].Host, p.Recorded[i].Connect)
		smallest(wait, p.Objects[i].Host, p.Recorded[i].Wait)
	}
	for host, d := range wait {
		if _, ok := connect[host]; !ok {
			connect[host] = d
		}
	}
	return connect
}
