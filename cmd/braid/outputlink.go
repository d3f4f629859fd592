package main

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// maxLinks is how many symbolic links a path may go through, as in Linux (path_resolution(7)).
const maxLinks = 40

// behindLinks follows the symbolic links at the end of a path to what they lead to, which need not be there. direct says
// that it is an open file of a process (/dev/fd/3 leads to /proc/self/fd/3): there is no name that could be replaced.
func behindLinks(path string) (target string, direct bool, err error) {
	for range maxLinks {
		info, err := os.Lstat(path)
		if err != nil || info.Mode()&fs.ModeSymlink == 0 {
			return path, false, nil // where it cannot be looked at, it cannot be written, which says why
		}
		dir, err := filepath.EvalSymlinks(filepath.Dir(path))
		if err != nil {
			return path, false, err
		}
		if strings.HasPrefix(dir, "/proc/") {
			return path, true, nil
		}
		to, err := os.Readlink(path)
		if err != nil {
			return path, false, err
		}
		if path = to; !filepath.IsAbs(to) {
			path = filepath.Join(dir, to)
		}
	}
	return path, false, errors.New("too many symbolic links")
}

// sameFile says whether both names are of one existing file.
func sameFile(a, b string) bool {
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && os.SameFile(x, y)
}

// sameOutput says whether what is written to one name would overwrite what is written to the other, now or once they are
// there.
func sameOutput(a, b string) bool {
	if sameFile(a, os.DevNull) {
		return false
	}
	return sameFile(a, b) || resolved(a) == resolved(b)
}

// resolved is the path without links, as far as it is there and can be looked at.
func resolved(path string) string {
	if target, _, err := behindLinks(path); err == nil {
		path = target
	}
	if dir, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil {
		path = filepath.Join(dir, filepath.Base(path))
	}
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	return path
}

// writesTo says whether the path names what the stream writes to, as /dev/stdout does. Nothing comes back from the null
// device, so that writing to it twice is no conflict.
func writesTo(stream io.Writer, path string) bool {
	f, ok := stream.(*os.File)
	if !ok || path == "" || sameFile(path, os.DevNull) {
		return false
	}
	x, err := f.Stat()
	if err != nil {
		return false
	}
	y, err := os.Stat(path)
	return err == nil && os.SameFile(x, y)
}
