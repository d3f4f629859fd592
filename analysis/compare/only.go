package compare

import (
	"cmp"
	"fmt"
	"slices"

	"braid/analysis/dataset"
)

// Only is the rows that only one set has.
type Only struct {
	Levels  []Level  // rows with a level that the other set lacks, counted once each; the most rows first
	Other   int64    // rows of which the other set has every level, but not together
	First   []string // the first of these, with their factors
	Unknown int64    // rows without factors, which no one can pair

	at   map[string]int // of Levels
	runs []int64        // of First
}

// Level is a level that the other set lacks.
type Level struct {
	Text string // page=mix52
	Rows int64
}

// Rows counts them all.
func (o *Only) Rows() int64 {
	sum := o.Other + o.Unknown
	for _, l := range o.Levels {
		sum += l.Rows
	}
	return sum
}

func (o *Only) addLevel(text string) {
	if o.at == nil {
		o.at = map[string]int{}
	}
	i, ok := o.at[text]
	if !ok {
		i = len(o.Levels)
		o.at[text] = i
		o.Levels = append(o.Levels, Level{Text: text})
	}
	o.Levels[i].Rows++
}

// firstRuns is how many rows are named.
const firstRuns = 3

func (o *Only) addRun(run int64) {
	o.Other++
	at, _ := slices.BinarySearch(o.runs, run)
	if at < firstRuns {
		o.runs = slices.Insert(o.runs, at, run)
		o.runs = o.runs[:min(len(o.runs), firstRuns)]
	}
}

// describe puts the levels in order and looks up the rows to be named.
func (o *Only) describe(set *dataset.Set) error {
	slices.SortStableFunc(o.Levels, func(a, b Level) int { return cmp.Compare(b.Rows, a.Rows) })
	for _, run := range o.runs {
		row, _, err := set.Find(run)
		if err != nil {
			return err
		}
		o.First = append(o.First, fmt.Sprintf("run %d (%s)", run, set.Schema.Describe(row.Factors)))
	}
	return nil
}
