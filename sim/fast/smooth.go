package fast

import (
	"braid/sim"
	"braid/sim/policy"
	"time"
)

type smoothWorld struct{}

func (w *smoothWorld) reset(e *Engine, s *sim.Spec)            {}
func (w *smoothWorld) now() time.Duration                      { return 0 }
func (w *smoothWorld) open(origin int32, p policy.Paths) int32 { return 0 }
func (w *smoothWorld) send(conn, object int32)                 {}
func (w *smoothWorld) claim(conn, object int32)                {}
func (w *smoothWorld) unclaim(conn int32)                      {}
func (w *smoothWorld) close(conn int32)                        {}
func (w *smoothWorld) wake(at time.Duration)                   {}
func (w *smoothWorld) step() bool                              { return false }
func (w *smoothWorld) events() int64                           { return 0 }
func (w *smoothWorld) end(object int32, c policy.Choice, before time.Duration) (time.Duration, bool) {
	return 0, false
}
