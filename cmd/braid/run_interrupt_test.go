//go:build unix

package main

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"braid/scenarios/result"
)

// longScenario takes far longer than the test waits for.
const longScenario = `
name: long
pages: [mix52]
policies: [mptcp-rnd] # repetitions differ
interfaces: [{name: wifi, bandwidth: 2Mbit/s, rtt: 20ms}, {name: lte, bandwidth: 5Mbit/s, rtt: 50ms}]
repetitions: 100000
`

// start runs braid as a process of its own on a long scenario, with the folder that holds it.
func start(t *testing.T, args ...string) (cmd *exec.Cmd, stdout *bufio.Reader, stderr *bytes.Buffer, dir string) {
	t.Helper()
	dir = t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "long.yaml"), []byte(longScenario), 0o666); err != nil {
		t.Fatal(err)
	}
	program, err := exec.LookPath("braid") // the test itself, under the name that TestMain gives it
	if err != nil {
		t.Fatal(err)
	}
	cmd = exec.Command(program, append([]string{"run", "long.yaml"}, args...)...)
	cmd.Dir = dir
	stderr = new(bytes.Buffer)
	cmd.Stderr = stderr
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return cmd, bufio.NewReader(pipe), stderr, dir
}

// interrupted reads the rest of standard output and holds the exit code.
func interrupted(t *testing.T, cmd *exec.Cmd, stdout io.Reader) string {
	t.Helper()
	rest, err := io.ReadAll(stdout)
	if err != nil {
		t.Fatal(err)
	}
	var exit *exec.ExitError
	if err := cmd.Wait(); !errors.As(err, &exit) || exit.ExitCode() != exitInterrupted {
		t.Fatalf("ended with %v, want exit code %d", err, exitInterrupted)
	}
	return string(rest)
}

// An interrupt on the way leaves whole rows on standard output.
func TestInterruptKeepsRowsOnStandardOutput(t *testing.T) {
	for _, sig := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
		cmd, stdout, stderr, _ := start(t, "-o", "-")
		head, err := stdout.ReadString('\n') // so it is on its way
		if err != nil {
			t.Fatalf("%v: %s", err, stderr)
		}
		if err := cmd.Process.Signal(sig); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(t.TempDir(), "rows.csv")
		if err := os.WriteFile(path, []byte(head+interrupted(t, cmd, stdout)), 0o666); err != nil {
			t.Fatal(err)
		}
		if rows := ascending(t, path); rows == 0 {
			t.Error("no rows, although the first were on their way")
		}
		if !strings.Contains(stderr.String(), "the finished rows are in standard output") {
			t.Errorf("message: %s", stderr)
		}
	}
}

// An interrupt leaves a whole Parquet file under its final name, and a manifest that says it is not complete.
func TestInterruptKeepsRowsInADirectory(t *testing.T) {
	cmd, stdout, stderr, dir := start(t, "-o", "out")
	out := filepath.Join(dir, "out")
	for begun := false; !begun; { // the file of rows is there once signals are handled
		entries, err := os.ReadDir(out)
		begun = err == nil && len(entries) > 0
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	summary := interrupted(t, cmd, stdout)
	rows := ascending(t, out)
	m, err := result.ReadManifest(out)
	if err != nil {
		t.Fatal(err)
	}
	if m.Rows.Complete || m.Rows.Written != rows || m.Rows.Planned != 100_000 {
		t.Errorf("manifest says %+v, the file has %d rows", m.Rows, rows)
	}
	if !strings.Contains(stderr.String(), "the finished rows are in out/rows.parquet") || !strings.Contains(summary, "\nlong: ") || !strings.Contains(summary, "do not stand for all of them") {
		t.Errorf("summary %q, message %q", summary, stderr)
	}
}

// ascending reads rows and holds that they are in the order of the grid, each once. It returns how many there are.
func ascending(t *testing.T, path string) int64 {
	t.Helper()
	r, err := result.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var row result.Row
	n, last := int64(0), int64(-1)
	for {
		err := r.Read(&row)
		if errors.Is(err, io.EOF) {
			return n
		}
		if err != nil {
			t.Fatal(err)
		}
		if row.Run <= last || row.Error != "" {
			t.Fatalf("run %d after run %d, error %q", row.Run, last, row.Error)
		}
		n, last = n+1, row.Run
	}
}
