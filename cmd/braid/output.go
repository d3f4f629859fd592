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
// A file that is there is replaced; what is there and is no regular file (/dev/stdout, a pipe) is written to directly.
// Errors name the path and what it is for.
func writeOutput(path, what string, write func(io.Writer) error) error {
	err := replaceFile(path, write)
	if err == nil {
		return nil
	}
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		err = pe.Err
	}
	if le, ok := errors.AsType[*os.LinkError](err); ok {
		err = le.Err
	}
	return fmt.Errorf("%s: cannot write the %s: %w (choose a file in a folder that is there and writable)", path, what, err)
}

func replaceFile(path string, write func(io.Writer) error) error {
	flags := os.O_WRONLY | os.O_CREATE | os.O_EXCL
	dir, base := filepath.Split(path)
	name := fmt.Sprintf("%s.%s.incomplete-%08x", dir, base, rand.Uint32())
	direct := false
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return errors.New("it is a folder")
	} else if err == nil && !info.Mode().IsRegular() {
		flags, name, direct = os.O_WRONLY, path, true
	}
	f, err := os.OpenFile(name, flags, 0o666)
	if err != nil {
		return err
	}
	b := bufio.NewWriter(f)
	err = write(b)
	if err == nil {
		err = b.Flush()
	}
	err = errors.Join(err, f.Close())
	if direct {
		return err
	}
	if err == nil {
		err = os.Rename(name, path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(name))
	}
	return nil
}
