package policy

// roundRobin places each object on the next interface in turn (Socket Intents paper, section VI-C).
type roundRobin struct{}

func (roundRobin) Place(v View) (Choice, bool) {
	return placeOn(v, int8(v.Turn()%len(v.Ifaces())))
}

func (roundRobin) Reads() Reads { return Reads{Ifaces: AllIfaces, Predictions: true} }
