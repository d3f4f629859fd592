package scenarios

import (
	"embed"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"sort"
	"strings"
)

// libraryFS holds the scenarios that ship, one folder for each source.
//
//go:embed library
var libraryFS embed.FS

const (
	libraryDir = "library"
	extension  = ".yaml"
	schemaFile = "scenario.schema.json"
)

// Library returns the names of the scenarios that ship, sorted: "quickstart", "socket-intents/table4".
func Library() []string {
	var names []string
	err := fs.WalkDir(libraryFS, libraryDir, func(p string, d fs.DirEntry, err error) error {
		if err == nil && path.Ext(p) == extension {
			names = append(names, strings.TrimSuffix(strings.TrimPrefix(p, libraryDir+"/"), extension))
		}
		return err
	})
	if err != nil {
		panic(err) // a programming error: the files are part of the program
	}
	sort.Strings(names)
	return names
}

// libraryFile returns the text of a scenario that ships.
func libraryFile(name string) ([]byte, bool) {
	data, err := libraryFS.ReadFile(libraryDir + "/" + name + extension)
	return data, err == nil
}

// LibrarySource returns where the file of a scenario that ships is in the source of braid.
func LibrarySource(name string) string { return "scenarios/" + libraryDir + "/" + name + extension }

// Show returns the text of a scenario that ships, without the line that points editors at the schema beside it. An unknown
// name is an error that lists what there is.
func Show(name string) ([]byte, error) {
	data, ok := libraryFile(name)
	if !ok {
		return nil, fmt.Errorf("no scenario %q in the library%s", name, DidYouMean(name, "library", Library()))
	}
	if first, rest, ok := strings.Cut(string(data), "\n"); ok && strings.HasPrefix(first, "# yaml-language-server:") {
		return []byte(rest), nil
	}
	return data, nil
}

// Export writes the library into a folder, with the schema, and returns the files written. It makes the folder where it is
// missing; files that are there and differ are not touched, they are an error.
func Export(dir string) ([]string, error) {
	type file struct {
		from, to string
	}
	files := []file{{path.Join(libraryDir, schemaFile), filepath.Join(dir, schemaFile)}}
	for _, name := range Library() {
		files = append(files, file{path.Join(libraryDir, name+extension), filepath.Join(dir, filepath.FromSlash(name)+extension)})
	}
	var written []string
	for _, f := range files {
		data, err := libraryFS.ReadFile(f.from)
		if err != nil {
			return written, err
		}
		old, err := os.ReadFile(f.to)
		switch {
		case err == nil && string(old) == string(data):
			continue
		case err == nil:
			return written, fmt.Errorf("%s is there and differs (move it away, or export into another folder)", f.to)
		}
		if err := writeFile(f.to, data); err != nil {
			return written, err
		}
		written = append(written, f.to)
	}
	return written, nil
}

// writeFile writes a file whole or not at all, and makes its folder.
func writeFile(name string, data []byte) (err error) {
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(name), ".braid-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			os.Remove(f.Name())
		}
	}()
	if _, err := f.Write(data); err != nil {
		f.Close()
		return err
	}
	if err := f.Chmod(0o644); err != nil {
		f.Close()
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), name)
}
