package call

import (
	"slices"
	"testing"

	"readback/voice/media"
)

// TestWhatIsBegunAnew: a scene with a proof that something was misheard, three times in all; never one in which what must not be was.
func TestWhatIsBegunAnew(t *testing.T) {
	for name, c := range map[string]struct {
		scene func(a *try, n int)
		begun int
		fails bool
	}{
		"all is well":                 {func(*try, int) {}, 1, false},
		"a fault":                     {func(a *try, _ int) { a.Fatal("x") }, 1, true},
		"something misheard":          {func(a *try, n int) { misheardUntil(a, n, 2) }, 2, false},
		"each time":                   {func(a *try, n int) { misheardUntil(a, n, 9) }, 3, true},
		"misheard, and a fault then":  {func(a *try, n int) { misheardUntil(a, n, 2); a.Error("x") }, 2, true},
		"misheard, and it was well":   {func(a *try, _ int) { a.evidence("x") }, 1, false},
		"misheard, and an alarm":      {func(a *try, _ int) { a.evidence("x"); a.alarm("y") }, 1, true},
		"an alarm when it is over":    {func(a *try, _ int) { a.Cleanup(func() { a.alarm("y") }); a.lost("x") }, 1, true},
		"a proof that is found later": {func(a *try, n int) { a.Cleanup(func() { a.evidence("x") }); misheardLater(a, n) }, 2, false},
	} {
		t.Run(name, func(t *testing.T) {
			outer, begun := &try{TB: t}, 0
			again(outer, func(a *try, first bool) {
				if begun++; first != (begun == 1) {
					t.Errorf("first is %v at %d", first, begun)
				}
				c.scene(a, begun)
			})
			if begun != c.begun || len(outer.faults) > 0 != c.fails {
				t.Errorf("begun %d times; %q", begun, outer.faults)
			}
		})
	}
}

func misheardUntil(a *try, n, good int) {
	if n < good {
		a.lost("x")
	}
}

func misheardLater(a *try, n int) {
	if n == 1 {
		a.Fatal("x")
	}
}

// TestASoundIsKnownByItself, with holes in it and in the middle of others; and no other is.
func TestASoundIsKnownByItself(t *testing.T) {
	of := flite(t, "slt", "The text to Marie has left.")
	in := slices.Concat(make([]int16, 1234), of, make([]int16, 777), flite(t, "slt", "Dropped. Nothing has left."))
	for at := 2000; at+160 < len(in); at += 2000 { // every twelfth packet
		clear(in[at : at+160])
	}
	if s := share(in, of); s < 0.7 {
		t.Errorf("%.2f of it was found", s)
	}
	for _, other := range []string{"The text to Robert has left.", "This is the text to Marie.", "I had no plain answer: nothing has left."} {
		if s := share(in, flite(t, "slt", other)); s > 0.3 {
			t.Errorf("%.2f of %q was found", s, other)
		}
	}
	if s := share(nil, of) + share(of, make([]int16, media.Rate)); s != 0 {
		t.Errorf("%.2f of nothing", s)
	}
}
