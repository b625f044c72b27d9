package voipms

import "time"

// voip.ms writes the wall clock of US Eastern time, with its summer time, and filters on the dates of that clock.
const (
	dateForm = "2006-01-02"
	timeForm = "2006-01-02 15:04:05"
)

// day is a date of the carrier's calendar, as midnight UTC: days are counted without hours that a zone adds or drops.
type day time.Time

func dayOf(t time.Time, zone *time.Location) day {
	y, m, d := t.In(zone).Date()
	return day(time.Date(y, m, d, 0, 0, 0, 0, time.UTC))
}

func (d day) String() string      { return time.Time(d).Format(dateForm) }
func (d day) add(n int) day       { return day(time.Time(d).AddDate(0, 0, n)) }
func (d day) before(e day) bool   { return time.Time(d).Before(time.Time(e)) }
func (d day) daysUntil(e day) int { return int(time.Time(e).Sub(time.Time(d)) / (24 * time.Hour)) }

// skew is how far the carrier's clock may be ahead of ours.
const skew = 2 * time.Minute

// wallClock reads a time of the carrier. The hour that comes twice in autumn is taken as its second coming, unless that is yet to come: a text
// is seen within minutes, and a send is never found to be older than it is. The hour that spring leaves out is read by winter time.
func wallClock(s string, zone *time.Location, now time.Time) (time.Time, bool) {
	wall, err := time.Parse(timeForm, s)
	if err != nil || wall.Year() < 2000 || wall.Year() > 2200 {
		return time.Time{}, false
	}
	var fits []time.Time // earliest first, as the offset before a change and the one after it
	before := offset(wall.Add(-26*time.Hour), zone)
	for _, off := range []time.Duration{before, offset(wall.Add(26*time.Hour), zone)} {
		at := wall.Add(-off)
		if offset(at, zone) == off && (len(fits) == 0 || !fits[0].Equal(at)) {
			fits = append(fits, at)
		}
	}
	switch len(fits) {
	case 0:
		return wall.Add(-before), true
	case 2:
		first, second := fits[0], fits[1]
		if second.Before(first) {
			first, second = second, first
		}
		if second.After(now.Add(skew)) {
			return first, true
		}
		return second, true
	}
	return fits[0], true
}

func offset(t time.Time, zone *time.Location) time.Duration {
	_, s := t.In(zone).Zone()
	return time.Duration(s) * time.Second
}
