package socketintents

import (
	"slices"
	"time"

	"braid/sim"
	"braid/sim/page"
)

// Statement is what the paper says of the cases in which a policy is slower than another: that each of them has an
// object which meets all its conditions.
type Statement struct {
	Policy, Over string
	Conditions   Conditions
	// Without takes away what the statement blames, from both runs: a loss that is gone then needs it.
	Without func(*sim.Params)
}

// EAF: earliest arrival first is slower than interface 1 only where a single huge object goes over the worse interface
// while the limit of connections keeps a new one from the better.
var EAF = Statement{
	Policy: "eaf", Over: "if1", Conditions: Critical | Huge | Worse | AtLimit,
	// More connections than any page has objects.
	Without: func(p *sim.Params) { p.MaxPerHost, p.MaxConnections = 1000, 1000 },
}

// EAFMPTCP: earliest arrival first with MPTCP is slower than MPTCP that starts on interface 1 only because it does not
// foresee later transfers, which would have used the second subflow.
var EAFMPTCP = Statement{
	Policy: "eaf-mptcp", Over: "mptcp-if1", Conditions: Later | Second | OnePath,
	Without: func(p *sim.Params) { p.Persistent = false },
}

// Conditions is a set of what may be true of an object in a case.
type Conditions uint8

// Conditions. Where the paper gives no measure, the widest reading was taken, so that a case that does not meet it does not
// meet a narrower one.
const (
	// Critical: it is on the critical path of the policy's run.
	Critical Conditions = 1 << iota
	// Huge: it has more than half of the bytes of the objects on that path; at most one object has.
	Huge
	// Worse: it went over the worse interface, as one may see it before or after. Before: alone, over a new connection, it
	// would be earlier over another interface than the first one of its connection. After: it came over other interfaces than in
	// the other run and took longer, from the end of what it waited for.
	Worse
	// AtLimit: between the end of what it waited for and its own end, as many connections were busy as may be, to its host
	// or in all.
	AtLimit
	// Later: in the other run it was not the first object on its connection.
	Later
	// Second: in the other run some of its bytes came over a further subflow.
	Second
	// OnePath: the policy put it on a connection with one path.
	OnePath
)

// Has says whether all of the conditions are in the set.
func (c Conditions) Has(all Conditions) bool { return c&all == all }

// Loss is a case in which the policy is slower than the one it is compared with.
type Loss struct {
	Load, Than time.Duration // load times of the two policies
	Late       Late
	Objects    []Conditions // what is true of each object of the page
	Gone       bool         // without what the statement blames the policy is not slower
}

// Meets says whether an object meets all of the conditions.
func (l *Loss) Meets(all Conditions) bool { return meetsAll(l.Objects, all) }

func meetsAll(objects []Conditions, all Conditions) bool {
	return slices.ContainsFunc(objects, func(c Conditions) bool { return c.Has(all) })
}

// Check runs one case, given by its spec whatever its policy, under both policies of the statement, and says of a loss what
// the statement wants to know. It returns nil if the policy is not slower. The engine must serve observers, as the
// reference engine does. Errors are those of the engine, with page and policy.
func (s *Statement) Check(e sim.Engine, spec *sim.Spec) (*Loss, error) {
	p, err := newPair(e, spec, s.Policy, s.Over)
	if err != nil || p.load <= p.than {
		return nil, err
	}
	l := &Loss{Load: p.load, Than: p.than, Late: p.late()}
	if l.Objects, err = p.conditions(e); err != nil {
		return nil, err
	}
	changed := *spec
	s.Without(&changed.Params)
	_, load, err := traced(e, changed, s.Policy)
	if err != nil {
		return nil, err
	}
	_, than, err := traced(e, changed, s.Over)
	if err != nil {
		return nil, err
	}
	l.Gone = load <= than
	return l, nil
}

// conditions returns what is true of each object of the page.
func (p *pair) conditions(e sim.Engine) ([]Conditions, error) {
	list := make([]Conditions, len(p.spec.Page.Objects))
	for i := range list {
		list[i] = p.otherRun(int32(i))
	}
	return list, p.critically(e, list)
}

// otherRun returns which of Later, Second and OnePath are true of the object.
func (p *pair) otherRun(object int32) (c Conditions) {
	if !first(p.over, object) {
		c |= Later
	}
	for _, iface := range carrier(p.over, object).Ifaces[1:] {
		if p.over.Objects[object].Bytes[iface] > 0 {
			c |= Second
		}
	}
	if len(carrier(p.policy, object).Ifaces) == 1 {
		c |= OnePath
	}
	return c
}

// critically adds which of Critical, Huge, Worse and AtLimit are true of the objects on the critical path.
func (p *pair) critically(e sim.Engine, to []Conditions) error {
	var bytes int64
	for _, i := range p.critical {
		bytes += p.spec.Page.Objects[i].Bytes
	}
	for _, i := range p.critical {
		to[i] |= Critical
		if p.spec.Page.Objects[i].Bytes > bytes/2 {
			to[i] |= Huge
		}
		worse, err := p.worseAlone(e, i)
		if err != nil {
			return err
		}
		if worse || p.turnedOutWorse(i) {
			to[i] |= Worse
		}
		t := &p.policy.Objects[i]
		if meets(p.limited, t.Enabled, t.End) || meets(p.byHost[p.spec.Page.Objects[i].Host], t.Enabled, t.End) {
			to[i] |= AtLimit
		}
	}
	return nil
}

// turnedOutWorse compares the object with itself in the other run.
func (p *pair) turnedOutWorse(object int32) bool {
	a, b := &p.policy.Objects[object], &p.over.Objects[object]
	return !sameInterfaces(a, b) && a.End-a.Enabled > b.End-b.Enabled
}

// worseAlone loads the object alone over each interface.
func (p *pair) worseAlone(e sim.Engine, object int32) (bool, error) {
	alone := p.spec.Page.Objects[object]
	alone.After, alone.Think = page.None, 0
	only, err := page.New(p.spec.Page.Name, []page.Object{alone})
	if err != nil {
		return false, err
	}
	spec := *p.spec
	spec.Page = only
	used := int(carrier(p.policy, object).Ifaces[0])
	var here time.Duration
	best := time.Duration(-1)
	for i := range spec.Interfaces {
		_, load, err := traced(e, spec, spec.Interfaces[i].Name)
		if err != nil {
			return false, err
		}
		if i == used {
			here = load
		}
		if best < 0 || load < best {
			best = load
		}
	}
	return here > best, nil
}
