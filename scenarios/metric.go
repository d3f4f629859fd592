package scenarios

import (
	"slices"
	"strings"
)

// Metrics of a page load that do not depend on its interfaces.
const (
	LoadTimeMetric = "load_time_s"
	SpeedUpMetric  = "speedup" // no column: a load time over another one of the same case
)

// bytesMetric is the end of the name of each interface's bytes.
const bytesMetric = "_bytes"

// Metrics returns the columns of what a run gives over the named interfaces: load_time_s; connections opened;
// <interface>_bytes of objects delivered over each interface; events handled by the engine; predictions the policy asked for.
func Metrics(ifaces []string) []Column {
	columns := []Column{{LoadTimeMetric, Float}, {"connections", Integer}}
	for _, f := range ifaces {
		columns = append(columns, Column{f + bytesMetric, Integer})
	}
	return append(columns, Column{"events", Integer}, Column{"predictions", Integer})
}

// metricNames lists what an expectation can be about.
func metricNames(ifaces []string) []string {
	var names []string
	for _, c := range Metrics(ifaces) {
		names = append(names, c.Name)
	}
	return append(names, SpeedUpMetric)
}

// writtenInterfaces returns the names of the interfaces as the text has them, whatever else may be wrong with them: an
// expectation may stand before the interfaces.
func (s *Scenario) writtenInterfaces() []string {
	interfaces := s.root.get("interfaces")
	if interfaces == nil || interfaces.kind != list {
		return nil
	}
	var names []string
	for _, item := range interfaces.list {
		if n := item.get("name"); n != nil && n.kind == scalar {
			names = append(names, n.text)
		}
	}
	return names
}

func decodeMetric(s *Scenario, t *tree, to *Expect) error {
	names := metricNames(s.writtenInterfaces())
	if t.kind != scalar {
		return t.at.errorf("metric is %s (expected one of: %s)", t.kind, enumerate(names))
	}
	if !slices.Contains(names, t.text) {
		return t.at.errorf("unknown metric %q%s", t.text, DidYouMean(t.text, "metrics", names))
	}
	to.Metric = t.text
	return nil
}

// metricPattern accepts the metrics of any interfaces.
func metricPattern() string {
	iface := strings.TrimSuffix(strings.TrimPrefix(interfaceName.String(), "^"), "$")
	return "^(" + strings.Join(metricNames(nil), "|") + "|" + iface + bytesMetric + ")$"
}
