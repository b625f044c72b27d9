package mcptools

import (
	"regexp"

	"readback/smsmcp/lang"
)

const (
	mostDays   = 3650
	mostTexts  = 500
	usualTexts = 50
	mostWord   = 100  // of a name or a word of one: an alias has 40 at most
	mostQuery  = 200  // of what is looked for in bodies
	mostBody   = 2048 // what the widest carrier takes (voip.ms, MMS)
)

var (
	sendID = regexp.MustCompile(`^[a-z2-7]{10}$`)
	cursor = regexp.MustCompile(`^[0-9]{1,12}-[0-9]{1,19}$`) // frame.FormatCursor
)

// tools is the table. Read only, and served by plain functions: no closure carries anything past declared.
var tools = []tool{
	{
		name: "read_texts", title: lang.ReadTextsTitle, about: lang.ReadTexts,
		params: []param{
			{name: "contact", about: lang.ReadTextsContact, kind: text, min: 1, max: mostWord},
			{name: "days", about: lang.ReadTextsDays, kind: whole, min: 0, max: mostDays},
			{name: "limit", about: lang.ReadTextsLimit, kind: whole, min: 1, max: mostTexts},
			{name: "before", about: lang.ReadTextsBefore, kind: text, min: 3, max: 32, pattern: cursor},
			{name: "query", about: lang.ReadTextsQuery, kind: text, min: 1, max: mostQuery},
			{name: "strangers", about: lang.ReadTextsStrangers, kind: truth},
		},
		origin: strangersWords, reach: staysIn,
		hints: hints{readOnly: true, idempotent: true, openWorld: true}, // what it shows was written by anybody
		serve: framed(readTexts),
	},
	{
		name: "find_contact", title: lang.FindContactTitle, about: lang.FindContact,
		params: []param{{name: "word", about: lang.FindContactWord, kind: text, min: 1, max: mostWord, required: true}},
		origin: serversWords, reach: staysIn,
		hints: hints{readOnly: true, idempotent: true},
		serve: plain(findContact),
	},
	{
		name: "send_text", title: lang.SendTextTitle, about: lang.SendText,
		params: []param{
			{name: "to", about: lang.SendTextTo, kind: text, min: 1, max: mostWord, required: true},
			{name: "body", about: lang.SendTextBody, kind: text, min: 1, max: mostBody, required: true},
		},
		origin: serversWords, reach: goesOut,
		hints: hints{destructive: true, openWorld: true},
		serve: outward(sendText),
	},
	{
		name: "check_send", title: lang.CheckSendTitle, about: lang.CheckSend,
		params: []param{{name: "id", about: lang.SendID, kind: text, min: 10, max: 10, pattern: sendID, required: true}},
		origin: serversWords, reach: staysIn,
		hints: hints{readOnly: true, idempotent: true},
		serve: plain(checkSend),
	},
	{
		name: "cancel_send", title: lang.CancelSendTitle, about: lang.CancelSend,
		params: []param{{name: "id", about: lang.SendID, kind: text, min: 10, max: 10, pattern: sendID, required: true}},
		origin: serversWords, reach: staysIn,
		hints: hints{idempotent: true}, // not destructive: it makes less happen, and the log keeps the draft
		serve: plain(cancelSend),
	},
}
