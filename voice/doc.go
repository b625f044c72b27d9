// Package voice holds the words of a call: [Turn], [Role] and [Transcript]; the [Leg] that carries its audio; and the small interfaces of the
// engines that hear, think and speak, [STT], [LLM] and [TTS]. It knows no vendor.
//
// Who said something is a property of the types (invariant 10). A [Turn] can be made only by a Transcript. One whose role is the caller can be made only through the
// [Ear], of which there is one for each Transcript, and which is given to the code that reads the leg and to nobody else; and there only from an
// [Utterance], which that code begins when it hears speech. So neither a model, nor a tool, nor a recogniser that invents words in a silence, can add
// what the caller said, and an interim transcript, which is an [Interim], is no Turn.
//
// All that anybody says in a call is an untrusted.Text (invariant 4): a stranger who calls is a stranger, the owner's car has a radio and passengers, the agent
// reads strangers' texts aloud, and a tool answers with them. None of it is for a log.
//
// Times come from a clock that is passed in (invariant 12). All audio is mono, 16 bits a sample, signed, in the machine's own byte order.
//
// Floor 1: imports floor 0.
package voice
