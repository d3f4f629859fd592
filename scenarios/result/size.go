package result

import "strconv"

// Size writes a number of bytes with three digits and a decimal unit.
func Size(bytes int64) string {
	x, unit := float64(bytes), "B"
	for _, next := range []string{"kB", "MB", "GB", "TB", "PB"} {
		if x < 1000 {
			break
		}
		x, unit = x/1000, next
	}
	return strconv.FormatFloat(x, 'g', 3, 64) + " " + unit
}
