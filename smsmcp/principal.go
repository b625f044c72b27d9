package smsmcp

// Principal is who asks at the MCP endpoint: a client, by the token that it showed. The zero value may do nothing.
type Principal struct {
	ID   string // of the token, or of what the owner agreed to: given to nobody else, ever
	Name string // how logs and sends name it: [a-z0-9-]{1,64}
	Read bool   // it may read texts
	Send bool   // it may send, or prepare to

	// MayConfirm is the owner's word that a yes which comes by this client counts, as a weak one: such a yes the client answers, and not the owner alone.
	MayConfirm bool

	// Alone says that one client has its token, and no other: what that client said of itself once may be remembered by ID. A token that the owner made by hand is pasted where the
	// owner likes, into several programs too.
	Alone bool
}
