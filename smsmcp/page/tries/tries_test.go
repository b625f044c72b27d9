package tries

import (
	"fmt"
	"testing"
	"time"
)

const perMinute = 5

// TestInvariant12AClockSetBackGivesNoTries: a try that is taken in the past fills nothing when the clock comes forward again.
func TestInvariant12AClockSetBackGivesNoTries(t *testing.T) {
	tr, now := New(perMinute, perMinute), time.Date(2026, 11, 30, 14, 5, 0, 0, time.UTC)
	for i := range perMinute {
		at := now
		if i == perMinute-1 {
			at = now.Add(-time.Hour)
		}
		if !tr.Take("x", at) {
			t.Fatal(i)
		}
	}
	if tr.Take("x", now) {
		t.Error("there is a sixth")
	}
}

func TestTriersAreBounded(t *testing.T) {
	tr := New(perMinute, perMinute)
	now := time.Date(2026, 11, 30, 14, 5, 0, 0, time.UTC)
	for i := range most + 100 {
		tr.Take(fmt.Sprint(i), now)
	}
	if len(tr.all) > most {
		t.Error(len(tr.all))
	}
	tr.Take("x", now.Add(time.Hour))
	if len(tr.all) != 1 {
		t.Errorf("%d are kept that say nothing any more", len(tr.all))
	}
}

// TestPlacesAreBounded: the last are kept.
func TestPlacesAreBounded(t *testing.T) {
	k, now := NewPlaces(32, 30*24*time.Hour), time.Date(2026, 11, 30, 14, 5, 0, 0, time.UTC)
	for i := range 3 * 32 {
		k.Add(fmt.Sprint(i), now.Add(time.Duration(i)))
	}
	if len(k.all) != 32 || !k.Has(fmt.Sprint(2*32), now.Add(time.Hour)) || k.Has(fmt.Sprint(2*32-1), now.Add(time.Hour)) {
		t.Error(len(k.all))
	}
}
