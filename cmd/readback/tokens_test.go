package main

import (
	"strings"
	"testing"
)

// TestWhetherAYesByATokenCounts: no token has the mark at first, and it is the owner's to give and to take.
func TestWhetherAYesByATokenCounts(t *testing.T) {
	h := newHome(t)
	h.ok("token", "new", "laptop")
	marked := func() bool {
		for _, line := range strings.Split(h.ok("token", "list"), "\n") {
			if strings.HasPrefix(line, "laptop ") {
				return strings.HasSuffix(strings.TrimSpace(line), " yes")
			}
		}
		t.Fatal("no such token")
		return false
	}
	if marked() {
		t.Error("a new token has the mark")
	}
	h.ok("token", "may-confirm", "laptop", "yes")
	if !marked() {
		t.Error("it has it not")
	}
	h.refused("after the name stands yes or no", "token", "may-confirm", "laptop", "maybe")
	h.refused("no token", "token", "may-confirm", "phone", "yes")
	if !marked() {
		t.Error("it lost it")
	}
	h.ok("token", "may-confirm", "laptop", "no")
	if marked() {
		t.Error("it has it still")
	}
}
