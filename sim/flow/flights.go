package flow

import "time"

type flights struct{}
type flightsConn struct{}
type flightsSub struct{}

func (flights) dialled(*core, int32, time.Duration) {}
func (flights) established(*core, int32)            {}
func (flights) joined(*core, int32)                 {}
func (flights) placed(*core, int32, int32)          {}
func (flights) timer(*core, int32)                  {}
func (flights) link(*core, int8)                    {}
func (flights) end(*core, int32)                    {}
