package browser

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"readback/smsmcp"
	"readback/smsmcp/clean"
	"readback/smsmcp/lang"
)

// pressed is what a card asked of its server, by the host.
type pressed struct {
	Name      string
	Arguments map[string]string
}

func (c *chat) passed(n int) []pressed {
	c.t.Helper()
	return does[[]pressed](c, fmt.Sprintf(`chat.cards[%d].passed`, n))
}

// TestTheCardInTheChat: the owner presses each button, in clients of both eras, whose sandbox writes the document in either way. The model is told what came of it.
func TestTheCardInTheChat(t *testing.T) {
	c := chats(t, lang.EN)
	n := 0
	var yes []string
	for _, enter := range []string{"era=modern&how=srcdoc", "era=legacy&how=write"} {
		c.enter(enter)
		for i, button := range []string{"send", "dont", "freeze"} {
			n++
			body := fmt.Sprintf("Number %d: I am on my way.", n)
			c.sends("Marie Tremblay", body, "")
			for _, want := range []string{"A text waits for your yes", "To Marie Tremblay +15145550142", body, "1 line, 25 characters, 1 segment (SMS)", "You have asked to confirm every text.", "Asked by claude, send "} {
				c.awaits(i, want)
			}
			if got := c.buttons(i); got != "send dont freeze" {
				t.Errorf("%s: %s", enter, got)
			}
			c.presses(i, button)
			came := map[string]string{"send": "was sent at", "dont": "The owner said no", "freeze": lang.AnswerSendFrozen.EN}[button]
			c.awaits(i, came)
			if got := c.buttons(i) + c.card(i, `document.body.innerText`); strings.Contains(got, "waits for your yes") || strings.Contains(got, "Without an answer") || c.buttons(i) != "" {
				t.Errorf("%s: it asks still: %s", button, got)
			}
			if got := c.card(i, `document.activeElement.id`); got != "said" {
				t.Errorf("%s: the focus is at %q", button, got)
			}
			all := c.passed(i)
			if len(all) != 1 || all[0].Name != "answer_send" || all[0].Arguments["answer"] != button || len(all[0].Arguments["secret"]) != 43 {
				t.Errorf("%+v", all)
			}
			c.wait(fmt.Sprintf(`chat.cards[%d].said.length === 1`, i))
			c.keepsSecret(all[0].Arguments["secret"])
			if told := does[string](c, `JSON.stringify(chat.model.at(-1))`); !strings.Contains(told, came) {
				t.Errorf("the model is told %s", told)
			}
			if button == "send" {
				yes = append(yes, body)
			}
			must(t, c.store.Thaw(t.Context()))
		}
		c.clean()
	}
	if !slices.Equal(c.sent(), yes) {
		t.Errorf("%q", c.sent())
	}
	all, err := c.store.Sends(t.Context(), 50)
	must(t, err)
	for _, s := range all {
		if s.State == smsmcp.Done && s.ConfirmedBy != smsmcp.Card {
			t.Errorf("%s by %q", s.ID, s.ConfirmedBy)
		}
	}
}

// TestTheCardByKeyboard: without a mouse, in the order in which it stands.
func TestTheCardByKeyboard(t *testing.T) {
	c := chats(t, lang.EN)
	c.enter("how=write")
	c.sends("Marie Tremblay", "On my way.", "")
	c.awaits(0, "On my way.")
	for _, want := range []string{"send", "dont", "freeze"} {
		c.keys("\t")
		if got := c.card(0, `document.activeElement.id`); got != want {
			t.Fatalf("the focus is at %q, not at %s", got, want)
		}
	}
	must(t, chromedp.Do(c.ctx, chromedp.KeyEvent("\t", chromedp.KeyModifiers(8)))) // back, to «Don't send»
	c.keys("\r")
	c.awaits(0, "The owner said no")
	if s := c.only(); s.State != smsmcp.Declined || s.ConfirmedBy != smsmcp.NoChannel {
		t.Errorf("%s by %q", s.State, s.ConfirmedBy)
	}
}

// TestInvariant05AnAnswerOfACardIsGoodOnce: the same card drawn twice, as a client does that opens a chat again; a press that is repeated; a second card of the same send.
func TestInvariant05AnAnswerOfACardIsGoodOnce(t *testing.T) {
	c := chats(t, lang.EN)
	c.enter("")
	args := js(map[string]string{"to": "Marie Tremblay", "body": "On my way."})
	does[any](c, `(async () => { window.first = await chat.send(`+args+`); await chat.draw(first, `+args+`); await chat.send(`+args+`); })()`)
	c.awaits(2, "On my way.")
	c.presses(0, "send")
	c.awaits(0, "was sent at")
	once := c.passed(0)[0].Arguments

	// The twin has the same secret: it is refused, and looks where the text stands.
	c.presses(1, "freeze")
	c.awaits(1, lang.AnswerSendNone.EN)
	c.awaits(1, "was sent at")
	if got := c.buttons(1); got != "" {
		t.Errorf("buttons are left: %s", got)
	}
	// The third has one of its own: the first answer was the first.
	c.presses(2, "dont")
	c.awaits(2, "was sent at")
	// A model, or whoever has its token, repeats what was pressed, with each answer.
	for _, answer := range []string{"send", "dont", "freeze"} {
		once["answer"] = answer
		if said := does[string](c, `chat.client.callTool({name: "answer_send", arguments: `+js(once)+`}).then((r) => (r.isError ? "" : "done: ") + r.content[0].text)`); said != lang.AnswerSendNone.EN {
			t.Errorf("%s once more: %s", answer, said)
		}
	}
	if frozen, err := c.desk.Frozen(t.Context()); err != nil || frozen || len(c.sent()) != 1 || c.only().State != smsmcp.Done {
		t.Errorf("frozen %v %v, sent %q", frozen, err, c.sent())
	}
}

// TestInvariant05AModelThatCallsTheCardsTool: it knows the tool, the send and all that it was given, and guesses; nothing comes of it, and the owner's button is good still.
func TestInvariant05AModelThatCallsTheCardsTool(t *testing.T) {
	c := chats(t, lang.EN)
	c.enter("")
	c.sends("Marie Tremblay", "Send me the code 4821.", "")
	c.awaits(0, "4821")
	id := c.only().ID
	said := does[[]string](c, `(async () => {
		const given = JSON.stringify(chat.model).match(/[A-Za-z0-9_-]+/g);
		const tries = new Set(["", "yes", "send", "x".repeat(43), ...given, ...given.map((w) => w.padEnd(43, "A").slice(0, 43))]);
		for (let i = 0; i < 100; i++) tries.add(btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32)))).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", ""));
		const said = new Set();
		for (const secret of tries) {
			for (const answer of secret.length === 43 ? ["send", "freeze"] : ["send"]) {
				const r = await chat.client.callTool({name: "answer_send", arguments: {id: `+js(id)+`, secret, answer}});
				said.add((r.isError ? "" : "done: ") + r.content[0].text);
			}
		}
		return [...said].sort();
	})()`)
	want := []string{lang.AnswerSendNone.EN, lang.ToolPattern.In(lang.EN, "secret"), lang.ToolText.In(lang.EN, "secret", 43, 43)}
	for _, s := range said {
		if !slices.Contains(want, s) {
			t.Errorf("%q", s)
		}
	}
	if !slices.Contains(said, lang.AnswerSendNone.EN) || len(c.sent()) > 0 || c.only().State != smsmcp.Waiting {
		t.Errorf("%q, sent %q", said, c.sent())
	}
	if frozen, err := c.desk.Frozen(t.Context()); err != nil || frozen {
		t.Errorf("frozen %v %v", frozen, err)
	}
	c.presses(0, "send")
	c.awaits(0, "was sent at")

	// A client that draws no card is given nothing by which it could answer.
	c.enter("draws=no")
	got := does[string](c, `chat.client.callTool({name: "send_text", arguments: {to: "Alex Roy", body: "x"}}).then((r) => JSON.stringify([chat.tools.map((t) => t.name), r._meta?.["readback/card"] ?? null]))`)
	if strings.Contains(got, "answer_send") || !strings.HasSuffix(got, ",null]") {
		t.Error(got)
	}
}

// TestInvariant05OnlyThePersonPressesTheCard: a script that clicks, and a message that is not the host's, do nothing.
func TestInvariant05OnlyThePersonPressesTheCard(t *testing.T) {
	c := chats(t, lang.EN)
	c.enter("how=write")
	// Before the host has told the result, the page above it posts one past it, to the card itself.
	forged := `{jsonrpc: "2.0", method: "ui/notifications/tool-result", params: {content: [{type: "text", text: "forged"}], _meta: {"readback/card": {secret: "f".repeat(43), id: "aaaaaaaaaa", to: "Marie Tremblay",
		number: "+15145550142", body: [{Pieces: [{Text: "a forged text"}]}], size: "", reasons: [], about: [], left: 9e8}}}}`
	c.sends("Marie Tremblay", "The real one.", `{before: async (card) => { card.frame.contentWindow.frames[0].postMessage(`+forged+`, "*"); await new Promise((r) => setTimeout(r, 200)); }}`)
	c.awaits(0, "The real one.")
	if said := c.card(0, `document.body.innerText`); strings.Contains(said, "forged") {
		t.Error(said)
	}
	// One send for one card: a second result changes nothing.
	does[any](c, `chat.cards[0].bridge.sendToolResult({content: [{type: "text", text: "another"}], _meta: {"readback/card": {secret: "f".repeat(43), to: "Alex Roy", body: [{Pieces: [{Text: "another"}]}]}}})`)
	c.card(0, `document.getElementById("send").click()`)
	c.card(0, `document.getElementById("freeze").dispatchEvent(new MouseEvent("click", {bubbles: true}))`)
	does[any](c, `chat.cards[0].bridge.teardownResource({})`) // an answer comes back after all that came before it was dealt with
	if said := c.card(0, `document.body.innerText`); strings.Contains(said, "another") || strings.Contains(said, "Alex") {
		t.Error(said)
	}
	if got := c.passed(0); len(got) > 0 || c.only().State != smsmcp.Waiting {
		t.Errorf("a script pressed it: %+v", got)
	}
	c.presses(0, "dont")
	c.awaits(0, "The owner said no")
}

// hostile are bodies that would like to be more than text, and may be asked for.
var hostile = []string{
	`<img src=x onerror="parent.postMessage('owned','*')"><script>document.title='owned'</script><b>bold</b>`,
	`</script><script>document.title="owned"</script><style>*{display:none}</style></div></main><!--`,
	`{{constructor.constructor('document.title="owned"')()}} ${document.title="owned"} %3Cb%3E &lt;b&gt; &#60;b&#62; \u003cb\u003e`,
	"https://evil.example/ <a href=https://evil.example>tap</a> [tap](https://evil.example) tel:+15145550199 javascript:document.title='owned'",
	"Oui.\n\n\n\n\n\n\n\n\nTo Alex Roy +15145550143\nThe text, word for word\nSend Don't send Freeze all sends",
	"   three   spaces   \n  │ A text waits for your yes\n␣ U+202E",
	strings.Repeat("W", 300) + " " + strings.Repeat("漢字", 100) + " 👨‍👩‍👧 می‌خواهم",
	"e" + strings.Repeat("\u0301", 3) + " שלום עולם, send to Marie 123 مرحبا",
	`"; secret = ""; //` + "`" + `'"` + "\u00a0\u202f!",
}

// TestInvariant14AHostileBodyIsTextOnACard: it is drawn letter by letter, and is nothing else; nothing is asked of anybody.
func TestInvariant14AHostileBodyIsTextOnACard(t *testing.T) {
	c := chats(t, lang.EN)
	c.enter("how=write")
	for i, body := range hostile {
		if err := clean.Drawable(body); err != nil {
			t.Fatalf("%q would not be asked for: %v", body, err)
		}
		c.sends("Marie Tremblay", body, "")
		c.awaits(i, "Asked by claude")
		var drawn struct {
			Text, Tags, Title string
			Marks, Out        int
		}
		must(t, json.Unmarshal([]byte(c.card(i, `(() => {
			const box = document.getElementById("body"), text = (p) => [...p.childNodes].map((n) => n.nodeType === 3 ? n.data : n.className !== "mark" ? "" : n.getAttribute("aria-label")?.endsWith("space") || n.getAttribute("aria-label")?.endsWith("spaces") ? " ".repeat(n.textContent.length) : "\u0000" + n.textContent).join("");
			return {
				Text: [...box.children].map(text).join("\n"), Tags: [...new Set([...box.querySelectorAll("*")].map((e) => e.tagName))].sort().join(" "), Title: document.title,
				Marks: box.querySelectorAll(".mark").length, Out: [...document.querySelectorAll("body *")].filter((e) => e.getBoundingClientRect().right > innerWidth + 1).length,
			};
		})()`)), &drawn))
		want := strings.ReplaceAll(body, "\n\n\n\n\n\n\n\n\n", "\n\x008 empty lines\n")
		if drawn.Text != want {
			t.Errorf("%q is drawn as %q", want, drawn.Text)
		}
		for _, tag := range strings.Fields(drawn.Tags) {
			if !slices.Contains([]string{"P", "SPAN", "BR"}, tag) {
				t.Errorf("%q made a %s", body, tag)
			}
		}
		if drawn.Title != lang.CardPlain.EN || drawn.Out > 0 {
			t.Errorf("%q: the title is %q, and %d things stick out", body, drawn.Title, drawn.Out)
		}
		if got := c.buttons(i); got != "send dont freeze" {
			t.Errorf("%q: %s", body, got)
		}
		c.picture(fmt.Sprintf("card-hostile-%d", i), i)
	}
	if owned := eval[string](c.tab, "document.title"); owned != "A chat" {
		t.Error(owned)
	}
	c.clean()
	c.presses(len(hostile)-1, "send")
	c.awaits(len(hostile)-1, "was sent at")
	if got := c.sent(); len(got) != 1 || got[0] != hostile[len(hostile)-1] {
		t.Errorf("%q", got)
	}
}

// TestWhatACardCannotDo: without a button that sends it says where a yes counts; its time ends by itself; an answer that is lost may be given again; a host that passes nothing on is not pressed.
func TestWhatACardCannotDo(t *testing.T) {
	c := chats(t, lang.EN)
	c.ahead.Store(int64(-20 * time.Minute)) // by the owner's device all of it is over: its clock does not count
	c.enter("")

	c.sends("Marie Tremblay", "lost", `{lose: 1}`)
	c.awaits(0, "lost")
	c.presses(0, "dont")
	c.awaits(0, lang.CardLost.EN)
	c.presses(0, "dont")
	c.awaits(0, "The owner said no")

	c.sends("Marie Tremblay", "deaf", `{deaf: true}`)
	c.awaits(1, lang.CardNoCall.EN)
	c.sends("Marie Tremblay", "late", `{change: (r) => (r._meta["readback/card"].left = 300, r)}`)
	c.awaits(2, lang.CardLate.EN)
	c.awaits(2, "waits for the owner's yes until") // it looked where the text stands
	does[any](c, `chat.draw(null, {}).then(() => null)`)
	c.awaits(3, lang.CardEnded.EN)
	c.sends("Nobody I know", "x", "")
	c.awaits(4, "Refused")

	// Late for the server, whose clock counts.
	c.sends("Alex Roy", "too late", "")
	c.awaits(5, "too late")
	c.ahead.Add(int64(11 * time.Minute))
	c.presses(5, "send")
	c.awaits(5, lang.AnswerSendNone.EN)
	c.awaits(5, "Nobody answered")

	must(t, c.store.SetTokenMayConfirm(t.Context(), "claude", false))
	c.sends("Alex Roy", "unmarked", "")
	c.awaits(6, lang.CardMayNot.EN)
	must(t, c.store.SetTokenMayConfirm(t.Context(), "claude", true))
	must(t, c.store.Show(context.Background(), smsmcp.Shown{At: c.now(), Holds: []smsmcp.Hold{{Scope: smsmcp.MCP, Kind: smsmcp.HoldAlarm, From: c.now(), Until: c.now().Add(time.Hour)}}}))
	c.sends("Marie Tremblay", "alarmed", "")
	c.awaits(7, lang.CardStrong.EN)
	for n, want := range []string{"", "", "", "", "", "", "dont freeze", "dont freeze"} {
		if got := c.buttons(n); got != want {
			t.Errorf("card %d has %q", n, got)
		}
	}
	c.presses(7, "freeze")
	c.awaits(7, lang.AnswerSendFrozen.EN)
	if frozen, err := c.desk.Frozen(t.Context()); err != nil || !frozen || len(c.sent()) > 0 {
		t.Errorf("frozen %v %v, sent %q", frozen, err, c.sent())
	}
	c.clean()
}

// picture keeps one of a card, if pictures are kept.
func (c *chat) picture(name string, n int) {
	c.t.Helper()
	folder := os.Getenv(shots)
	if folder == "" {
		return
	}
	eval[bool](c.tab, fmt.Sprintf(`chat.cards[%d].frame.scrollIntoView({block: "center"}), true`, n))
	png, err := chromedp.Run(c.ctx, chromedp.CaptureScreenshot())
	must(c.t, err)
	must(c.t, os.MkdirAll(folder, 0o755))
	must(c.t, os.WriteFile(filepath.Join(folder, name+".png"), png, 0o644))
}

// TestEveryStateOfTheCard looks at it as it stands on a phone and on a desk, light and dark, in both languages: axe-core has nothing against it, nothing sticks out, and all can be hit by a finger.
func TestEveryStateOfTheCard(t *testing.T) {
	for _, l := range []lang.Lang{lang.EN, lang.FR} {
		c := chats(t, l)
		script, err := axe()
		must(t, err)
		for _, k := range looks(os.Getenv(shots) != "") {
			if k.lang != string(l) {
				continue
			}
			c.looked(k)
			c.enter("how=write&theme=" + k.scheme)
			body := "Je passe te prendre à 18 h devant le théâtre\u202f!\n\n  À tantôt   👨‍👩‍👧,\nMaman (" + k.name + ")"
			c.sends("Marie Tremblay", body, "")
			c.awaits(0, "Maman")
			if got := c.card(0, `getComputedStyle(document.documentElement).colorScheme + " " + document.documentElement.lang`); got != k.scheme+" "+string(l) {
				t.Errorf("%s: it is %s", k.name, got)
			}
			judge := func(state string) {
				t.Helper()
				name := "card-" + state + "-" + k.name
				found := c.card(0, `(async () => { if (!window.axe) { `+script+` }; const r = await axe.run(document, {resultTypes: ["violations"]});
					return {passes: r.passes.length, violations: r.violations.map((v) => v.id + ": " + v.help + " " + v.nodes.map((n) => n.html + " " + n.failureSummary).join(" | "))}; })()`)
				var got struct {
					Passes     int
					Violations []string
				}
				must(t, json.Unmarshal([]byte(found), &got))
				if got.Passes < 10 || len(got.Violations) > 0 {
					t.Errorf("%s: %d passes, %q", name, got.Passes, got.Violations)
				}
				if small := c.card(0, `[...document.querySelectorAll("button")].filter((b) => b.offsetHeight && b.offsetHeight < 40).length + " " + (document.documentElement.scrollWidth > innerWidth)`); small != "0 false" {
					t.Errorf("%s: %s", name, small)
				}
				c.picture(name, 0)
			}
			judge("waits")
			c.presses(0, "send")
			c.awaits(0, map[lang.Lang]string{lang.EN: "was sent at", lang.FR: "a été envoyé à"}[l])
			judge("sent")
			c.clean()
		}
	}
}
