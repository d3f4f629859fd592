package main

import (
	"bytes"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"testing"

	"github.com/goccy/go-yaml"
)

// indexedJob is what the Job of the documentation uses of Kubernetes' API, by the names of
// https://kubernetes.io/docs/reference/kubernetes-api/workload-resources/job-v1/ and pod-v1.
type indexedJob struct {
	APIVersion string `yaml:"apiVersion"`
	Kind       string `yaml:"kind"`
	Metadata   struct {
		Name string `yaml:"name"`
	} `yaml:"metadata"`
	Spec struct {
		CompletionMode       string `yaml:"completionMode"`
		Completions          int    `yaml:"completions"`
		Parallelism          int    `yaml:"parallelism"`
		BackoffLimitPerIndex int    `yaml:"backoffLimitPerIndex"`
		PodFailurePolicy     struct {
			Rules []failureRule `yaml:"rules"`
		} `yaml:"podFailurePolicy"`
		Template struct {
			Spec pod `yaml:"spec"`
		} `yaml:"template"`
	} `yaml:"spec"`
}

// failureRule says what becomes of a pod that failed. The first rule that fits counts; it has one of the two conditions.
type failureRule struct {
	Action      string `yaml:"action"`
	OnExitCodes *struct {
		ContainerName string `yaml:"containerName"`
		Operator      string `yaml:"operator"`
		Values        []int  `yaml:"values"`
	} `yaml:"onExitCodes"`
	OnPodConditions []struct {
		Type string `yaml:"type"`
	} `yaml:"onPodConditions"`
}

type pod struct {
	RestartPolicy                 string `yaml:"restartPolicy"`
	TerminationGracePeriodSeconds int    `yaml:"terminationGracePeriodSeconds"`
	Containers                    []struct {
		Name    string   `yaml:"name"`
		Image   string   `yaml:"image"`
		Command []string `yaml:"command"`
		Env     []struct {
			Name  string `yaml:"name"`
			Value any    `yaml:"value"`
		} `yaml:"env"`
		Resources struct {
			Requests map[string]any `yaml:"requests"`
			Limits   map[string]any `yaml:"limits"`
		} `yaml:"resources"`
		VolumeMounts []struct {
			Name      string `yaml:"name"`
			MountPath string `yaml:"mountPath"`
		} `yaml:"volumeMounts"`
	} `yaml:"containers"`
	Volumes []struct {
		Name                  string `yaml:"name"`
		PersistentVolumeClaim struct {
			ClaimName string `yaml:"claimName"`
		} `yaml:"persistentVolumeClaim"`
	} `yaml:"volumes"`
}

// The Job of the documentation is one Kubernetes accepts, with as many completions as braid is told of, and with the exit
// codes of braid.
func TestKubernetesJob(t *testing.T) {
	text, err := os.ReadFile("../../scenarios/run/cluster/braid-job.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var job indexedJob
	if err := yaml.NewDecoder(bytes.NewReader(text), yaml.Strict()).Decode(&job); err != nil {
		t.Fatal(err)
	}
	if job.APIVersion != "batch/v1" || job.Kind != "Job" {
		t.Errorf("%s %s", job.APIVersion, job.Kind)
	}
	if !regexp.MustCompile(`^[a-z0-9]([-a-z0-9]{0,48}[a-z0-9])?$`).MatchString(job.Metadata.Name) {
		t.Errorf("the name %q does not leave a host name for the pods (63 characters) with an index", job.Metadata.Name)
	}
	spec := &job.Spec
	if spec.CompletionMode != "Indexed" || spec.Completions < 1 || spec.Parallelism < 1 || spec.Parallelism > spec.Completions {
		t.Errorf("%s, %d completions, %d at once", spec.CompletionMode, spec.Completions, spec.Parallelism)
	}
	// Both a limit per index and a failure policy are for pods that are not started again in place.
	if spec.BackoffLimitPerIndex < 1 || spec.Template.Spec.RestartPolicy != "Never" {
		t.Errorf("%d retries, restart policy %s", spec.BackoffLimitPerIndex, spec.Template.Spec.RestartPolicy)
	}
	checkPod(t, &spec.Template.Spec, spec.Completions)
	checkRules(t, spec.PodFailurePolicy.Rules, spec.Template.Spec.Containers[0].Name)
}

// checkPod holds that the pod runs braid on the shared volume, in whole processors, and knows the number of completions.
func checkPod(t *testing.T, p *pod, completions int) {
	t.Helper()
	if len(p.Containers) != 1 || len(p.Volumes) != 1 {
		t.Fatalf("%d containers, %d volumes", len(p.Containers), len(p.Volumes))
	}
	if p.TerminationGracePeriodSeconds < 30 {
		t.Errorf("%d s from SIGTERM to SIGKILL: less than the default of Kubernetes", p.TerminationGracePeriodSeconds)
	}
	c := &p.Containers[0]
	// Kubernetes takes strings only: a number without quotes is refused.
	if len(c.Env) != 1 || c.Env[0].Name != "JOB_COMPLETIONS" || c.Env[0].Value != strconv.Itoa(completions) {
		t.Errorf("env is %v, want JOB_COMPLETIONS as the string %q", c.Env, strconv.Itoa(completions))
	}
	volume := &p.Volumes[0]
	if len(c.VolumeMounts) != 1 || c.VolumeMounts[0].Name != volume.Name || volume.PersistentVolumeClaim.ClaimName == "" {
		t.Fatalf("mounts %v of volumes %v", c.VolumeMounts, p.Volumes)
	}
	mount := c.VolumeMounts[0].MountPath
	want := []string{"braid", "run", mount + "/scenario.yaml", "-o", mount + "/results"}
	if c.Image == "" || !slices.Equal(c.Command, want) {
		t.Errorf("image %q runs %q, want %q", c.Image, c.Command, want)
	}
	for _, resource := range []string{"cpu", "memory"} {
		if c.Resources.Limits[resource] == nil || c.Resources.Limits[resource] != c.Resources.Requests[resource] {
			t.Errorf("%s: limits %v, requests %v", resource, c.Resources.Limits, c.Resources.Requests)
		}
	}
	if _, err := strconv.Atoi(fmt.Sprint(c.Resources.Limits["cpu"])); err != nil {
		t.Errorf("cpu: %v", err)
	}
}

// checkRules holds that an interrupted pod is started again at no cost, and one with failed runs is not.
func checkRules(t *testing.T, rules []failureRule, container string) {
	t.Helper()
	disrupted := false
	actions := make(map[int]string)
	for _, r := range rules {
		switch {
		case (r.OnExitCodes == nil) == (len(r.OnPodConditions) == 0):
			t.Errorf("rule %+v: exactly one of exit codes and conditions", r)
		case r.OnExitCodes == nil:
			disrupted = r.Action == "Ignore" && r.OnPodConditions[0].Type == "DisruptionTarget"
		case r.OnExitCodes.ContainerName != container || r.OnExitCodes.Operator != "In":
			t.Errorf("rule %+v, container %s", *r.OnExitCodes, container)
		default:
			for _, code := range r.OnExitCodes.Values {
				actions[code] = r.Action
			}
		}
	}
	if !disrupted || actions[exitInterrupted] != "Ignore" || actions[exitRunsFailed] != "FailIndex" || len(actions) != 2 {
		t.Errorf("a disruption is ignored: %v; exit codes: %v", disrupted, actions)
	}
}
