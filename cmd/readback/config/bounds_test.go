package config

import (
	"bytes"
	"reflect"
	"strings"
	"testing"
	"time"
)

// bounding are the keys outside [guard] that bound the program or say who counts.
var bounding = map[string]bool{
	"time_zone": true, "phone.owners": true, "phone.silence": true, "phone.barge_in": true, "phone.max_message": true, "carrier.kind": true,
	"voipms.username": true, "voipms.did": true, "asterisk.endpoint": true, "asterisk.number": true, "asterisk.max_body": true, "read.mask_codes": true,
}

// TestInvariant09TheBoundsAreOfAllThatBounds, and of nothing else: a worker may listen, log and speak as it likes.
func TestInvariant09TheBoundsAreOfAllThatBounds(t *testing.T) {
	usual := Defaults()
	usual.Zone = time.UTC
	want := usual.Bounds()
	other := func(key string) []byte {
		c := Defaults()
		c.Zone = time.UTC
		switch v := keyValues(c)[key]; {
		case v.Type() == reflect.TypeFor[Span]():
			v.Set(reflect.ValueOf(lasting(v.Interface().(Span).Duration + time.Second)))
		case v.Kind() == reflect.Bool:
			v.SetBool(!v.Bool())
		case v.Kind() == reflect.Int:
			v.SetInt(v.Int() + 1)
		case v.Kind() == reflect.Slice:
			v.Set(reflect.ValueOf([]string{"+14185550100"}))
		default:
			v.SetString("another")
		}
		if key == "time_zone" {
			c.Zone, _ = time.LoadLocation("America/Toronto")
		}
		return c.Bounds()
	}
	for key := range keyValues(usual) {
		bounds := bounding[key] || strings.HasPrefix(key, "guard.")
		if differs := !bytes.Equal(other(key), want); differs != bounds {
			t.Errorf("%s: another value makes other bounds: %v", key, differs)
		}
	}
}

// TestInvariant09TheSameBoundsAreTheSame, however they are written.
func TestInvariant09TheSameBoundsAreTheSame(t *testing.T) {
	bounds := func(zone *time.Location, owners ...string) []byte {
		c := Defaults()
		c.Zone, c.Phone.Owners = zone, owners
		return c.Bounds()
	}
	toronto, err := time.LoadLocation("America/Toronto")
	if err != nil {
		t.Fatal(err)
	}
	havana, err := time.LoadLocation("America/Havana") // as far from UTC, and its clocks change an hour apart
	if err != nil {
		t.Fatal(err)
	}
	montreal, err := time.LoadLocation("America/Montreal")
	if err != nil {
		t.Fatal(err)
	}
	want := bounds(toronto, "+14185550100", "+14185550101")
	if !bytes.Equal(want, bounds(montreal, "+14185550101", "+14185550100", "+14185550101")) {
		t.Error("the order of owners, or a zone's name")
	}
	for what, b := range map[string][]byte{"an owner less": bounds(toronto, "+14185550100"), "another zone": bounds(havana, "+14185550100", "+14185550101")} {
		if bytes.Equal(want, b) {
			t.Error(what)
		}
	}
}
