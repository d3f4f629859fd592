package summary

import "fmt"

// Lessons says in a sentence or two, for each profile, which policy gains most over the first one and which loses
// most, judged by the geometric mean of the speed-ups. Nil when nothing was compared.
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

// extremes returns the group that gains most and, if another is slower than the first policy on average or in more
// loads than it is faster, the one that loses most.
func (s *Summary) extremes(profile string) (best, worst *Group) {
	for _, g := range s.groups {
		if g.Profile != profile || g.SpeedUp.N() == 0 {
			continue
		}
		if best == nil || g.Mean() > best.Mean() {
			best = g
		}
		if worst == nil || g.Mean() < worst.Mean() {
			worst = g
		}
	}
	if worst == best || worst != nil && worst.Mean() >= 1 && worst.below <= worst.above {
		worst = nil
	}
	return best, worst
}

func gain(g *Group, baseline string) string {
	if g.above == 0 {
		return fmt.Sprintf("No policy beats %s in any of %s.", baseline, plural(g.SpeedUp.N(), "load"))
	}
	return fmt.Sprintf("%s gains most over %s: %s times as fast on average (geometric mean), faster in %s %% and slower in %s %% of %s.",
		g.Policy, baseline, ratio(g.Mean()), percent(g.Above()), percent(g.Below()), plural(g.SpeedUp.N(), "load"))
}

func loss(g *Group, baseline string) string {
	return fmt.Sprintf("%s loses most: %s times as fast as %s on average, slower in %s %% of them, %s times as fast or less in the worst twentieth.",
		g.Policy, ratio(g.Mean()), baseline, percent(g.Below()), ratio(g.SpeedUp.Quantile(0.05)))
}
