package policy

// mptcp opens MPTCP connections over all interfaces, the first subflow on interface 1, and reuses any open connection
// unless a new one is strictly earlier (Socket Intents paper, section VI-C).
type mptcp struct{}

func (mptcp) Place(v View) (Choice, bool) {
	return placeMultipath(v, inOrder(len(v.Ifaces())))
}

func (mptcp) Reads() Reads { return Reads{Ifaces: AllIfaces, Predictions: true} }

// mptcpRandom is mptcp with the order of the interfaces drawn at random for each object.
type mptcpRandom struct{}

func (mptcpRandom) Place(v View) (Choice, bool) {
	p := inOrder(len(v.Ifaces()))
	v.Rand().Shuffle(int(p.N), func(i, j int) { p.Iface[i], p.Iface[j] = p.Iface[j], p.Iface[i] })
	return placeMultipath(v, p)
}

func (mptcpRandom) Reads() Reads { return Reads{Ifaces: AllIfaces, Random: true, Predictions: true} }

func placeMultipath(v View, p Paths) (Choice, bool) {
	s := search{view: v}
	s.reuse()
	s.open(p)
	return s.best, s.found
}

func inOrder(n int) Paths {
	p := Paths{N: int8(n)}
	for i := range p.List() {
		p.Iface[i] = int8(i)
	}
	return p
}
