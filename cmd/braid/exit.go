package main

import "errors"

// Exit codes of braid.
const (
	exitDone        = 0
	exitCheckFailed = 1
	exitUsage       = 2
	exitRunsFailed  = 3
	exitInterrupted = 130
)

// exitError is an error that ends the program with a code of its own. Any other error ends it with exitUsage.
type exitError struct {
	code int
	err  error
}

// Error implements error.
func (e *exitError) Error() string { return e.err.Error() }

// Unwrap returns the error the code was given to.
func (e *exitError) Unwrap() error { return e.err }

// exitCode returns the code the program ends with after err.
func exitCode(err error) int {
	if err == nil {
		return exitDone
	}
	if e, ok := errors.AsType[*exitError](err); ok {
		return e.code
	}
	return exitUsage
}
