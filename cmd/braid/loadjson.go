package main

import (
	"encoding/json"
	"io"
	"strings"

	"braid/analysis/explain"
	"braid/scenarios/result"
	"braid/sim"
)

// jsonLoad is one line of braid load --json. Times are in seconds, rates in bit/s.
type jsonLoad struct {
	Page         string  `json:"page"`
	Policy       string  `json:"policy"`
	Label        string  `json:"label"` // the policy as text and figures call it
	Profile      string  `json:"profile"`
	LoadTime     float64 `json:"load_time_s"`
	SpeedUp      float64 `json:"speed_up"` // over the first policy
	Connections  int     `json:"connections"`
	Seed         uint64  `json:"seed"`
	ModelVersion int     `json:"model_version"`

	Set          map[string]string `json:"set,omitempty"` // parameters that differ from the profile's
	Knowledge    string            `json:"knowledge"`
	HTTP         string            `json:"http"`
	Deps         string            `json:"deps,omitempty"` // of recordings
	LikeRecorded bool              `json:"like_recorded"`
	OnLoad       float64           `json:"recorded_load_s,omitempty"`          // onLoad of the recording
	LastTransfer float64           `json:"recorded_last_transfer_s,omitempty"` // end of its last transfer

	Interfaces []jsonIface `json:"interfaces"`
	Objects    []jsonObj   `json:"objects"`
	Critical   []jsonStep  `json:"critical_path,omitempty"` // with --explain
}

// jsonIface is one network and the bytes of objects that came over it.
type jsonIface struct {
	Name  string  `json:"name"`
	Rate  float64 `json:"bandwidth_bit_s"`
	RTT   float64 `json:"rtt_s"`
	DNS   float64 `json:"dns_s,omitempty"`
	Queue int64   `json:"queue_bytes,omitempty"`
	Bytes int64   `json:"bytes"`
}

// jsonObj is one object. It starts when it may be requested: what it waits for has ended, and its think time.
type jsonObj struct {
	Index      int       `json:"index"`
	Host       string    `json:"host"`
	URL        string    `json:"url,omitempty"`
	Bytes      int64     `json:"bytes"`
	Start      float64   `json:"start_s"`
	End        float64   `json:"end_s"`
	Connection int32     `json:"connection"`
	Interfaces []string  `json:"interfaces"`
	Parts      jsonParts `json:"parts,omitempty"` // with --explain
}

// jsonStep is one object of the critical path, from the end of the one before to its own end.
type jsonStep struct {
	Index int       `json:"index"`
	From  float64   `json:"from_s"`
	To    float64   `json:"to_s"`
	Parts jsonParts `json:"parts"`
}

// jsonParts is time by phase: "slow_start_s".
type jsonParts map[string]float64

// partsJSON names the parts; first is what waiting for the parent is called.
func partsJSON(parts *explain.Parts, first string) jsonParts {
	m := jsonParts{}
	for p := range sim.Done {
		m[strings.ReplaceAll(partName(p, first), " ", "_")+"_s"] = result.Seconds(parts[p])
	}
	return m
}

// printLoadsJSON prints an object a line for each load.
func printLoadsJSON(w io.Writer, loads []load, how setup, explained bool) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	for i := range loads {
		if err := enc.Encode(loadJSON(&loads[0], &loads[i], how, explained)); err != nil {
			return err
		}
	}
	return nil
}

func loadJSON(first, l *load, how setup, explained bool) jsonLoad {
	spec := l.trace.Spec
	j := jsonLoad{
		Page: spec.Page.Name, Policy: l.policy, Label: l.label, Profile: spec.Params.Profile,
		LoadTime: result.Seconds(l.time), SpeedUp: speedUp(first, l), Connections: l.connections,
		Seed: spec.Key.Seed, ModelVersion: sim.ModelVersion,
		Knowledge: knowledge(&spec.Params), HTTP: how.http, Deps: how.deps, LikeRecorded: how.likeRecorded,
		OnLoad: result.Seconds(spec.Page.RecordedLoad), LastTransfer: result.Seconds(lastRecorded(spec.Page)),
	}
	for _, s := range changed(&spec.Params) {
		if j.Set == nil {
			j.Set = map[string]string{}
		}
		j.Set[s.name] = s.value
	}
	for i, f := range spec.Interfaces {
		j.Interfaces = append(j.Interfaces, jsonIface{f.Name, f.Rate.BitPerSecond(), result.Seconds(f.RTT), result.Seconds(f.DNS), int64(f.Queue), l.ifaceBytes[i]})
	}
	for i := range l.trace.Objects {
		o := &l.trace.Objects[i]
		obj := jsonObj{
			Index: i, Host: spec.Page.Objects[i].Host, Bytes: spec.Page.Objects[i].Bytes,
			Start: result.Seconds(o.Enabled), End: result.Seconds(o.End), Connection: o.Conn, Interfaces: objectIfaces(l.trace, i),
		}
		if i < len(spec.Page.Recorded) {
			obj.URL = spec.Page.Recorded[i].URL
		}
		if explained {
			obj.Parts = partsJSON(&l.explained.Objects[i], partParent)
		}
		j.Objects = append(j.Objects, obj)
	}
	if explained {
		for i := range l.explained.Critical {
			s := &l.explained.Critical[i]
			j.Critical = append(j.Critical, jsonStep{s.Object, result.Seconds(s.From), result.Seconds(s.To), partsJSON(&s.Parts, partThink)})
		}
	}
	return j
}
