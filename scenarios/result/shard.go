package result

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// Shard is one of Count parts of a grid, with files of its own. The zero value is the whole grid.
type Shard struct {
	Index int `json:"index"` // from 1
	Count int `json:"count"`
}

// MaxShards bounds Count: each shard is a file.
const MaxShards = 100_000

// ParseShard reads a shard like 3/8. 1/1 is the whole grid.
func ParseShard(text string) (Shard, error) {
	index, count, _ := strings.Cut(text, "/")
	i, err := strconv.Atoi(index)
	n, err2 := strconv.Atoi(count)
	if err != nil || err2 != nil || fmt.Sprintf("%d/%d", i, n) != text {
		return Shard{}, fmt.Errorf("%q is no shard (expected i/n, like 3/8)", text)
	}
	return NewShard(i, n)
}

// NewShard returns shard i, from 1, of n.
func NewShard(i, n int) (Shard, error) {
	switch {
	case n < 1 || n > MaxShards:
		return Shard{}, fmt.Errorf("%d shards (expected 1 to %d)", n, MaxShards)
	case i < 1 || i > n:
		return Shard{}, fmt.Errorf("shard %d of %d (shards count from 1 to %d)", i, n, n)
	case n == 1:
		return Shard{}, nil
	}
	return Shard{i, n}, nil
}

// Whole says whether this is the whole grid.
func (s Shard) Whole() bool { return s.Count == 0 }

// String writes the shard as ParseShard reads it.
func (s Shard) String() string {
	if s.Whole() {
		return "1/1"
	}
	return fmt.Sprintf("%d/%d", s.Index, s.Count)
}

// file names a file of the shard. Numbers are padded, so that names sort as shards do.
func (s Shard) file(base, ending string) string {
	if s.Whole() {
		return base + "." + ending
	}
	n := strconv.Itoa(s.Count)
	return fmt.Sprintf("%s-%0*d-of-%s.%s", base, len(n), s.Index, n, ending)
}

// Names of the files of results, before number and ending.
const (
	rowsBase     = "rows"
	manifestBase = "manifest"
)

// Endings of the files beside the rows.
const (
	journalEnding  = "journal"
	manifestEnding = "json"
)

var partName = regexp.MustCompile(`^(rows|manifest)(?:-([0-9]+)-of-([0-9]+))?\.([a-z]+)$`)

// part takes the name of a file of results apart.
type part struct {
	base, ending string
	shard        Shard
}

// parsePart takes a name apart; false: it is not one of a file of results.
func parsePart(name string) (part, bool) {
	m := partName.FindStringSubmatch(name)
	if m == nil {
		return part{}, false
	}
	p := part{base: m[1], ending: m[4]}
	if m[2] != "" {
		i, err := strconv.Atoi(m[2])
		n, err2 := strconv.Atoi(m[3])
		if err != nil || err2 != nil {
			return part{}, false
		}
		if p.shard, err = NewShard(i, n); err != nil || p.shard.Whole() {
			return part{}, false
		}
	}
	if p.shard.file(p.base, p.ending) != name {
		return part{}, false
	}
	switch _, isRows := formatOf(name); {
	case p.base == rowsBase && (isRows || p.ending == journalEnding):
		return p, true
	case p.base == manifestBase && p.ending == manifestEnding:
		return p, true
	}
	return part{}, false
}
