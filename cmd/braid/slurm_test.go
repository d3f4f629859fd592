//go:build linux

package main

import (
	"os"
	"path/filepath"
	"testing"
)

// A task of an array job that is killed can be repeated by its index, and sees the array as it was.
func TestSlurmRepeatsTask(t *testing.T) {
	t.Parallel()
	c := startCluster(t, 4)
	dir := t.TempDir()
	script := filepath.Join(dir, "job")
	if err := os.WriteFile(script, []byte(`#!/bin/sh
#SBATCH --array=1-4
#SBATCH --output=/dev/null
if [ "$SLURM_ARRAY_TASK_ID" = 3 ] && [ ! -e repeat ]; then exec sleep 1000; fi
echo "$SLURM_ARRAY_TASK_COUNT $SLURM_ARRAY_TASK_MIN" >"done-$SLURM_ARRAY_TASK_ID"
`), 0o777); err != nil {
		t.Fatal(err)
	}
	job := c.run(dir, "sbatch", "--parsable", script)
	c.awaitStates(job, map[string]string{"1": "COMPLETED", "2": "COMPLETED", "3": "RUNNING", "4": "COMPLETED"})
	for _, p := range c.processes("SLURM_ARRAY_TASK_ID=3") {
		if err := p.Kill(); err != nil {
			t.Fatal(err)
		}
	}
	c.awaitStates(job, map[string]string{"3": "FAILED"})
	if err := os.WriteFile(filepath.Join(dir, "repeat"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	c.run(dir, "scontrol", "requeue", job+"_3")
	c.awaitStates(job, map[string]string{"3": "COMPLETED"})
	got, err := os.ReadFile(filepath.Join(dir, "done-3"))
	if err != nil || string(got) != "4 1\n" {
		t.Errorf("the repeated task saw %q, %v", got, err)
	}
}
