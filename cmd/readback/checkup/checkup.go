// Package checkup finds out, without a server, what is wrong with the owner's Asterisk, ntfy, and the engines of the phone.
//
// It changes nothing there: it asks what they say of themselves, and knocks with a few passwords that everybody knows. What it finds is a sentence that a person can act on;
// none holds a password or a word that was answered, but for names and a version that were brought to a known form (invariants 11 and 13).
//
// Floor 4: imports smsmcp, smsmcp/lang and what is below it, smsmcp/ntfy, voip/ari and voip/sipmsg.
package checkup

import (
	"context"
	"net"
	"time"

	"readback/smsmcp/lang"
	"readback/smsmcp/ntfy"
	"readback/voip/ari"
)

// Options say what to look at.
type Options struct {
	Line     *ari.Config // how the owner's Asterisk is reached; nil where there is none
	Endpoint string      // the trunk's
	List     bool        // the carrier has a list of every text, so what comes by the line is a claim until the list has it
	TLSOnly  bool        // the owner said that every SIP transport is TLS
	Running  bool        // a server runs on the owner's data now

	Addresses func() ([]net.Addr, error) // of this machine: net.InterfaceAddrs
	Conf      string                     // asterisk.conf, if Asterisk is on this machine and it can be read: /etc/asterisk/asterisk.conf

	Ntfy          *ntfy.Config // nil where there is none
	Approvals     *ntfy.Config // the topic for approvals; nil where there is none
	AnyoneCanRead bool         // the owner's word that the topic may be read by anyone
}

// Status is how bad a finding is.
type Status uint8

// The statuses.
const (
	OK Status = iota
	Warn
	Fail
)

// Finding is one thing that was looked at.
type Finding struct {
	Status Status
	Check  lang.Message
	text   func(lang.Lang) string
}

// In says what was found, in l.
func (f Finding) In(l lang.Lang) string { return f.text(l) }

// limit bounds each of the two examinations: no machine that does not answer holds up the doctor.
const limit = 30 * time.Second

// Line examines the owner's Asterisk; nothing where there is none. Where it does not answer, one finding says so and the rest is left out.
func Line(ctx context.Context, o Options) []Finding {
	if o.Line == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	e := &examination{o: o}
	e.line(ctx)
	return e.found
}

// Ntfy examines the owner's ntfy; nothing where there is none.
func Ntfy(ctx context.Context, o Options) []Finding {
	if o.Ntfy == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	e := &examination{o: o}
	e.ntfy(ctx)
	if o.Approvals != nil {
		e.approvals(ctx)
	}
	return e.found
}

// examination gathers findings, in the order in which they are made.
type examination struct {
	o     Options
	found []Finding
}

func (e *examination) add(s Status, check, m lang.Message, args ...any) {
	e.found = append(e.found, Finding{s, check, func(l lang.Lang) string { return m.In(l, args...) }})
}

// say adds what a code means.
func (e *examination) say(s Status, check lang.Message, code string, sentences func(lang.Lang, string) string) {
	e.found = append(e.found, Finding{s, check, func(l lang.Lang) string { return sentences(l, code) }})
}
