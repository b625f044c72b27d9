package wyoming

import (
	"errors"

	"readback/smsmcp/lang"
	"readback/voice/speech/plain"
)

// Error is what went wrong, as a code. It never holds anybody's words, nor anything that the server said.
type Error struct{ code string }

func (e *Error) Error() string { return "wyoming: " + e.code }

// Code implements smsmcp.Coded.
func (e *Error) Code() string { return e.code }

// What may go wrong. Advice says it in a sentence.
var (
	ErrAddress     = &Error{"not_an_address"}      // of New: it is no tcp://HOST:PORT
	ErrVoice       = &Error{"no_such_voice"}       // a name that is none, or that the server does not list
	ErrRate        = &Error{"not_a_rate"}          // of the sound that is to be heard
	ErrUnreachable = &Error{"engine_unreachable"}  // nobody listens there
	ErrGone        = &Error{"engine_gone"}         // the connection ended before the answer was whole
	ErrStalled     = &Error{"engine_stalled"}      // it did not answer in time
	ErrBroken      = &Error{"engine_broken"}       // what it says is not Wyoming, or more than is taken
	ErrFailed      = &Error{"engine_failed"}       // it says so itself, or gave no sound for words
	ErrService     = &Error{"engine_does_not"}     // of Check: it is there, and hears (or speaks) nothing
	ErrTooLong     = &Error{"utterance_too_long"}  // of what is heard
	ErrTextTooLong = &Error{"text_too_long"}       // of what is to be spoken, or was
	ErrEnded       = &Error{"utterance_has_ended"} // of a Hearing that was finished or cancelled
)

// again says whether the server may be asked once more: nobody was there, or went away.
func again(err error) bool { return errors.Is(err, ErrUnreachable) || errors.Is(err, ErrGone) }

// Advice is the sentence for what went wrong.
func Advice(err error) (m lang.Message, known bool) {
	for is, says := range map[error]lang.Message{
		ErrAddress: lang.SpeechWyomingAddress, ErrVoice: lang.SpeechWyomingVoice, ErrRate: lang.SpeechEngineBroken,
		ErrUnreachable: lang.SpeechWyomingUnreachable, ErrGone: lang.SpeechEngineGone, ErrStalled: lang.SpeechEngineStalled,
		ErrBroken: lang.SpeechWyomingBroken, ErrFailed: lang.SpeechEngineFailed, ErrService: lang.SpeechWyomingService,
		ErrTooLong: lang.SpeechUtteranceTooLong, ErrTextTooLong: lang.SpeechTooLong, plain.ErrTooLong: lang.SpeechTooLong,
	} {
		if errors.Is(err, is) {
			return says, true
		}
	}
	return m, false
}
