package repeat

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"braid/scenarios/result"
)

// folders are where the pages of results are looked for unless a folder is named: where the program was started, the folder
// that the results' folder is in, and that one.
func folders(results string) []string {
	dir := filepath.Clean(results)
	if info, err := os.Stat(dir); err == nil && !info.IsDir() {
		dir = filepath.Dir(dir)
	}
	return slices.Compact([]string{".", filepath.Dir(dir), dir})
}

// findFolder returns the first of the folders in which the pages are that the manifest names from its scenario's folder, with
// the bytes they had. Where there is none, the error says what each page lacks in the folder that comes closest.
func findFolder(m *result.Manifest, folders []string) (string, error) {
	var closest string
	var fewest []string
	for i, dir := range folders {
		missing := pageFaults(m, dir)
		if len(missing) == 0 {
			return dir, nil
		}
		if i == 0 || len(missing) < len(fewest) {
			closest, fewest = dir, missing
		}
	}
	const most = 5
	if more := len(fewest) - most; more > 0 {
		fewest = append(fewest[:most], fmt.Sprintf("and %d more", more))
	}
	return "", fmt.Errorf("the pages of the scenario are not in %s as they were when the rows were made:\n  %s",
		closest, strings.Join(fewest, "\n  "))
}

// pageFaults says what is wrong in the folder with the pages that are named from the scenario's folder.
func pageFaults(m *result.Manifest, dir string) (faults []string) {
	for _, in := range pages(m) {
		name := filepath.FromSlash(in.Name)
		if !filepath.IsLocal(name) {
			continue // elsewhere on the machine that made the rows: the scenario says where, and checkInputs compares
		}
		digest, err := digestOf(filepath.Join(dir, name))
		switch {
		case errors.Is(err, fs.ErrNotExist):
			faults = append(faults, in.Name+": is not there")
		case err != nil:
			faults = append(faults, in.Name+": "+err.Error())
		case digest != in.SHA256:
			faults = append(faults, in.Name+": "+otherBytes(digest, in.SHA256))
		}
	}
	return faults
}

func otherBytes(is, was string) string {
	const digits = 12
	return fmt.Sprintf("has other bytes (SHA-256 %.*s..., was %.*s...)", digits, is, digits, was)
}

// pages are the inputs but for the scenario's own file.
func pages(m *result.Manifest) (list []result.Digest) {
	for _, in := range m.Inputs {
		if in.Name != m.Scenario.File {
			list = append(list, in)
		}
	}
	return list
}

// outsidePages names a page that is not below the scenario's folder; empty: there is none.
func outsidePages(m *result.Manifest) string {
	for _, in := range pages(m) {
		if !filepath.IsLocal(filepath.FromSlash(in.Name)) {
			return in.Name
		}
	}
	return ""
}

func digestOf(file string) (string, error) {
	f, err := os.Open(file)
	if err != nil {
		if pe, ok := errors.AsType[*fs.PathError](err); ok {
			err = pe.Err
		}
		return "", err
	}
	digest := sha256.New()
	_, err = io.Copy(digest, f)
	return hex.EncodeToString(digest.Sum(nil)), errors.Join(err, f.Close())
}
