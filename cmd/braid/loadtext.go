package main

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"braid/analysis/explain"
	"braid/analysis/label"
	"braid/sim"
	"braid/sim/page"
)

// printLoads prints what was loaded over what, a table of the policies, and the objects of each if asked for.
func printLoads(w io.Writer, loads []load, objects, explained bool) {
	spec := loads[0].trace.Spec
	fmt.Fprintf(w, "page      %s\n", pageSummary(spec.Page))
	if d := spec.Page.RecordedLoad; d > 0 {
		fmt.Fprintf(w, "recorded  %s ms\n", milliseconds(d))
	}
	for i, f := range spec.Interfaces {
		head := ""
		if i == 0 {
			head = "networks"
		}
		fmt.Fprintf(w, "%-8s  %s\n", head, ifaceSummary(f))
	}
	fmt.Fprintf(w, "profile   %s\n\n", spec.Params.Profile)
	printComparison(w, loads)
	for i := range loads {
		l := &loads[i]
		if objects {
			fmt.Fprintf(w, "\n%s: objects\n", l.policy)
			printObjects(w, l)
		}
		if explained {
			fmt.Fprintf(w, "\n%s: where the time of each object went, ms\n", l.policy)
			printParts(w, l)
			fmt.Fprintf(w, "\n%s: critical path, ms\n", l.policy)
			printCriticalPath(w, l)
		}
	}
}

// printComparison prints a line a policy.
func printComparison(w io.Writer, loads []load) {
	t := table{columns: []column{{"policy", true}, {"load time (ms)", false}, {"speed-up", false}, {"connections", false}}}
	for _, f := range loads[0].trace.Spec.Interfaces {
		t.columns = append(t.columns, column{f.Name + " (kB)", false})
	}
	for i := range loads {
		l := &loads[i]
		row := []string{l.policy, milliseconds(l.time), fmt.Sprintf("%.2f", speedUp(&loads[0], l)), strconv.Itoa(l.connections)}
		for _, b := range l.ifaceBytes {
			row = append(row, strconv.FormatFloat(float64(b)/1e3, 'f', 1, 64))
		}
		t.add(row...)
	}
	t.write(w)
}

// speedUp is how many times faster the load is than the first one. A load takes at least one round trip, or 1 ns.
func speedUp(first, l *load) float64 {
	return float64(max(first.time, 1)) / float64(max(l.time, 1))
}

// printObjects prints where each object came from, when, and over what.
func printObjects(w io.Writer, l *load) {
	t := table{columns: []column{{"index", false}, {"bytes", false}, {"start (ms)", false}, {"end (ms)", false},
		{"connection", false}, {"interfaces", true}, {"object", true}}}
	p := l.trace.Spec.Page
	for i := range l.trace.Objects {
		o := &l.trace.Objects[i]
		t.add(strconv.Itoa(i), strconv.FormatInt(p.Objects[i].Bytes, 10), milliseconds(o.Enabled), milliseconds(o.End),
			strconv.Itoa(int(o.Conn)), strings.Join(objectIfaces(l.trace, i), "+"), objectName(p, i))
	}
	t.write(w)
}

// objectIfaces names the interfaces the object came over; those of its connection where it has no bytes.
func objectIfaces(t *sim.Trace, i int) []string {
	o := &t.Objects[i]
	var names []string
	for f, b := range o.Bytes {
		if b > 0 {
			names = append(names, t.Spec.Interfaces[f].Name)
		}
	}
	if names == nil && o.Conn >= 0 {
		for _, f := range t.Conns[o.Conn].Ifaces {
			names = append(names, t.Spec.Interfaces[f].Name)
		}
	}
	return names
}

// printParts prints each object's time by phase.
func printParts(w io.Writer, l *load) {
	t := table{columns: append([]column{{"index", false}}, partColumns(partParent)...)}
	t.columns = append(t.columns, column{"end", false}, column{"object", true})
	for i := range l.explained.Objects {
		row := append([]string{strconv.Itoa(i)}, partCells(&l.explained.Objects[i])...)
		t.add(append(row, milliseconds(l.trace.Objects[i].End), objectName(l.trace.Spec.Page, i))...)
	}
	t.write(w)
}

// printCriticalPath prints the objects of the critical path, from the end of the one before, their sum and its shares.
func printCriticalPath(w io.Writer, l *load) {
	t := table{columns: append([]column{{"index", false}, {"from", false}, {"to", false}}, partColumns(partThink)...)}
	t.columns = append(t.columns, column{"object", true})
	for i := range l.explained.Critical {
		s := &l.explained.Critical[i]
		row := append([]string{strconv.Itoa(s.Object), milliseconds(s.From), milliseconds(s.To)}, partCells(&s.Parts)...)
		t.add(append(row, objectName(l.trace.Spec.Page, s.Object))...)
	}
	path := &l.explained.Path
	t.add(append(append([]string{"sum", milliseconds(0), milliseconds(l.time)}, partCells(path)...), "")...)
	shares := []string{"share", "", ""}
	for _, d := range path {
		if d == 0 {
			shares = append(shares, noTime)
		} else {
			shares = append(shares, fmt.Sprintf("%.0f%%", 100*float64(d)/float64(l.time)))
		}
	}
	t.add(append(shares, "")...)
	t.write(w)
}

// What sim.WaitParent is called: of an object all of the wait for its parent, on the critical path think time only.
const (
	partParent = "parent"
	partThink  = "think"
)

// partColumns are the columns of a table by phase; first is what waiting for the parent is called in it.
func partColumns(first string) []column {
	columns := []column{{first, false}}
	for p := sim.WaitParent + 1; p < sim.Done; p++ {
		columns = append(columns, column{p.String(), false})
	}
	return columns
}

// noTime stands for a part of 0, so that the parts that count stand out.
const noTime = "-"

func partCells(parts *explain.Parts) []string {
	cells := make([]string, len(parts))
	for i, d := range parts {
		cells[i] = noTime
		if d > 0 {
			cells[i] = milliseconds(d)
		}
	}
	return cells
}

// pageSummary is a page in one line.
func pageSummary(p *page.Page) string {
	return fmt.Sprintf("%s: %s, %s, %s", p.Name, plural(len(p.Objects), "object"), plural(p.Hosts(), "host"), bytesText(p.Bytes()))
}

// ifaceSummary is a network in one line.
func ifaceSummary(f sim.Interface) string {
	s := fmt.Sprintf("%s %v %v", f.Name, f.Rate, f.RTT)
	if f.Queue > 0 {
		s += fmt.Sprintf(" queue %v", f.Queue)
	}
	if f.DNS > 0 {
		s += fmt.Sprintf(" dns %v", f.DNS)
	}
	return s
}

// objectLength is the most characters of an object's name in a table.
const objectLength = 60

// objectName is the last column of tables of objects.
func objectName(p *page.Page, i int) string { return label.Object(p, i, objectLength) }

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// bytesText writes a byte count in the largest decimal unit, with one decimal.
func bytesText(n int64) string {
	v := float64(n)
	for _, unit := range []string{"B", "kB", "MB"} {
		if v < 1000 {
			if unit == "B" {
				return fmt.Sprintf("%d B", n)
			}
			return fmt.Sprintf("%.1f %s", v, unit)
		}
		v /= 1000
	}
	return fmt.Sprintf("%.1f GB", v)
}

// milliseconds writes a time in ms with its microseconds.
func milliseconds(d time.Duration) string {
	return strconv.FormatFloat(float64(d)/float64(time.Millisecond), 'f', 3, 64)
}
