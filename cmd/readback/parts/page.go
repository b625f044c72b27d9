package parts

import (
	"context"

	"readback/smsmcp"
	"readback/smsmcp/confirm"
	"readback/smsmcp/lang/screen"
	"readback/smsmcp/owner"
	"readback/smsmcp/page"
	"readback/smsmcp/page/gallery"
	"readback/smsmcp/web"
)

// makePage makes the owner's page, and opens the channel by which its answers come. A yes to a text needs a passphrase or a passkey, given in the two minutes before it and not before
// that text was asked about, which a model that drives the browser cannot give: so it is a strong one. One proof is for all that waited by then, so in its two minutes such a model
// could say yes to another of them. What lasts longer, a program that is let in or whose yes is made to count, and a call from the browser, needs a proof of its own. It is none as long as there
// is no passphrase, without which nobody signs in.
//
// A yes that is spoken in such a call is a strong one for the same reason: the call is begun by a passkey or the passphrase, given for that one call, and a model that presses the page's buttons
// can give neither. Within the call whoever has the browser's microphone has the owner's voice: that is the owner, and a program that may run scripts in the page (an extension, or a model that
// drives the browser with that right), which can put any sound in its place and needs only wait for the owner to begin a call. Nothing here sees the difference; the README says so.
func (a *App) makePage() (err error) {
	c := a.o.Config
	if err := a.makeOAuth(); err != nil {
		return err
	}
	var clients page.Clients // nil, and not a nil server
	if a.oauth != nil {
		clients = a.oauth
	}
	var rooms page.Talk // the same
	if c.TalkOn() {
		rooms = a.rooms
	}
	a.page, err = page.New(page.Options{
		Desk: a.desk, Store: a.Store, Prover: prover{a.gate}, Lang: c.Lang, Zone: c.Zone, Now: a.o.Now, Log: a.o.Log,
		PublicURL: c.PublicURL, Address: web.Source, Notify: a.warn, Clients: clients, Talk: rooms,
		Gallery: &gallery.Gallery{Texts: a.Store, Box: a.images, Zone: c.Zone},
	})
	if err != nil {
		return err
	}
	a.desk.Open(confirm.Channel{Name: smsmcp.PageChannel, Strong: true, Reachable: func() bool {
		set, err := a.gate.Is(context.Background())
		return set && err == nil
	}})
	for _, weak := range confirm.Weak() {
		a.desk.Open(weak)
	}
	return nil
}

// warn has the owner's phone told, where there is one, of what somebody did at the page that need not have been the owner.
func (a *App) warn(n page.Notice) {
	if a.asker == nil {
		return
	}
	l := a.o.Config.Lang
	title := screen.PushPage.In(l)
	switch n.What {
	case page.PasskeyAdded:
		a.asker.Warn("passkey", title, screen.PushPasskeyAdded.In(l))
	case page.PasskeyRemoved:
		a.asker.Warn("passkey", title, screen.PushPasskeyRemoved.In(l))
	case page.WrongPassphrases:
		a.asker.Warn("passphrase", title, screen.PushWrongPassphrases.In(l, n.Count))
	}
}

// prover has the page's passphrases judged by the gate that judges the command line's.
type prover struct{ *owner.Gate }

func (p prover) Prove(ctx context.Context, caller, passphrase string) error {
	err := p.Gate.Prove(ctx, caller, passphrase)
	switch owner.CodeOf(err) {
	case owner.CodePassphrase:
		return page.ErrWrong
	case owner.CodeNoPassphrase:
		return page.ErrNoPassphrase
	}
	return err
}
