// Package scenarios reads scenario files and turns them into grids of runs.
//
// A scenario is a YAML file. It is read strictly: an unknown key, a quantity without its unit, a page that is not there is
// an error with file, line, column, an excerpt and, where a name is close, a suggestion. The JSON Schema of the format,
// for editors, is printed by "braid schema". A complete example:
//
//	name: WiFi and LTE
//	description: Does a second network help these pages?
//	source: where the idea is from             # a paper and its section
//	kind: page-load                            # the only kind
//	tier: quick                                # quick: at most 20 s on two cores; full
//	profile: [linux, dtsimulator]              # default linux
//	pages: [mix52, n32x100k, recorded/*.har]   # built-in, JSON, HAR (file.har#2: its second page), globs
//	workload: {like: alexa-2015, pages: 10, crawls: 2}   # generated pages, on top of pages or instead
//	policies: [if1, lte, eaf, mptcp-if1]       # if1, if2, ... or an interface's name, or a policy
//	interfaces:
//	  - {name: wifi, bandwidth: [6Mbit/s, 20Mbit/s], rtt: [20ms, 50ms]}
//	  - {name: lte, bandwidth: 5Mbit/s, rtt: 50ms, dns: 15ms, queue: 60kB}
//	parameters: {max_per_host: [2, 6], knowledge: estimated}   # of the model, by the names of sim.ParamTable
//	deps: time                                 # of recorded pages: time or initiator
//	zip:                                       # these vary together
//	  - [wifi.bandwidth, wifi.rtt]
//	sample: 50                                 # keep 50 of the cases
//	seed: 1
//	repetitions: 2
//	expect:
//	  - {where: {policy: eaf, page: mix52}, metric: load_time_s, median: 0.5s..2s}
//	  - {where: {policy: eaf}, metric: speedup, share_above: {bound: 1, want: 42% +-5%}}
//	  - {where: {policy: eaf}, metric: speedup, over: [wifi, lte], p95: 1.5, published: true, source: "a paper, section 7"}
//	  - {where: {page: mix52}, metric: load_time_s, order: eaf <= if1}
//	baseline: two-networks.parquet             # rows of an earlier run
//
// # Factors
//
// A list is a factor, and factors are crossed: the grid has a run for every combination. The factors of a group under zip
// vary together, so their lists have one length (a single value goes with any). Pages, everything of an interface but its
// name, parameters, repetitions, profiles and policies are factors; policy, profile and repetition are always crossed.
//
// The queue of an interface is read and written into the rows, and has no effect: the flow level does not model queues that
// overflow. It takes one value, and "braid run" warns of it.
//
// A case is one combination of everything but profile and policy. "sample: 500" keeps 500 cases with all their profiles and
// policies, so that runs stay paired; "sample: 2%" keeps each case with that chance. Which ones is decided by a hash of the
// case's factor values and the seed: adding a level to a factor changes no row, a smaller sample is part of a larger one,
// and under a share no case that was kept is dropped by an added level.
//
// # Rows
//
// A run is a pure function of its factor values, its repetition and the seed. Random streams are keyed by seed, repetition
// and page (rng.Key), never by the index of the run, the policy or the profile. Columns have their unit in the name:
//
//	page                  name of the page: built-in name, file name of a HAR, "name" of a page in JSON
//	wifi_bandwidth_bit_s  bit/s, for each interface
//	wifi_rtt_s            seconds
//	wifi_dns_s            seconds, where the interface has dns
//	wifi_queue_bytes      bytes, where it has queue
//	max_per_host          parameters by their names, durations with _s, rates with _bit_s, byte counts with _bytes
//	seed, repetition      whole numbers
//	profile, policy       text; the policy is if1, if2, ... for single interfaces
//
// Policies vary fastest, then profiles, and pages slowest; see Grid.
//
// # Changing a scenario
//
// Set replaces values by their path ("interfaces.wifi.rtt=10ms,20ms"); Grid.Where keeps some levels ("wifi.rtt=10ms",
// "page=n32x*"); Grid.Sample keeps some cases. A scenario is first sampled, then filtered, then sampled again.
//
// # Expectations
//
// An expectation names rows (where), a metric and one statistic. Metrics are load_time_s, connections, <interface>_bytes,
// events, predictions, and speedup: the load time of the first policy, or of the fastest policy of over, divided by the
// row's, both of the same case and profile. Statistics are value (of the only row), mean, median, min, max, a percentile
// (p5, q97.5), share_above, share_below, share_between, and order (the medians of the policies do not fall from left to
// right). A value may have a tolerance, relative or in its own unit ("0.91s +-2%", "0.91s +-10ms"),
// may be a range ("0.9s..1s") or a bound (">= 42%"); of a share, a tolerance is in percentage points. Units follow the name
// of the metric: _s, _bytes, _bit_s, none. "published: true" marks a number of a paper: it is printed beside the simulated
// one and never fails a check. The others say what an earlier version of the model gave, or what has to hold: "braid check"
// fails when they do not. Values and orders may be off by rounding: one part in 10^9, and half a nanosecond or half a byte.
//
// A baseline is the rows of an earlier run, all of them: "braid check" lists every cell that changed, beyond one part in
// 10^9. "braid check --update FILE" writes new values in the places of those that do not hold any more, and a new baseline;
// see Scenario.Rewrite.
package scenarios
