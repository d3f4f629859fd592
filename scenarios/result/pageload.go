package result

import (
	"fmt"
	"time"

	"braid/scenarios"
	"braid/sim"
)

// LoadTime is the name of the metric that every page load has.
const LoadTime = "load_time_s"

// PageLoad returns the metrics of a page load over the named interfaces: load_time_s; connections opened;
// <interface>_bytes of objects delivered over each interface; events handled by the engine; predictions the policy asked for.
func PageLoad(ifaces []string) []scenarios.Column {
	columns := []scenarios.Column{
		{Name: LoadTime, Type: scenarios.Float},
		{Name: "connections", Type: scenarios.Integer},
	}
	for _, f := range ifaces {
		columns = append(columns, scenarios.Column{Name: f + "_bytes", Type: scenarios.Integer})
	}
	return append(columns,
		scenarios.Column{Name: "events", Type: scenarios.Integer},
		scenarios.Column{Name: "predictions", Type: scenarios.Integer})
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
