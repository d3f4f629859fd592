package result

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
)

// file is a file that gets its name only when it is complete: until then it is a temporary one in the same directory.
type file struct {
	*os.File
	final string
}

// temporaryMark is in the names of files that are not complete.
const temporaryMark = ".incomplete-"

// removeTemporary removes what a run that was killed left of the file of that name.
func removeTemporary(dir, name string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), "."+name+temporaryMark) {
			continue
		}
		if err := os.Remove(filepath.Join(dir, e.Name())); err != nil {
			return err
		}
	}
	return nil
}

// createFile begins the file of that name, with the permissions a plain file gets (os.CreateTemp would give 0600).
func createFile(path string) (*file, error) {
	for {
		dir, base := filepath.Split(path)
		name := fmt.Sprintf("%s.%s%s%08x", dir, base, temporaryMark, rand.Uint32())
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if err == nil {
			return &file{f, path}, nil
		}
		if !errors.Is(err, fs.ErrExist) {
			return nil, err
		}
	}
}

// commit gives the file its name, once its bytes are on the disk.
func (f *file) commit() error {
	err := f.Sync()
	err = errors.Join(err, f.Close())
	if err == nil {
		err = os.Rename(f.Name(), f.final)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return syncDir(f.final)
}

// abort removes what was written.
func (f *file) abort() error { return errors.Join(f.Close(), os.Remove(f.Name())) }

// withoutPath takes the name of the file out of an error of the operating system.
func withoutPath(err error) error {
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		return pe.Err
	}
	return err
}

// syncDir brings the names in the file's directory onto the disk.
func syncDir(path string) error {
	d, err := os.Open(filepath.Dir(path))
	if err != nil {
		return err
	}
	err = d.Sync()
	if errors.Is(err, errors.ErrUnsupported) || errors.Is(err, fs.ErrInvalid) {
		err = nil // a file system that has no such thing
	}
	return errors.Join(err, d.Close())
}
