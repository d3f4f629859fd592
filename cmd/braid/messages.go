package main

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
)

// messages are what a run says on standard error besides its progress: lines for people, or records of a log, one JSON
// object a line, for batch systems. A message that cannot be written is dropped: the run goes on.
type messages struct {
	w   io.Writer
	log *slog.Logger // nil: lines
}

func newMessages(w io.Writer, json bool) *messages {
	m := &messages{w: w}
	if json {
		m.log = slog.New(slog.NewJSONHandler(w, nil))
	}
	return m
}

// say writes the text, or a record of the event with these attributes.
func (m *messages) say(event, text string, attributes ...any) {
	if m.log != nil {
		m.log.Info(event, attributes...)
		return
	}
	_, _ = fmt.Fprintln(m.w, text)
}

// record writes a record that people need no line for.
func (m *messages) record(event string, attributes ...any) {
	if m.log != nil {
		m.log.Info(event, attributes...)
	}
}

// warn writes a warning.
func (m *messages) warn(text string) {
	if m.log != nil {
		m.log.Warn("warning", "text", text)
		return
	}
	_, _ = fmt.Fprintf(m.w, "braid: warning: %s\n", text)
}

// ended logs how the program ends, where there is a log. What it returns is not to be printed again.
func (m *messages) ended(err error) error {
	if m.log == nil {
		return err
	}
	code := exitCode(err)
	if err == nil {
		m.log.Info("end", "exit_code", code)
		return nil
	}
	m.log.Error("end", "exit_code", code, "error", err.Error())
	return &exitError{code, errLogged}
}

// errLogged stands for an error that is in the log.
var errLogged = errors.New("logged")
