package dataset

import (
	"path"
	"slices"

	"braid/scenarios/result"
)

// PolicyColumn is the factor in which the runs of a case differ.
const PolicyColumn = "policy"

// Case is the runs that differ in nothing but the policy. It is valid until the next one.
type Case struct {
	Rows   []result.Row
	policy int // index of the factor, -1: there is none
	load   int // index of the metric load_time_s, -1: there is none

	asked []string // the policies that Best was asked for last, nil: not yet for this case
	best  float64  // its answer, 0: none
}

// Policy returns the policy of row i, empty where the factors are not known.
func (c *Case) Policy(i int) string {
	if c.policy < 0 || c.policy >= len(c.Rows[i].Factors) {
		return ""
	}
	return c.Rows[i].Factors[c.policy].Text
}

// LoadTime returns the load time of row i in seconds; false where the run failed.
func (c *Case) LoadTime(i int) (seconds float64, ok bool) {
	if c.load < 0 || c.Rows[i].Error != "" || c.load >= len(c.Rows[i].Metrics) {
		return 0, false
	}
	seconds = c.Rows[i].Metrics[c.load].Float
	return seconds, seconds > 0
}

// Best returns the least load time, in seconds, of the policies that one of the patterns matches (path.Match, or the
// name itself); false where there is none.
func (c *Case) Best(policies []string) (seconds float64, ok bool) {
	if c.asked == nil || !slices.Equal(c.asked, policies) {
		// Once for a case: speed-ups ask again for each row.
		c.asked, c.best = policies, 0
		for i := range c.Rows {
			if load, ok := c.LoadTime(i); ok && matchesAny(policies, c.Policy(i)) && (c.best == 0 || load < c.best) {
				c.best = load
			}
		}
	}
	return c.best, c.best > 0
}

// SpeedUp returns how many times as fast row i is as the fastest of the policies; false where one of them did not go well.
func (c *Case) SpeedUp(i int, over []string) (float64, bool) {
	base, ok := c.Best(over)
	load, went := c.LoadTime(i)
	if !ok || !went {
		return 0, false
	}
	return base / load, true
}

func matchesAny(patterns []string, name string) bool {
	for _, p := range patterns {
		if p == name {
			return true
		}
		if ok, err := path.Match(p, name); ok && err == nil {
			return true
		}
	}
	return false
}

// Cases gathers rows into cases.
type Cases struct {
	current, before Case // taking turns
}

// NewCases returns an empty collection of rows with these columns, which come in the order of the grid.
func NewCases(s result.Schema) *Cases {
	empty := Case{policy: s.Factor(PolicyColumn), load: s.Metric(result.LoadTime)}
	return &Cases{empty, empty}
}

// Add takes in the next row, of which it keeps nothing. When the row begins a new case, the one before is returned; else nil.
func (c *Cases) Add(r *result.Row) (before *Case) {
	if len(c.current.Rows) > 0 && !c.same(&c.current.Rows[0], r) {
		before = c.End()
	}
	n := len(c.current.Rows)
	if n < cap(c.current.Rows) {
		c.current.Rows = c.current.Rows[:n+1]
	} else {
		c.current.Rows = append(c.current.Rows, result.Row{})
	}
	to := &c.current.Rows[n]
	factors, metrics := append(to.Factors[:0], r.Factors...), append(to.Metrics[:0], r.Metrics...)
	*to = result.Row{Run: r.Run, Factors: factors, Metrics: metrics, Error: r.Error}
	return before
}

// same says whether two rows are of one case. Rows without factors are cases of their own.
func (c *Cases) same(a, b *result.Row) bool {
	if len(a.Factors) == 0 || len(a.Factors) != len(b.Factors) {
		return false
	}
	for i := range a.Factors {
		if i != c.current.policy && a.Factors[i] != b.Factors[i] {
			return false
		}
	}
	return true
}

// End returns the case that is not complete yet, nil if there is none; to be called after the last row.
func (c *Cases) End() *Case {
	if len(c.current.Rows) == 0 {
		return nil
	}
	c.current, c.before = c.before, c.current
	c.current.Rows, c.current.asked = c.current.Rows[:0], nil
	return &c.before
}
