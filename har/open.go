package har

import (
	"os"
	"strings"

	"braid/sim/page"
)

// Open reads a page of a HAR file. arg is the file's name, or FILE#id, FILE#number (from 1) or FILE#* to choose a page
// as File.Page does; a file whose whole name is arg comes first. An unreadable file, text that is no HAR, and a page
// without transfers are errors; findings may come with an error, as far as reading got.
func Open(arg string, o Options) (*page.Page, []Finding, error) {
	name, selector := SplitName(arg)
	f, err := ReadFile(name)
	if err != nil {
		return nil, nil, err
	}
	return f.Page(selector, o)
}

// SplitName splits FILE#selector. File names and page ids may both hold "#": the shortest name that exists is the
// file; if none does, the name ends at the first "#".
func SplitName(arg string) (name, selector string) {
	if exists(arg) || !strings.Contains(arg, "#") {
		return arg, ""
	}
	for i := range len(arg) {
		if arg[i] == '#' && exists(arg[:i]) {
			return arg[:i], arg[i+1:]
		}
	}
	name, selector, _ = strings.Cut(arg, "#")
	return name, selector
}

func exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}
