package socketintents_test

import (
	"fmt"
	"log"
	"time"

	"braid/analysis/socketintents"
	"braid/scenarios"
)

// The losses of EAF in the first cases of a scenario, under the profile of the published simulator.
func ExampleStatement_Losses() {
	scenario, err := scenarios.Load("socket-intents/table4-small") // or the file a result was made from
	if err != nil {
		log.Fatal(err)
	}
	grid, err := scenario.Grid()
	if err == nil {
		grid, err = grid.Where("profile=dtsimulator")
	}
	if err == nil {
		grid, err = grid.Sample(scenarios.Sample{Cases: 300})
	}
	if err != nil {
		log.Fatal(err)
	}
	eaf := socketintents.EAF
	cases, err := eaf.Losses(grid, func(c socketintents.Case) error {
		l := c.Loss
		fmt.Printf("%s: %v slower, object %d %v, as the paper says: %v\n", c.Run.Spec.Page.Name,
			(l.Load - l.Than).Round(time.Millisecond), l.Late.Object, l.Late.Cause, l.Meets(eaf.Conditions))
		return nil
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(cases, "cases")
	// Output:
	// alexa-2015-p0011-c06: 57ms slower, object 1 comes over other interfaces, as the paper says: false
	// alexa-2015-p0016-c05: 76ms slower, object 22 comes over the same interfaces with a smaller share, as the paper says: false
	// alexa-2015-p0075-c06: 29ms slower, object 48 comes over the same interfaces with a smaller window, as the paper says: false
	// alexa-2015-p0084-c08: 1ms slower, object 22 comes over other interfaces, as the paper says: false
	// alexa-2015-p0500-c01: 35ms slower, object 7 comes over other interfaces, as the paper says: false
	// alexa-2015-p0839-c01: 92ms slower, object 12 opens a connection where the other run has one, or a nearer one, as the paper says: false
	// 300 cases
}
