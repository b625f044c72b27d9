package phone

import (
	"database/sql"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	_ "modernc.org/sqlite" // the day goes by in the store

	"readback/smsmcp/owner"
	"readback/test/testbed"
)

// later has so much time go by: with the program ended, all that its store says has happened is so much longer ago.
func (s *scene) later(d time.Duration) {
	s.t.Helper()
	s.program.Stop()
	db, err := sql.Open("sqlite", filepath.Join(s.program.Data, "readback.db"))
	if err != nil {
		s.t.Fatal(err)
	}
	for table, columns := range map[string]string{
		"texts": "at stored", "shown": "at", "holds": "since until", "sends": "created expires answered reserved ended", "outbox": "at", "syncs": "good asked partial tried",
	} {
		for _, c := range strings.Fields(columns) {
			if _, err := db.Exec(fmt.Sprintf(`UPDATE %s SET %s = %s - ? WHERE %s <> 0`, table, c, c, c), d.Milliseconds()); err != nil {
				s.t.Fatal(err)
			}
		}
	}
	if err := db.Close(); err != nil {
		s.t.Fatal(err)
	}
	s.program.Start()
}

// incoming is one text that comes in, and what the owner has the model answer; "" for nothing.
type incoming struct{ from, body, reply string }

// day is an ordinary one: 20 texts, 8 of them of strangers, and 8 replies to contacts. One of the texts names another contact, to whom the owner writes because of it.
var day = [][]incoming{
	{ // morning
		{marie, "Good morning! Are you still coming on Saturday?", "Yes, around 2. Can I bring anything?"},
		{"+15145550191", "Your parcel is on its way and will arrive today.", ""},
		{bruno, "Je suis en retard de 10 minutes, désolé", "Pas de souci, à tantôt."},
		{"+18885550192", "Dental clinic: your appointment is on Thursday at 9:30.", ""},
		{claire, "Happy birthday in advance", ""},
	},
	{ // noon
		{"+15145550193", "Hi, is the bike still for sale?", ""},
		{claire, "Lunch tomorrow?", "With pleasure. Noon at the usual place?"},
		{alex, "The meeting moved to 3, room B.", "Thanks, I will be there."},
		{"+15145550194", "Votre commande est prête.", ""},
		{marie, "Just a cake, please. And tell Bruno that we start at 7.", ""},
	},
	{ // afternoon
		{bruno, "On commence à quelle heure samedi ?", "À 19 h."},
		{"+15145550195", "Save 20% this week only, see our shop.", ""},
		{alex, "Can you send me the minutes?", "Sent by mail just now."},
		{"+15145550196", "Who is this?", ""},
		{marie, "Thank you!", ""},
	},
	{ // evening
		{claire, "Noon is perfect.", ""},
		{"+15145550197", "Rappel : collecte de sang demain.", ""},
		{alex, "Got it. Coffee on Friday?", "Friday works. 8:30?"},
		{"+15145550198", "Survey: how was your visit?", ""},
		{marie, "Do you have my keys by any chance?", "Yes, they were on the kitchen table."},
	},
}

// names are the contacts', by number.
var names = map[string]string{marie: "Marie Tremblay", bruno: "Bruno Roy", claire: "Claire Dubois", alex: "Alex Martin"}

// live has the model read and answer, as its owner wants it; the owner says yes where asked, and how often that was is given.
func (s *scene) live(part []incoming) (asked int) {
	s.t.Helper()
	words := []string{"not in your contacts"} // of strangers the model is told how many there are
	for _, in := range part {
		s.api.Receive("sms", strings.TrimPrefix(in.from, "+1"), in.body, time.Now(), 0)
		if names[in.from] != "" {
			words = append(words, in.body)
		}
	}
	s.reads(false, words...)
	for _, in := range part {
		if in.reply == "" {
			continue
		}
		seen := s.seen()
		answer := s.send(names[in.from], in.reply)
		n := s.note("a receipt or a question", seen, func(n testbed.Notification) bool { return strings.Contains(n.Title, names[in.from]) })
		if len(n.Actions) > 0 {
			asked++
			s.t.Logf("asked: %s\n%s", n.Title, n.Message)
			s.press(button(s.t, n, "Send"))
		}
		if got := s.wait(answer); !strings.Contains(got, "Sent to ") && !strings.Contains(got, "was sent at") {
			s.t.Errorf("%q: %s", in.reply, got)
		}
		s.want(in.reply, 1)
	}
	return asked
}

// TestAnOrdinaryDayAsksAtMostOnce is the day as it goes by, with the defaults.
func TestAnOrdinaryDayAsksAtMostOnce(t *testing.T) {
	s := newScene(t, newBed(t), "")
	texts, strangers, replies, asked := 0, 0, 0, 0
	for i, part := range day {
		if i > 0 {
			s.later(3 * time.Hour)
		}
		asked += s.live(part)
		for _, in := range part {
			texts++
			if names[in.from] == "" {
				strangers++
			}
			if in.reply != "" {
				replies++
			}
		}
	}
	all, err := owner.ListSends.Do(t.Context(), s.program.Owner(), owner.Limit{Limit: 100}, "")
	if err != nil {
		t.Fatal(err)
	}
	if texts != 20 || strangers != 8 || replies != 8 || len(all) != 8 || asked > 1 {
		t.Errorf("%d texts, %d of strangers, %d replies, %d sends in the log: the owner was asked %d times", texts, strangers, replies, len(all), asked)
	}
	t.Logf("the owner was asked %d times", asked)
}

// TestADayInOneHourAsksAsTheLimitSays: all of it within minutes is no ordinary day. From the seventh text without a yes on the owner is asked, which the configuration says.
func TestADayInOneHourAsksAsTheLimitSays(t *testing.T) {
	s := newScene(t, newBed(t), "")
	asked := 0
	for _, part := range day {
		asked += s.live(part)
	}
	t.Logf("the owner was asked %d times", asked)
	if asked < 1 || asked > 3 {
		t.Errorf("the owner was asked %d times", asked)
	}
}
