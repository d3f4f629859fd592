package run

import (
	"fmt"
	"math"
	"strconv"

	"braid/scenarios/result"
)

// ShardFrom returns the shard that the environment of a task gives it, and where it stands there: a task of a Slurm job
// array (SLURM_ARRAY_TASK_ID, _COUNT, _MIN and _STEP; sbatch(1), "OUTPUT ENVIRONMENT VARIABLES"), or a pod of an indexed
// Kubernetes job (JOB_COMPLETION_INDEX, which Kubernetes sets, and JOB_COMPLETIONS, which the job's file has to set to its
// completions). Without either it is the whole grid and no source.
func ShardFrom(getenv func(string) string) (s result.Shard, source string, err error) {
	switch {
	case getenv("SLURM_ARRAY_TASK_ID") != "":
		return slurmShard(getenv)
	case getenv("JOB_COMPLETION_INDEX") != "":
		return kubernetesShard(getenv)
	}
	return result.Shard{}, "", nil
}

func slurmShard(getenv func(string) string) (result.Shard, string, error) {
	v := variables{getenv: getenv}
	id, count, first := v.number("SLURM_ARRAY_TASK_ID"), v.number("SLURM_ARRAY_TASK_COUNT"), v.number("SLURM_ARRAY_TASK_MIN")
	step := 1
	if getenv("SLURM_ARRAY_TASK_STEP") != "" {
		step = max(v.number("SLURM_ARRAY_TASK_STEP"), 1)
	}
	if v.err != nil {
		return result.Shard{}, "", v.err
	}
	if (id-first)%step != 0 {
		return result.Shard{}, "", fmt.Errorf("SLURM_ARRAY_TASK_ID %d is not one of the array that begins with %d in steps of %d (give --shard i/n)", id, first, step)
	}
	s, err := result.NewShard((id-first)/step+1, count)
	if err != nil {
		return result.Shard{}, "", fmt.Errorf("SLURM_ARRAY_TASK_ID %d in an array from %d of %d tasks: %w (an array like 1,5,7 has to be given as --shard i/n)", id, first, count, err)
	}
	return s, fmt.Sprintf("SLURM_ARRAY_TASK_ID=%d of an array of %d from %d", id, count, first), nil
}

func kubernetesShard(getenv func(string) string) (result.Shard, string, error) {
	if getenv("JOB_COMPLETIONS") == "" {
		return result.Shard{}, "", fmt.Errorf("JOB_COMPLETION_INDEX is set, JOB_COMPLETIONS is not: set it to the job's completions (or give --shard i/n)")
	}
	v := variables{getenv: getenv}
	index, count := v.number("JOB_COMPLETION_INDEX"), v.number("JOB_COMPLETIONS")
	if v.err != nil {
		return result.Shard{}, "", v.err
	}
	s, err := result.NewShard(index+1, count)
	if err != nil {
		return result.Shard{}, "", fmt.Errorf("JOB_COMPLETION_INDEX %d, JOB_COMPLETIONS %d: %w", index, count, err)
	}
	return s, fmt.Sprintf("JOB_COMPLETION_INDEX=%d, JOB_COMPLETIONS=%d", index, count), nil
}

// variables reads numbers from the environment and remembers the first that is none.
type variables struct {
	getenv func(string) string
	err    error
}

func (v *variables) number(name string) int {
	text := v.getenv(name)
	n, err := strconv.Atoi(text)
	if v.err == nil && (err != nil || n < 0 || n > math.MaxInt32) {
		v.err = fmt.Errorf("%s is %q (expected a number from 0 on, or give --shard i/n)", name, text)
	}
	return n
}
