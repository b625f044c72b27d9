package guard

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"readback/smsmcp"
	"readback/smsmcp/lang"
	"readback/smsmcp/untrusted"
)

var (
	t0     = time.Date(2026, 11, 30, 14, 0, 0, 0, time.UTC)
	marie  = smsmcp.Contact{ID: 1, Name: "Marie Tremblay", Aliases: []string{"ma sœur"}, To: "+15145550101", Numbers: []smsmcp.Number{"+15145550101"}, Revision: 3}
	willem = smsmcp.Contact{ID: 2, Name: "Will", To: "+15145550102", Numbers: []smsmcp.Number{"+15145550102"}, Revision: 1}
)

func settings() Settings {
	return Settings{
		Confirm: ConfirmAuto, PerHour: 30, PerDay: 90, KeptForConfirmed: 10, UnconfirmedPerHour: 6, UnconfirmedPerDay: 20,
		Duplicate: 2 * time.Minute, FanOut: 3, Hold: hour, Alarm: hour, Named: day, Repeats: day, RepeatWords: 8, NewHosts: true, Zone: time.UTC,
		Expiry: 10 * time.Minute, MaxWaiting: 3, AsksPerHour: 6, PauseAfterNo: 30 * time.Minute,
	}
}

func known() State { return State{Known: true, Contact: marie} }

func attempt(body string) Attempt {
	return Attempt{Draft: smsmcp.NewDraft(marie, body), Scope: smsmcp.MCP}
}

// past makes n sends that each ended a step before t0 (or after it, for a negative step).
func past(n int, step time.Duration, confirmed bool) (out []Past) {
	for i := n; i > 0; i-- {
		out = append(out, Past{ID: "aaaaaaaaaa", Contact: 9, Body: smsmcp.BodyDigest(strings.Repeat("x", i)), At: t0.Add(-time.Duration(i) * step),
			State: smsmcp.Done, Confirmed: confirmed})
	}
	return out
}

func heard(from smsmcp.ContactID, body string, at, shown time.Duration) Heard {
	var last time.Time
	if shown >= 0 {
		last = t0.Add(-shown)
	}
	return NewHeard(from, untrusted.New(body), t0.Add(-at), last)
}

const never = -1 * time.Second

// onACall judges once more what was judged to be v, as a draft that is made on a call: what denies it denies it there, and anything else is asked about, by a strong
// channel, where nobody else is asked too.
func onACall(t *testing.T, g Settings, a Attempt, s State, v Verdict) {
	t.Helper()
	a.Only = smsmcp.Voice
	want := Verdict{Decision: Deny, Reasons: v.Reasons}
	if v.Decision != Deny {
		want = Verdict{Decision: Confirm, Strong: true, Reasons: append([]smsmcp.Reason{{Rule: RuleReadBack}}, v.Reasons...)}
	}
	if got := g.Check(a, s, t0); got.Decision != want.Decision || got.Strong != want.Strong || !slices.Equal(got.Reasons, want.Reasons) {
		t.Errorf("on a call, confirm = %s: %+v, want %+v", g.Confirm, got, want)
	}
	if en := Explain("en", time.UTC, smsmcp.Reason{Rule: RuleReadBack}); !strings.Contains(en, "on a call") {
		t.Errorf("sentence: %s", en)
	}
}

// TestTable has a case for each side of each row of the guard's table.
func TestTable(t *testing.T) {
	body := "On se voit à 6 h ?"
	long := "please meet me at the old station at six tonight and bring the keys"
	tests := []struct {
		name string
		set  func(*Settings, *Attempt, *State)
		want Decision
		rule smsmcp.Rule // the one reason; none for Allow
		hard bool        // it still stands with guard.confirm = "never"
	}{
		{"nothing against it", func(*Settings, *Attempt, *State) {}, Allow, "", false},
		{"not a contact", func(_ *Settings, a *Attempt, s *State) {
			*s = State{}
			a.Draft = smsmcp.NewDraft(smsmcp.Contact{}, body)
		}, Deny, RuleRecipient, true},
		{"contact renamed since the draft", func(_ *Settings, _ *Attempt, s *State) { s.Contact.Revision++ }, Deny, RuleChanged, true},
		{"contact's number changed since the draft", func(_ *Settings, _ *Attempt, s *State) { s.Contact.To = "+15145550199" }, Deny, RuleChanged, true},
		{"another contact under the same id", func(_ *Settings, _ *Attempt, s *State) { s.Contact = willem }, Deny, RuleChanged, true},
		{"frozen", func(_ *Settings, _ *Attempt, s *State) { s.Frozen = true }, Deny, RuleFrozen, true},
		{"empty body", func(_ *Settings, a *Attempt, _ *State) { *a = attempt(" \n") }, Deny, RuleBody, true},
		{"body not UTF-8", func(_ *Settings, a *Attempt, _ *State) { *a = attempt("a\xff") }, Deny, RuleBody, true},
		{"body that hides", func(_ *Settings, a *Attempt, _ *State) { *a = attempt("a\u200bb") }, Deny, RuleBody, true},
		{"body that reorders", func(_ *Settings, a *Attempt, _ *State) { *a = attempt("a\u202eb") }, Deny, RuleBody, true},
		{"body with a control", func(_ *Settings, a *Attempt, _ *State) { *a = attempt("a\x1bb") }, Deny, RuleBody, true},
		{"body too long", func(_ *Settings, a *Attempt, _ *State) { a.Fits = smsmcp.ErrTooLong }, Deny, RuleTooLong, true},
		{"same body within 2 min", func(_ *Settings, _ *Attempt, s *State) { s.Log = same(body, 119*time.Second, smsmcp.Done) }, Deny, RuleDuplicate, true},
		{"other words within 2 min", func(_ *Settings, _ *Attempt, s *State) { s.Log = same("on se voit a 6h", time.Minute, smsmcp.Done) }, Allow, "", false},
		{"same words within 2 min, other dress", func(_ *Settings, _ *Attempt, s *State) {
			s.Log = same("ON SE VOIT — à  6 h?!! ", time.Minute, smsmcp.Done)
		}, Deny, RuleDuplicate, true},
		{"same body to the same number, under another contact", func(_ *Settings, _ *Attempt, s *State) {
			s.Log = same(body, time.Minute, smsmcp.Done)
			s.Log[0].Contact, s.Log[0].To = 77, marie.To
		}, Deny, RuleDuplicate, true},
		{"same body after 2 min", func(_ *Settings, _ *Attempt, s *State) { s.Log = same(body, 2*time.Minute, smsmcp.Done) }, Allow, "", false},
		{"same body in the future", func(_ *Settings, _ *Attempt, s *State) { s.Log = same(body, -hour, smsmcp.Done) }, Deny, RuleDuplicate, true},
		{"same body, failed for certain", func(_ *Settings, _ *Attempt, s *State) { s.Log = same(body, time.Second, smsmcp.Failed) }, Allow, "", false},
		{"same body is unknown, however old", func(_ *Settings, _ *Attempt, s *State) {
			s.Unsettled = []smsmcp.Send{{ID: "bbbbbbbbbb", State: smsmcp.Unknown, Reserved: t0.Add(-30 * day)}}
		}, Deny, RuleUnsettled, true},
		{"30 in the hour", func(g *Settings, _ *Attempt, s *State) { s.Log = past(30, time.Minute, true) }, Deny, RuleHour, true},
		{"29 in the hour", func(g *Settings, _ *Attempt, s *State) { s.Log = past(29, time.Minute, true) }, Allow, "", false},
		{"30 in the future: the clock was set back", func(g *Settings, _ *Attempt, s *State) { s.Log = past(30, -time.Minute, true) }, Deny, RuleHour, true},
		{"90 in the day", func(_ *Settings, _ *Attempt, s *State) { s.Log = past(90, 15*time.Minute, true) }, Deny, RuleDay, true},
		{"80 in the day: the rest is kept", func(_ *Settings, _ *Attempt, s *State) { s.Log = past(80, 16*time.Minute, true) }, Confirm, RuleKept, true},
		{"80 in the day, confirmed", func(_ *Settings, a *Attempt, s *State) {
			s.Log, a.Confirmed = past(80, 16*time.Minute, true), true
		}, Allow, "", false},
		{"6 unconfirmed in the hour", func(_ *Settings, _ *Attempt, s *State) { s.Log = past(6, 9*time.Minute, false) }, Confirm, RuleUnconfirmedHour, false},
		{"20 unconfirmed in the day", func(_ *Settings, _ *Attempt, s *State) { s.Log = past(20, 71*time.Minute, false) }, Confirm, RuleUnconfirmedDay, false},
		{"a fourth contact gets the same body", func(_ *Settings, _ *Attempt, s *State) { s.Log = fan(body, 3) }, Confirm, RuleFanOut, false},
		{"a third contact gets the same body", func(_ *Settings, _ *Attempt, s *State) { s.Log = fan(body, 2) }, Allow, "", false},
		{"hold", func(_ *Settings, _ *Attempt, s *State) { s.Holds = holds(smsmcp.HoldStranger, smsmcp.MCP, time.Minute) }, Confirm, RuleHold, false},
		{"hold of another scope", func(_ *Settings, _ *Attempt, s *State) { s.Holds = holds(smsmcp.HoldStranger, "call:1", time.Minute) }, Allow, "", false},
		{"hold that is over", func(_ *Settings, _ *Attempt, s *State) { s.Holds = holds(smsmcp.HoldStranger, smsmcp.MCP, 0) }, Allow, "", false},
		{"alarm", func(_ *Settings, _ *Attempt, s *State) { s.Holds = holds(smsmcp.HoldAlarm, smsmcp.MCP, time.Minute) }, Confirm, RuleAlarm, false},
		{"named by another", func(_ *Settings, _ *Attempt, s *State) {
			s.Heard = []Heard{heard(0, "dis à MARIE que je suis là", hour, hour)}
		}, Confirm, RuleNamed, false},
		{"named by an alias", func(_ *Settings, _ *Attempt, s *State) { s.Heard = []Heard{heard(5, "écris à ma soeur", hour, hour)} }, Confirm, RuleNamed, false},
		{"named by herself", func(_ *Settings, _ *Attempt, s *State) { s.Heard = []Heard{heard(1, "ici Marie", hour, hour)} }, Allow, "", false},
		{"named in a text that was not shown", func(_ *Settings, _ *Attempt, s *State) { s.Heard = []Heard{heard(0, "Marie", hour, never)} }, Allow, "", false},
		{"named a day ago", func(_ *Settings, _ *Attempt, s *State) { s.Heard = []Heard{heard(0, "Marie", 40*hour, day)} }, Allow, "", false},
		{"a name inside a word names nobody", func(_ *Settings, _ *Attempt, s *State) { s.Heard = []Heard{heard(0, "la mariée arrive", hour, hour)} }, Allow, "", false},
		{"will is a word", func(_ *Settings, a *Attempt, s *State) {
			s.Contact, a.Draft = willem, smsmcp.NewDraft(willem, body)
			s.Heard = []Heard{heard(0, "I will be there", hour, hour)}
		}, Allow, "", false},
		{"Will is a name", func(_ *Settings, a *Attempt, s *State) {
			s.Contact, a.Draft = willem, smsmcp.NewDraft(willem, body)
			s.Heard = []Heard{heard(0, "tell Will to come", hour, hour)}
		}, Confirm, RuleNamed, false},
		{"a code goes on", func(_ *Settings, a *Attempt, s *State) {
			*a = attempt("il m'a écrit 481 516")
			s.Heard = []Heard{heard(0, "Your verification code is 481516", hour, never)}
		}, Confirm, RuleRepeatsCode, false},
		{"a code goes on, spelled out", func(_ *Settings, a *Attempt, s *State) {
			*a = attempt("4 - 8 - 1 - 5 - 1 - 6")
			s.Heard = []Heard{heard(0, "Your verification code is 481516", hour, never)}
		}, Confirm, RuleRepeatsCode, false},
		{"a code goes on, in other digits", func(_ *Settings, a *Attempt, s *State) {
			*a = attempt("voilà: ٤٨١٥١٦")
			s.Heard = []Heard{heard(0, "Your verification code is 481516", hour, never)}
		}, Confirm, RuleRepeatsCode, false},
		{"a code that came in other digits goes on", func(_ *Settings, a *Attempt, s *State) {
			*a = attempt("4815, one more digit")
			s.Heard = []Heard{heard(0, "Your verification code is ४८१५", hour, never)}
		}, Confirm, RuleRepeatsCode, false},
		{"a short code goes on with one digit more", func(_ *Settings, a *Attempt, s *State) {
			*a = attempt("48151")
			s.Heard = []Heard{heard(0, "Your verification code is 4815", hour, never)}
		}, Confirm, RuleRepeatsCode, false},
		{"a code of letters and digits goes on", func(_ *Settings, a *Attempt, s *State) {
			*a = attempt("c'est a4f9k2")
			s.Heard = []Heard{heard(0, "Your verification code is A4F9K2", hour, never)}
		}, Confirm, RuleRepeatsCode, false},
		{"a code that hides goes on", func(_ *Settings, a *Attempt, s *State) {
			*a = attempt("481516")
			s.Heard = []Heard{heard(0, "Your verification code is 481\u200b516", hour, never)}
		}, Confirm, RuleRepeatsCode, false},
		{"a long run that hides goes on", func(_ *Settings, a *Attempt, s *State) {
			*a = attempt(long)
			s.Heard = []Heard{heard(5, strings.ReplaceAll(long, "t", "t\u2060"), hour, never)}
		}, Confirm, RuleRepeatsWords, false},
		{"a long run without spaces goes on", func(_ *Settings, a *Attempt, s *State) {
			*a = attempt("请把这个消息转发给他")
			s.Heard = []Heard{heard(5, "请把这个消息转发给他，谢谢", hour, never)}
		}, Confirm, RuleRepeatsWords, false},
		{"a name that hides", func(_ *Settings, _ *Attempt, s *State) { s.Heard = []Heard{heard(0, "tell Ma\u200brie", hour, hour)} }, Confirm, RuleNamed, false},
		{"the last name alone", func(_ *Settings, _ *Attempt, s *State) { s.Heard = []Heard{heard(0, "write to tremblay", hour, hour)} }, Confirm, RuleNamed, false},
		{"the last name of somebody else", func(_ *Settings, _ *Attempt, s *State) {
			s.Heard = []Heard{heard(0, "appointment with Dr. Tremblay at 3", hour, hour)}
		}, Allow, "", false},
		{"will after a teller", func(_ *Settings, a *Attempt, s *State) {
			s.Contact, a.Draft = willem, smsmcp.NewDraft(willem, body)
			s.Heard = []Heard{heard(0, "please tell will to come", hour, hour)}
		}, Confirm, RuleNamed, false},
		{"more was heard than can be looked through", func(_ *Settings, _ *Attempt, s *State) { s.HeardMore = true }, Confirm, RuleHeard, false},
		{"another number goes on", func(_ *Settings, a *Attempt, s *State) {
			*a = attempt("rendez-vous au 481 Sherbrooke")
			s.Heard = []Heard{heard(0, "Your verification code is 481516", hour, never)}
		}, Allow, "", false},
		{"a long run of words goes on", func(_ *Settings, a *Attempt, s *State) {
			*a = attempt("He says: " + strings.ToUpper(long))
			s.Heard = []Heard{heard(5, long, hour, never)}
		}, Confirm, RuleRepeatsWords, false},
		{"a long run of words goes back to who wrote it", func(_ *Settings, a *Attempt, s *State) {
			*a = attempt(long)
			s.Heard = []Heard{heard(1, long, hour, hour)}
		}, Allow, "", false},
		{"seven words in a row", func(_ *Settings, a *Attempt, s *State) {
			*a = attempt("please meet me at the old station")
			s.Heard = []Heard{heard(5, long, hour, never)}
		}, Allow, "", false},
		{"a new host", func(_ *Settings, _ *Attempt, s *State) { s.NewHosts = []string{"evil.example"} }, Confirm, RuleNewHost, false},
		{"a new host, rule off", func(g *Settings, _ *Attempt, s *State) { g.NewHosts, s.NewHosts = false, []string{"evil.example"} }, Allow, "", false},
		{"the contact wrote STOP", func(_ *Settings, _ *Attempt, s *State) { s.Stopped = true }, Confirm, RuleStopped, false},
		{"quiet hours", func(g *Settings, _ *Attempt, _ *State) { g.QuietFrom, g.QuietTo = "13:00", "15:00" }, Confirm, RuleQuiet, false},
		{"quiet hours over midnight, inside", func(g *Settings, _ *Attempt, _ *State) {
			g.QuietFrom, g.QuietTo, g.Zone = "22:00", "07:00", time.FixedZone("", 12*3600)
		}, Confirm, RuleQuiet, false},
		{"quiet hours over midnight, outside", func(g *Settings, _ *Attempt, _ *State) { g.QuietFrom, g.QuietTo = "22:00", "07:00" }, Allow, "", false},
		{"always", func(g *Settings, _ *Attempt, _ *State) { g.Confirm = ConfirmAlways }, Confirm, RuleAlways, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			g, a, s := settings(), attempt(body), known()
			tt.set(&g, &a, &s)
			v := g.Check(a, s, t0)
			if v.Decision != tt.want {
				t.Fatalf("decision %d, want %d: %+v", v.Decision, tt.want, v.Reasons)
			}
			if tt.rule == "" != (len(v.Reasons) == 0) || tt.rule != "" && (len(v.Reasons) != 1 || v.Reasons[0].Rule != tt.rule) {
				t.Fatalf("reasons %+v, want the one of %q", v.Reasons, tt.rule)
			}
			if v.Strong != (tt.rule == RuleAlarm) {
				t.Errorf("strong = %v", v.Strong)
			}
			for _, r := range v.Reasons {
				if en := Explain("en", time.UTC, r); strings.Contains(en, "%!") || strings.Contains(en, "Another rule") {
					t.Errorf("sentence: %s", en)
				}
			}
			onACall(t, g, a, s, v)
			if g.Confirm == ConfirmAlways {
				return
			}
			g.Confirm = ConfirmNever
			onACall(t, g, a, s, v)
			want := Allow
			if tt.hard {
				want = Deny
			}
			if v := g.Check(a, s, t0); v.Decision != want {
				t.Errorf("with confirm = never: decision %d, want %d: %+v", v.Decision, want, v.Reasons)
			}
		})
	}
}

func same(body string, ago time.Duration, state smsmcp.SendState) []Past {
	return []Past{{ID: "cccccccccc", Contact: marie.ID, Body: smsmcp.BodyDigest(body), At: t0.Add(-ago), State: state, Confirmed: true}}
}

func fan(body string, n int) (out []Past) {
	for i := range n {
		out = append(out, Past{Contact: smsmcp.ContactID(100 + i), To: smsmcp.Number(fmt.Sprintf("+1438555%04d", i)), Body: smsmcp.BodyDigest(body), At: t0.Add(-10 * time.Minute), State: smsmcp.Done, Confirmed: true})
	}
	return out
}

func holds(kind smsmcp.HoldKind, scope smsmcp.Scope, left time.Duration) []smsmcp.Hold {
	return []smsmcp.Hold{{Scope: scope, Kind: kind, From: t0.Add(-hour), Until: t0.Add(left)}}
}

func TestInvariant06TheZeroVerdictDenies(t *testing.T) {
	if (Verdict{}).Decision != Deny || (Settings{}).Check(Attempt{}, State{}, t0).Decision != Deny {
		t.Fatal("a zero value allows")
	}
}

func TestDenialsOutweighEverything(t *testing.T) {
	s := known()
	s.Frozen, s.Stopped, s.Holds = true, true, holds(smsmcp.HoldAlarm, smsmcp.MCP, hour)
	v := settings().Check(attempt("ok"), s, t0)
	if v.Decision != Deny || v.Strong || len(v.Reasons) != 1 || v.Reasons[0].Rule != RuleFrozen {
		t.Fatalf("%+v", v)
	}
}

func TestUntilSaysWhenTheNextMayGo(t *testing.T) {
	s := known()
	s.Log = past(31, time.Minute, true)
	v := settings().Check(attempt("ok"), s, t0)
	// Of 31, the one that leaves the window as the second makes the count 29.
	if want := t0.Add(-30 * time.Minute).Add(hour); !v.Reasons[0].Until.Equal(want) {
		t.Fatalf("until %s, want %s", v.Reasons[0].Until, want)
	}
	s.Log = past(31, time.Minute, true)
	if v := settings().Check(attempt("ok"), s, v.Reasons[0].Until); v.Decision != Allow {
		t.Fatalf("and then: %+v", v)
	}
}

// TestApprovalFatigue: the owner is not asked again and again.
func TestApprovalFatigue(t *testing.T) {
	g := settings()
	ago := func(ds ...time.Duration) (out []time.Time) {
		for _, d := range ds {
			out = append(out, t0.Add(-d))
		}
		return out
	}
	no := func(d time.Duration) Answer { return Answer{At: t0.Add(-d)} }
	for _, tt := range []struct {
		name    string
		s       State
		waiting int
		want    []smsmcp.Rule
	}{
		{"first ask", State{}, 0, nil},
		{"two wait", State{}, 2, nil},
		{"three wait", State{}, 3, []smsmcp.Rule{RuleWaiting}},
		{"five asks in the hour", State{Asked: ago(9, 8, 7, 6, 5)}, 0, nil},
		{"six asks in the hour", State{Asked: ago(50*time.Minute, 8, 7, 6, 5, 4)}, 0, []smsmcp.Rule{RuleAsks}},
		{"six asks, one older", State{Asked: ago(hour, 8, 7, 6, 5, 4)}, 0, nil},
		{"six asks in the future", State{Asked: ago(-hour, -hour, -hour, -hour, -hour, -hour)}, 0, []smsmcp.Rule{RuleAsks}},
		{"one no", State{Answers: []Answer{no(time.Minute)}}, 0, nil},
		{"two no", State{Answers: []Answer{no(time.Minute), no(hour)}}, 0, []smsmcp.Rule{RulePause}},
		{"two no, long ago", State{Answers: []Answer{no(30 * time.Minute), no(hour)}}, 0, nil},
		{"no, yes", State{Answers: []Answer{no(time.Minute), {At: t0.Add(-hour), Yes: true}}}, 0, nil},
		{"yes, no", State{Answers: []Answer{{At: t0.Add(-time.Minute), Yes: true}, no(hour)}}, 0, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got []smsmcp.Rule
			for _, r := range g.Ask(tt.s, tt.waiting, t0) {
				got = append(got, r.Rule)
			}
			if !slices.Equal(got, tt.want) {
				t.Fatalf("%v, want %v", got, tt.want)
			}
		})
	}
}

func TestEveryRuleHasItsSentence(t *testing.T) {
	for rule := range sentences {
		for _, l := range []lang.Lang{lang.EN, lang.FR} {
			s := Explain(l, time.UTC, smsmcp.Reason{Rule: rule, Count: 1, Limit: 2, Until: t0})
			if s == "" || strings.Contains(s, "%!") {
				t.Errorf("%s: %q", rule, s)
			}
		}
	}
}

// TestTheOwnerIsSpokenTo: what the owner reads says you, in each sentence, and means the same.
func TestTheOwnerIsSpokenTo(t *testing.T) {
	third := regexp.MustCompile(`(?i)\bowner|propriétaire`)
	states := []smsmcp.SendState{
		smsmcp.Refused, smsmcp.Waiting, smsmcp.Declined, smsmcp.Expired, smsmcp.Cancelled, smsmcp.Void, smsmcp.Reserved, smsmcp.Done, smsmcp.Failed, smsmcp.Unknown,
	}
	numbers := regexp.MustCompile(`[0-9]+`)
	for _, l := range []lang.Lang{lang.EN, lang.FR} {
		for rule := range sentences {
			for _, state := range states {
				r := smsmcp.Reason{Rule: rule, Count: 71, Limit: 92, Until: t0, Send: "abcdefghij", State: state}
				said, toModel := ExplainToOwner(l, time.UTC, r), Explain(l, time.UTC, r)
				if said == "" || strings.Contains(said, "%!") || third.MatchString(said) {
					t.Errorf("%s: %q", rule, said)
				}
				if !slices.Equal(numbers.FindAllString(said, -1), numbers.FindAllString(toModel, -1)) {
					t.Errorf("%q and %q have not the same numbers", said, toModel)
				}
			}
		}
		for _, state := range states {
			if s := StandingToOwner(l, state); s == "" || third.MatchString(s) {
				t.Errorf("%s: %q", state, s)
			}
		}
	}
}
