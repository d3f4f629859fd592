// Package repeat simulates runs of a grid again that results have the rows of, from their manifest alone, with a trace.
//
// The manifest holds the scenario in its canonical form, what was selected of its grid, and the SHA-256 of every page; it
// holds no path of a machine. Pages that are files are named from the scenario's folder, and must have the bytes they had.
//
// A repeated load has to be the row's: the same factors in that place of the grid, and every metric equal to the bit,
// although the row may come from the fast engine and the repetition comes from the reference engine.
package repeat
