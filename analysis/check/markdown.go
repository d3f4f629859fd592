package check

import (
	"fmt"
	"io"
	"strings"
)

// markdownText makes text safe in a cell of a table of GitHub Flavored Markdown: it stays in its cell and its line, and is
// read as text. The entities are those of the HTML that Markdown may hold.
var markdownText = strings.NewReplacer(
	"&", "&amp;", "<", "&lt;", ">", "&gt;", "|", "\\|", "\\", "\\\\", "`", "\\`", "*", "\\*", "_", "\\_", "[", "\\[", "]", "\\]", "~", "\\~", "#", "\\#",
	"\r\n", "<br>", "\n", "<br>", "\r", "<br>",
)

// Markdown writes the reports for a pull request: what fails first, then every scenario, then the published numbers.
func Markdown(w io.Writer, reports []*Report) error {
	p := markdown{w: w}
	failures, checks := 0, 0
	for _, r := range reports {
		failures, checks = failures+len(r.Failures()), checks+r.Checks()
	}
	if failures == 0 {
		p.line("### braid check: %d of %d checks hold", checks, checks)
	} else {
		p.line("### braid check: %d of %d checks fail", failures, checks)
		p.failures(reports)
	}
	p.table("scenario", "runs", "failed runs", "checks", "failing", "seconds")
	for _, r := range reports {
		p.row(r.Name, fmt.Sprint(r.Runs), fmt.Sprint(r.Failed), fmt.Sprint(r.Checks()), fmt.Sprint(len(r.Failures())), fmt.Sprintf("%.1f", r.Took.Seconds()))
	}
	p.published(reports)
	return p.err
}

func (p *markdown) failures(reports []*Report) {
	p.table("scenario", "place", "check", "what is wrong")
	for _, r := range reports {
		for _, f := range r.Failures() {
			p.row(f.Scenario, placeOf(repositoryFile(r), f.Line), f.Title, f.Text)
		}
	}
}

func (p *markdown) published(reports []*Report) {
	head := false
	for _, r := range reports {
		for i := range r.Lines {
			l := &r.Lines[i]
			if !l.Expect.Published {
				continue
			}
			if !head {
				p.line("\n<details><summary>Published numbers, which no check fails for</summary>")
				p.table("scenario", "number", "published", "simulated", "difference", "source")
				head = true
			}
			p.row(r.Name, l.Title(), l.Expect.Want, l.Simulated, l.Difference, l.Expect.Source)
		}
	}
	if head {
		p.line("\n</details>")
	}
}

// markdown writes until the first error.
type markdown struct {
	w   io.Writer
	err error
}

func (p *markdown) line(format string, args ...any) {
	if p.err == nil {
		_, p.err = fmt.Fprintf(p.w, format+"\n", args...)
	}
}

// table begins a table.
func (p *markdown) table(heads ...string) {
	p.line("")
	p.line("| %s |", strings.Join(heads, " | "))
	p.line("|%s", strings.Repeat("---|", len(heads)))
}

func (p *markdown) row(cells ...string) {
	for i, c := range cells {
		cells[i] = markdownText.Replace(c)
	}
	p.line("| %s |", strings.Join(cells, " | "))
}
