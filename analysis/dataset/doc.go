// Package dataset reads the rows of results for analysis, one case at a time: columns by name, with units as they are
// written on the command line; conditions; and speed-ups, which belong to no row alone.
//
// A case is the runs that differ in nothing but the policy. They stand next to each other in the rows. Memory does not
// depend on the number of rows.
package dataset
