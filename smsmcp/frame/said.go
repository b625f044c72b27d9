package frame

import (
	"readback/smsmcp/clean"
	"readback/smsmcp/untrusted"
)

// maxSaid bounds what is drawn of an answer, in characters. One that is judged to be a yes is a few words long.
const maxSaid = 160

// Said gives the words in which the owner answered on a call, for the owner's own screen: on one line, and without a mark that could pass for « or », to stand
// between them. What is too long ends in "…".
func Said(t untrusted.Text) string {
	r := clean.UpTo(t.RawForPerson(), maxSaid)
	if r.Cut > 0 {
		return r.Text + "…"
	}
	return r.Text
}
