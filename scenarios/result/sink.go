package result

import "io"

// Sink is where the rows of a run go. Abort or Commit ends it.
type Sink interface {
	Write(*Row) error
	// Commit completes the rows.
	Commit() error
	// Abort gives up and leaves nothing behind that could be taken for results.
	Abort() error
	// Place says where the rows are, for people; empty when they are not kept.
	Place() string
}

// Discard returns a sink that keeps nothing.
func Discard() Sink { return discard{} }

type discard struct{}

func (discard) Write(*Row) error { return nil }
func (discard) Commit() error    { return nil }
func (discard) Abort() error     { return nil }
func (discard) Place() string    { return "" }

// Stream returns a sink that writes rows to w, which it does not close. A stream has no place for a manifest.
func Stream(w io.Writer, f Format, s Schema) (Sink, error) {
	rows, err := NewWriter(w, f, s)
	return stream{rows}, err
}

type stream struct{ Writer }

func (s stream) Commit() error { return s.Close() }

// Abort implements Sink. What has been written to a stream cannot be taken back.
func (s stream) Abort() error { return nil }

func (s stream) Place() string { return "standard output" }
