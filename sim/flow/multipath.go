package flow

import "time"

type multipath struct{}

func (flights) dialledMulti(*core, int32, time.Duration) {}
func (flights) joinedMulti(*core, int32)                 {}
func (flights) serveMulti(*core, int32)                  {}
func (flights) timerMulti(*core, int32)                  {}
func (flights) departedMulti(*core, int32)               {}
func (flights) reportMulti(*core, int32)                 {}
