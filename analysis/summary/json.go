package summary

import (
	"encoding/json"
	"io"
	"math"

	"braid/analysis/stat"
	"braid/scenarios"
)

// jsonGroup is a group as one line of JSON. Numbers that do not exist are null.
type jsonGroup struct {
	Kind            string   `json:"kind"` // "policy"
	Scenario        string   `json:"scenario"`
	Profile         string   `json:"profile"`
	Policy          string   `json:"policy"`
	Runs            int64    `json:"runs"`
	Failed          int64    `json:"failed"`
	Complete        bool     `json:"complete"` // all runs of the grid were taken in; false after an interrupt
	LoadTime        *float64 `json:"load_time_median_s"`
	Baseline        string   `json:"speedup_over"`
	Pairs           int64    `json:"speedup_pairs"`
	Above           *float64 `json:"speedup_share_above_1"`
	Below           *float64 `json:"speedup_share_below_1"`
	P5              *float64 `json:"speedup_p5"`
	Median          *float64 `json:"speedup_median"`
	Mean            *float64 `json:"speedup_geometric_mean"`
	P95             *float64 `json:"speedup_p95"`
	QuantilesWithin float64  `json:"quantiles_within"` // relative error of medians and percentiles; 0: exact
}

// jsonPublished is a published number as one line of JSON.
type jsonPublished struct {
	Kind      string            `json:"kind"` // "published"
	Scenario  string            `json:"scenario"`
	Where     map[string]string `json:"where"`
	Metric    string            `json:"metric"`
	Statistic string            `json:"statistic"`
	Over      []string          `json:"over,omitempty"`
	Runs      int64             `json:"runs"`
	Want      string            `json:"want"` // as written
	Published *float64          `json:"published"`
	Simulated *float64          `json:"simulated"`
	Order     string            `json:"order,omitempty"` // simulated, of the statistic "order"
	Source    string            `json:"source"`
}

// JSON writes the summary as one object a line: first the groups, then the published numbers.
func (s *Summary) JSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	for _, g := range s.groups {
		line := jsonGroup{
			Kind: "policy", Scenario: s.name, Profile: g.Profile, Policy: g.Policy, Runs: g.Runs, Failed: g.Failed,
			Complete: s.planned == 0, LoadTime: number(g.LoadTime.Quantile(0.5)), Baseline: s.baseline, Pairs: g.SpeedUp.N(),
			Above: number(g.Above()), Below: number(g.Below()),
			P5: number(g.SpeedUp.Quantile(0.05)), Median: number(g.SpeedUp.Quantile(0.5)), Mean: number(g.Mean()), P95: number(g.SpeedUp.Quantile(0.95)),
		}
		if !g.LoadTime.Exact() || !g.SpeedUp.Exact() {
			line.QuantilesWithin = stat.Accuracy
		}
		if err := e.Encode(line); err != nil {
			return err
		}
	}
	if s.planned > 0 {
		return nil
	}
	for _, m := range s.published {
		line := jsonPublished{
			Kind: "published", Scenario: s.name, Where: m.Expect.Where, Metric: m.Expect.Metric, Statistic: m.Expect.String(),
			Over: m.Expect.Over, Runs: m.N(), Want: m.Expect.Want, Published: number(m.Expected()), Simulated: number(m.Simulated()),
			Source: m.Expect.Source,
		}
		if m.Expect.Statistic == scenarios.StatOrder {
			line.Order = m.Order()
		}
		if err := e.Encode(line); err != nil {
			return err
		}
	}
	return nil
}

// number is x, or null where JSON has no number for it.
func number(x float64) *float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	return &x
}
