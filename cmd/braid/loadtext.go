package main

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"braid/analysis/label"
	"braid/sim"
	"braid/sim/page"
)

// printLoads prints what was loaded over what and how, a table of the policies, and the objects of each if asked for.
func printLoads(w io.Writer, loads []load, how setup, objects, explained bool) {
	printHead(w, loads[0].trace.Spec, how)
	printComparison(w, loads)
	for i := range loads {
		l := &loads[i]
		if objects {
			fmt.Fprintf(w, "\n%s: objects\n", l.label)
			printObjects(w, l)
		}
		if explained {
			fmt.Fprintf(w, "\n%s: where the time of each object went, ms\n", l.label)
			printParts(w, l)
			fmt.Fprintf(w, "\n%s: critical path, ms\n", l.label)
			printCriticalPath(w, l)
		}
	}
	if explained {
		fmt.Fprintln(w)
		printLegend(w, loads)
	}
}

// printHead prints page, networks, and everything else the loads depend on.
func printHead(w io.Writer, spec *sim.Spec, how setup) {
	line := func(head, text string) { fmt.Fprintf(w, "%-8s  %s\n", head, text) }
	line("page", pageSummary(spec.Page))
	if r := recordedSummary(spec.Page); r != "" {
		line("recorded", r)
	}
	head := "networks"
	for _, f := range spec.Interfaces {
		line(head, ifaceSummary(f))
		head = ""
	}
	profile := spec.Params.Profile
	for i, s := range changed(&spec.Params) {
		separator := ", "
		if i == 0 {
			separator = " with "
		}
		profile += separator + s.name + "=" + s.value
	}
	line("profile", profile)
	line("options", how.summary(spec)+"\n")
}

// summary is how the loads were made, in the words of the flags.
func (how setup) summary(spec *sim.Spec) string {
	s := fmt.Sprintf("http %s, knowledge %s", how.http, knowledge(&spec.Params))
	if how.deps != "" {
		s += ", deps " + how.deps
	}
	if how.likeRecorded {
		s += ", like-recorded"
	}
	if how.random {
		s += fmt.Sprintf(", seed %d", spec.Key.Seed)
	}
	return s
}

// recordedSummary is what a recording says of its own load time: its onLoad, and the end of its last transfer, which is what
// a simulated load time compares with. It is "" for a page that is no recording.
func recordedSummary(p *page.Page) string {
	var parts []string
	if p.RecordedLoad > 0 {
		parts = append(parts, "onLoad "+tenths(p.RecordedLoad)+" ms")
	}
	if last := lastRecorded(p); last > 0 {
		parts = append(parts, "last transfer "+tenths(last)+" ms")
	}
	return strings.Join(parts, ", ")
}

// lastRecorded is the end of the last transfer of a recording, 0 if there is none.
func lastRecorded(p *page.Page) (last time.Duration) {
	for i := range p.Recorded {
		last = max(last, p.Recorded[i].End)
	}
	return last
}

// printComparison prints a line a policy.
func printComparison(w io.Writer, loads []load) {
	t := table{columns: []column{{"policy", true}, {"load time (ms)", false}, {"speed-up", false}, {"connections", false}}}
	for _, f := range loads[0].trace.Spec.Interfaces {
		t.columns = append(t.columns, column{f.Name + " (kB)", false})
	}
	for i := range loads {
		l := &loads[i]
		row := []string{l.label, tenths(l.time), fmt.Sprintf("%.2f", speedUp(&loads[0], l)), strconv.Itoa(l.connections)}
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
		{"connection", false}, {"interfaces", true}}}
	p := l.trace.Spec.Page
	var objects []int
	for i := range l.trace.Objects {
		o := &l.trace.Objects[i]
		t.add(strconv.Itoa(i), strconv.FormatInt(p.Objects[i].Bytes, 10), tenths(o.Enabled), tenths(o.End),
			strconv.Itoa(int(o.Conn)), strings.Join(objectIfaces(l.trace, i), "+"))
		objects = append(objects, i)
	}
	addNames(&t, p, objects)
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

// Tables of objects are at most tableWidth characters wide: the objects' names are shortened to what is left, but not below
// leastName.
const (
	tableWidth = 110
	leastName  = 24
)

// addNames adds the last column of a table of objects, their names; objects has the object of each row, -1 for none.
func addNames(t *table, p *page.Page, objects []int) {
	length := max(leastName, tableWidth-t.width())
	t.columns = append(t.columns, column{"object", true})
	for row, i := range objects {
		name := ""
		if i >= 0 {
			name = label.Object(p, i, length)
		}
		t.rows[row] = append(t.rows[row], name)
	}
}

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

// tenths writes a simulated time in ms with one decimal: the model's error is far above a tenth.
func tenths(d time.Duration) string {
	return strconv.FormatFloat(float64(d)/float64(time.Millisecond), 'f', 1, 64)
}
