package result

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"braid/scenarios"
)

// BenchmarkWriter writes rows as a grid of 26 pages, 384 networks and 7 policies gives them. Reported: rows/s and bytes a row.
func BenchmarkWriter(b *testing.B) {
	s, err := NewSchema([]scenarios.Column{
		{Name: "page", Type: scenarios.Text},
		{Name: "wifi_bandwidth_bit_s", Type: scenarios.Float},
		{Name: "wifi_rtt_s", Type: scenarios.Float},
		{Name: "lte_bandwidth_bit_s", Type: scenarios.Float},
		{Name: "lte_rtt_s", Type: scenarios.Float},
		{Name: "seed", Type: scenarios.Integer},
		{Name: "repetition", Type: scenarios.Integer},
		{Name: "profile", Type: scenarios.Text},
		{Name: "policy", Type: scenarios.Text},
	}, PageLoad([]string{"wifi", "lte"}))
	if err != nil {
		b.Fatal(err)
	}
	policies := []string{"if1", "if2", "round-robin", "eaf", "mptcp-if1", "mptcp-rnd", "eaf-mptcp"}
	for _, f := range FormatNames() {
		b.Run(f, func(b *testing.B) {
			r := rand.New(rand.NewPCG(1, 2))
			var c counter
			w, err := NewWriter(&c, Format(f), s)
			if err != nil {
				b.Fatal(err)
			}
			row := Row{Factors: make([]scenarios.Value, len(s.Factors)), Metrics: make([]scenarios.Value, len(s.Metrics))}
			page := ""
			b.ReportAllocs()
			n := 0
			for b.Loop() {
				network := n / 7 % 384
				if n%(7*384) == 0 {
					page = fmt.Sprintf("alexa-2015/1/%d", 1+n/7/384%26)
				}
				row.Run = int64(n)
				row.Factors[0].Text = page
				row.Factors[1].Float = []float64{5e5, 2e6, 6e6, 12e6, 20e6, 50e6}[network/64]
				row.Factors[2].Float = []float64{0.01, 0.02, 0.03, 0.05}[network/16%4]
				row.Factors[3].Float = []float64{5e5, 5e6, 20e6, 50e6}[network/4%4]
				row.Factors[4].Float = []float64{0.02, 0.05, 0.1, 0.2}[network%4]
				row.Factors[5].Integer = 1
				row.Factors[7].Text = "linux"
				row.Factors[8].Text = policies[n%7]
				wifi := r.Int64N(1e6)
				for i, v := range []scenarios.Value{
					{Float: Seconds(time.Duration(1e6 + 1e9*r.ExpFloat64()))}, {Integer: 1 + r.Int64N(17)}, {Integer: wifi}, {Integer: 1e6 - wifi},
					{Integer: 100 + r.Int64N(400)}, {Integer: r.Int64N(500)},
				} {
					row.Metrics[i] = v
				}
				if err := w.Write(&row); err != nil {
					b.Fatal(err)
				}
				n++
			}
			if err := w.Close(); err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "rows/s")
			b.ReportMetric(float64(c)/float64(n), "B/row")
		})
	}
}

// counter counts the bytes written to it.
type counter int64

func (c *counter) Write(p []byte) (int, error) {
	*c += counter(len(p))
	return len(p), nil
}
