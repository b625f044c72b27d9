package main

import (
	"testing"
	"time"
)

func TestWhenReadsWhatPeopleType(t *testing.T) {
	zone, err := time.LoadLocation("America/Toronto")
	if err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, 12, 1, 2, 0, 0, 0, time.UTC) // still November 30 in Toronto
	for s, want := range map[string]string{
		"14:05": "2026-11-30T19:05:00Z", "2026-07-01 14:05": "2026-07-01T18:05:00Z", "2026-07-01T14:05:00+02:00": "2026-07-01T12:05:00Z",
	} {
		if got, err := when(s, now, zone); err != nil || got.Format(time.RFC3339) != want {
			t.Errorf("%s: %v %v", s, got, err)
		}
	}
	if _, err := when("noon", now, zone); err == nil {
		t.Error("noon")
	}
}
