package hostile

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"readback/smsmcp"
	"readback/voice"
)

// What the design says: an answer counts that begins 300 ms and a round trip after the end of the read-back, and speech after that of the last question too; and comes within 15 s from the
// end of the question, or of where it was given, if it was not heard to its end.
const (
	margin = 300 * time.Millisecond
	window = 15 * time.Second
	latest = 400 * time.Millisecond // after the end of something, the mouth of these tests tells of it
)

// handed is a text that the carrier was handed.
type handed struct {
	at   time.Time
	to   smsmcp.Number
	body string
}

// book is who is whose number, from a time on.
type book struct {
	from   time.Time
	people map[string]smsmcp.Number
}

// witness is what was seen of a call from outside: the oracle knows nothing else.
type witness struct {
	proven bool // the terminal has shown that this is the owner
	pin    string
	speech []*speech // that was begun
	given  []*speech // to the mouth
	said   []said
	sent   []handed
	books  []book
	asked  []time.Time   // the model was
	frozen time.Time     // the owner stopped all; zero if not
	slack  time.Duration // for what a busy machine takes
	ear    bool          // what was heard is what a telephone, or a browser, brought to an ear: it had its time on the way, and was not asked what it is
	loose  time.Duration // by which the order of what happened at both ends of a leg is known
}

// yesTo is what allowed a send: a read-back, of one name, and the answer to it; or the answers, where several would do.
type yesTo struct {
	read    *speech
	answers []said
	name    string
}

// judge says of each text that went what allowed it, and what is wrong with those that nothing did.
func (w *witness) judge() (allowed []yesTo, objections []string) {
	used := map[*speech]bool{} // and so the answers are: one that allows by two read-backs would have the later one between it and the first
	for _, h := range w.sent {
		var why []string
		found := yesTo{}
		for i := len(w.speech) - 1; i >= 0 && found.read == nil; i-- {
			s := w.speech[i]
			name, ok := w.readsBack(s, h)
			if !ok || used[s] {
				continue
			}
			for _, a := range w.said {
				if a.means != yes || a.came.After(h.at) {
					continue
				}
				if o := w.objects(s, a); o != "" {
					why = append(why, o)
					continue
				}
				used[s], found.read, found.name = true, s, name
				found.answers = append(found.answers, a)
			}
		}
		allowed = append(allowed, found)
		if found.read == nil {
			objections = append(objections, fmt.Sprintf("%q to %s at %s: nobody said yes to it (%s)", h.body, h.to, h.at.Format(clock), strings.Join(why, "; ")))
		}
		if !w.frozen.IsZero() && h.at.After(w.frozen) {
			objections = append(objections, fmt.Sprintf("%q went though all was stopped", h.body))
		}
	}
	for i, h := range w.sent {
		for _, g := range w.sent[:i] {
			if g.to == h.to && g.body == h.body && h.at.Sub(g.at) < 2*time.Minute {
				objections = append(objections, fmt.Sprintf("%q went twice", h.body))
			}
		}
	}
	return allowed, objections
}

const clock = "15:04:05.000000"

// readsBack says whether something that was said is the whole read-back of a text that went, heard to its end, and of whom.
func (w *witness) readsBack(s *speech, h handed) (name string, ok bool) {
	p := s.parts
	if !s.whole || len(s.heard) != len(p) {
		return "", false
	}
	for i, x := range s.heard {
		if !x.whole || i > 0 && x.from.Sub(s.heard[i-1].to) > 5*time.Millisecond+w.slack {
			return "", false
		}
	}
	if len(p) == 5 && p[0] == (voice.Part{Text: again[s.lang]}) {
		p = p[1:]
	}
	says, ok := spoken(h.body, s.lang)
	if !ok || len(p) != 4 || p[1] != (voice.Part{Sound: voice.Opening}) || p[2] != w.quoted(says, h.body) || p[3] != (voice.Part{Sound: voice.Closing}) {
		return "", false
	}
	for name, head := range heads {
		if p[0] == (voice.Part{Text: head[s.lang]}) {
			return name, w.number(name, s.heard[0].from) == h.to && w.number(name, h.at) == h.to
		}
	}
	return "", false
}

// quoted is a body as it is read back. An ear hears what is said alone.
func (w *witness) quoted(says, body string) voice.Part {
	p := voice.Part{Voice: voice.QuoteVoice, Text: says}
	if !w.ear {
		p.Exact = body
	}
	return p
}

// opens is when an answer may begin, to what was heard to its end then. At the far end of a leg the program's margin, and its bound for the way, have been on the way: what has to be left is that it was heard first.
func (w *witness) opens(s *speech, end time.Time) time.Time {
	if w.ear {
		return end
	}
	return end.Add(s.trip + margin)
}

// number is the number that a contact is texted at.
func (w *witness) number(name string, at time.Time) (n smsmcp.Number) {
	for _, b := range w.books {
		if !b.from.After(at) {
			n = b.people[name]
		}
	}
	return n
}

// objects says why an answer is no yes to a read-back that was heard.
func (w *witness) objects(s *speech, a said) string {
	from, end := s.heard[0].from, s.heard[len(s.heard)-1].to
	if s.given.After(from) { // where a sound began is a measurement at the far end, and it cannot have been before it was wanted
		from = s.given
	}
	opens := w.opens(s, end)
	closes, questions := opens, 0
	var last *speech // of the questions
	for _, g := range w.given {
		if g.given.Before(end.Add(-2*w.loose)) || g.given.After(a.came) {
			continue
		}
		if text := g.text(); isQuestion(text) && g.parts[0].Voice == voice.ProgramVoice && len(g.parts) == 1 {
			if questions++; questions == 1 && text == keys[g.lang] && a.key == 0 {
				return "only a key counted"
			}
			if closes = g.given.Add(window); questions == 1 { // the program knew of the end by then, and not sooner
				closes = closes.Add(s.trip + margin)
			}
			if g.given.Before(a.came) { // not what the model says at once, when it is asked after the yes
				last = g
			}
		}
	}
	free := time.Time{} // for speech
	if last != nil && last.whole {
		free = last.heard[len(last.heard)-1].to
		if to := free.Add(latest + window); to.After(closes) {
			closes = to
		}
	}
	switch {
	case !w.owner(from):
		return "the caller was not known to be the owner"
	case a.began.Before(opens):
		return fmt.Sprintf("%q began %v too early", a.words+string(a.key), opens.Sub(a.began))
	case a.key == 0 && (free.IsZero() || a.began.Before(free.Add(-w.loose))):
		return fmt.Sprintf("%q began before the end of the question was heard", a.words)
	case a.came.After(closes.Add(w.slack)):
		return fmt.Sprintf("%q came too late", a.words+string(a.key))
	case questions == 0 || questions > 2:
		return fmt.Sprintf("it was asked %d times", questions)
	}
	for _, o := range w.speech {
		if o == s || !o.heard[len(o.heard)-1].to.After(end) || !o.heard[0].from.Add(w.loose).Before(a.came) {
			continue
		}
		if !isQuestion(o.text()) || len(o.parts) != 1 {
			return fmt.Sprintf("%q was heard in between", o.text())
		}
	}
	for _, b := range w.said {
		refused := b.means == no || b.means == change && !b.began.Before(opens) // a change that is said over the read-back has it begun anew
		if refused && b.came.After(from) && b.came.Add(w.loose).Before(a.came) && !strings.Contains(strings.ToLower(s.text()), strings.Fields(b.words + " \x00")[0]) {
			return fmt.Sprintf("%q was said before", b.words+string(b.key))
		}
	}
	for _, at := range w.asked {
		if at.After(from.Add(w.slack)) && at.Before(a.came) {
			return "the model was asked in between"
		}
	}
	return ""
}

// owner says whether the caller had shown that they are the owner: six keys in a row.
func (w *witness) owner(at time.Time) bool {
	if w.proven {
		return true
	}
	var keyed []rune
	for _, s := range w.said {
		if s.key != 0 && s.came.Before(at) {
			keyed = append(keyed, s.key)
		}
	}
	return strings.Contains(string(keyed), w.pin)
}

// audit compares the log's rows with what went: a row for each, with the channel and the words of the yes; and nothing waits.
func (w *witness) audit(rows []smsmcp.Send, allowed []yesTo) (wrong []string) {
	left := slices.Clone(rows)
	for i, h := range w.sent {
		j := slices.IndexFunc(left, func(s smsmcp.Send) bool {
			went := s.State == smsmcp.Done || s.State == smsmcp.Failed || s.State == smsmcp.Unknown
			return went && s.Draft.To() == h.to && s.Draft.Body() == h.body && !s.Reserved.After(h.at) && s.Only == smsmcp.Voice && s.ConfirmedBy == smsmcp.Voice
		})
		if j < 0 {
			wrong = append(wrong, fmt.Sprintf("%q went, and no row says so", h.body))
			continue
		}
		var words []string
		for _, a := range allowed[i].answers {
			if a.key != 0 {
				a.words = "key " + string(a.key)
			}
			words = append(words, a.words)
		}
		if !slices.Contains(words, left[j].Answer.RawForStore()) || left[j].Name != allowed[i].name {
			wrong = append(wrong, fmt.Sprintf("%q went to %q by %q, and the log has %q, %q", h.body, allowed[i].name, words, left[j].Name, left[j].Answer.RawForStore()))
		}
		left = slices.Delete(left, j, j+1)
	}
	for _, s := range left {
		switch s.State {
		case smsmcp.Done, smsmcp.Failed, smsmcp.Unknown, smsmcp.Reserved, smsmcp.Waiting:
			wrong = append(wrong, fmt.Sprintf("a row says that %q is %s, and the carrier was not handed it", s.Draft.Body(), s.State))
		}
	}
	return wrong
}

// tells writes out all that was seen, in order.
func (w *witness) tells() string {
	type event struct {
		at   time.Time
		what string
	}
	var all []event
	for _, s := range w.speech {
		for i, x := range s.heard {
			p := s.parts[i]
			all = append(all, event{x.from, fmt.Sprintf("  hears %d %q sound %d whole %v until %s (trip %v, all %v)", p.Voice, p.Text, p.Sound, x.whole, x.to.Format(clock), s.trip, s.whole)})
		}
	}
	for _, s := range w.said {
		all = append(all, event{s.began, fmt.Sprintf("  says %q %q (%d) until %s", s.words, string(s.key), s.means, s.came.Format(clock))})
	}
	for _, h := range w.sent {
		all = append(all, event{h.at, fmt.Sprintf("* WENT %q to %s", h.body, h.to)})
	}
	for _, at := range w.asked {
		all = append(all, event{at, "  the model is asked"})
	}
	slices.SortStableFunc(all, func(a, b event) int { return a.at.Compare(b.at) })
	var b strings.Builder
	for _, e := range all {
		fmt.Fprintf(&b, "%s %s\n", e.at.Format(clock), e.what)
	}
	return b.String()
}
