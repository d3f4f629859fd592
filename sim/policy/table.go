package policy

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Entry is one line of Table.
type Entry struct {
	Name    string
	Aliases []string
	Doc     string
	New     func() Policy
}

// SingleDoc says what the policies if1, if2, ... do, as Entry.Doc does for those of Table.
const SingleDoc = "every object over that one interface"

// Table lists the policies that every set of interfaces has. "if1", "if2", ... and the interfaces' own names come on top.
var Table = []Entry{
	{"round-robin", []string{"rr"}, "each object on the next interface in turn", func() Policy { return roundRobin{} }},
	{"eaf", nil, "earliest arrival first: the place with the earliest predicted end, over TCP", func() Policy { return eaf{} }},
	{"mptcp-if1", nil, "MPTCP over all interfaces, starting on interface 1", func() Policy { return mptcp{} }},
	{"mptcp-rnd", nil, "MPTCP over all interfaces, in random order", func() Policy { return mptcpRandom{} }},
	{"eaf-mptcp", nil, "earliest arrival first over TCP and MPTCP", func() Policy { return eafMPTCP{} }},
}

// Names lists the policies for the given interfaces: if1, if2, ..., then the table.
func Names(ifaces []string) []string {
	var names []string
	for i := range ifaces {
		names = append(names, numbered(i))
	}
	for _, e := range Table {
		names = append(names, e.Name)
	}
	return names
}

// numbered is the name of the policy that uses interface i only.
func numbered(i int) string { return "if" + strconv.Itoa(i+1) }

// Lookup returns the policy of that name and its canonical name: an alias or an interface's own name gives the name
// in Names. Of a name that means two things, the one listed in Names wins. An unknown name is an error that lists what
// there is.
func Lookup(name string, ifaces []string) (Policy, string, error) {
	for _, e := range Table {
		if e.Name == name {
			return e.New(), e.Name, nil
		}
		for _, a := range e.Aliases {
			if a == name {
				return e.New(), e.Name, nil
			}
		}
	}
	for i := range ifaces {
		if name == numbered(i) {
			return single{int8(i)}, name, nil
		}
	}
	if i := slices.Index(ifaces, name); i >= 0 {
		return single{int8(i)}, numbered(i), nil
	}
	all := strings.Join(Names(ifaces), ", ")
	return nil, "", fmt.Errorf("unknown policy %q (policies: %s; or an interface's name: %s)", name, all, strings.Join(ifaces, ", "))
}
