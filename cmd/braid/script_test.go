package main

import (
	"errors"
	"os/exec"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"braid": main})
}

// The command line, as a shell sees it: each file under testdata/script is one session of commands, with the files it
// needs. "exits CODE braid ..." runs braid and holds its exit code.
func TestScript(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:  "testdata/script",
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"exits": exits},
	})
}

// exits runs a command and fails unless it ends with the given code.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND [ARG...]")
	}
	err := ts.Exec(args[1], args[2:]...)
	if got := codeOf(err); got != args[0] {
		ts.Fatalf("%v: exit code %s, want %s", args[1:], got, args[0])
	}
}

// codeOf is the exit code of a finished command, as text; what kept it from running where it did not.
func codeOf(err error) string {
	if err == nil {
		return "0"
	}
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return strconv.Itoa(exit.ExitCode())
	}
	return err.Error()
}
