package guard

import (
	"sort"
	"time"

	"readback/smsmcp"
)

// The codes of the rules that count (invariant 9).
const (
	RuleHour            smsmcp.Rule = "rate_hour"
	RuleDay             smsmcp.Rule = "rate_day"
	RuleKept            smsmcp.Rule = "rate_day_kept"
	RuleUnconfirmedHour smsmcp.Rule = "unconfirmed_hour"
	RuleUnconfirmedDay  smsmcp.Rule = "unconfirmed_day"
	RuleFanOut          smsmcp.Rule = "fan_out"
)

func every(Past) bool          { return true }
func notConfirmed(p Past) bool { return !p.Confirmed }

// over says whether the log holds limit entries or more that fit, in the window that ends now; and if so, when it will hold fewer.
func over(log []Past, limit int, window time.Duration, now time.Time, fits func(Past) bool) (smsmcp.Reason, bool) {
	log = recent(log, window, now)
	n := 0
	for _, p := range log {
		if fits(p) {
			n++
		}
	}
	if n < limit {
		return smsmcp.Reason{}, false
	}
	r := smsmcp.Reason{Count: n, Limit: limit}
	for _, p := range log {
		if limit > 0 && fits(p) {
			if n == limit {
				r.Until = p.At.Add(window)
				break
			}
			n--
		}
	}
	return r, true
}

// recent gives the end of the log, which is oldest first, that lies in the window.
func recent(log []Past, window time.Duration, now time.Time) []Past {
	return log[sort.Search(len(log), func(i int) bool { return within(log[i].At, window, now) }):]
}

func limits(s State, now time.Time, fits func(Past) bool, hourly, daily int, hourRule, dayRule smsmcp.Rule) (out []smsmcp.Reason) {
	if r, is := over(s.Log, hourly, hour, now, fits); is {
		r.Rule = hourRule
		out = append(out, r)
	}
	if r, is := over(s.Log, daily, day, now, fits); is {
		r.Rule = dayRule
		out = append(out, r)
	}
	return out
}

// rate bounds all texts.
func rate(g Settings, _ Attempt, s State, now time.Time) []smsmcp.Reason {
	return limits(s, now, every, g.PerHour, g.PerDay, RuleHour, RuleDay)
}

// kept keeps the last texts of the day for those that the owner confirms.
func kept(g Settings, a Attempt, s State, now time.Time) []smsmcp.Reason {
	if a.Confirmed {
		return nil
	}
	r, is := over(s.Log, g.PerDay-g.KeptForConfirmed, day, now, every)
	if !is {
		return nil
	}
	r.Rule = RuleKept
	return one(r)
}

// unconfirmed bounds the texts that nobody said yes to.
func unconfirmed(g Settings, _ Attempt, s State, now time.Time) []smsmcp.Reason {
	return limits(s, now, notConfirmed, g.UnconfirmedPerHour, g.UnconfirmedPerDay, RuleUnconfirmedHour, RuleUnconfirmedDay)
}

// fanOut asks before one body goes to one contact more than FanOut in an hour.
func fanOut(g Settings, a Attempt, s State, now time.Time) []smsmcp.Reason {
	digest := smsmcp.BodyDigest(a.Draft.Body())
	others := map[smsmcp.Number]bool{a.Draft.To(): true}
	for _, p := range recent(s.Log, hour, now) {
		if p.Body == digest {
			others[p.To] = true
		}
	}
	if len(others) <= g.FanOut {
		return nil
	}
	return one(smsmcp.Reason{Rule: RuleFanOut, Count: len(others) - 1, Limit: g.FanOut})
}
