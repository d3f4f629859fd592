package har

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"

	"github.com/google/martian/v3/har"
)

// The types below are HAR 1.2 as martian declares it, with the fields that real files break shadowed by types that
// take anything. martian's Content is not embedded: its UnmarshalJSON insists on a body and its encoding, and bodies
// never get here.

// entry is one element of log.entries.
type entry struct {
	har.Entry
	PageRef         text      `json:"pageref"`
	StartedDateTime text      `json:"startedDateTime"`
	Time            number    `json:"time"`
	Request         *request  `json:"request"`
	Response        *response `json:"response"`
	Timings         *timings  `json:"timings"`

	Initiator       json.RawMessage  `json:"_initiator"`        // a URL (chrome-har, WebPageTest) or an object (Chrome)
	InitiatorDetail json.RawMessage  `json:"_initiator_detail"` // chrome-har: the object, as text
	FromCache       text             `json:"_fromCache"`        // Chrome: "memory" or "disk"
	FetchType       text             `json:"_fetchType"`        // Safari: "Network Load", "Memory Cache", "Disk Cache"
	ResourceType    text             `json:"_resourceType"`     // Chrome: "websocket"
	Protocol        text             `json:"_protocol"`         // WebPageTest
	TLSVersion      text             `json:"_tls_version"`      // WebPageTest
	Security        *securityDetails `json:"_securityDetails"`  // Playwright, Chrome
	Messages        *json.RawMessage `json:"_webSocketMessages"`

	// What braid writes of a simulated load; see link.
	Object number `json:"_object"`
	After  number `json:"_after"`
	Think  number `json:"_think"`
	Server number `json:"_server"`
	Host   text   `json:"_host"`
}

type request struct {
	har.Request
	URL         text    `json:"url"`
	Method      text    `json:"method"`
	HTTPVersion text    `json:"httpVersion"`
	Cookies     notList `json:"cookies"`
}

type response struct {
	har.Response
	Status      status  `json:"status"`
	StatusText  text    `json:"statusText"`
	HTTPVersion text    `json:"httpVersion"`
	RedirectURL text    `json:"redirectURL"`
	Cookies     notList `json:"cookies"`
	Content     content `json:"content"`
	HeadersSize number  `json:"headersSize"`
	BodySize    number  `json:"bodySize"`

	TransferSize number           `json:"_transferSize"`
	FromCache    text             `json:"_fromCache"`
	FetchType    text             `json:"_fetchType"`
	Security     *securityDetails `json:"_securityDetails"`
}

type content struct {
	Size        number `json:"size"`
	Compression number `json:"compression"`
	MimeType    text   `json:"mimeType"`
}

// timings shadows all of martian's, which are whole numbers and know neither connection nor TLS.
type timings struct {
	har.Timings
	Blocked number `json:"blocked"`
	DNS     number `json:"dns"`
	Connect number `json:"connect"`
	SSL     number `json:"ssl"`
	Send    number `json:"send"`
	Wait    number `json:"wait"`
	Receive number `json:"receive"`
}

type securityDetails struct {
	Protocol text `json:"protocol"`
}

// pageEntry is one element of log.pages, which martian does not have.
type pageEntry struct {
	ID              text `json:"id"`
	Title           text `json:"title"`
	StartedDateTime text `json:"startedDateTime"`
	PageTimings     struct {
		OnLoad number `json:"onLoad"`
	} `json:"pageTimings"`
}

// creator is log.creator and log.browser.
type creator struct {
	har.Creator
	Version text `json:"version"`
}

// What the reader needs of each; everything else is dropped while it is read.
var (
	security    = fields{"protocol": nil}
	keepCreator = fields{"name": nil, "version": nil}.filter()
	keepPage    = fields{"id": nil, "title": nil, "startedDateTime": nil, "pageTimings": {"onLoad": nil}}.filter()
	keepEntry   = fields{
		"pageref": nil, "startedDateTime": nil, "time": nil,
		"request": {"method": nil, "url": nil, "httpVersion": nil, "cookies": {}},
		"response": {
			"status": nil, "statusText": nil, "httpVersion": nil, "redirectURL": nil, "headersSize": nil, "bodySize": nil, "cookies": {},
			"headers": {"name": nil, "value": nil}, "content": {"size": nil, "compression": nil, "mimeType": nil},
			"_transferSize": nil, "_fromCache": nil, "_fetchType": nil, "_securityDetails": security,
		},
		"timings":    {"blocked": nil, "dns": nil, "connect": nil, "ssl": nil, "send": nil, "wait": nil, "receive": nil},
		"_initiator": nil, "_initiator_detail": nil, "_fromCache": nil, "_fetchType": nil, "_resourceType": nil, "_protocol": nil,
		"_tls_version": nil, "_securityDetails": security, "_webSocketMessages": {},
		"_object": nil, "_after": nil, "_think": nil, "_server": nil, "_host": nil,
	}.filter()
)

// number is a number as real files write it: 12, 1.5, 1e2, "12", null, "", true. What is no finite number is not ok.
type number struct {
	v      float64
	ok     bool
	quoted bool // it was text
}

// UnmarshalJSON implements json.Unmarshaler; it takes anything.
func (n *number) UnmarshalJSON(b []byte) error {
	*n = number{}
	s := string(b)
	if len(b) > 0 && b[0] == '"' {
		if json.Unmarshal(b, &s) != nil {
			return nil
		}
		s = strings.TrimSpace(s)
	}
	v, err := strconv.ParseFloat(s, 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
		return nil
	}
	*n = number{v, true, b[0] == '"'}
	return nil
}

// above tells whether the number is there and above 0.
func (n number) above() bool { return n.ok && n.v > 0 }

// below tells whether the number is there and below -1, which HAR gives the meaning "unknown".
func (n number) below() bool { return n.ok && n.v < 0 && n.v != -1 }

// maxBytes is where counts of bytes end, far above what an object may have (page.MaxBytes), so that sums of them fit.
const maxBytes = 1 << 50

// bytes returns the number as a count of bytes, 0 if it is none, at most maxBytes.
func (n number) bytes() int64 {
	if !n.above() {
		return 0
	}
	return int64(math.Round(min(n.v, maxBytes)))
}

// text is text as real files write it: text, a number, true; null and everything else is empty.
type text string

// UnmarshalJSON implements json.Unmarshaler; it takes anything.
func (t *text) UnmarshalJSON(b []byte) error {
	var s string
	switch {
	case len(b) > 0 && b[0] == '"':
		if json.Unmarshal(b, &s) != nil {
			s = ""
		}
	case len(b) > 0 && b[0] != '{' && b[0] != '[' && string(b) != "null" && string(b) != "false":
		s = string(b)
	}
	*t = text(s)
	return nil
}

// status is a response status: a number, a number as text, or text such as "(cache)".
type status struct {
	code int
	text string // what is there if it is no number
}

// UnmarshalJSON implements json.Unmarshaler; it takes anything.
func (s *status) UnmarshalJSON(b []byte) error {
	*s = status{}
	var n number
	if err := n.UnmarshalJSON(b); err != nil {
		return err
	}
	if n.ok && math.Abs(n.v) < 1e6 {
		s.code = int(n.v)
		return nil
	}
	var t text
	if err := t.UnmarshalJSON(b); err != nil {
		return err
	}
	s.text = strings.TrimSpace(string(t))
	if digits, _, _ := strings.Cut(s.text, " "); len(digits) == 3 { // "200 OK"
		if code, err := strconv.Atoi(digits); err == nil {
			s.code = code
		}
	}
	return nil
}

// notList is true for anything but a list or null.
type notList bool

// UnmarshalJSON implements json.Unmarshaler; it takes anything.
func (l *notList) UnmarshalJSON(b []byte) error {
	*l = len(b) > 0 && b[0] != '[' && string(b) != "null"
	return nil
}
