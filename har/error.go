package har

import "fmt"

// Error is text that cannot be read as a HAR. Line and Column count from 1, the column in bytes of the text as UTF-8;
// both are 0 where the error has no place.
type Error struct {
	File         string
	Line, Column int
	Msg          string // what is there and what was expected
}

// Error writes file, line and column where known, and the message.
func (e *Error) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("%s: %s", e.File, e.Msg)
	}
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Column, e.Msg)
}

// place is a position in a file: line and column from 1.
type place struct{ line, column int32 }
