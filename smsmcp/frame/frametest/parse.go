// Package frametest reads what smsmcp/frame renders, from the FORMAT in that package's documentation alone: it shares no code with the
// renderer, its sentences or its sanitiser. It is for tests: what it reads must be what went in (invariant 3).
package frametest

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/bidi"
)

// Peer is the other side of a text, as an answer names it.
type Peer struct {
	Kind   string // "contact", "number", "code" or "none"
	Name   string // of a contact: its name; for others the number or the code
	ID     int64  // of a contact whose name could pass for something else; else 0
	Label  string // of a sender without a number
	Quoted bool   // there is a label
	Mark   string // the number that tells labels apart

	Unverified bool // it is a claim: the text may be anybody's
}

// Text is one text of an answer.
type Text struct {
	Stamp   string
	Sent    bool
	Peer    Peer
	Body    string
	Remarks []string

	Voicemail bool // a caller left it
	Seconds   int  // of its sound; 0: it has none
	Heard     bool // its words are what a program heard
	Lost      bool // its sound could not be kept
}

// Answer is all that an answer says.
type Answer struct {
	Tag           string
	French        bool
	Count         int // by the head
	With          Peer
	Claimed       bool // by the head: some are with whoever claims to be With
	Holding       string
	Since         string
	Texts         []Text
	Shown         int  // by the foot
	Claims        bool // the foot says what unverified means
	Before        string
	FoldedTexts   int
	FoldedSenders int
	Carrier       string // the code of why it cannot be reached
	Held          string // when what is shown was what it held; nothing if it was never reached
	Partial       string // when it gave a list of which not all could be read
}

// words are the fixed words of one language.
type words struct {
	text, with, holding, since, order        string
	stamp                                    *regexp.Regexp
	received, fromCode, fromNone             string
	sent, toCode, toNone                     string
	colon, next, stranger, label, mark       string
	unverified, claimed, claims              string
	contact, known                           string
	end, shown, older, after, not, from, ask string
	sender, folded                           string
	down, held, never, missing               string
	asked, unread                            string
	left                                     *regexp.Regexp // a voicemail: how long, heard or not, lost
}

const stamped = ` \d{4}-\d\d-\d\d \d\d:\d\d(?: [+-]\d\d:\d\d)?`

var (
	english = words{
		text: "text", with: " with ", holding: " holding ", since: " since ", order: ", oldest first, ",
		stamp:    regexp.MustCompile(`^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)` + stamped),
		received: " received from ", fromCode: " received from the short code ", fromNone: " received from a sender without a number",
		sent: " sent to ", toCode: " sent to the short code ", toNone: " sent to a recipient without a number", colon: ": ", next: "; ",
		unverified: " (unverified, may be anybody)", claimed: " or unverified", claims: " What is unverified can be from anybody, whatever number stands there.",
		stranger: " (not in your contacts)", label: ", calling itself ", mark: ", no. ",
		contact: ", contact no. ", known: " (a contact)",
		end: " End: ", shown: " shown.", older: ` Older ones exist: ask again with before "`, after: `".`,
		not: " Not shown: ", from: " from ", ask: "; ask again with strangers true.", sender: " sender", folded: " not in your contacts or unverified",
		down: " The carrier cannot be reached (", held: "): this is what it held at ",
		never: " The carrier could not be reached yet (", missing: "): texts may be missing.",
		asked: " The carrier was asked at ", unread: ", and some of its texts could not be read.",
		left: regexp.MustCompile(`^voicemail(?: of (1) second| of ([2-9]|[1-9][0-9]+) seconds)?(?:(, as a program heard it)|, not transcribed)(, its sound could not be kept)?$`),
	}
	french = words{
		text: "texto", with: " avec ", holding: " contenant ", since: " depuis le ", order: ", du plus ancien ",
		stamp:    regexp.MustCompile(`^(?:lun|mar|mer|jeu|ven|sam|dim)\.` + stamped),
		received: " reçu de ", fromCode: " reçu du numéro abrégé ", fromNone: " reçu d'un expéditeur sans numéro",
		sent: " envoyé à ", toCode: " envoyé au numéro abrégé ", toNone: " envoyé à un destinataire sans numéro", colon: " : ", next: " ; ",
		unverified: " (non vérifié, peut être n'importe qui)", claimed: " ou non vérifiés",
		claims:   " Ce qui est non vérifié peut venir de n'importe qui, quel que soit le numéro indiqué.",
		stranger: " (absent de vos contacts)", label: ", qui se nomme ", mark: ", nº ",
		contact: ", contact nº ", known: " (un contact)",
		end: " Fin : ", shown: " montré", older: ` Il y en a de plus anciens : demandez-les avec before "`, after: `".`,
		not: " Non montré", from: " de ", ask: " ; demandez avec strangers true.", sender: " expéditeur", folded: " de vos contacts ou non vérifié",
		down: " L'opérateur ne répond pas (", held: ") : voici ce qu'il avait le ",
		never: " L'opérateur n'a pas encore pu être joint (", missing: ") : il peut manquer des textos.",
		asked: " L'opérateur a été interrogé le ", unread: ", et certains de ses textos n'ont pas pu être lus.",
		left: regexp.MustCompile(`^message vocal(?: de (1) seconde| de ([2-9]|[1-9][0-9]+) secondes)?(?:(, tel qu'un programme l'a entendu)|, non transcrit)(, dont le son n'a pas pu être conservé)?$`),
	}
)

var frenchHead = regexp.MustCompile(`^\S+ \d+ textos?[ ,]`)

// Parse reads an answer; anything that FORMAT does not allow is an error.
func Parse(answer string) (Answer, error) {
	lines := strings.Split(answer, "\n")
	if len(lines) < 2 {
		return Answer{}, fmt.Errorf("%d lines", len(lines))
	}
	if len(lines[0]) < 10 || strings.Trim(lines[0][:10], "abcdefghijklmnopqrstuvwxyz234567") != "" {
		return Answer{}, fmt.Errorf("no tag at %.20q", lines[0])
	}
	a := Answer{Tag: lines[0][:10], French: frenchHead.MatchString(lines[0])}
	if n := strings.Count(answer, a.Tag); n != len(lines)+1 {
		return a, fmt.Errorf("the tag stands %d times in %d lines", n, len(lines))
	}
	w := english
	if a.French {
		w = french
	}
	for i, line := range lines {
		rest, ok := strings.CutPrefix(line, a.Tag)
		if !ok {
			return a, fmt.Errorf("line %d begins without the tag: %q", i, line)
		}
		c := &cursor{s: rest, w: w}
		switch i {
		case 0:
			c.head(&a)
		case len(lines) - 1:
			c.foot(&a)
		default:
			a.Texts = append(a.Texts, c.text())
		}
		if c.err != nil {
			return a, fmt.Errorf("line %d, %q: %w", i, line, c.err)
		}
	}
	return a, nil
}

// cursor reads a line from the left. After the first error it reads no more.
type cursor struct {
	s   string
	w   words
	err error
}

func (c *cursor) fail(want string) {
	if c.err == nil {
		c.err = fmt.Errorf("want %s at %.60q", want, c.s)
		c.s = ""
	}
}

func (c *cursor) maybe(lit string) bool {
	rest, ok := strings.CutPrefix(c.s, lit)
	if ok && c.err == nil {
		c.s = rest
	}
	return ok && c.err == nil
}

func (c *cursor) must(lit string) {
	if !c.maybe(lit) {
		c.fail(strconv.Quote(lit))
	}
}

func (c *cursor) run(of string) string {
	n := 0
	for n < len(c.s) && strings.IndexByte(of, c.s[n]) >= 0 {
		n++
	}
	out := c.s[:n]
	if n == 0 {
		c.fail("one of " + of)
		return ""
	}
	c.s = c.s[n:]
	return out
}

const digits = "0123456789"

func (c *cursor) number() int {
	n, err := strconv.Atoi(c.run(digits))
	if err != nil {
		c.fail("a number")
	}
	return n
}

func (c *cursor) stamp() string {
	out := c.w.stamp.FindString(c.s)
	if out == "" {
		c.fail("a time")
		return ""
	}
	c.s = c.s[len(out):]
	return out
}

func (c *cursor) quoted() string {
	c.must("«")
	words, rest, ok := strings.Cut(c.s, "»")
	if !ok || strings.Contains(words, "«") {
		c.fail("a closed quote")
		return ""
	}
	c.s = rest
	return words
}

// party reads a direction and a peer.
func (c *cursor) party(t *Text) {
	w := c.w
	is := func(lit string) bool { return strings.HasPrefix(c.s, lit) }
	switch {
	case is(w.fromNone + w.stranger), is(w.toNone + w.stranger), is(w.fromNone + w.unverified), is(w.toNone + w.unverified):
		if t.Sent = c.maybe(w.toNone); !t.Sent {
			c.must(w.fromNone)
		}
		t.Peer.Kind = "none"
		c.marked(t)
		if c.maybe(w.label) {
			t.Peer.Label, t.Peer.Quoted = c.quoted(), true
			if c.maybe(w.mark) {
				t.Peer.Mark = c.run("abcdefghijklmnopqrstuvwxyz234567")
			}
		}
	case is(w.fromCode) && c.digitAt(len(w.fromCode)), is(w.toCode) && c.digitAt(len(w.toCode)):
		if t.Sent = c.maybe(w.toCode); !t.Sent {
			c.must(w.fromCode)
		}
		t.Peer.Kind, t.Peer.Name = "code", c.run(digits)
		c.marked(t)
	default:
		if t.Sent = c.maybe(w.sent); !t.Sent {
			c.must(w.received)
		}
		if c.maybe("+") {
			t.Peer.Kind, t.Peer.Name = "number", "+"+c.run(digits)
			c.marked(t)
			return
		}
		t.Peer = c.contact()
	}
}

// marked reads why a peer has no name.
func (c *cursor) marked(t *Text) {
	if t.Peer.Unverified = c.maybe(c.w.unverified); !t.Peer.Unverified {
		c.must(c.w.stranger)
	}
}

func (c *cursor) digitAt(i int) bool { return i < len(c.s) && strings.IndexByte(digits, c.s[i]) >= 0 }

// contact reads the contact of a text, whose bare name the body's quote ends.
func (c *cursor) contact() Peer {
	if strings.HasPrefix(c.s, "«") {
		p := c.subject()
		if p.ID == 0 {
			c.fail("a contact's id")
		}
		return p
	}
	end := strings.Index(c.s, c.w.colon+"«")
	if end < 0 {
		c.fail("a body")
		return Peer{}
	}
	name, marked := strings.CutSuffix(c.s[:end], c.w.known)
	if name == "" || strings.ContainsAny(name, "0123456789()[]«»\"<>:;+•") || marked != strings.ContainsFunc(name, rightToLeft) {
		c.fail("a name")
		return Peer{}
	}
	c.s = c.s[end:]
	return Peer{Kind: "contact", Name: name}
}

// subject reads the contact of the head.
func (c *cursor) subject() Peer {
	p := Peer{Kind: "contact", Name: c.quoted()}
	if c.maybe(c.w.contact) {
		p.ID = int64(c.number())
	}
	return p
}

func rightToLeft(r rune) bool {
	p, _ := bidi.LookupRune(r)
	return p.Class() == bidi.R || p.Class() == bidi.AL
}

func (c *cursor) head(a *Answer) {
	w := c.w
	c.must(" ")
	a.Count = c.number()
	c.must(" " + w.text)
	c.maybe("s")
	if c.maybe(w.with) {
		a.With = c.subject()
		a.Claimed = c.maybe(w.claimed)
	}
	if c.maybe(w.holding) {
		a.Holding = c.quoted()
	}
	if c.maybe(w.since) {
		a.Since = c.stamp()
	}
	c.must(w.order)
}

func (c *cursor) text() (t Text) {
	w := c.w
	c.must(" ")
	t.Stamp = c.stamp()
	c.party(&t)
	c.must(w.colon)
	t.Body = c.quoted()
	if c.maybe(" [") {
		remarks, ok := strings.CutSuffix(c.s, "]")
		if !ok || strings.ContainsAny(remarks, "«»[]") {
			c.fail("remarks")
		}
		t.Remarks, c.s = strings.Split(remarks, w.next), ""
		for _, r := range t.Remarks {
			if first, _ := utf8.DecodeRuneInString(r); !unicode.IsLetter(first) {
				c.fail("a remark that begins with a letter, not " + r)
			}
		}
		c.voicemail(&t)
	}
	if c.s != "" {
		c.fail("the end")
	}
	return t
}

// voicemail reads the first remark of what a caller left. No other remark has its first word, and no text of somebody who is known has it.
func (c *cursor) voicemail(t *Text) {
	for i, r := range t.Remarks {
		m := c.w.left.FindStringSubmatch(r)
		if m == nil && !strings.HasPrefix(r, "voicemail") && !strings.HasPrefix(r, "message vocal") {
			continue
		}
		if m == nil || i > 0 || t.Sent || !t.Peer.Unverified {
			c.fail("a voicemail, not " + r)
			return
		}
		t.Voicemail, t.Heard, t.Lost = true, m[3] != "", m[4] != ""
		if m[1]+m[2] != "" {
			t.Seconds, _ = strconv.Atoi(m[1] + m[2])
		}
	}
}

func (c *cursor) foot(a *Answer) {
	w := c.w
	c.must(w.end)
	a.Shown = c.number()
	c.must(" " + w.text)
	c.maybe("s")
	c.must(w.shown)
	if a.French {
		c.maybe("s")
		c.must(".")
	}
	a.Claims = c.maybe(w.claims)
	if c.maybe(w.older) {
		a.Before = c.run(digits + "-")
		c.must(w.after)
	}
	if c.maybe(w.not) {
		if a.French {
			c.maybe("s")
			c.must(" : ")
		}
		a.FoldedTexts = c.number()
		c.must(" " + w.text)
		c.maybe("s")
		c.must(w.from)
		a.FoldedSenders = c.number()
		c.must(w.sender)
		c.maybe("s")
		if a.French {
			c.must(" absent")
			c.maybe("s")
		}
		c.must(w.folded)
		if a.French {
			c.maybe("s")
		}
		c.must(w.ask)
	}
	c.carrier(a)
	if c.s != "" {
		c.fail("the end")
	}
}

// carrier reads what the foot says of the carrier.
func (c *cursor) carrier(a *Answer) {
	w := c.w
	if c.maybe(w.never) {
		a.Carrier = c.code()
		c.must(w.missing)
		return
	}
	if c.maybe(w.down) {
		a.Carrier = c.code()
		c.must(w.held)
		a.Held = c.stamp()
		c.must(".")
	}
	if c.maybe(w.asked) {
		a.Partial = c.stamp()
		c.must(w.unread)
	}
}

func (c *cursor) code() string {
	out := c.run("abcdefghijklmnopqrstuvwxyz_")
	if len(out) > 40 {
		c.fail("a code")
	}
	return out
}
