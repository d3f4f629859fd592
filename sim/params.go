package sim

import (
	"fmt"
	"sort"
	"strconv"
	"strings"
	"time"

	"braid/sim/page"
	"braid/sim/units"
)

// Transmission says how bytes move.
type Transmission uint8

// Transmissions.
const (
	Flights Transmission = iota // windows of packets, one round trip apart
	Smooth                      // a rate of cwnd/RTT, as in the published simulator
)

// Knowledge says what a policy knows of the interfaces.
type Knowledge uint8

// Knowledges.
const (
	Exact     Knowledge = iota // true rates and RTTs
	Estimated                  // what the client could have measured on its own earlier transfers of the same load
)

// Params holds every constant of the model. A profile is a named set of values; a scenario may change any of them by
// the names in ParamTable, which also gives their sources.
type Params struct {
	Profile      string // the profile the values came from
	Transmission Transmission
	Knowledge    Knowledge

	HandshakeRTTs    int
	TLS              page.TLSVersion // for objects whose recording says nothing
	TLSFromRecording bool
	RequestRTTs      int

	MaxPerHost        int
	IdleCountsForHost bool // idle connections count too: one is closed before a new one is opened
	MaxConnections    int
	IdleTimeout       time.Duration
	Persistent        bool
	Pipelining        bool

	InitialWindow int // packets
	Payload       int // bytes of payload in a full packet
	Packet        int // bytes of a full packet on the link
	SYN           int // bytes of a SYN or SYN-ACK on the link
	Request       int // bytes of a request on the link
	IdleRestart   bool
	RTOMargin     time.Duration
	HostTime      time.Duration

	MPTCPPayload     int
	JoinRTTs         float64
	AnnounceRTTs     float64
	SendBuffer       int // bytes for each packet of window
	PacingSlowStart  float64
	PacingAvoidance  float64
	BindMax          units.Bytes
	BindStop         units.Bytes
	EarlyLimit       units.Bytes
	EarlyFlights     int
	ExitBDP          float64
	FlightParts      int
	InitialRate      units.Rate
	InitialRTT       time.Duration
	EstimateMinBytes units.Bytes
}

// Linux returns the default profile: what Linux TCP and MPTCP and today's browsers do over HTTP/1.1.
func Linux() Params {
	return Params{
		Profile: "linux", Transmission: Flights,
		HandshakeRTTs: 1, TLS: page.TLS13, TLSFromRecording: true, RequestRTTs: 1,
		MaxPerHost: 6, IdleCountsForHost: true, MaxConnections: 256, IdleTimeout: 30 * time.Second, Persistent: true,
		InitialWindow: 10, Payload: 1448, Packet: 1500, SYN: 60, Request: 200,
		IdleRestart: true, RTOMargin: 200 * time.Millisecond,
		MPTCPPayload: 1420, JoinRTTs: 1.5, AnnounceRTTs: 2, SendBuffer: 4608,
		PacingSlowStart: 2, PacingAvoidance: 1.2, BindMax: 65428, BindStop: 32768, EarlyLimit: 64500, EarlyFlights: 3,
		ExitBDP: 1.5, FlightParts: 4,
		InitialRate: 1638.4 * units.KbitPerSecond, InitialRTT: 150 * time.Millisecond, EstimateMinBytes: 10 * units.KB,
	}
}

// DTSimulator returns the profile that reproduces the data transfer simulator released with the Socket Intents paper.
func DTSimulator() Params {
	p := Linux()
	p.Profile, p.Transmission = "dtsimulator", Smooth
	p.HandshakeRTTs, p.TLS, p.TLSFromRecording, p.RequestRTTs = 2, page.TLS12, false, 0
	p.MaxConnections, p.IdleCountsForHost, p.Pipelining = 17, false, true
	p.Payload, p.Packet, p.SYN, p.Request = 1460, 1460, 0, 0
	p.IdleRestart = false
	return p
}

// Profiles lists the profiles by name, the default first.
var Profiles = []struct {
	Name, Doc string
	New       func() Params
}{
	{"linux", "follows Linux TCP, MPTCP and browsers; measured against kernel transfers", Linux},
	{"dtsimulator", "reproduces the data transfer simulator of the Socket Intents paper", DTSimulator},
}

// ProfileNames returns the names of Profiles.
func ProfileNames() []string {
	names := make([]string, len(Profiles))
	for i, p := range Profiles {
		names[i] = p.Name
	}
	return names
}

// NewParams returns the values of the named profile.
func NewParams(profile string) (Params, error) {
	for _, p := range Profiles {
		if p.Name == profile {
			return p.New(), nil
		}
	}
	return Params{}, fmt.Errorf("unknown profile %q (profiles: %s)", profile, strings.Join(ProfileNames(), ", "))
}

// ParamKind says what the text of a parameter is, for schemas and the types of result columns.
type ParamKind uint8

// Parameter kinds.
const (
	WordParam     ParamKind = iota // one of ParamDoc.Words
	IntParam                       // a whole number
	FloatParam                     // a number
	BoolParam                      // true or false
	DurationParam                  // a duration with its unit
	BytesParam                     // a byte count with its unit
	RateParam                      // a rate with its unit
)

// ParamDoc describes one parameter: its name in scenarios, what it means with its unit, where its value comes from,
// and how text is turned into it.
type ParamDoc struct {
	Name, Doc, Source string
	Set               func(*Params, string) error
	Get               func(*Params) string
	Kind              ParamKind
	Words             []string // the words of a WordParam
	Low, High         float64  // bounds of an IntParam or FloatParam, both allowed
}

// ParamTable lists the parameters a scenario may set, by name.
var ParamTable = []ParamDoc{
	{"knowledge", "what policies know of the interfaces: exact or estimated", "model choice",
		func(p *Params, s string) error { return oneOf(&p.Knowledge, s, "exact", "estimated") },
		func(p *Params) string { return [...]string{"exact", "estimated"}[p.Knowledge] }, WordParam, []string{"exact", "estimated"}, 0, 0},
	intParam("handshake_rtts", "round trips of the transport handshake", "RFC 9293, section 3.5; dtsimulator: measured on the reference", 0, 10, func(p *Params) *int { return &p.HandshakeRTTs }),
	{"tls", "TLS of objects whose recording says nothing: 1.2 (2 round trips), 1.3 (1) or resumed (0)", "RFC 5246, section 7.3; RFC 8446, sections 2 and 2.3",
		func(p *Params, s string) error {
			var i uint8
			if err := oneOf(&i, s, "", "1.2", "1.3", "resumed"); err != nil {
				return err
			}
			p.TLS = page.TLSVersion(i)
			return nil
		},
		func(p *Params) string { return [...]string{"", "1.2", "1.3", "resumed"}[p.TLS] }, WordParam, []string{"1.2", "1.3", "resumed"}, 0, 0},
	boolParam("tls_from_recording", "take the TLS version from the recording where it has one", "model choice", func(p *Params) *bool { return &p.TLSFromRecording }),
	intParam("request_rtts", "round trips from sending a request to its first byte", "one exchange over an open connection: RFC 9110, section 3.4; dtsimulator: measured on the reference", 0, 10, func(p *Params) *int { return &p.RequestRTTs }),
	intParam("max_per_host", "most connections to one host that carry or wait for objects", "Chromium net/socket/client_socket_pool_manager.cc (6 per group)", 1, 1000, func(p *Params) *int { return &p.MaxPerHost }),
	boolParam("idle_counts_for_host", "idle connections count for max_per_host: the longest idle one is closed before a new one is opened", "Chromium net/socket/transport_client_socket_pool.h counts idle sockets of a group; that one makes room is a model choice", func(p *Params) *bool { return &p.IdleCountsForHost }),
	intParam("max_connections", "most connections in all", "Chromium client_socket_pool_manager.cc (256 sockets); dtsimulator: 17, Socket Intents paper, section VI-C", 1, 10000, func(p *Params) *int { return &p.MaxConnections }),
	durationParam("idle_timeout", "an idle connection is closed after this time", "the published simulator's default; Chromium keeps used idle sockets for 300 s", func(p *Params) *time.Duration { return &p.IdleTimeout }),
	boolParam("persistent", "connections are kept after an object", "RFC 9112, section 9.3", func(p *Params) *bool { return &p.Persistent }),
	boolParam("pipelining", "objects may queue on busy connections", "RFC 9112, section 9.3.2", func(p *Params) *bool { return &p.Pipelining }),
	intParam("initial_window", "initial congestion window, packets", "RFC 6928; Linux TCP_INIT_CWND", 1, 10000, func(p *Params) *int { return &p.InitialWindow }),
	intParam("payload", "payload of a full TCP packet, bytes", "MTU 1500 less IPv4, TCP and timestamp headers; Linux", 1, 65535, func(p *Params) *int { return &p.Payload }),
	intParam("packet", "a full packet on the link, bytes", "Ethernet MTU", 1, 65535, func(p *Params) *int { return &p.Packet }),
	intParam("syn", "a SYN or SYN-ACK on the link, bytes", "IPv4 20 + TCP 20 + options 20; Linux", 0, 65535, func(p *Params) *int { return &p.SYN }),
	intParam("request", "a request on the link, bytes", "a short GET with its packet headers", 0, 65535, func(p *Params) *int { return &p.Request }),
	boolParam("idle_restart", "the window shrinks while the connection is idle", "Linux net/ipv4/tcp_output.c, tcp_cwnd_restart; sysctl tcp_slow_start_after_idle; RFC 2861, made obsolete by RFC 7661", func(p *Params) *bool { return &p.IdleRestart }),
	durationParam("rto_margin", "the retransmission timeout is RTT plus this", "Linux TCP_RTO_MIN 200 ms", func(p *Params) *time.Duration { return &p.RTOMargin }),
	durationParam("host_time", "time the host takes for each object before its request", "model choice; about 1 ms in the kernel measurements", func(p *Params) *time.Duration { return &p.HostTime }),
	intParam("mptcp_payload", "payload of a full MPTCP packet, bytes", "Linux, DSS option with 64-bit sequence numbers", 1, 65535, func(p *Params) *int { return &p.MPTCPPayload }),
	floatParam("join_rtts", "round trips of a further subflow's own path from its start to its first data", "RFC 8684, section 3.2", 0, 10, func(p *Params) *float64 { return &p.JoinRTTs }),
	floatParam("announce_rtts", "round trips of the first path after which further subflows start", "RFC 8684, section 3.4.1", 0, 10, func(p *Params) *float64 { return &p.AnnounceRTTs }),
	intParam("send_buffer", "send buffer for each packet of window, bytes", "Linux net/ipv4/tcp_input.c, tcp_sndbuf_expand: twice the truesize of a segment", 512, 1<<20, func(p *Params) *int { return &p.SendBuffer }),
	floatParam("pacing_slow_start", "pacing rate over window/RTT in slow start", "Linux tcp_pacing_ss_ratio 200 %", 0.01, 100, func(p *Params) *float64 { return &p.PacingSlowStart }),
	floatParam("pacing_avoidance", "pacing rate over window/RTT past slow start", "Linux tcp_pacing_ca_ratio 120 %", 0.01, 100, func(p *Params) *float64 { return &p.PacingAvoidance }),
	bytesParam("bind_max", "most bytes bound to a subflow at once", "Linux net/mptcp/protocol.c, MPTCP_SEND_BURST_SIZE (64 KiB less headers)", minBurst, func(p *Params) *units.Bytes { return &p.BindMax }),
	bytesParam("bind_stop", "bound bytes after which binding stops", "reconstructed from kernel transfers, about 32 KiB", minBurst, func(p *Params) *units.Bytes { return &p.BindStop }),
	bytesParam("early_limit", "most unacknowledged bytes until the receive buffer grows", "reconstructed from kernel transfers; about half of the middle value of Linux tcp_rmem", minBurst, func(p *Params) *units.Bytes { return &p.EarlyLimit }),
	intParam("early_flights", "flights of the first subflow after which the receive buffer has grown", "reconstructed from kernel transfers", 0, 100, func(p *Params) *int { return &p.EarlyFlights }),
	floatParam("exit_bdp", "an MPTCP subflow leaves slow start at this multiple of its bandwidth-delay product", "reconstructed from kernel transfers", 0.1, 100, func(p *Params) *float64 { return &p.ExitBDP }),
	intParam("flight_parts", "parts a flight of an MPTCP subflow is sent in", "reconstructed from kernel transfers", 1, 16, func(p *Params) *int { return &p.FlightParts }),
	{"initial_rate", "rate a client assumes before it has measured one (knowledge: estimated)", "Lighthouse mobileSlow4G: 1.6 x 1024 kbit/s",
		func(p *Params, s string) error {
			r, err := units.ParseRate(s)
			if err == nil {
				p.InitialRate = r
			}
			return err
		},
		func(p *Params) string { return p.InitialRate.String() }, RateParam, nil, 0, 0},
	durationParam("initial_rtt", "RTT a client assumes before it has measured one (knowledge: estimated)", "Lighthouse mobileSlow4G: 150 ms", func(p *Params) *time.Duration { return &p.InitialRTT }),
	bytesParam("estimate_min_bytes", "smallest object that counts for the rate estimate (knowledge: estimated)", "model choice", 0, func(p *Params) *units.Bytes { return &p.EstimateMinBytes }),
}

// ParamNames returns the names in ParamTable, sorted.
func ParamNames() []string {
	names := make([]string, len(ParamTable))
	for i, d := range ParamTable {
		names[i] = d.Name
	}
	sort.Strings(names)
	return names
}

// Set sets one parameter by its name in ParamTable.
func (p *Params) Set(name, value string) error {
	for _, d := range ParamTable {
		if d.Name == name {
			if err := d.Set(p, value); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			return nil
		}
	}
	return fmt.Errorf("unknown parameter %q (parameters: %s)", name, strings.Join(ParamNames(), ", "))
}

// Bounds of parameters: durations, and the least bytes the server hands to a subflow, which is what a large transfer is
// counted in.
const (
	maxDuration             = time.Hour
	minBurst    units.Bytes = 1000
)

// Validate reports a value no run can have.
func (p *Params) Validate() error {
	switch {
	case p.Profile == "":
		return fmt.Errorf("no profile (profiles: %s)", strings.Join(ProfileNames(), ", "))
	case p.IdleTimeout <= 0:
		return fmt.Errorf("idle_timeout %v (expected more than 0)", p.IdleTimeout)
	case p.Transmission == Smooth && (p.HostTime > 0 || p.RequestRTTs > 0):
		return fmt.Errorf("profile %s has no requests: host_time and request_rtts have no effect (expected 0)", p.Profile)
	case p.Payload > p.Packet || p.MPTCPPayload > p.Packet:
		return fmt.Errorf("payload %d or mptcp_payload %d is above packet %d", p.Payload, p.MPTCPPayload, p.Packet)
	case !(p.InitialRate > 0) || p.InitialRTT <= 0:
		return fmt.Errorf("initial_rate and initial_rtt must be above 0")
	case p.BindMax < minBurst || p.BindStop < minBurst || p.EarlyLimit < minBurst:
		return fmt.Errorf("bind_max, bind_stop and early_limit must be at least %v", minBurst)
	}
	return nil
}

func oneOf[T ~uint8](to *T, s string, names ...string) error {
	for i, n := range names {
		if n == s && n != "" {
			*to = T(i)
			return nil
		}
	}
	return fmt.Errorf("%q (expected one of: %s)", s, strings.TrimLeft(strings.Join(names, ", "), ", "))
}

func intParam(name, doc, source string, low, high int, at func(*Params) *int) ParamDoc {
	return ParamDoc{name, doc, source,
		func(p *Params, s string) error {
			v, err := strconv.Atoi(s)
			if err != nil || v < low || v > high {
				return fmt.Errorf("%q (expected a whole number from %d to %d)", s, low, high)
			}
			*at(p) = v
			return nil
		},
		func(p *Params) string { return strconv.Itoa(*at(p)) }, IntParam, nil, float64(low), float64(high)}
}

func floatParam(name, doc, source string, low, high float64, at func(*Params) *float64) ParamDoc {
	return ParamDoc{name, doc, source,
		func(p *Params, s string) error {
			v, err := strconv.ParseFloat(s, 64)
			if err != nil || !(v >= low && v <= high) {
				return fmt.Errorf("%q (expected a number from %g to %g)", s, low, high)
			}
			*at(p) = v
			return nil
		},
		func(p *Params) string { return strconv.FormatFloat(*at(p), 'g', -1, 64) }, FloatParam, nil, low, high}
}

func boolParam(name, doc, source string, at func(*Params) *bool) ParamDoc {
	return ParamDoc{name, doc, source,
		func(p *Params, s string) error {
			switch s {
			case "true":
				*at(p) = true
			case "false":
				*at(p) = false
			default:
				return fmt.Errorf("%q (expected true or false)", s)
			}
			return nil
		},
		func(p *Params) string { return strconv.FormatBool(*at(p)) }, BoolParam, nil, 0, 0}
}

func durationParam(name, doc, source string, at func(*Params) *time.Duration) ParamDoc {
	return ParamDoc{name, doc, source,
		func(p *Params, s string) error {
			d, err := units.ParseDuration(s)
			if err == nil && d > maxDuration {
				err = fmt.Errorf("%q (expected at most %v)", s, maxDuration)
			}
			if err == nil {
				*at(p) = d
			}
			return err
		},
		func(p *Params) string { return at(p).String() }, DurationParam, nil, 0, 0}
}

func bytesParam(name, doc, source string, low units.Bytes, at func(*Params) *units.Bytes) ParamDoc {
	return ParamDoc{name, doc, source,
		func(p *Params, s string) error {
			b, err := units.ParseBytes(s)
			if err == nil && b < low {
				err = fmt.Errorf("%q (expected at least %v)", s, low)
			}
			if err == nil {
				*at(p) = b
			}
			return err
		},
		func(p *Params) string { return at(p).String() }, BytesParam, nil, 0, 0}
}
