package summary

import (
	"fmt"

	"braid/analysis/measure"
)

// Lessons says in a sentence or two, for each profile, which policy most often gains over the first one, and which most
// often loses. The first is the one with the largest share of loads in which it is faster less the share in which it is
// slower; the second the one with the largest share in which it is slower. Of equal ones the median speed-up decides.
// Nil when nothing was compared.
//
// No average is told: one of 0.97 may hide that half the loads take four times as long and others a tenth of the time.
func (s *Summary) Lessons() []string {
	profiles := s.Profiles()
	var lines []string
	for _, profile := range profiles {
		best, worst := s.extremes(profile)
		if best == nil {
			continue
		}
		prefix := ""
		if len(profiles) > 1 {
			prefix = profile + ": "
		}
		lines = append(lines, prefix+gain(best, s.baseline))
		if worst != nil {
			lines = append(lines, prefix+loss(worst, s.baseline))
		}
	}
	return lines
}

// extremes returns the group that gains most often and, if another is slower than the first policy in some load, the one
// that loses most often.
func (s *Summary) extremes(profile string) (best, worst *Group) {
	for _, g := range s.groups {
		if g.Profile != profile || g.SpeedUp.N() == 0 {
			continue
		}
		if best == nil || g.gainsOver(best) {
			best = g
		}
		if g.below > 0 && (worst == nil || g.losesMore(worst)) {
			worst = g
		}
	}
	if worst == best && best != nil && best.above > 0 {
		worst = nil
	}
	return best, worst
}

// gainsOver says whether g gains more often than h; one that is never faster gains less often than any other.
func (g *Group) gainsOver(h *Group) bool {
	if g.above == 0 || h.above == 0 {
		return g.above > 0 && h.above == 0
	}
	a, b := g.Above()-g.Below(), h.Above()-h.Below()
	return a > b || a == b && g.SpeedUp.Quantile(0.5) > h.SpeedUp.Quantile(0.5)
}

// losesMore says whether g loses more often than h.
func (g *Group) losesMore(h *Group) bool {
	a, b := g.Below(), h.Below()
	return a > b || a == b && g.SpeedUp.Quantile(0.5) < h.SpeedUp.Quantile(0.5)
}

func gain(g *Group, baseline string) string {
	n := plural(g.SpeedUp.N(), "load")
	if g.above == 0 {
		return fmt.Sprintf("No policy is faster than %s in any of %s.", baseline, n)
	}
	return fmt.Sprintf("%s gains most often: faster than %s in %s %% of %s, slower in %s %%; in the best twentieth at least %s times as fast.",
		g.Policy, baseline, measure.Percent(g.Above()), n, measure.Percent(g.Below()), ratio(g.SpeedUp.Quantile(0.95)))
}

func loss(g *Group, baseline string) string {
	return fmt.Sprintf("%s loses most often: slower than %s in %s %% of %s, faster in %s %%; in the worst twentieth at most %s times as fast.",
		g.Policy, baseline, measure.Percent(g.Below()), plural(g.SpeedUp.N(), "load"), measure.Percent(g.Above()), ratio(g.SpeedUp.Quantile(0.05)))
}
