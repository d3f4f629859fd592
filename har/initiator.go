package har

import (
	"encoding/json"
	"strings"
)

// initiator is the object Chrome writes as _initiator, and chrome-har, as text, as _initiator_detail.
type initiator struct {
	URL   text   `json:"url"`
	Stack *stack `json:"stack"`
}

// stack is where a script was when it asked for the object; parent is the stack that scheduled it.
type stack struct {
	CallFrames []struct {
		URL text `json:"url"`
	} `json:"callFrames"`
	Parent *stack `json:"parent"`
}

// initiatorURL returns the URL of what made the browser ask for the object, "" if the recording does not say:
// _initiator where it is a URL, or the url of it where it is an object, or the innermost frame of its stack that has a
// URL; else the same of _initiator_detail.
func initiatorURL(e *entry) string {
	for _, raw := range []json.RawMessage{e.Initiator, e.InitiatorDetail} {
		if u := rawInitiator(raw); u != "" {
			return withoutFragment(u)
		}
	}
	return ""
}

func rawInitiator(raw json.RawMessage) string {
	if len(raw) > 0 && raw[0] == '"' {
		var s string
		if json.Unmarshal(raw, &s) != nil {
			return ""
		}
		if s = strings.TrimSpace(s); !strings.HasPrefix(s, "{") {
			return s
		}
		raw = json.RawMessage(s)
	}
	var i initiator
	if len(raw) == 0 || json.Unmarshal(raw, &i) != nil {
		return ""
	}
	if i.URL != "" {
		return string(i.URL)
	}
	for s := i.Stack; s != nil; s = s.Parent {
		for _, f := range s.CallFrames {
			if f.URL != "" {
				return string(f.URL)
			}
		}
	}
	return ""
}
