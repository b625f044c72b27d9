// Package card is the card in the chat (MCP Apps, extension io.modelcontextprotocol/ui, revision 2026-01-26): one HTML document with a small script of its own, which an
// MCP client draws in a frame beside a send that waits, and the data that it is handed.
//
// The document is the same for every send and holds nothing of any. It asks no site for anything, and its own policy lets it run and draw only what stands in it. The
// data reaches it as data, in a result's _meta, and becomes text there, never HTML: the script knows no way to write HTML (invariant 14). The data holds the
// secret by which the card's buttons answer (invariant 5): it is written nowhere else.
//
// Floor 3: imports smsmcp, page/body, draw and lang.
package card

import (
	"crypto/sha256"
	_ "embed" // the document's parts
	"encoding/base64"
	"html/template"
	"strings"
	"time"

	"readback/cmd/readback/draw"
	"readback/smsmcp"
	"readback/smsmcp/lang"
	"readback/smsmcp/page/body"
)

// What the specification of MCP Apps fixes, and the two names that are ours.
const (
	Extension = "io.modelcontextprotocol/ui"
	MIMEType  = "text/html;profile=mcp-app"
	URI       = "ui://readback/send.html"
	Tool      = "answer_send" // what the buttons call, with a secret and one of the answers
	MetaKey   = "readback/card"
)

// Answer is what a button stands for.
type Answer string

// The answers.
const (
	Send   Answer = "send"
	Dont   Answer = "dont"
	Freeze Answer = "freeze"
)

// Data is what a card is handed. It holds the secret: it goes into a result's _meta alone.
type Data struct {
	Secret  string        `json:"secret"`
	ID      smsmcp.SendID `json:"id"`
	To      string        `json:"to"`
	Number  smsmcp.Number `json:"number"`
	Body    []body.Line   `json:"body"`
	Size    string        `json:"size"`
	Reasons []string      `json:"reasons"`
	About   []string      `json:"about"`             // until when it waits, and who asked
	Left    int64         `json:"left"`              // how long it waits yet, in ms: the clock of the owner's device may be wrong
	Instead string        `json:"instead,omitempty"` // in place of the button that sends: where a yes counts
}

// Of gives the data of a send that waits now. reasons and until are in the owner's words; instead is empty where a yes by the card counts.
func Of(l lang.Lang, s smsmcp.Send, now time.Time, secret string, reasons []string, until, instead string) Data {
	lines, chars := draw.Size(s.Draft.Body())
	return Data{
		Secret: secret, ID: s.ID, To: s.Name, Number: s.Draft.To(), Body: body.Lines(l, s.Draft.Body()), Reasons: reasons, Instead: instead,
		Size: strings.Join([]string{
			lang.CLIBodyLines.In(l, lines), lang.CLIBodyChars.In(l, chars), lang.CLISegments.In(l, s.Segments, strings.ToUpper(string(s.Kind))),
		}, ", "),
		About: []string{lang.CardUntil.In(l, until), lang.CardBy.In(l, s.By, s.ID)}, Left: s.Expires.Sub(now).Milliseconds(),
	}
}

//go:embed assets/card.html
var page string

//go:embed assets/card.css
var style string

//go:embed assets/card.js
var script string

var documents = map[lang.Lang]string{lang.EN: document(lang.EN), lang.FR: document(lang.FR)}

// Document gives the card in l (English unless l is FR).
func Document(l lang.Lang) string {
	if l != lang.FR {
		l = lang.EN
	}
	return documents[l]
}

// Policy is the document's own Content Security Policy: this script and this style, and nothing from anywhere.
func Policy() string {
	return "default-src 'none'; script-src " + hash(script) + "; style-src " + hash(style) + "; base-uri 'none'; form-action 'none'"
}

func hash(s string) string {
	sum := sha256.Sum256([]byte(s))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

func document(l lang.Lang) string {
	words := map[string]lang.Message{
		"title": lang.CardTitle, "plain": lang.CardPlain, "to": lang.CardTo, "body": lang.CardBody, "why": lang.CardWhy,
		"send": lang.CardSend, "dont": lang.CardDont, "freeze": lang.CardFreeze,
		"wait": lang.CardWait, "busy": lang.CardBusy, "lost": lang.CardLost, "late": lang.CardLate, "ended": lang.CardEnded, "nocall": lang.CardNoCall,
	}
	var b strings.Builder
	err := template.Must(template.New("card").Funcs(template.FuncMap{"say": func(key string) string { return words[key].In(l) }}).Parse(page)).Execute(&b, map[string]any{
		"Lang": string(l), "Policy": Policy(), "Style": template.CSS(style), "Script": template.JS(script), //nolint:gosec // they stand in this package
	})
	if err != nil {
		panic(err) // it depends on what is built in alone
	}
	return b.String()
}
