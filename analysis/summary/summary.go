// Package summary is what a run of a grid ends with: for each policy (and profile) the number of runs, the median load
// time and the speed-up over the first policy, also by page where there are few, and beside published numbers the simulated
// ones. Text fits a terminal of 80 columns.
//
// Speed-ups are paired: the runs of a case differ in nothing but the policy, and each is compared with the case's run
// under the first policy. Rows stream through; memory does not depend on their number. See stat.Distribution for what
// that means for the accuracy of medians and percentiles. Counts and shares are exact.
package summary

import (
	"math"
	"slices"

	"braid/analysis/dataset"
	"braid/analysis/measure"
	"braid/analysis/stat"
	"braid/scenarios/result"
)

// Names of the factors that tables have rows or columns for.
const (
	policyFactor  = "policy"
	profileFactor = "profile"
	pageFactor    = "page"
)

// Summary takes in rows in the order of the grid.
type Summary struct {
	name            string
	policy, profile int // indexes of the factors, -1: there is none
	loadTime        int // index of the metric
	baseline        string
	groups          []*Group
	published       []*measure.Measure
	pages           byPage
	page            int   // index of the factor
	planned         int64 // runs of the whole grid, 0: all of them were taken in
	distinct        int64 // of these, runs that may differ; 0: not known
	cases           *dataset.Cases
}

// Group is the runs of one policy under one profile.
type Group struct {
	Profile, Policy string
	Runs, Failed    int64
	LoadTime        stat.Distribution // seconds, of the runs that went well
	SpeedUp         stat.Distribution // over the first policy; empty for itself
	above, below    int64
	logSum          float64 // of the logarithms of the speed-ups
}

// Above returns the share of pairs in which the policy is faster than the first one.
func (g *Group) Above() float64 { return float64(g.above) / float64(g.SpeedUp.N()) }

// Below returns the share of pairs in which the policy is slower than the first one.
func (g *Group) Below() float64 { return float64(g.below) / float64(g.SpeedUp.N()) }

// Mean returns the geometric mean of the speed-ups: twice as fast and half as fast cancel out. NaN when there are none.
func (g *Group) Mean() float64 { return math.Exp(g.logSum / float64(g.SpeedUp.N())) }

// New returns an empty summary of rows with the given columns. name is the scenario's; published are measured on the way.
func New(name string, s result.Schema, published []*measure.Measure) *Summary {
	return &Summary{name: name, published: published, cases: dataset.NewCases(s), policy: s.Factor(policyFactor), profile: s.Factor(profileFactor), page: s.Factor(pageFactor), loadTime: s.Metric(result.LoadTime)}
}

// Add takes in the next row. The summary keeps nothing of it.
func (s *Summary) Add(r *result.Row) {
	if c := s.cases.Add(r); c != nil {
		s.add(c)
	}
}

// End takes in what has not been counted yet; to be called after the last row.
func (s *Summary) End() {
	if c := s.cases.End(); c != nil {
		s.add(c)
	}
}

// Incomplete says that the rows are only some of a grid of so many runs. Pages and networks vary slowest, so they
// stand for no more than themselves: nothing is then compared with published numbers, and nothing concluded.
func (s *Summary) Incomplete(planned int64) { s.planned = planned }

// Distinct says how many runs of the whole grid may differ: the others were not computed by themselves.
func (s *Summary) Distinct(runs int64) { s.distinct = runs }

// add takes in a case.
func (s *Summary) add(c *dataset.Case) {
	if s.groups == nil {
		s.baseline = text(&c.Rows[0], s.policy)
	}
	over := []string{s.baseline}
	for i := range c.Rows {
		r := &c.Rows[i]
		g := s.group(text(r, s.profile), text(r, s.policy))
		g.Runs++
		if r.Error != "" {
			g.Failed++
			continue
		}
		g.LoadTime.Add(r.Metrics[s.loadTime].Float)
		speedUp, ok := c.SpeedUp(i, over)
		if !ok || g.Policy == s.baseline {
			continue
		}
		g.SpeedUp.Add(speedUp)
		g.logSum += math.Log(speedUp)
		s.pages.add(text(r, s.page), g, speedUp)
		if measure.Above(speedUp, 1) {
			g.above++
		}
		if measure.Below(speedUp, 1) {
			g.below++
		}
	}
	for _, m := range s.published {
		m.Add(c, s.baseline)
	}
}

// unknown stands for a factor of a run whose grid gave none.
const unknown = "(unknown)"

func text(r *result.Row, factor int) string {
	if factor < 0 {
		return ""
	}
	if factor >= len(r.Factors) {
		return unknown
	}
	return r.Factors[factor].Text
}

func (s *Summary) group(profile, policy string) *Group {
	for _, g := range s.groups {
		if g.Profile == profile && g.Policy == policy {
			return g
		}
	}
	g := &Group{Profile: profile, Policy: policy}
	s.groups = append(s.groups, g)
	return g
}

// Baseline returns the policy that speed-ups are over: that of the first row.
func (s *Summary) Baseline() string { return s.baseline }

// Groups returns the groups, in the order in which they first appeared.
func (s *Summary) Groups() []*Group { return s.groups }

// Profiles returns the profiles, in the order in which they first appeared.
func (s *Summary) Profiles() []string {
	var profiles []string
	for _, g := range s.groups {
		if !slices.Contains(profiles, g.Profile) {
			profiles = append(profiles, g.Profile)
		}
	}
	return profiles
}

// exact says whether all medians and percentiles are exact.
func (s *Summary) exact() bool {
	for _, g := range s.groups {
		if !g.LoadTime.Exact() || !g.SpeedUp.Exact() {
			return false
		}
	}
	for _, m := range s.published {
		if !m.Exact() {
			return false
		}
	}
	return true
}
