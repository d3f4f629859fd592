package figure

import (
	"fmt"
	"slices"
	"strings"

	"braid/scenarios"
)

// Kind is a figure that can be drawn from results.
type Kind struct {
	Name    string
	Doc     string   // what it shows
	Columns []string // that the rows must have
	Needs   string   // further columns it takes, in words
	Options []string // fields of a request that it reads, by flag
	draw    func(*data) (*Figure, error)
}

// Kinds are the figures by name.
var Kinds = []Kind{
	{"speedup-ecdf", "the share of cases whose speed-up is at most x, a line a policy, x logarithmic", []string{"policy", "load_time_s"},
		"--by: 1 to 3 columns in place of policy", []string{"over", "by", "x"}, ecdf},
}

// common are the options that every figure has.
var common = []string{"where", "width", "title"}

// KindNames lists the names of Kinds.
func KindNames() []string {
	names := make([]string, len(Kinds))
	for i, k := range Kinds {
		names[i] = k.Name
	}
	return names
}

// FindKind finds a figure by its name.
func FindKind(name string) (*Kind, error) {
	for i := range Kinds {
		if Kinds[i].Name == name {
			return &Kinds[i], nil
		}
	}
	return nil, fmt.Errorf("unknown figure %q%s", name, scenarios.DidYouMean(name, "figures", KindNames()))
}

// Draw draws the figure. The notes are what a reader of it has to know, a sentence each: what was left out, what was taken
// together. Memory does not depend on the number of rows.
func (k *Kind) Draw(q *Request) (f *Figure, notes []string, err error) {
	if err := k.reads(q); err != nil {
		return nil, nil, err
	}
	d, err := open(q, q.Results)
	if err != nil {
		return nil, nil, err
	}
	if err := requires(d.set.Schema, q.Results, k.Name, k.Columns); err != nil {
		return nil, nil, err
	}
	if f, err = k.draw(d); err != nil {
		return nil, nil, err
	}
	return f, d.finish(), nil
}

// reads returns an error if the request has an option that the figure does not read.
func (k *Kind) reads(q *Request) error {
	for _, o := range []struct {
		flag  string
		given bool
	}{
		{"with", q.With != ""}, {"over", len(q.Over) > 0}, {"metric", len(q.Metric) > 0}, {"by", len(q.By) > 0}, {"x", q.X != ""},
		{"statistic", q.Statistic != ""}, {"style", q.Style != ""},
	} {
		if o.given && !slices.Contains(k.Options, o.flag) {
			return fmt.Errorf("%s takes no --%s (it takes --%s)", k.Name, o.flag, strings.Join(append(slices.Clone(k.Options), common...), ", --"))
		}
	}
	return nil
}
