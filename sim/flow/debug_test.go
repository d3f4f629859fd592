package flow

import (
	"braid/sim"
	"fmt"
	"os"
	"testing"
)

func TestDebug(t *testing.T) {
	name := os.Getenv("DBG_PAGE")
	if name == "" {
		t.Skip()
	}
	pol := os.Getenv("DBG_POL")
	for _, c := range append(handcrafted(t), recorded(t)...) {
		if c.page.Name != name {
			continue
		}
		for _, r := range c.runs {
			if n := fmt.Sprintf("%v %v", r.One, r.Two); n != os.Getenv("DBG_NET") {
				continue
			}
			s := r.spec(c.page, pol, sim.DTSimulator())
			tr := sim.NewTrace(s)
			res, err := New().Run(s)
			if err != nil {
				t.Fatal(err)
			}
			fmt.Println(res.LoadTime, "want", r.PLT[pol], tr.Check())
			for i, o := range tr.Objects {
				fmt.Printf("%3d %-25s %7d after %3d conn %3d", i, c.page.Objects[i].Host, c.page.Objects[i].Bytes, c.page.Objects[i].After, o.Conn)
				for _, s := range o.Spans {
					fmt.Printf(" %v:%.6f-%.6f", s.Phase, s.From.Seconds(), s.To.Seconds())
				}
				fmt.Println()
			}
		}
	}
}
