//go:build linux

package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"fmt"
	mathrand "math/rand/v2"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

const (
	// clusterPatience bounds a test on a cluster as a whole. It takes a quarter of it on an idle machine of two cores.
	clusterPatience = 3 * time.Minute
	// clusterPoll is how often the cluster is asked for its state; it has no other way to tell.
	clusterPoll = 100 * time.Millisecond
)

// slurmConf is slurm.conf of one node without systemd, cgroups and accounting. The node may offer more processors than the
// machine has (config_overrides), so that all tasks run at once on any machine. cred_expire is what a requeued job waits
// for before it starts again, in seconds: Slurm's default is 120, its least 5.
const slurmConf = `
ClusterName=braid
SlurmctldHost=${host}(${address})
SlurmctldPort=${ctldport}
SlurmdPort=${slurmdport}
SlurmUser=${user}
SlurmdUser=${user}
${bind}
AuthType=auth/munge
AuthInfo=socket=${dir}/munge.socket,cred_expire=5
StateSaveLocation=${dir}/state
SlurmdSpoolDir=${dir}/spool
SlurmctldPidFile=${dir}/slurmctld.pid
SlurmdPidFile=${dir}/slurmd.pid
SlurmdParameters=config_overrides
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
JobCompType=jobcomp/none
MailProg=/bin/true
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerType=sched/builtin
SchedulerParameters=sched_interval=1,batch_sched_delay=0
JobRequeue=1
KillWait=5
InactiveLimit=0
ReturnToService=2
NodeName=${host} NodeAddr=${address} CPUs=${cpus} RealMemory=1000000
PartitionName=all Nodes=${host} Default=YES MaxTime=INFINITE State=UP
`

// cgroupConf is cgroup.conf. Left to itself, slurmd looks for a cgroup file system and does not start without one; version
// 1 is opened by plugins only, of which slurmConf names none.
const cgroupConf = `
CgroupPlugin=cgroup/v1
CgroupAutomount=no
`

// cluster is a Slurm of one node. All of its state lies in dir, which is also where its jobs are submitted and run; it
// neither reads nor touches a Slurm or a MUNGE that the machine may run besides.
type cluster struct {
	t     *testing.T
	ctx   context.Context // done when the test has taken too long
	dir   string
	env   []string // of the daemons and of every command
	ended chan error
	waits sync.WaitGroup
}

// startCluster starts munged, slurmctld and slurmd and waits until the node takes jobs, up to cpus tasks of one processor
// at once. The end of the test ends all of it, with every job. Without Slurm's programs the test is skipped, or fails in CI.
func startCluster(t *testing.T, cpus int) *cluster {
	t.Helper()
	programs := []string{"munged", "munge", "slurmctld", "slurmd", "sbatch", "squeue", "scancel", "scontrol", "sinfo"}
	for _, program := range programs {
		if _, err := exec.LookPath(program); err != nil {
			text := fmt.Sprintf("%v; this test runs a Slurm of its own: apt-get install slurm-wlm munge", err)
			if os.Getenv("CI") == "true" {
				t.Fatal(text)
			}
			t.Skip(text)
		}
	}
	c := &cluster{t: t, dir: t.TempDir(), ended: make(chan error, 3)}
	ctx, cancel := context.WithTimeout(context.Background(), clusterPatience)
	c.ctx = ctx
	t.Cleanup(func() {
		cancel()
		c.stop()
	})
	c.configure(cpus)

	// --force: munged otherwise refuses a socket below a folder that only its owner may enter.
	c.daemon("munged", "--foreground", "--force", "--origin", "127.0.0.1", "--key-file", c.path("munge.key"),
		"--socket", c.path("munge.socket"), "--pid-file", c.path("munge.pid"), "--log-file", c.path("munge.log"),
		"--seed-file", c.path("munge.seed"))
	c.await("munged to answer", func() (bool, string) {
		out, err := c.command("munge", "--no-input", "--socket", c.path("munge.socket")).CombinedOutput()
		return err == nil, string(out)
	})
	c.daemon("slurmctld", "-D", "-f", c.path("slurm.conf"))
	c.daemon("slurmd", "-D", "-f", c.path("slurm.conf"))
	c.await("the node to be idle", func() (bool, string) {
		out, err := c.command("sinfo", "--noheader", "--format=%T").CombinedOutput()
		return err == nil && strings.TrimSpace(string(out)) == "idle", string(out)
	})
	return c
}

// path is the path of a file of the cluster.
func (c *cluster) path(name string) string { return filepath.Join(c.dir, name) }

// read returns what a file of the cluster holds.
func (c *cluster) read(name string) string {
	c.t.Helper()
	content, err := os.ReadFile(c.path(name))
	if err != nil {
		c.t.Fatal(err)
	}
	return string(content)
}

// configure writes the files the daemons need.
func (c *cluster) configure(cpus int) {
	c.t.Helper()
	hostname, err := os.Hostname()
	if err != nil {
		c.t.Fatal(err)
	}
	host, _, _ := strings.Cut(hostname, ".") // Slurm knows a machine by its short name
	address, bind := loopback(hostname)
	account, err := user.Current()
	if err != nil {
		c.t.Fatal(err)
	}
	values := map[string]string{
		"dir": c.dir, "host": host, "address": address, "bind": bind, "user": account.Username, "cpus": strconv.Itoa(cpus),
		"ctldport": freePort(c.t), "slurmdport": freePort(c.t),
	}
	key := make([]byte, 128)
	rand.Read(key) // never fails
	for name, content := range map[string][]byte{
		"slurm.conf":  []byte(os.Expand(slurmConf, func(name string) string { return values[name] })),
		"cgroup.conf": []byte(cgroupConf),
		"munge.key":   key,
	} {
		if err := os.WriteFile(c.path(name), content, 0o600); err != nil {
			c.t.Fatal(err)
		}
	}
	for _, name := range []string{"state", "spool"} {
		if err := os.Mkdir(c.path(name), 0o755); err != nil {
			c.t.Fatal(err)
		}
	}
	// What a job around this test, or its user, sets for Slurm's commands is not for this cluster.
	foreign := regexp.MustCompile(`^(SLURM|SBATCH_|SQUEUE_|SCANCEL_|SINFO_|SCONTROL_|MUNGE_)`)
	c.env = slices.DeleteFunc(os.Environ(), foreign.MatchString)
	c.env = append(c.env, c.mark())
}

// loopback returns the address the daemons talk over, and the line of slurm.conf that keeps them on it. Slurm binds to every
// address, or to what the name of the machine resolves to: where that is not one IPv4 address of the loopback interface,
// every address has to do.
func loopback(hostname string) (address, bind string) {
	found, err := net.LookupIP(hostname)
	elsewhere := func(ip net.IP) bool { return !ip.IsLoopback() || ip.To4() == nil || !ip.Equal(found[0]) }
	if err != nil || len(found) == 0 || slices.ContainsFunc(found, elsewhere) {
		return "127.0.0.1", ""
	}
	return found[0].String(), "CommunicationParameters=NoCtldInAddrAny,NoInAddrAny"
}

// freePort returns a port of the loopback interface that nothing listens on, below those the kernel hands out by itself.
func freePort(t *testing.T) string {
	t.Helper()
	for range 100 {
		port := strconv.Itoa(20_000 + mathrand.IntN(12_000))
		if l, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", port)); err == nil {
			if err := l.Close(); err != nil {
				t.Fatal(err)
			}
			return port
		}
	}
	t.Fatal("no free port on 127.0.0.1")
	return ""
}

// mark is the environment variable that only processes of this cluster have.
func (c *cluster) mark() string { return "SLURM_CONF=" + c.path("slurm.conf") }

// daemon starts a program in the foreground, with its output in a file named after it.
func (c *cluster) daemon(program string, args ...string) {
	c.t.Helper()
	log, err := os.Create(c.path(program + ".log"))
	if err != nil {
		c.t.Fatal(err)
	}
	defer log.Close() // the daemon has its own
	cmd := exec.Command(program, args...)
	cmd.Env, cmd.Dir, cmd.Stdout, cmd.Stderr = c.env, c.dir, log, log
	// A group of its own: an interrupt at the terminal is for the test. Should that die without cleaning up, so does the daemon.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	if err := cmd.Start(); err != nil {
		c.t.Fatal(err)
	}
	c.waits.Go(func() { c.ended <- fmt.Errorf("%s ended by itself: %v", program, cmd.Wait()) })
}

// stop kills all processes of the cluster, and shows the logs of a test that failed.
func (c *cluster) stop() {
	for deadline := time.Now().Add(10 * time.Second); ; <-time.After(clusterPoll) {
		left := c.processes()
		if len(left) == 0 {
			break
		}
		if time.Now().After(deadline) {
			c.t.Errorf("%d processes of the cluster do not end", len(left))
			return
		}
		for _, p := range left {
			if err := p.Kill(); err != nil && err != os.ErrProcessDone {
				c.t.Error(err)
			}
		}
	}
	c.waits.Wait()
	if !c.t.Failed() {
		return
	}
	logs, err := filepath.Glob(c.path("*.log"))
	if err != nil {
		c.t.Error(err)
	}
	for _, path := range logs {
		c.t.Logf("%s:\n%s", filepath.Base(path), c.read(filepath.Base(path)))
	}
}

// processes are the processes of the cluster that have all of the given variables in their environment.
func (c *cluster) processes(variables ...string) []*os.Process {
	c.t.Helper()
	entries, err := os.ReadDir("/proc")
	if err != nil {
		c.t.Fatal(err)
	}
	var found []*os.Process
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue // not a process
		}
		p, err := os.FindProcess(pid) // by a handle that a later process with the same number does not share
		if err != nil {
			continue
		}
		environ, err := os.ReadFile(filepath.Join("/proc", e.Name(), "environ"))
		if err != nil {
			continue // of another user, or ended meanwhile
		}
		has := func(v string) bool { return bytes.Contains(append([]byte{0}, environ...), []byte("\x00"+v+"\x00")) }
		if has(c.mark()) && !slices.ContainsFunc(variables, func(v string) bool { return !has(v) }) {
			found = append(found, p)
		}
	}
	return found
}

// command prepares a program that may talk to the cluster, in its folder.
func (c *cluster) command(program string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(c.ctx, program, args...)
	cmd.Env, cmd.Dir = c.env, c.dir
	return cmd
}

// run runs a program that must succeed and returns its standard output without the space around it.
func (c *cluster) run(program string, args ...string) string {
	c.t.Helper()
	cmd := c.command(program, args...)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		c.t.Fatalf("%v: %v\n%s%s", cmd.Args, err, out, stderr.String())
	}
	return strings.TrimSpace(string(out))
}

// await waits until done says true. What done says besides is shown when that takes too long or a daemon ends.
func (c *cluster) await(what string, done func() (bool, string)) {
	c.t.Helper()
	tick := time.NewTicker(clusterPoll)
	defer tick.Stop()
	for {
		ok, state := done()
		if ok {
			return
		}
		select {
		case <-tick.C:
		case err := <-c.ended:
			c.t.Fatalf("waiting for %s: %v\n%s", what, err, state)
		case <-c.ctx.Done():
			c.t.Fatalf("%s: not within %v\n%s", what, clusterPatience, state)
		}
	}
}

// states are the states of the tasks of an array job, by their index.
func (c *cluster) states(job string) map[string]string {
	c.t.Helper()
	out := c.run("squeue", "--noheader", "--states=all", "--array", "--jobs="+job, "--format=%K %T")
	states := make(map[string]string)
	for line := range strings.Lines(out) {
		var task, state string
		if _, err := fmt.Sscan(line, &task, &state); err != nil {
			c.t.Fatalf("squeue says %q: %v", out, err)
		}
		states[task] = state
	}
	return states
}

// awaitStates waits until the tasks of an array job are in the given states, by their index.
func (c *cluster) awaitStates(job string, want map[string]string) {
	c.t.Helper()
	c.await(fmt.Sprintf("job %s to be %v", job, want), func() (bool, string) {
		got := c.states(job)
		for task, state := range want {
			if got[task] != state {
				return false, fmt.Sprint(got)
			}
		}
		return true, ""
	})
}
