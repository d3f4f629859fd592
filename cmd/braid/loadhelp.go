package main

import (
	"fmt"
	"strings"

	"braid/scenarios"
	"braid/sim/policy"
)

// Help implements kong.HelpProvider. What is said of policies and built-in pages comes from their tables.
func (loadCmd) Help() string {
	return `Policies:

` + listing(policyDocs()) + `
Without --policy, the policies compared are the single networks and, of two or more networks, eaf and mptcp-if1. The speed-up is over the first policy.

Built-in pages, on one host without TLS; all objects wait for the document:

` + listing(scenarios.BuiltinDocs()) + `
A page in JSON, where "after" is the index of the object waited for, and "after", "tls", "think" and "server" may be left out:

` + pageExample + `
Parameters of the model, their values in each profile, what they mean and where they come from:

  braid load --set help

Units are always written: 512000bit/s, 500kbit/s, 6Mbit/s, 1.6Gbit/s; 20ms, 1.5s; 60000B, 100kB (1000), 100KiB (1024).

Examples:

  braid load mix28 --if 6Mbit/s,20ms --if 20Mbit/s,50ms
  braid load page.har --if wifi=6Mbit/s,20ms --if lte=5Mbit/s,50ms --policy wifi,eaf --explain
  braid load page.har --if rate=6Mbit/s,rtt=20ms,dns=15ms --like-recorded --plot waterfall.pdf`
}

// pageExample is a page in JSON, indented.
const pageExample = `  {"name": "shop", "objects": [
    {"host": "shop.example", "tls": true, "bytes": 12000, "after": null},
    {"host": "cdn.example", "bytes": 90000, "after": 0,
     "think": "5ms", "server": "20ms"}]}
`

// policyDocs are the policies and what each does.
func policyDocs() [][2]string {
	docs := [][2]string{{"if1, if2, ...", policy.SingleDoc + "; so does its own name"}}
	for _, e := range policy.Table {
		names := strings.Join(append([]string{e.Name}, e.Aliases...), ", ")
		docs = append(docs, [2]string{names, e.Doc})
	}
	return docs
}

// helpWidth is where lines of the help end; kong indents what is indented by two more.
const helpWidth = 78

// listing writes names and what they mean in two indented columns.
func listing(docs [][2]string) string {
	width := 0
	for _, d := range docs {
		width = max(width, len(d[0]))
	}
	var b strings.Builder
	for _, d := range docs {
		name := d[0]
		for _, line := range wrapped(d[1], helpWidth-4-width-2) {
			fmt.Fprintf(&b, "  %-*s  %s\n", width, name, line)
			name = ""
		}
	}
	return b.String()
}
