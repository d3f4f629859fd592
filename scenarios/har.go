package scenarios

import (
	"fmt"

	"braid/sim/page"
)

// readHAR reads the page of a HAR.
func readHAR(data []byte, file, fragment, deps string) (*page.Page, error) {
	return nil, fmt.Errorf("%s: HAR files cannot be read", file)
}
