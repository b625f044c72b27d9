package main

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"readback/cmd/readback/draw"
	"readback/smsmcp"
	"readback/smsmcp/guard"
	"readback/smsmcp/lang"
	"readback/smsmcp/owner"
)

func (p *program) pending() *cobra.Command {
	c := p.command("pending", lang.CLIPending, lang.CLIPendingLong, groupTexts)
	return p.run(c, 0, 0, func(ctx context.Context, _ []string) error {
		return p.owned(ctx, func(cl *owner.Client, st owner.State) error {
			all, err := owner.ListWaiting.Do(ctx, cl, owner.None{}, "")
			if err != nil {
				return err
			}
			unknown, err := owner.ListUnknown.Do(ctx, cl, owner.None{}, "")
			if err != nil {
				return err
			}
			p.frozen(st)
			if len(all) == 0 {
				p.line(lang.CLINoneWaiting)
			} else {
				p.print("%s\n", lang.CLIWaiting.In(p.lang, len(all)))
			}
			for _, s := range all {
				p.print("\n%s\n", p.shown(s, p.width()))
				p.hint("approve " + string(s.ID))
				p.hint("deny " + string(s.ID))
			}
			if len(unknown) > 0 {
				p.print("\n%s\n", lang.CLIAreUnknown.In(p.lang, len(unknown)))
			}
			for _, s := range unknown {
				p.print("\n%s\n", p.shown(s, p.width()))
				p.hint("settle " + string(s.ID) + " sent")
				p.hint("settle " + string(s.ID) + " failed")
			}
			return nil
		})
	})
}

func (p *program) approve() *cobra.Command {
	c := p.command("approve ID", lang.CLIApprove, lang.CLIApproveLong, groupTexts)
	c.Example = "  readback approve k3f9a2mmq7"
	return p.run(c, 1, 1, func(ctx context.Context, args []string) error {
		return p.owned(ctx, func(cl *owner.Client, st owner.State) error {
			s, err := owner.GetSend.Do(ctx, cl, owner.Answer{ID: sendID(args[0])}, "")
			if err != nil {
				return err
			}
			// Shown is sent (invariant 14): the yes names the digest of what stands on the screen, before the passphrase is asked for.
			if s.State != smsmcp.Waiting {
				p.print("%s\n", p.over(s))
				return errSaid
			}
			if s.Only != smsmcp.NoChannel {
				return lang.Say(lang.OwnerOtherChannel)
			}
			p.print("%s\n", p.shown(s, p.width()))
			if s, err = ask(ctx, p, cl, st, owner.Approve, owner.Answer{ID: s.ID, Digest: s.Digest}); err != nil {
				return err
			}
			p.print("%s\n", p.became(s))
			if s.State != smsmcp.Done {
				return errSaid
			}
			return nil
		})
	})
}

func (p *program) deny() *cobra.Command {
	c := p.command("deny ID", lang.CLIDeny, lang.CLIDenyLong, groupTexts)
	c.Example = "  readback deny k3f9a2mmq7"
	return p.run(c, 1, 1, func(ctx context.Context, args []string) error {
		return p.owned(ctx, func(cl *owner.Client, _ owner.State) error {
			answer := owner.Answer{ID: sendID(args[0])}
			was, err := owner.GetSend.Do(ctx, cl, answer, "")
			if err != nil {
				return err
			}
			s, err := owner.Deny.Do(ctx, cl, answer, "")
			switch {
			case err != nil:
				return err
			case was.State == smsmcp.Waiting && s.State == smsmcp.Declined:
				p.print("%s\n", p.became(s))
			default:
				p.print("%s\n", p.over(s))
			}
			if s.State == smsmcp.Done || s.State == smsmcp.Unknown || s.State == smsmcp.Reserved {
				return errSaid // it went, or may have
			}
			return nil
		})
	})
}

// settle takes the owner's word for what became of a text of which nobody knows.
func (p *program) settle() *cobra.Command {
	c := p.command("settle ID sent|failed", lang.CLISettle, lang.CLISettleLong, groupTexts)
	c.Example = "  readback settle k3f9a2mmq7 sent\n  readback settle k3f9a2mmq7 failed"
	return p.run(c, 2, 2, func(ctx context.Context, args []string) error {
		sent := args[1] == "sent"
		if !sent && args[1] != "failed" {
			return lang.Say(lang.CLISettleForm, draw.Quoted(args[1]))
		}
		return p.owned(ctx, func(cl *owner.Client, st owner.State) error {
			s, err := owner.GetSend.Do(ctx, cl, owner.Answer{ID: sendID(args[0])}, "")
			if err != nil {
				return err
			}
			if s.State != smsmcp.Unknown && s.State != smsmcp.Reserved {
				return lang.Say(lang.OwnerSettled)
			}
			p.print("%s\n", p.shown(s, p.width()))
			s, err = ask(ctx, p, cl, st, owner.Settle, owner.Settlement{ID: s.ID, Sent: sent})
			said := lang.CLISettledFailed
			if sent {
				said = lang.CLISettledSent
			}
			return p.done(err, said, s.Contact)
		})
	})
}

// frozen says that all sends are stopped, and why, where they are.
func (p *program) frozen(st owner.State) {
	switch {
	case st.Restored:
		p.line(lang.CLIIsRestored)
	case st.Frozen:
		p.line(lang.CLIIsFrozen)
	}
}

func (p *program) freeze() *cobra.Command {
	c := p.command("freeze", lang.CLIFreeze, lang.CLIFreezeLong, groupTexts)
	return p.run(c, 0, 0, func(ctx context.Context, _ []string) error {
		return p.owned(ctx, func(cl *owner.Client, _ owner.State) error {
			_, err := owner.Freeze.Do(ctx, cl, owner.None{}, "")
			return p.done(err, lang.CLIFrozen)
		})
	})
}

func (p *program) thaw() *cobra.Command {
	c := p.command("thaw", lang.CLIThaw, lang.CLIThawLong, groupTexts)
	return p.run(c, 0, 0, func(ctx context.Context, _ []string) error {
		return p.owned(ctx, func(cl *owner.Client, st owner.State) error {
			_, err := ask(ctx, p, cl, st, owner.Thaw, owner.None{})
			return p.done(err, lang.CLIThawed)
		})
	})
}

func (p *program) sends() *cobra.Command {
	var asJSON bool
	var limit int
	c := p.command("sends", lang.CLISends, lang.CLISendsLong, groupTexts)
	c.Flags().BoolVar(&asJSON, "json", false, lang.CLIFlagJSON.In(p.lang))
	c.Flags().IntVarP(&limit, "limit", "n", 50, lang.CLIFlagLimit.In(p.lang))
	c.Flags().Lookup("limit").DefValue = "0" // the sentence says it, in the right language
	return p.run(c, 0, 0, func(ctx context.Context, _ []string) error {
		return p.owned(ctx, func(cl *owner.Client, _ owner.State) error {
			all, err := owner.ListSends.Do(ctx, cl, owner.Limit{Limit: limit}, "")
			if err != nil {
				return err
			}
			if asJSON {
				return p.sendsJSON(all)
			}
			if len(all) == 0 {
				p.line(lang.CLINoSends)
				return nil
			}
			p.sendsTable(all)
			if slices.ContainsFunc(all, func(s owner.Send) bool { return s.State == smsmcp.Unknown }) {
				p.print("\n%s\n", lang.CLISettleHint.In(p.lang))
			}
			return nil
		})
	})
}

// sendsTable writes one line a send.
func (p *program) sendsTable(all []owner.Send) {
	rows := make([][]string, 0, len(all)+1)
	rows = append(rows, heads(p.lang, lang.CLIColWhen, lang.CLIColID, lang.CLIColTo, lang.CLIColOutcome, lang.CLIColConfirmed, lang.CLIColReasons))
	for _, s := range all {
		rows = append(rows, []string{
			lang.Stamp(p.lang, s.Created.In(p.cfg.Zone)), string(s.ID), dash(s.Contact), guard.StandingToOwner(p.lang, s.State),
			p.confirmed(s), dash(strings.Join(p.words(s), ", ")),
		})
	}
	p.table(rows)
}

// words gives what codes gives, for a person.
func (p *program) words(s owner.Send) []string {
	out := codes(s)
	for i, code := range out {
		if out[i] = lang.RuleWords(p.lang, code); out[i] == code && code == s.Failure {
			out[i] = lang.CarrierSays(p.lang, code)
		}
	}
	return out
}

// sendsJSON writes one object a line, with exactly these keys: programs read it.
func (p *program) sendsJSON(all []owner.Send) error {
	e := json.NewEncoder(p.out)
	e.SetEscapeHTML(false)
	for _, s := range all {
		err := e.Encode(struct {
			ID          smsmcp.SendID    `json:"id"`
			Time        time.Time        `json:"time"`
			Contact     string           `json:"contact"`
			Outcome     smsmcp.SendState `json:"outcome"`
			Reasons     []string         `json:"reasons"`
			ConfirmedBy smsmcp.Channel   `json:"confirmed_by"`
			Answer      string           `json:"answer"`
		}{s.ID, s.Created.UTC(), s.Contact, s.State, codes(s), s.ConfirmedBy, s.Answer})
		if err != nil {
			return fmt.Errorf("write: %w", err)
		}
	}
	return nil
}

// codes gives the rules that spoke, and why a send failed or is unknown.
func codes(s owner.Send) []string {
	out := make([]string, 0, len(s.Reasons)+1)
	for _, r := range s.Reasons {
		out = append(out, string(r.Rule))
	}
	if s.Failure != "" {
		out = append(out, s.Failure)
	}
	return out
}

// shown draws a send as the owner is asked about it: the real recipient, the exact body, the segments, the reasons, the expiry; and once more
// below the body, where the question follows, to whom and how much.
func (p *program) shown(s owner.Send, width int) string {
	l, zone := p.lang, p.cfg.Zone
	contact := draw.Line(s.Contact)
	out := string(s.ID) + "  " + lang.CLITo.In(l, contact, s.Number) + "\n" + draw.Body(l, s.Body, width)
	out += "  " + lang.CLIAskedBy.In(l, p.size(s), s.By, lang.Stamp(l, s.Created.In(zone))) + "\n"
	if s.State == smsmcp.Waiting {
		out += "  " + lang.CLIExpires.In(l, lang.Stamp(l, s.Expires.In(zone))) + "\n"
	}
	for _, r := range s.Reasons {
		out += draw.Hung("  - ", guard.ExplainToOwner(l, zone, r), width)
	}
	lines, chars := draw.Size(s.Body)
	return out + draw.Hung("  ", lang.CLIBodyTo.In(l, contact, s.Number, lang.CLIBodyLines.In(l, lines), lang.CLIBodyChars.In(l, chars)), width)
}

func (p *program) size(s owner.Send) string {
	return lang.CLISegments.In(p.lang, s.Segments, strings.ToUpper(string(s.Kind)))
}

// became says what became of a send, with the way on.
func (p *program) became(s owner.Send) string {
	switch s.State {
	case smsmcp.Done:
		return lang.CLISent.In(p.lang, s.Contact, s.Number)
	case smsmcp.Declined:
		return lang.CLIDeclined.In(p.lang, s.Contact)
	case smsmcp.Unknown, smsmcp.Reserved:
		return lang.CLIUnknown.In(p.lang, s.ID)
	case smsmcp.Failed:
		return lang.CLIFailed.In(p.lang, lang.CarrierSays(p.lang, s.Failure))
	case smsmcp.Refused:
		out := lang.CLIRefusedNow.In(p.lang)
		for _, r := range s.Reasons {
			out += "\n  - " + guard.ExplainToOwner(p.lang, p.cfg.Zone, r)
		}
		return out
	default:
		return p.over(s)
	}
}

// over says of a send that was over before what became of it, and that nothing happened now.
func (p *program) over(s owner.Send) string {
	switch s.State {
	case smsmcp.Done:
		return lang.CLIWasSent.In(p.lang, draw.Line(s.Contact), s.Number)
	case smsmcp.Unknown, smsmcp.Reserved:
		return lang.CLIUnknown.In(p.lang, s.ID)
	default:
		return lang.CLIWasOver.In(p.lang, guard.StandingToOwner(p.lang, s.State))
	}
}

// confirmed says by which channel a yes came and, of one that was spoken, in which words.
func (p *program) confirmed(s owner.Send) string {
	switch s.ConfirmedBy {
	case smsmcp.CommandLine:
		return lang.CLIChannelCommandLine.In(p.lang)
	case smsmcp.Voice:
		return lang.CLIChannelVoice.In(p.lang, s.Answer)
	case smsmcp.Elicitation:
		return lang.CLIChannelElicitation.In(p.lang)
	case smsmcp.Card:
		return lang.CLIChannelCard.In(p.lang)
	}
	return dash(string(s.ConfirmedBy))
}

func sendID(arg string) smsmcp.SendID { return smsmcp.SendID(strings.ToLower(strings.TrimSpace(arg))) }
