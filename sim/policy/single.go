package policy

// single uses one interface only: any open connection on it, or a new one if that ends strictly earlier. It is the
// policy "if1", "if2", ... or, by its name, any interface (Socket Intents paper, section VI-C, "single interface").
type single struct{ iface int8 }

func (p single) Place(v View) (Choice, bool) { return placeOn(v, p.iface) }

// Predictions need no second interface either: nothing ever runs on it.
func (p single) Reads() Reads { return Reads{Ifaces: 1 << p.iface, Predictions: true} }

// placeOn places an object on one interface: the best reuse wins unless a new connection is strictly earlier.
func placeOn(v View, iface int8) (Choice, bool) {
	s := search{view: v}
	s.reuseOn(iface)
	s.open(Over(iface))
	return s.best, s.found
}
