// Package check runs scenarios and holds what they expect against the results.
//
// Each expectation of a scenario is measured over all rows (package measure) and holds or fails; a published one is measured
// and never fails. Rows are also compared with the scenario's baseline, if it has one, cell by cell. A scenario fails when
// an expectation does, when rows changed, when runs failed, and when something cannot be judged: an expectation that no run
// matches, a metric that is not there, a baseline that cannot be read.
//
// Rows stream through and are not kept. A Report is the same for any number of workers, but for Took.
package check
