package main

import (
	"fmt"
	"io"
	"strconv"

	"braid/analysis/explain"
	"braid/sim"
)

// What sim.WaitParent is called: of an object all of the wait for its parent, on the critical path think time only.
const (
	partParent = "parent"
	partThink  = "think"
)

// thinkDoc says what is called partThink.
const thinkDoc = "on the critical path: the object before has ended, the request is not yet due"

// partName is what a phase is called; first is what waiting for the parent is.
func partName(p sim.Phase, first string) string {
	if p == sim.WaitParent {
		return first
	}
	return p.String()
}

// usedPhases are the phases that any of the parts has time in, in order.
func usedPhases(parts []explain.Parts) (used []sim.Phase) {
	for p := range sim.Done {
		for i := range parts {
			if parts[i][p] > 0 {
				used = append(used, p)
				break
			}
		}
	}
	return used
}

// stepParts are the parts of the steps of the critical path.
func stepParts(l *load) []explain.Parts {
	parts := make([]explain.Parts, len(l.explained.Critical))
	for i := range parts {
		parts[i] = l.explained.Critical[i].Parts
	}
	return parts
}

// partColumns are the columns of a table by phase; first is what waiting for the parent is called in it.
func partColumns(phases []sim.Phase, first string) []column {
	columns := make([]column, len(phases))
	for i, p := range phases {
		columns[i] = column{partName(p, first), false}
	}
	return columns
}

// noTime stands for a part of 0, so that the parts that count stand out.
const noTime = "-"

// partCells are the cells of a table by phase.
func partCells(phases []sim.Phase, parts *explain.Parts) []string {
	cells := make([]string, len(phases))
	for i, p := range phases {
		cells[i] = noTime
		if parts[p] > 0 {
			cells[i] = tenths(parts[p])
		}
	}
	return cells
}

// printParts prints each object's time by phase, without the phases no object was in.
func printParts(w io.Writer, l *load) {
	phases := usedPhases(l.explained.Objects)
	t := table{columns: append([]column{{"index", false}}, partColumns(phases, partParent)...)}
	t.columns = append(t.columns, column{"end", false})
	var objects []int
	for i := range l.explained.Objects {
		row := append([]string{strconv.Itoa(i)}, partCells(phases, &l.explained.Objects[i])...)
		t.add(append(row, tenths(l.trace.Objects[i].End))...)
		objects = append(objects, i)
	}
	addNames(&t, l.trace.Spec.Page, objects)
	t.write(w)
}

// printCriticalPath prints the objects of the critical path, from the end of the one before, their sum and its shares.
func printCriticalPath(w io.Writer, l *load) {
	phases := usedPhases(stepParts(l))
	t := table{columns: append([]column{{"index", false}, {"from", false}, {"to", false}}, partColumns(phases, partThink)...)}
	var objects []int
	for i := range l.explained.Critical {
		s := &l.explained.Critical[i]
		t.add(append([]string{strconv.Itoa(s.Object), tenths(s.From), tenths(s.To)}, partCells(phases, &s.Parts)...)...)
		objects = append(objects, s.Object)
	}
	path := &l.explained.Path
	t.add(append([]string{"sum", tenths(0), tenths(l.time)}, partCells(phases, path)...)...)
	shares := []string{"share", "", ""}
	for _, p := range phases {
		shares = append(shares, fmt.Sprintf("%.0f%%", 100*float64(path[p])/float64(l.time)))
	}
	t.add(shares...)
	addNames(&t, l.trace.Spec.Page, append(objects, -1, -1))
	t.write(w)
}

// printLegend says what the columns are that the tables by phase of the loads have.
func printLegend(w io.Writer, loads []load) {
	var objects, steps []explain.Parts
	for i := range loads {
		objects = append(objects, loads[i].explained.Objects...)
		steps = append(steps, stepParts(&loads[i])...)
	}
	docs := table{columns: []column{{"column", true}, {"what the object does", true}}}
	for _, p := range usedPhases(objects) {
		docs.add(p.String(), p.Doc())
	}
	if used := usedPhases(steps); len(used) > 0 && used[0] == sim.WaitParent {
		docs.add(partThink, thinkDoc)
	}
	docs.write(w)
}
