package smsmcp

// ContactID names a contact in the store. It is never reused.
type ContactID int64

// Contact is someone whom the owner allowed.
type Contact struct {
	ID       ContactID
	Name     string
	Aliases  []string
	Numbers  []Number // the numbers that they text from; To is one of them
	To       Number   // the one number that we text to
	Revision int64    // grows with every change: a draft made for another revision is void
}
