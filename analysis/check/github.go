package check

import (
	"fmt"
	"io"
	"strings"
)

// Characters that would end a workflow command of GitHub Actions, or its properties, as the toolkit escapes them
// (actions/toolkit, packages/core/src/command.ts).
var (
	githubData     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	githubProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

// Annotations writes a workflow command of GitHub Actions for each failure, which marks its line in the view of a pull
// request.
func Annotations(w io.Writer, reports []*Report) error {
	for _, r := range reports {
		for _, f := range r.Failures() {
			properties := "file=" + githubProperty.Replace(repositoryFile(r))
			if f.Line > 0 {
				properties += fmt.Sprintf(",line=%d,col=%d", f.Line, f.Column)
			}
			properties += ",title=" + githubProperty.Replace("braid check "+f.Scenario)
			if _, err := fmt.Fprintf(w, "::error %s::%s\n", properties, githubData.Replace(f.Title+": "+f.Text)); err != nil {
				return err
			}
		}
	}
	return nil
}
