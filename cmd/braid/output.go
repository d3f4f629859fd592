package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
)

// writeOutput writes a file whole or not at all: under a temporary name beside it, which is renamed when all is written.
// A symbolic link stays, the file it leads to is written. A file that is there is replaced and keeps its permissions; what
// is there and is no regular file (a terminal, a pipe, /dev/null) is written to as it is. A path that names standard output
// or standard error (/dev/stdout, or the file it was redirected to) is written to that stream, in turn with whatever else
// goes there. Errors name the path and what it is for.
func writeOutput(s streams, path, what string, write func(io.Writer) error) error {
	target, direct, err := behindLinks(path)
	switch {
	case writesTo(s.out, path):
		err = buffered(s.out, write)
	case writesTo(s.err, path):
		err = buffered(s.err, write)
	case err == nil:
		err = replaceFile(target, direct, write)
	}
	if err == nil {
		return nil
	}
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		err = pe.Err
	}
	if le, ok := errors.AsType[*os.LinkError](err); ok {
		err = le.Err
	}
	if target != path && !direct {
		what += " through the link to " + target
	}
	return fmt.Errorf("%s: cannot write the %s: %w (choose a file in a folder that is there and writable)", path, what, err)
}

// replaceFile writes a file under a temporary name and renames it, or, where it is no regular file or direct says so,
// writes into what is there.
func replaceFile(path string, direct bool, write func(io.Writer) error) error {
	mode := fs.FileMode(0o666)
	info, err := os.Stat(path)
	there := err == nil
	if there {
		if info.IsDir() {
			return errors.New("it is a folder")
		}
		// A file that may not be written is not replaced either.
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		if direct || !info.Mode().IsRegular() {
			return errors.Join(buffered(f, write), f.Close())
		}
		if err := f.Close(); err != nil {
			return err
		}
		mode = info.Mode().Perm()
	}
	dir, base := filepath.Split(path)
	// A base name may have 255 bytes, which would leave no room for more.
	name := fmt.Sprintf("%s.%s.incomplete-%08x", dir, base[:min(len(base), 200)], rand.Uint32())
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	err = errors.Join(buffered(f, write), f.Close())
	if err == nil && there {
		err = os.Chmod(name, mode) // creating took the umask off
	}
	if err == nil {
		err = os.Rename(name, path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(name))
	}
	return nil
}

func buffered(w io.Writer, write func(io.Writer) error) error {
	b := bufio.NewWriter(w)
	if err := write(b); err != nil {
		return err
	}
	return b.Flush()
}
