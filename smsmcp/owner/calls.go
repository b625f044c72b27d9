package owner

import (
	"time"

	"readback/smsmcp"
)

// The calls. Guarded ones ask for the passphrase where one is set; saying no and stopping everything never do.
var (
	GetState      = Call[None, State]{Path: "state"}
	ListContacts  = Call[None, []Contact]{Path: "contacts"}
	AddContact    = Call[Contact, Contact]{Path: "contacts/add", Guarded: true}
	Import        = Call[ImportFile, Imported]{Path: "contacts/import", Guarded: true, limit: 32 << 20}
	RemoveContact = Call[Name, Contact]{Path: "contacts/remove", Guarded: true}
	ClearStop     = Call[Name, Contact]{Path: "contacts/clear-stop", Guarded: true}

	ListWaiting = Call[None, []Send]{Path: "pending"}
	ListSends   = Call[Limit, []Send]{Path: "sends"}
	ListUnknown = Call[None, []Send]{Path: "unknown"}
	GetSend     = Call[Answer, Send]{Path: "send"}
	Approve     = Call[Answer, Send]{Path: "approve", Guarded: true}
	Deny        = Call[Answer, Send]{Path: "deny"}
	Settle      = Call[Settlement, Send]{Path: "settle", Guarded: true}
	Freeze      = Call[None, None]{Path: "freeze"}
	Thaw        = Call[None, None]{Path: "thaw", Guarded: true}

	Receive = Call[Incoming, None]{Path: "sandbox/receive"}

	ListTokens  = Call[None, []Token]{Path: "tokens"}
	NewToken    = Call[Name, Secret]{Path: "tokens/new", Guarded: true}
	RevokeToken = Call[Name, None]{Path: "tokens/revoke", Guarded: true}
	MarkToken   = Call[Mark, None]{Path: "tokens/may-confirm", Guarded: true}

	SetPassphrase = Call[Secret, None]{Path: "passphrase", Guarded: true, first: true}
	SetPIN        = Call[Secret, None]{Path: "pin", Guarded: true}
	RemovePIN     = Call[None, None]{Path: "pin/remove", Guarded: true}
	Backup        = Call[File, None]{Path: "backup", Guarded: true}
	Examine       = Call[None, Findings]{Path: "examine"}
)

// None is no content.
type None struct{}

// State is what the client must know before it asks.
type State struct {
	Carrier    string `json:"carrier"`
	Real       bool   `json:"real"`       // texts go to people
	Passphrase bool   `json:"passphrase"` // one is set: guarded calls need it
	PIN        bool   `json:"pin"`        // one is set: the owner is known on a call
	Frozen     bool   `json:"frozen"`
	Restored   bool   `json:"restored,omitempty"` // frozen because a backup was restored
	Contacts   int    `json:"contacts"`
}

// Contact is a contact as the owner sees and writes it.
type Contact struct {
	Name    string   `json:"name"`
	Aliases []string `json:"aliases,omitempty"`
	Numbers []string `json:"numbers"`
	To      string   `json:"to,omitempty"`
	Stopped bool     `json:"stopped,omitempty"` // they wrote STOP, and the owner has not cleared it
}

// ImportFile is a file of contacts, whole.
type ImportFile struct {
	Format string `json:"format"` // "vcard" or "csv"
	Data   []byte `json:"data"`
}

// Imported is how an import went.
type Imported struct {
	Added   []Contact `json:"added"`
	Refused []Row     `json:"refused"`
}

// Row is a row of an import that was refused, and why.
type Row struct {
	At   int    `json:"at"`             // the line of a CSV file, the number of the card in a vCard file; 0 for the file itself
	Name string `json:"name,omitempty"` // safe to draw
	Why  string `json:"why"`
}

// Send is a send as the owner sees it.
type Send struct {
	ID          smsmcp.SendID    `json:"id"`
	Contact     string           `json:"contact"`
	Number      smsmcp.Number    `json:"number"`
	Body        string           `json:"body"`
	Digest      string           `json:"digest"` // of the draft; what an approval names
	Kind        smsmcp.Kind      `json:"kind"`
	Segments    int              `json:"segments"`
	State       smsmcp.SendState `json:"state"`
	Reasons     []smsmcp.Reason  `json:"reasons,omitempty"`
	By          string           `json:"by"`
	Created     time.Time        `json:"created"`
	Expires     time.Time        `json:"expires,omitzero"`
	Only        smsmcp.Channel   `json:"only,omitempty"` // the one channel whose yes counts
	ConfirmedBy smsmcp.Channel   `json:"confirmed_by,omitempty"`
	Answer      string           `json:"answer,omitempty"` // of a spoken yes: its words, on one line, safe to draw between « and »
	Delivery    string           `json:"delivery,omitempty"`
	Failure     string           `json:"failure,omitempty"`
}

// Answer names a send. An approval also names the digest of the draft that was shown: any other draft is refused.
type Answer struct {
	ID     smsmcp.SendID `json:"id"`
	Digest string        `json:"digest,omitempty"`
}

// Settlement says what became of a send of which the log does not know it.
type Settlement struct {
	ID   smsmcp.SendID `json:"id"`
	Sent bool          `json:"sent"` // it went; else it did not
}

// Limit bounds a list.
type Limit struct {
	Limit int `json:"limit"` // 1 to 10,000
}

// Incoming is a text that arrives in the sandbox.
type Incoming struct {
	From string    `json:"from"` // as a carrier would write it
	Body string    `json:"body"`
	At   time.Time `json:"at,omitzero"` // zero: now
}

// Name names a contact or a token.
type Name struct {
	Name string `json:"name"`
}

// Mark says whether a yes that comes by the token of that name counts, as a weak one.
type Mark struct {
	Name string `json:"name"`
	May  bool   `json:"may"`
}

// Token is a token of an MCP client, without the token.
type Token struct {
	Name       string    `json:"name"`
	Created    time.Time `json:"created"`
	Revoked    time.Time `json:"revoked,omitzero"`
	MayConfirm bool      `json:"may_confirm,omitempty"`
}

// Secret carries a new token out, or a new passphrase or PIN in.
type Secret struct {
	Value string `json:"value"`
}

// File is an absolute path on the server's machine.
type File struct {
	Path string `json:"path"`
}

// Findings is what the server finds when it examines itself.
type Findings struct {
	State
	Store   string        `json:"store,omitempty"`   // what is wrong with the store; empty: nothing
	Account string        `json:"account,omitempty"` // what is wrong with the carrier's account; empty: nothing
	Parts   []smsmcp.Part `json:"parts,omitempty"`   // how what runs by itself stands; empty where no server runs
}
