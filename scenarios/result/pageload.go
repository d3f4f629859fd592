package result

import (
	"fmt"
	"time"

	"braid/scenarios"
	"braid/sim"
)

// LoadTime is the name of the metric that every page load has.
const LoadTime = scenarios.LoadTimeMetric

// PageLoad returns the metrics of a page load over the named interfaces; see scenarios.Metrics.
func PageLoad(ifaces []string) []scenarios.Column {
	return scenarios.Metrics(ifaces)
}

// AppendPageLoad appends the values of the columns of PageLoad. It fails when the load has another number of
// interfaces than the columns, or took no time, which no load can.
func AppendPageLoad(values []scenarios.Value, ifaces int, r *sim.Result) ([]scenarios.Value, error) {
	if len(r.IfaceBytes) != ifaces {
		return values, fmt.Errorf("the run has %d interfaces (expected %d, as the first run of the grid)", len(r.IfaceBytes), ifaces)
	}
	if r.LoadTime <= 0 {
		return values, fmt.Errorf("the engine gave a load time of %v", r.LoadTime)
	}
	values = append(values,
		scenarios.Value{Float: Seconds(r.LoadTime)},
		scenarios.Value{Integer: int64(r.Connections)})
	for _, b := range r.IfaceBytes {
		values = append(values, scenarios.Value{Integer: b})
	}
	return append(values,
		scenarios.Value{Integer: r.Events},
		scenarios.Value{Integer: r.Predictions}), nil
}

// Seconds returns d in seconds as results hold it: the float64 nearest to the decimal number of nanoseconds, so that
// it is printed with at most nine decimals. (time.Duration.Seconds rounds twice and may miss it by one bit.)
func Seconds(d time.Duration) float64 { return float64(d) / 1e9 }
