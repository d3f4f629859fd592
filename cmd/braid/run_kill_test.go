//go:build unix

package main

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"braid/scenarios/result"
)

// killScenario takes seconds, in runs of very different length, some of which fail.
const killScenario = `
name: killed
pages: [n1x1k, n4x10k, n16x10k, mix52, mix28]
policies: [if1, eaf, mptcp-rnd]
parameters: {payload: [1448, 1448], packet: [1500, 1000], mptcp_payload: [1400, 900]}
zip: [[payload, packet, mptcp_payload]]
interfaces:
  - {name: wifi, bandwidth: [1Mbit/s, 2Mbit/s, 6Mbit/s, 20Mbit/s], rtt: [10ms, 20ms, 50ms]}
  - {name: lte, bandwidth: [5Mbit/s, 9Mbit/s], rtt: [50ms, 70ms, 90ms]}
repetitions: 12
`

// killed runs braid in a folder and kills it after a random time, or now and then interrupts it; false: it ended before,
// with the given code.
func killed(t *testing.T, dir string, random *rand.Rand, code int, args ...string) bool {
	t.Helper()
	program, err := exec.LookPath("braid") // the test itself, under the name that TestMain gives it
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, args...)
	cmd.Dir = dir
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	signal := syscall.SIGKILL
	if random.IntN(4) == 0 {
		signal = syscall.SIGTERM
	}
	kill := time.AfterFunc(time.Duration(random.Int64N(int64(250*time.Millisecond))), func() { _ = cmd.Process.Signal(signal) })
	err = cmd.Wait()
	kill.Stop()
	exit, ok := errors.AsType[*exec.ExitError](err)
	switch {
	case err == nil && code == 0, ok && exit.ExitCode() == code:
		return false
	case ok && (exit.ExitCode() == -1 || exit.ExitCode() == exitInterrupted):
		return true
	}
	t.Fatalf("braid %v: %v\n%s", args, err, &stderr)
	return false
}

// files returns the names in a folder and what is in the files.
func files(t *testing.T, dir string) (names []string, data map[string][]byte) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	data = map[string][]byte{}
	for _, e := range entries {
		names = append(names, e.Name())
		if data[e.Name()], err = os.ReadFile(filepath.Join(dir, e.Name())); err != nil {
			t.Fatal(err)
		}
	}
	return names, data
}

// A grid that is killed or interrupted twenty times at random moments, and resumed each time, ends in the bytes of one that nobody
// disturbed; and on the way no file has a final name that is not whole.
func TestTwentyKillsEndInTheSameBytes(t *testing.T) {
	for format, most := range map[string]int{"parquet": 20, "csv": 5} {
		seed := uint64(time.Now().UnixNano())
		random := rand.New(rand.NewPCG(seed, 0))
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "killed.yaml"), []byte(killScenario), 0o666); err != nil {
			t.Fatal(err)
		}
		run := func(out string, more ...string) []string {
			return append([]string{"run", "killed.yaml", "-o", out, "--format", format}, more...)
		}
		out := filepath.Join(dir, "out")
		kills, ends := 0, 0
		for kills < most && ends < 3 {
			if killed(t, dir, random, exitRunsFailed, run("out")...) {
				kills++
			} else {
				ends++ // a fast machine: what follows is that a complete grid survives kills too
			}
			if r, err := result.Open(filepath.Join(out, "rows."+format)); err == nil {
				if err := r.Close(); err != nil {
					t.Fatal(err)
				}
			} else if !errors.Is(err, os.ErrNotExist) {
				t.Fatalf("seed %d, after %d kills: %v", seed, kills, err)
			}
		}
		program, err := exec.LookPath("braid")
		if err != nil {
			t.Fatal(err)
		}
		for _, args := range [][]string{run("out"), run("whole", "--workers", "3")} {
			cmd := exec.Command(program, args...)
			cmd.Dir = dir
			text, err := cmd.CombinedOutput()
			if exit, ok := errors.AsType[*exec.ExitError](err); !ok || exit.ExitCode() != exitRunsFailed {
				t.Fatalf("seed %d: braid %v: %v\n%s", seed, args, err, text)
			}
			t.Logf("%s, %d kills, %d ends before one: %s", format, kills, ends, lineWith(string(text), "finished before"))
		}
		names, got := files(t, out)
		wantNames, want := files(t, filepath.Join(dir, "whole"))
		if !slices.Equal(names, wantNames) {
			t.Errorf("seed %d: files %v, want %v", seed, names, wantNames)
		}
		for name := range want {
			if !bytes.Equal(got[name], want[name]) {
				t.Errorf("seed %d: other bytes in %s", seed, name)
			}
		}
	}
}

func lineWith(text, part string) string {
	for line := range strings.Lines(text) {
		if strings.Contains(line, part) {
			return strings.TrimSpace(line)
		}
	}
	return "-"
}
