// Package run runs the grids of scenarios: on all cores, in bounded memory, with rows that come out in the order of the
// grid whatever the number of workers.
//
// Each worker owns one engine. It claims a few consecutive runs at a time, so that neighbours, which share their page,
// stay together. A reorder window puts the chunks back in order; a worker that gets too far ahead of the slowest one waits.
//
// A run that fails is a row with its error, not the end of the grid, and so is one in which an engine panics.
package run
