package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"runtime/pprof"
)

// profiles are what a run is asked to record of itself.
type profiles struct {
	cpu, mem *os.File // nil: not asked for
	cpuErr   *sticky
}

// sticky remembers the first error of writing, which pprof does not tell.
type sticky struct {
	w   io.Writer
	err error
}

// Write implements io.Writer.
func (s *sticky) Write(b []byte) (int, error) {
	n, err := s.w.Write(b)
	if s.err == nil {
		s.err = err
	}
	return n, err
}

// startProfiles opens the files, so that it shows at once when they cannot be written, and begins the CPU profile.
func startProfiles(cpu, mem *string) (p profiles, err error) {
	if cpu != nil && mem != nil && filepath.Clean(*cpu) == filepath.Clean(*mem) {
		return p, fmt.Errorf("--cpuprofile and --memprofile are the same file: %s", *cpu)
	}
	if p.cpu, err = profileFile("--cpuprofile", cpu); err != nil {
		return p, err
	}
	if p.mem, err = profileFile("--memprofile", mem); err != nil {
		return p, errors.Join(err, p.stop())
	}
	if p.cpu != nil {
		p.cpuErr = &sticky{w: p.cpu}
		if err := pprof.StartCPUProfile(p.cpuErr); err != nil {
			return p, errors.Join(err, p.stop())
		}
	}
	return p, nil
}

func profileFile(flag string, name *string) (*os.File, error) {
	if name == nil {
		return nil, nil
	}
	if *name == "" {
		return nil, fmt.Errorf("%s is empty (name a file)", flag)
	}
	f, err := os.Create(*name)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", flag, err)
	}
	return f, nil
}

// stop completes the profiles.
func (p *profiles) stop() error {
	var err error
	if p.cpu != nil {
		pprof.StopCPUProfile()
		err = p.cpu.Close()
		if p.cpuErr != nil && p.cpuErr.err != nil {
			err = fmt.Errorf("--cpuprofile: %w", p.cpuErr.err)
		}
	}
	if p.mem != nil {
		runtime.GC() // what is not in use any more is not to be counted
		err = errors.Join(err, pprof.WriteHeapProfile(p.mem), p.mem.Close())
	}
	return err
}
