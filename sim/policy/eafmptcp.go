package policy

// eafMPTCP is earliest arrival first over everything there is: any open connection; a new one on each interface; a new
// MPTCP connection over every combination of two or more interfaces in every order. Of equal ends the earlier in this
// list wins (Socket Intents paper, section VI-C).
type eafMPTCP struct{}

func (eafMPTCP) Place(v View) (Choice, bool) {
	s := search{view: v}
	s.reuse()
	n := len(v.Ifaces())
	for i := range n {
		s.open(Over(int8(i)))
	}
	for size := 2; size <= n; size++ {
		var p Paths
		s.arrangements(&p, size, n, 0)
	}
	return s.best, s.found
}

func (eafMPTCP) Reads() Reads { return Reads{Ifaces: AllIfaces, Predictions: true} }

// arrangements tries every ordered choice of size out of n interfaces, in lexical order.
func (s *search) arrangements(p *Paths, size, n int, used uint32) {
	if int(p.N) == size {
		s.open(*p)
		return
	}
	for i := range n {
		if used&(1<<i) != 0 {
			continue
		}
		p.Iface[p.N] = int8(i)
		p.N++
		s.arrangements(p, size, n, used|1<<i)
		p.N--
	}
}
