package scenarios

import (
	"path"
	"strings"
	"unicode/utf8"
)

// suggest returns the name closest to what was written, or "" if none is close: at most one edit in three characters.
func suggest(written string, names []string) string {
	best, at := "", utf8.RuneCountInString(written)/3+1
	for _, n := range names {
		if d := editDistance(strings.ToLower(written), strings.ToLower(n)); d < at || d == at && best == "" && d <= 2 {
			best, at = n, d
		}
	}
	return best
}

// DidYouMean is the end of an error about an unknown name: the name that was most likely meant, and what there is.
func DidYouMean(written, what string, names []string) string {
	all := ""
	if what != "" && len(names) > 0 {
		all = what + ": " + enumerate(names)
	}
	s := suggest(written, names)
	switch {
	case s != "" && all != "":
		return " (did you mean \"" + s + "\"? " + all + ")"
	case s != "":
		return " (did you mean \"" + s + "\"?)"
	case all != "":
		return " (" + all + ")"
	}
	return ""
}

// enumerate joins names, the first 40 of them.
func enumerate(names []string) string {
	const most = 40
	if len(names) > most {
		return strings.Join(names[:most], ", ") + ", ..."
	}
	return strings.Join(names, ", ")
}

// editDistance is the number of insertions, deletions, replacements and swaps of neighbours that turn a into b (optimal
// string alignment).
func editDistance(a, b string) int {
	s, t := []rune(a), []rune(b)
	before, last, row := make([]int, len(t)+1), make([]int, len(t)+1), make([]int, len(t)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(s); i++ {
		row[0] = i
		for j := 1; j <= len(t); j++ {
			cost := 1
			if s[i-1] == t[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && s[i-1] == t[j-2] && s[i-2] == t[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(t)]
}

// globMatch is path.Match where a pattern that is none matches nothing.
func globMatch(pattern, name string) bool {
	ok, err := path.Match(pattern, name)
	return err == nil && ok
}
