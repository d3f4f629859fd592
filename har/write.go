package har

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/martian/v3/har"

	"braid/sim"
	"braid/sim/page"
)

// epochOfWritten is when every simulated load starts, so that equal loads give equal bytes.
var epochOfWritten = time.Date(2000, time.January, 1, 0, 0, 0, 0, time.UTC)

// writtenTime is RFC 3339 with nanoseconds, the resolution of the simulation.
const writtenTime = "2006-01-02T15:04:05.000000000Z"

const (
	writtenPage = "page_1"
	writtenBy   = "braid"                    // log.creator.name
	unknownType = "application/octet-stream" // RFC 9110, section 8.3
)

// The types below are what Write produces: HAR 1.2, every field that it requires. martian's types are embedded where
// they fit; its times are whole milliseconds and it has no pages.

type writtenLog struct {
	Version string         `json:"version"`
	Creator har.Creator    `json:"creator"`
	Pages   []writtenLoad  `json:"pages"`
	Entries []writtenEntry `json:"entries"`
}

type writtenLoad struct {
	StartedDateTime string             `json:"startedDateTime"`
	ID              string             `json:"id"`
	Title           string             `json:"title"`
	PageTimings     writtenPageTimings `json:"pageTimings"`
	Policy          string             `json:"_policy"`
	Profile         string             `json:"_profile"`
}

type writtenPageTimings struct {
	OnContentLoad int     `json:"onContentLoad"` // -1: not simulated
	OnLoad        written `json:"onLoad"`
}

type writtenEntry struct {
	PageRef         string          `json:"pageref"`
	StartedDateTime string          `json:"startedDateTime"`
	Time            written         `json:"time"`
	Request         har.Request     `json:"request"`
	Response        writtenResponse `json:"response"`
	Cache           har.Cache       `json:"cache"`
	Timings         writtenTimings  `json:"timings"`
	Connection      string          `json:"connection,omitempty"`
	Interface       string          `json:"_interface"`      // names, the first subflow's first, joined by "+"
	Bytes           []writtenBytes  `json:"_interfaceBytes"` // what came over each
	Object          int             `json:"_object"`         // index in the page; see link
	After           *int32          `json:"_after"`          // index of the object it waited for; null: none
	Think           written         `json:"_think,omitempty"`
	Server          written         `json:"_server,omitempty"`
	Host            string          `json:"_host,omitempty"`
	TLSVersion      string          `json:"_tls_version,omitempty"`
	Initiator       string          `json:"_initiator,omitempty"` // URL of the object it waited for
}

type writtenBytes struct {
	Name  string `json:"name"`
	Bytes int64  `json:"bytes"`
}

type writtenResponse struct {
	har.Response
	Content      writtenContent `json:"content"`
	TransferSize int64          `json:"_transferSize"`
}

type writtenContent struct {
	Size     int64  `json:"size"`
	MimeType string `json:"mimeType"`
}

type writtenTimings struct {
	Blocked written `json:"blocked"`
	DNS     written `json:"dns"`
	Connect written `json:"connect"` // with ssl
	SSL     written `json:"ssl"`
	Send    written `json:"send"`
	Wait    written `json:"wait"`
	Receive written `json:"receive"`
}

// written is a time, printed in milliseconds with all its nanoseconds, so that the phases sum to the time exactly.
// Negative is "does not apply".
type written time.Duration

const notApplicable written = -1

// MarshalJSON implements json.Marshaler.
func (w written) MarshalJSON() ([]byte, error) {
	if w < 0 {
		return []byte("-1"), nil
	}
	whole, rest := w/1e6, w%1e6
	b := strconv.AppendInt(nil, int64(whole), 10)
	if rest > 0 {
		b = append(b, strings.TrimRight(fmt.Sprintf(".%06d", rest), "0")...)
	}
	return b, nil
}

// Write writes a simulated load as HAR 1.2: one page whose onLoad is the load time, and an entry for each object, by
// start. An entry starts when the object may be requested; blocked is its wait for a connection or its turn, and the
// phases sum to its time. As HAR 1.2 has it, ssl is part of connect. connection numbers the connections from 1;
// _interface names the interfaces they run over, _initiator is the URL of the object it waited for. Read reads the page
// that was loaded back from _object, the object's index, _after, that of the object it waited for, _think and _server,
// its times of client and server in ms, and _host where the URL does not hold it. Objects of a recorded page keep URL, method, status and type; others get URLs by index. Equal traces give equal
// bytes. A trace that is not consistent is an error.
func Write(w io.Writer, t *sim.Trace) error {
	if err := t.Check(); err != nil {
		return fmt.Errorf("trace is not consistent: %w", err)
	}
	p := t.Spec.Page
	var load time.Duration
	order := make([]int, len(t.Objects))
	for i := range order {
		order[i] = i
		load = max(load, t.Objects[i].End)
	}
	slices.SortStableFunc(order, func(a, b int) int { return int(t.Objects[a].Enabled - t.Objects[b].Enabled) })

	log := writtenLog{
		Version: "1.2",
		Creator: har.Creator{Name: writtenBy, Version: strconv.Itoa(sim.ModelVersion)},
		Pages: []writtenLoad{{
			StartedDateTime: epochOfWritten.Format(writtenTime), ID: writtenPage, Title: p.Name,
			PageTimings: writtenPageTimings{OnContentLoad: -1, OnLoad: written(load)},
			Policy:      t.Spec.Policy, Profile: t.Spec.Params.Profile,
		}},
		Entries: make([]writtenEntry, len(order)),
	}
	for k, i := range order {
		log.Entries[k] = writeEntry(t, i)
	}
	b := bufio.NewWriter(w)
	enc := json.NewEncoder(b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", " ")
	if err := enc.Encode(map[string]*writtenLog{"log": &log}); err != nil {
		return err
	}
	return b.Flush()
}

// writeEntry is the entry of object i.
func writeEntry(t *sim.Trace, i int) writtenEntry {
	p, o := t.Spec.Page, &t.Objects[i]
	e := writtenEntry{
		PageRef: writtenPage, StartedDateTime: epochOfWritten.Add(o.Enabled).Format(writtenTime), Time: written(o.End - o.Enabled),
		Request: har.Request{
			Method: "GET", URL: urlOf(p, i), HTTPVersion: "HTTP/1.1",
			Cookies: []har.Cookie{}, Headers: []har.Header{}, QueryString: []har.QueryString{}, HeadersSize: -1,
		},
		Response: writtenResponse{
			Response: har.Response{Status: 200, StatusText: "OK", HTTPVersion: "HTTP/1.1", Cookies: []har.Cookie{}, Headers: []har.Header{}, BodySize: p.Objects[i].Bytes},
			Content:  writtenContent{Size: p.Objects[i].Bytes, MimeType: unknownType}, TransferSize: p.Objects[i].Bytes,
		},
		Timings: writeTimings(o), Bytes: []writtenBytes{},
		Object: i, Think: written(p.Objects[i].Think), Server: written(p.Objects[i].Server), TLSVersion: writtenTLS[p.Objects[i].Secure],
	}
	if len(p.Recorded) == len(p.Objects) {
		r := &p.Recorded[i]
		if r.MIME != "" {
			e.Response.Content.MimeType = r.MIME
		}
		if r.Method != "" {
			e.Request.Method = r.Method
		}
		if r.Status > 0 {
			e.Response.Status, e.Response.StatusText = r.Status, ""
		}
	}
	if a := p.Objects[i].After; a != page.None {
		e.After, e.Initiator = &a, urlOf(p, int(a))
	}
	if h := p.Objects[i].Host; parseOrigin(e.Request.URL).host != h {
		e.Host = h
	}
	if o.Conn >= 0 {
		e.Connection = strconv.Itoa(int(o.Conn) + 1)
		var names []string
		for _, f := range t.Conns[o.Conn].Ifaces {
			names = append(names, t.Spec.Interfaces[f].Name)
		}
		e.Interface = strings.Join(names, "+")
	}
	for f, n := range o.Bytes {
		if n > 0 {
			e.Bytes = append(e.Bytes, writtenBytes{t.Spec.Interfaces[f].Name, n})
		}
	}
	return e
}

// writeTimings maps the phases of the simulation to those of HAR. Waiting for the object it is after comes before the
// entry starts. A request is part of wait.
func writeTimings(o *sim.ObjectTrace) writtenTimings {
	parts := o.Parts()
	of := func(phases ...sim.Phase) (d written) {
		for _, p := range phases {
			d += written(parts[p])
		}
		return d
	}
	orNot := func(d written) written {
		if d == 0 {
			return notApplicable
		}
		return d
	}
	return writtenTimings{
		Blocked: of(sim.WaitConnection, sim.WaitTurn),
		DNS:     orNot(of(sim.WaitDNS)),
		Connect: orNot(of(sim.WaitHandshake, sim.WaitTLS)),
		SSL:     orNot(of(sim.WaitTLS)),
		Wait:    of(sim.WaitRequest),
		Receive: of(sim.SlowStart, sim.Window, sim.Link),
	}
}

// urlOf is the object's recorded URL, or one made of its host and index. A host that does not fit into a URL is left
// to _host.
func urlOf(p *page.Page, i int) string {
	if len(p.Recorded) == len(p.Objects) && p.Recorded[i].URL != "" {
		return p.Recorded[i].URL
	}
	scheme, host := "http", p.Objects[i].Host
	if p.Objects[i].TLS {
		scheme = "https"
	}
	if strings.ContainsAny(host, "/?#\\@ ") {
		host = "host.invalid"
	}
	return fmt.Sprintf("%s://%s/%d", scheme, host, i)
}
