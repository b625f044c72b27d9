package outside

// Error is anything that kept a fetch from its end, as a code in the form [a-z_]{1,40}. Causes are dropped: they hold the address and the other side's words.
type Error struct{ code string }

// Code is in the form [a-z_]{1,40}.
func (e *Error) Code() string { return e.code }

func (e *Error) Error() string { return "outside: " + e.code }

// What can go wrong. The first four are of the address itself: no later try mends them.
var (
	ErrForm     = &Error{"outside_form"}     // no https address that we take
	ErrHost     = &Error{"outside_host"}     // the host is neither a name with a dot nor an address in its one form
	ErrPort     = &Error{"outside_port"}     // another port than the one
	ErrAddress  = &Error{"outside_address"}  // it leads, or one of its addresses does, to where not everybody can go
	ErrRedirect = &Error{"outside_redirect"} // it leads on, further than we follow
	ErrEncoding = &Error{"outside_encoding"} // it came compressed, though we asked for it plain
	ErrTooBig   = &Error{"outside_too_big"}
	ErrRefused  = &Error{"outside_refused"} // a status that is neither good nor one of the next two
	ErrGone     = &Error{"outside_gone"}    // 404 and 410: there is no such thing

	// These pass: the address may be good.
	ErrName        = &Error{"outside_name"}        // the name has no address, or none that could be asked for
	ErrUnreachable = &Error{"outside_unreachable"} // no connection
	ErrCertificate = &Error{"outside_certificate"} // the certificate is not the host's
	ErrBroken      = &Error{"outside_broken"}      // the connection broke, or what came is no HTTP
	ErrServer      = &Error{"outside_server"}      // 429 and 5xx
	ErrTime        = &Error{"outside_time"}        // not all within the time
	ErrCancelled   = &Error{"outside_cancelled"}   // by who asked
)
