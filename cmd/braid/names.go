package main

import (
	"errors"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
)

// The types below are flags and arguments that name something. An empty one is an error: it is what a shell makes of a
// variable that is not set, and would count as if the flag were not given.

// fileName names a file.
type fileName string

// Decode implements kong.MapperValue.
func (f *fileName) Decode(ctx *kong.DecodeContext) error {
	name, err := popName(ctx, "a file's name")
	*f = fileName(name)
	return err
}

// folderName names a folder; it becomes absolute, and ~ the home folder.
type folderName string

// Decode implements kong.MapperValue.
func (f *folderName) Decode(ctx *kong.DecodeContext) error {
	name, err := popName(ctx, "a folder's name")
	if err == nil {
		*f = folderName(kong.ExpandPath(name))
	}
	return err
}

// names are several names, apart by commas or in flags of their own.
type names []string

// Decode implements kong.MapperValue.
func (n *names) Decode(ctx *kong.DecodeContext) error {
	text, err := popName(ctx, "a name")
	if err != nil {
		return err
	}
	list := strings.Split(text, ",")
	if slices.Contains(list, "") {
		return errors.New("a name is empty (expected names with commas between them)")
	}
	*n = append(*n, list...)
	return nil
}

// popName takes the next word of the command line.
func popName(ctx *kong.DecodeContext, expected string) (string, error) {
	var name string
	if err := ctx.Scan.PopValueInto("word", &name); err != nil {
		return "", err
	}
	if name == "" {
		return "", errors.New("is empty (expected " + expected + ")")
	}
	return name, nil
}
