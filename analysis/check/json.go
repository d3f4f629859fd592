package check

import (
	"encoding/json"
	"io"
	"math"

	"braid/scenarios"
)

// jsonCheck is a scenario as one line of JSON.
type jsonCheck struct {
	Kind     string `json:"kind"` // "check"
	Scenario string `json:"scenario"`
	Holds    bool   `json:"holds"`
	Runs     int64  `json:"runs"`
	Failed   int64  `json:"failed"`
	Checks   int    `json:"checks"`
	Failing  int    `json:"failing"`
}

// jsonLine is an expectation as one line of JSON. Numbers that do not exist are null.
type jsonLine struct {
	Kind      string            `json:"kind"` // "expectation" or "published"
	Scenario  string            `json:"scenario"`
	File      string            `json:"file"`
	Line      int               `json:"line"`
	Where     map[string]string `json:"where"`
	Metric    string            `json:"metric"`
	Statistic string            `json:"statistic"`
	Over      []string          `json:"over,omitempty"`
	Runs      int64             `json:"runs"`
	Want      string            `json:"want"` // as written
	Expected  *float64          `json:"expected"`
	Simulated *float64          `json:"simulated"`
	Order     string            `json:"order,omitempty"` // simulated, of the statistic "order"
	Holds     bool              `json:"holds"`
	Fault     string            `json:"fault,omitempty"`
	Source    string            `json:"source,omitempty"`
}

// jsonBaseline is a baseline as one line of JSON.
type jsonBaseline struct {
	Kind     string       `json:"kind"` // "baseline"
	Scenario string       `json:"scenario"`
	File     string       `json:"file"`
	Holds    bool         `json:"holds"`
	Fault    string       `json:"fault,omitempty"`
	Changed  int64        `json:"changed"` // values
	Rows     int64        `json:"rows"`    // in which they are
	Changes  []jsonChange `json:"changes"` // the largest
}

type jsonChange struct {
	Run      int64    `json:"run"`
	Factors  string   `json:"factors"`
	Column   string   `json:"column"`
	Old      string   `json:"old"`
	New      string   `json:"new"`
	Relative *float64 `json:"relative"`
}

// JSON writes the reports as one object a line: for each scenario itself, its expectations, and its baseline.
func JSON(w io.Writer, reports []*Report) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	for _, r := range reports {
		failing := len(r.Failures())
		lines := []any{jsonCheck{"check", r.Name, failing == 0, r.Runs, r.Failed, r.Checks(), failing}}
		for i := range r.Lines {
			lines = append(lines, lineJSON(r.Name, &r.Lines[i]))
		}
		if r.Baseline != nil {
			lines = append(lines, baselineJSON(r.Name, r.Baseline))
		}
		for _, l := range lines {
			if err := e.Encode(l); err != nil {
				return err
			}
		}
	}
	return nil
}

func lineJSON(scenario string, l *Line) jsonLine {
	x := &l.Expect
	j := jsonLine{
		Kind: "expectation", Scenario: scenario, File: x.File, Line: x.Line, Where: x.Where, Metric: x.Metric, Statistic: x.String(), Over: x.Over,
		Runs: l.Runs, Want: x.Want, Expected: finite(l.Expected), Simulated: finite(l.Value), Holds: l.Fault == nil, Source: x.Source,
	}
	if x.Published {
		j.Kind = "published"
	}
	if x.Statistic == scenarios.StatOrder {
		j.Order = l.Simulated
	}
	if l.Fault != nil {
		j.Fault = l.Fault.Error()
	}
	return j
}

func baselineJSON(scenario string, b *Baseline) jsonBaseline {
	j := jsonBaseline{Kind: "baseline", Scenario: scenario, File: b.File, Holds: !b.Fails(), Changed: b.Changed, Rows: b.Rows, Changes: []jsonChange{}}
	if b.Fault != nil {
		j.Fault = b.Fault.Error()
	}
	for _, c := range b.Changes {
		j.Changes = append(j.Changes, jsonChange{c.Run, c.Factors, c.Column, c.Old, c.New, finite(c.Relative)})
	}
	return j
}

// finite is x, or null where JSON has no number for it.
func finite(x float64) *float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	return &x
}
