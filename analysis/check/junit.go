package check

import (
	"encoding/xml"
	"io"
	"strconv"
	"time"
)

// The elements of a JUnit report that continuous integration systems read: those of the Ant task <junitreport>, with the
// attributes file and line that pytest added (xunit1). Times are in seconds.
type (
	junitSuites struct {
		XMLName xml.Name `xml:"testsuites"`
		Name    string   `xml:"name,attr"`
		junitCounts
		Suites []junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name string `xml:"name,attr"`
		junitCounts
		Cases []junitCase `xml:"testcase"`
	}
	junitCounts struct {
		Tests    int    `xml:"tests,attr"`
		Failures int    `xml:"failures,attr"`
		Errors   int    `xml:"errors,attr"`
		Skipped  int    `xml:"skipped,attr"`
		Time     string `xml:"time,attr"`
	}
	junitCase struct {
		Class   string        `xml:"classname,attr"`
		Name    string        `xml:"name,attr"`
		File    string        `xml:"file,attr,omitempty"`
		Line    int           `xml:"line,attr,omitempty"`
		Time    string        `xml:"time,attr"`
		Failure *junitFailure `xml:"failure,omitempty"`
		Skipped *junitSkipped `xml:"skipped,omitempty"`
	}
	junitFailure struct {
		Message string `xml:"message,attr"`
		Type    string `xml:"type,attr"`
		Text    string `xml:",chardata"`
	}
	junitSkipped struct {
		Message string `xml:"message,attr"`
	}
)

// JUnit writes the reports as JUnit XML: a suite a scenario, a test a check. Published numbers are skipped tests, with what
// was published and simulated in the message.
func JUnit(w io.Writer, reports []*Report) error {
	all := junitSuites{Name: "braid check"}
	var took time.Duration
	for _, r := range reports {
		s := suite(r)
		all.Suites = append(all.Suites, s)
		all.Tests, all.Failures, all.Skipped = all.Tests+s.Tests, all.Failures+s.Failures, all.Skipped+s.Skipped
		took += r.Took
	}
	all.Time = seconds(took)
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	e := xml.NewEncoder(w)
	e.Indent("", "  ")
	if err := e.Encode(all); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

func suite(r *Report) junitSuite {
	s := junitSuite{Name: r.Name}
	s.Time = seconds(r.Took)
	add := func(c junitCase) {
		c.Class, c.Time = r.Name, "0"
		s.Cases = append(s.Cases, c)
		s.Tests++
		if c.Failure != nil {
			s.Failures++
		}
		if c.Skipped != nil {
			s.Skipped++
		}
	}
	file := repositoryFile(r)
	runs := junitCase{Name: runsTitle, File: file}
	if r.Failed > 0 {
		runs.Failure = &junitFailure{firstLine(r.FailedRuns), "failed runs", r.FailedRuns}
	}
	add(runs)
	for i := range r.Lines {
		l := &r.Lines[i]
		c := junitCase{Name: l.Title(), File: file, Line: l.Expect.Line}
		switch {
		case l.Expect.Published:
			c.Skipped = &junitSkipped{l.publishedText()}
		case l.Fault != nil:
			c.Failure = &junitFailure{l.Fault.Error(), "expectation", l.Place() + ": " + l.Fault.Error()}
		}
		add(c)
	}
	if b := r.Baseline; b != nil {
		c := junitCase{Name: baselineTitle + " " + b.File, File: file}
		if b.Fails() {
			c.Failure = &junitFailure{firstLine(b.Text()), "baseline", b.Text()}
		}
		add(c)
	}
	return s
}

func seconds(d time.Duration) string { return strconv.FormatFloat(d.Seconds(), 'f', 3, 64) }
