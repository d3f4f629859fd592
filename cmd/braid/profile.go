package main

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"runtime/pprof"
)

// profiles are what a run is asked to record of itself.
type profiles struct {
	cpu, mem *os.File // nil: not asked for
}

// startProfiles opens the files, so that it shows at once when they cannot be written, and begins the CPU profile.
func startProfiles(cpu, mem *string) (p profiles, err error) {
	if p.cpu, err = profileFile("--cpuprofile", cpu); err != nil {
		return p, err
	}
	if p.mem, err = profileFile("--memprofile", mem); err != nil {
		return p, errors.Join(err, p.stop())
	}
	if p.cpu != nil {
		if err := pprof.StartCPUProfile(p.cpu); err != nil {
			return p, errors.Join(err, p.stop())
		}
	}
	return p, nil
}

func profileFile(flag string, name *string) (*os.File, error) {
	if name == nil {
		return nil, nil
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
	}
	if p.mem != nil {
		runtime.GC() // what is not in use any more is not to be counted
		err = errors.Join(err, pprof.WriteHeapProfile(p.mem), p.mem.Close())
	}
	return err
}
