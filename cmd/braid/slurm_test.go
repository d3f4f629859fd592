//go:build linux

package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// shardedScenario is a grid of runs that all differ: the policy draws at random.
const shardedScenario = `
name: sharded
pages: [mix52]
policies: [mptcp-rnd]
interfaces: [{name: wifi, bandwidth: 2Mbit/s, rtt: 20ms}, {name: lte, bandwidth: 5Mbit/s, rtt: 50ms}]
repetitions: %d
`

// shardTime is the processor time of a shard: long enough to be hit after its first rows are on the disk, which is after a
// second at most.
const shardTime = 2 * time.Second

// The array job of the documentation on a Slurm of one node. Of its four tasks one comes near its time limit and goes back
// into the queue by itself, one is killed and repeated by hand; the shards then give the rows of one undisturbed run.
func TestSlurmShards(t *testing.T) {
	t.Parallel()
	const tasks = 4
	c := startCluster(t, tasks)
	writeGrid(c, tasks)
	script, err := filepath.Abs("../../scenarios/run/cluster/braid.sbatch")
	if err != nil {
		t.Fatal(err)
	}

	submit := func(array string, flags ...string) (job string) {
		args := []string{"--parsable", "--array=" + array, "--cpus-per-task=1", script, "grid.yaml", "-o", "results"}
		return c.run("sbatch", append(args, flags...)...)
	}

	job := submit("1-4")
	awaitRows(c, 2, 3)
	c.run("scancel", "--batch", "--signal=USR1", job+"_2") // as Slurm does ahead of the time limit
	if err := braidOf(c, job, 3).Kill(); err != nil {
		t.Fatal(err)
	}
	c.run("braid", "run", "grid.yaml", "-o", "whole") // meanwhile
	c.awaitStates(job, map[string]string{"1": "COMPLETED", "2": "COMPLETED", "3": "FAILED", "4": "COMPLETED"})
	expect(t, c.read("braid-"+job+"_2.log"), "shard 2/4 (from SLURM_ARRAY_TASK_ID=2 of an array of 4 from 1)",
		"interrupted after ", "finished before: ")

	out, err := c.command("braid", "merge", "results").CombinedOutput()
	if codeOf(err) != strconv.Itoa(exitUsage) {
		t.Errorf("merge without shard 3 has exit code %s", codeOf(err))
	}
	expect(t, string(out), "unfinished 3 of 4")

	alone, again := submit("3"), submit("3", "--shard", "3/4") // the former is an array of one task
	c.awaitStates(alone, map[string]string{"3": "FAILED"})
	expect(t, c.read("braid-"+alone+"_3.log"), "shard 1/1 (from SLURM_ARRAY_TASK_ID=3", "results holds shards of 4")
	c.awaitStates(again, map[string]string{"3": "COMPLETED"})
	expect(t, c.read("braid-"+again+"_3.log"), "shard 3/4 (from --shard)", "finished before: ")
	c.run("braid", "merge", "results")
	for _, name := range []string{"rows.parquet", "manifest.json"} {
		if c.read("results/"+name) != c.read("whole/"+name) {
			t.Errorf("%s differs from that of one run", name)
		}
	}
}

// expect holds that a text has these parts, in their order.
func expect(t *testing.T, text string, parts ...string) {
	t.Helper()
	rest := text
	for _, part := range parts {
		_, after, found := strings.Cut(rest, part)
		if !found {
			t.Errorf("no %q, or not in this place, in:\n%s", part, text)
			return
		}
		rest = after
	}
}

// writeGrid writes a scenario whose shards take this machine the processor time shardTime each.
func writeGrid(c *cluster, shards int) {
	c.t.Helper()
	write := func(runs int) {
		if err := os.WriteFile(c.path("grid.yaml"), fmt.Appendf(nil, shardedScenario, runs), 0o666); err != nil {
			c.t.Fatal(err)
		}
	}
	const trial = 300
	write(trial)
	cmd := c.command("braid", "run", "grid.yaml")
	if out, err := cmd.CombinedOutput(); err != nil {
		c.t.Fatalf("%v: %v\n%s", cmd.Args, err, out)
	}
	write(int(float64(trial*shards) * float64(shardTime) / float64(cmd.ProcessState.UserTime())))
}

// awaitRows waits until the journals of some of four shards hold finished rows: more than what they begin with.
func awaitRows(c *cluster, shards ...int) {
	c.t.Helper()
	begun := make(map[string]int64)
	c.await("finished rows of shards", func() (bool, string) {
		var waiting []string
		for _, shard := range shards {
			name := "rows-" + strconv.Itoa(shard) + "-of-4.journal"
			size := int64(0)
			if info, err := os.Stat(c.path("results/" + name)); err == nil {
				size = info.Size()
			}
			if begun[name] == 0 {
				begun[name] = size
			}
			if size <= begun[name] {
				waiting = append(waiting, fmt.Sprintf("%s has %d bytes", name, size))
			}
		}
		return len(waiting) == 0, strings.Join(waiting, "\n")
	})
}

// braidOf is the braid that a task of an array job runs.
func braidOf(c *cluster, job string, task int) *os.Process {
	c.t.Helper()
	for _, p := range c.processes("SLURM_ARRAY_JOB_ID="+job, "SLURM_ARRAY_TASK_ID="+strconv.Itoa(task)) {
		name, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(p.Pid), "comm"))
		if err == nil && string(bytes.TrimSpace(name)) == "braid" {
			return p
		}
	}
	c.t.Fatalf("task %d of job %s has no braid", task, job)
	return nil
}
