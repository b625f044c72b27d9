package call

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"readback/cmd/readback/machine"
	"readback/smsmcp/owner"
	"readback/voice/media"
)

// TestStrangersLeaveMessages, and so does who keys in wrong PINs; of these the owner is told. Nothing else is there for them.
func TestStrangersLeaveMessages(t *testing.T) {
	t.Parallel()
	scenes(t, usual, map[string]func(h *house){
		"a stranger": func(h *house) {
			p := h.call("+15145550199")
			p.hears(beep)
			p.say("hello it's me.")
			p.say("call me back when you can.")
			p.keys("#")
			p.leaves("call me back")
		},
		"three wrong PINs": func(h *house) {
			p := h.call(owners[0])
			p.begins()
			for _, wrong := range []string{"481517", "777731"} {
				p.keys(wrong)
				p.expect("that is not")
			}
			p.keys("902134")
			p.hears(beep)
			p.keys("1")
			p.keys(pin) // no code counts any more
			p.say("where are you.")
			p.keys("#")
			p.leaves("where are you")
			h.until("the owner is told of wrong PINs", func() bool {
				for _, topic := range []string{"approvals", "texts"} {
					for _, n := range h.bed.Published(topic) {
						if strings.Contains(n.Message+n.Title, "PIN") {
							return true
						}
					}
				}
				return false
			})
		},
	})
}

// leaves waits until a message is kept and told of, and checks that this is all that came of a call.
func (p *person) leaves(message string) {
	p.t.Helper()
	h := p.h
	if got, ok := p.heard(p.hears(words), "thank you goodbye"); !ok {
		p.t.Errorf("the last words were heard as %q", got)
	}
	select {
	case <-p.far.Done():
	case <-time.After(patience):
		p.t.Fatal("the call goes on")
	}
	p.hangsUp()
	const greeting = "nobody can take your call leave a message after the tone"
	told := p.told(0)
	if _, there := h.spoken(p.far.Received(), greeting); !there && !mostly(told, greeting) {
		p.t.Errorf("the greeting is not in %q", told)
	}
	for _, n := range []string{"hello what", "texts", "marie", "robert", "alexander", "elizabeth", "christopher", "julie", "katherine"} {
		if strings.Contains(told, n) {
			h.misheard(p, n)
			p.t.Errorf("a stranger heard %q: %s", n, told)
		}
	}
	h.until("the text is in the store", func() bool {
		return has(h.program.Call(p.t.Context(), "read_texts", map[string]any{"strangers": true}), message)
	})
	h.until("the owner's phone has it", func() bool {
		for _, n := range h.bed.Published("texts") {
			if has(n.Message, message) {
				return true
			}
		}
		return false
	})
	found := false
	files, err := filepath.Glob(filepath.Join(h.program.Data, machine.VoicemailFolder, "*.wav"))
	if err != nil {
		p.t.Fatal(err)
	}
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			p.t.Fatal(err)
		}
		hz, pcm, err := media.ReadWAV(bytes.NewReader(b), 200*media.Rate)
		if err != nil || hz != media.Rate {
			p.t.Fatalf("%s: %d, %v", f, hz, err)
		}
		var all []string
		for _, s := range sounds(pcm, true) {
			all = append(all, h.recognise(pcm[max(0, s.from-media.Rate/5):min(len(pcm), s.to+media.Rate/5)], hz))
		}
		found = found || mostly(strings.Join(all, " "), message)
	}
	if !found {
		p.t.Errorf("%q is in none of %v", message, files)
	}
	sends, err := owner.ListSends.Do(p.t.Context(), h.program.Owner(), owner.Limit{Limit: 10}, "")
	if err != nil || len(sends) != 0 {
		p.t.Errorf("%v, %v", sends, err)
	}
}
