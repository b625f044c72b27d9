// Package line shows the Asterisk line whole: SIP MESSAGEs from a phone, through a real Asterisk, into the real program, and out of a real ntfy; and
// texts the other way. voip.ms is played on its real wire (voip/voipms/voipmstest). What else it takes is in test/testbed.
//
// A text that was sent is looked for where it ends: in the program's store, opened once the program has ended, and among what ntfy has published.
package line
