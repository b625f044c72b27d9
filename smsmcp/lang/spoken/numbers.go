package spoken

import (
	"strconv"
	"strings"
	"time"

	"readback/smsmcp/lang"
)

var ones = map[lang.Lang][]string{
	lang.EN: strings.Fields("zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen"),
	lang.FR: strings.Fields("zéro un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept dix-huit dix-neuf"),
}

var tens = map[lang.Lang][]string{
	lang.EN: strings.Fields("- - twenty thirty forty fifty sixty seventy eighty ninety"),
	lang.FR: strings.Fields("- - vingt trente quarante cinquante soixante soixante quatre-vingt quatre-vingt"),
}

// MaxNumber is the greatest number that Number puts in words.
const MaxNumber = 999_999_999

// Number gives a number in words, from 0 to MaxNumber; of any other, its digits.
func Number(l lang.Lang, n int) string {
	switch {
	case n < 0 || n > MaxNumber:
		return strconv.Itoa(n)
	case l == lang.FR:
		return french(n)
	}
	return english(n)
}

func english(n int) string {
	w := ones[lang.EN]
	switch {
	case n < 20:
		return w[n]
	case n < 100:
		return and(tens[lang.EN][n/10], n%10, "-", english)
	case n < 1000:
		return and(w[n/100]+" hundred", n%100, " ", english)
	case n < 1_000_000:
		return and(english(n/1000)+" thousand", n%1000, " ", english)
	}
	return and(english(n/1_000_000)+" million", n%1_000_000, " ", english)
}

func french(n int) string {
	w := ones[lang.FR]
	switch {
	case n < 20:
		return w[n]
	case n < 100:
		ten, rest := tens[lang.FR][n/10], n%10
		if n/10 == 7 || n/10 == 9 {
			rest += 10
		}
		switch {
		case n == 80:
			return ten + "s"
		case n < 80 && (rest == 1 || rest == 11):
			return ten + " et " + w[rest]
		}
		return and(ten, rest, "-", french)
	case n < 200:
		return and("cent", n-100, " ", french)
	case n < 1000:
		if n%100 == 0 {
			return w[n/100] + " cents"
		}
		return and(w[n/100]+" cent", n%100, " ", french)
	case n < 2000:
		return and("mille", n-1000, " ", french)
	case n < 1_000_000:
		return and(french(n/1000)+" mille", n%1000, " ", french)
	case n < 2_000_000:
		return and("un million", n-1_000_000, " ", french)
	}
	return and(french(n/1_000_000)+" millions", n%1_000_000, " ", french)
}

// and appends what is left of a number, if anything is.
func and(s string, rest int, between string, words func(int) string) string {
	if rest == 0 {
		return s
	}
	return s + between + words(rest)
}

// Digits says digits one by one: each stands alone, so that no voice makes a number of them.
func Digits(s string) string { return strings.Join(strings.Split(s, ""), " ") }

// Clock says the time of day to the minute.
func Clock(l lang.Lang, t time.Time) string {
	h, m := t.Hour(), t.Minute()
	if l == lang.FR {
		s := strconv.Itoa(h) + " heures"
		if h < 2 {
			s = strconv.Itoa(h) + " heure"
		}
		if m > 0 {
			s += " " + strconv.Itoa(m)
		}
		return s
	}
	half := "am"
	if h >= 12 {
		half = "pm"
	}
	s := strconv.Itoa((h+11)%12 + 1)
	switch {
	case m > 9:
		s += " " + strconv.Itoa(m)
	case m > 0:
		s += " oh " + strconv.Itoa(m)
	}
	return s + " " + half
}

// Until says a time to come, as what stands behind "until", "after" or "before": the time of day, and the day if it is not today. Both times are in one zone.
func Until(l lang.Lang, at, now time.Time) string {
	clock, weekday := Clock(l, at), Weekdays[at.Weekday()].In(l)
	switch days := DayNumber(at) - DayNumber(now); {
	case days == 0:
		return clock
	case days == 1:
		return Tomorrow.In(l, clock)
	case days > 1 && days < 7:
		return NextWeekday.In(l, weekday, clock)
	}
	return NextDate.In(l, weekday, at.Day(), Months[at.Month()-1].In(l), clock)
}

// DayNumber counts the days of the calendar, whatever the length that the zone gives them.
func DayNumber(t time.Time) int {
	return int(time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, time.UTC).Unix() / 86400)
}
