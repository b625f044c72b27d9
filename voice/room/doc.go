// Package room is a call's leg in a LiveKit room: it joins as a participant, waits for the caller, and is a voice.Leg for them.
//
// The caller is one participant of the room: the one whose identity is given, as of a browser that was let in by a token of ours, or else the one that came by SIP; two of
// those are no call. From then on nobody else is heard, and nobody else hears. Only the microphone of the caller's own participant is subscribed to, others may not subscribe
// to ours, and who comes later by the same identity is somebody else: their coming ends the call (invariant 10).
//
// A number is believed of a participant of the kind SIP alone, since a participant may be allowed to write its own attributes, and once, when the call is active. Keys come from
// LiveKit's signalling, and count if the server names the caller's SIP participant as their sender. Whatever else comes as data (texts, transcriptions, streams) has no way to a turn.
//
// A mark says that sound was played only if all of it left, at the pace of speech, while the connection stood, the SIP call was active, our track was not muted by the server, and
// the caller was subscribed to it. What cannot be known: LiveKit forwards, and tells nobody's round trip but our own to the server, so what lies beyond is a bound; that the way
// to the server is broken is noticed after ten seconds; and a key has no time of its own, so one whose packet was lost and sent again is dated when it came.
//
// What a call shows goes as data to its caller alone. Of a break of the connection who shows it is told, since what was on its way may be lost.
//
// Sound is Opus, without a C library, at the rate of a telephone line.
//
// Floor 3: imports voice, voice/media, voice/media/ear, smsmcp, github.com/livekit, github.com/pion/webrtc and github.com/thesyncim/gopus. Nothing that anybody in the room chose is
// logged or put into an error (invariant 13).
package room
