package run

import (
	"strings"
	"testing"

	"braid/scenarios/result"
)

func environment(assignments string) func(string) string {
	values := map[string]string{}
	for _, a := range strings.Fields(assignments) {
		name, value, _ := strings.Cut(a, "=")
		values[name] = value
	}
	return func(name string) string { return values[name] }
}

func TestShardFrom(t *testing.T) {
	for env, want := range map[string]result.Shard{
		"": {},
		// sbatch --array=1-8, 0-7, and 10-24:2.
		"SLURM_ARRAY_TASK_ID=3 SLURM_ARRAY_TASK_COUNT=8 SLURM_ARRAY_TASK_MIN=1 SLURM_ARRAY_TASK_STEP=1":   {Index: 3, Count: 8},
		"SLURM_ARRAY_TASK_ID=0 SLURM_ARRAY_TASK_COUNT=8 SLURM_ARRAY_TASK_MIN=0":                           {Index: 1, Count: 8},
		"SLURM_ARRAY_TASK_ID=24 SLURM_ARRAY_TASK_COUNT=8 SLURM_ARRAY_TASK_MIN=10 SLURM_ARRAY_TASK_STEP=2": {Index: 8, Count: 8},
		// A job that is no array.
		"SLURM_JOB_ID=7": {},
		"SLURM_ARRAY_TASK_ID=4 SLURM_ARRAY_TASK_COUNT=1 SLURM_ARRAY_TASK_MIN=4": {},
		"JOB_COMPLETION_INDEX=0 JOB_COMPLETIONS=5":                              {Index: 1, Count: 5},
		"JOB_COMPLETION_INDEX=4 JOB_COMPLETIONS=5":                              {Index: 5, Count: 5},
		"JOB_COMPLETIONS=5": {},
	} {
		s, source, err := ShardFrom(environment(env))
		if err != nil || s != want {
			t.Errorf("%q: %v, %v, want %v", env, s, err, want)
		}
		if asked := strings.Contains(env, "TASK_ID") || strings.Contains(env, "INDEX"); asked != (source != "") {
			t.Errorf("%q: source %q", env, source)
		}
	}
	for env, want := range map[string]string{
		"SLURM_ARRAY_TASK_ID=3": `SLURM_ARRAY_TASK_COUNT is "" (expected a number from 0 on, or give --shard i/n)`,
		"SLURM_ARRAY_TASK_ID=x SLURM_ARRAY_TASK_COUNT=8 SLURM_ARRAY_TASK_MIN=1": `SLURM_ARRAY_TASK_ID is "x"`,
		"SLURM_ARRAY_TASK_ID=9 SLURM_ARRAY_TASK_COUNT=8 SLURM_ARRAY_TASK_MIN=1": "shard 9 of 8",
		// sbatch --array=1,5,7
		"SLURM_ARRAY_TASK_ID=7 SLURM_ARRAY_TASK_COUNT=3 SLURM_ARRAY_TASK_MIN=1":                         "has to be given as --shard i/n",
		"SLURM_ARRAY_TASK_ID=4 SLURM_ARRAY_TASK_COUNT=3 SLURM_ARRAY_TASK_MIN=1 SLURM_ARRAY_TASK_STEP=2": "not one of the array",
		"JOB_COMPLETION_INDEX=2":                    "JOB_COMPLETIONS is not: set it to the job's completions",
		"JOB_COMPLETION_INDEX=5 JOB_COMPLETIONS=5":  "shard 6 of 5",
		"JOB_COMPLETION_INDEX=-1 JOB_COMPLETIONS=5": `JOB_COMPLETION_INDEX is "-1"`,
	} {
		if _, _, err := ShardFrom(environment(env)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error is %v, want %q", env, err, want)
		}
	}
}
