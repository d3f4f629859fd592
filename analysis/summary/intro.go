package summary

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"braid/scenarios"
)

// width is the columns of the terminal that text is made for.
const width = 80

// introPages is how many pages the introduction names; of more it names the first and the last.
const introPages = 20

// Intro writes what is going to be run: the scenario's name and description, its pages, and its networks, of those only
// the levels that runs of the grid have, and which vary together. if1, if2, ... stand before the interfaces they are as policies.
func Intro(w io.Writer, s *scenarios.Scenario, g *scenarios.Grid) error {
	p := printer{w: w}
	p.printf("%s\n", wrap(s.Name, width))
	if s.Description != "" {
		p.printf("%s\n", wrap(s.Description, width))
	}
	p.printf("\n")
	pages := g.Levels("page")
	text := strings.Join(pages, ", ")
	if len(pages) > introPages {
		text = fmt.Sprintf("%d, from %s to %s", len(pages), pages[0], pages[len(pages)-1])
	}
	p.entry("pages", text)
	for i := range s.Interfaces {
		p.entry(fmt.Sprintf("if%d", i+1), network(s.Interfaces[i].Name, i, g))
	}
	for _, group := range s.Zip {
		p.entry("zip", strings.Join(group, ", ")+" vary together")
	}
	p.printf("\n")
	return p.err
}

// network is an interface with its levels: "wifi: 2Mbit/s, 20Mbit/s; RTT 20ms, 50ms".
func network(name string, i int, g *scenarios.Grid) string {
	text := levels(g, name+".bandwidth") + "; RTT " + levels(g, name+".rtt")
	if dns := levels(g, name+".dns"); dns != "" {
		text += "; DNS " + dns
	}
	if name == fmt.Sprintf("if%d", i+1) {
		return text
	}
	return name + ": " + text
}

// levels lists the levels of a factor, each once: those of a zip may repeat.
func levels(g *scenarios.Grid, factor string) string {
	var list []string
	for _, l := range g.Levels(factor) {
		if !slices.Contains(list, l) {
			list = append(list, l)
		}
	}
	return strings.Join(list, ", ")
}

// entry prints a key and its text, wrapped beside it.
func (p *printer) entry(key, text string) {
	const room = len("pages  ")
	p.printf("%s\n", indent(key, room, text))
}

// indent puts a mark in front of a text that is wrapped beside it.
func indent(mark string, room int, text string) string {
	lines := strings.Split(wrap(text, width-room), "\n")
	return fmt.Sprintf("%-*s", room, mark) + strings.Join(lines, "\n"+strings.Repeat(" ", room))
}
