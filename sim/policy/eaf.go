package policy

// eaf is earliest arrival first: on every interface in order the best reuse or a new connection, and of these the
// first with the strictly earliest predicted end (Socket Intents paper, section VI-C).
type eaf struct{}

func (eaf) Place(v View) (Choice, bool) {
	s := search{view: v}
	for i := range v.Ifaces() {
		iface := int8(i)
		s.reuseOn(iface)
		s.open(Over(iface))
	}
	return s.best, s.found
}

func (eaf) Reads() Reads { return Reads{Ifaces: AllIfaces, Predictions: true} }
