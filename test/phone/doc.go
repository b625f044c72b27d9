// Package phone shows the owner's yes as it comes by phone: a question through a real ntfy, a button that is pressed as ntfy's app presses it, the real program, and voip.ms
// played on its real wire (voip/voipms/voipmstest).
package phone
