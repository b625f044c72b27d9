// Package room is a call's leg in a LiveKit room: it joins as a participant, waits for the caller, and is a voice.Leg for them.
//
// The caller is one participant of the room: the one whose identity is given, as of a browser that was let in by a token of ours, or else the one that came by SIP; two of
// those are no call. From then on nobody else is heard, and nobody else hears. Only the microphone of the caller's own participant is subscribed to, others may not subscribe
// to ours, and who comes later by the same identity is somebody else: their coming ends the call (invariant 10).
//
// A number is believed of a participant of the kind SIP alone, since a participant may be allowed to write its own attributes, and once, when the call is active. Keys come from
// LiveKit's signalling, and count if the server names the caller's SIP participant as their sender. Whatever else comes as data (texts, transcriptions, streams) has no way to a turn.
//
// A mark says that sound was played only if all of it left, at the pace of speech, while the connection stood, the SIP call was active, our track was not muted by the server, the
// caller was subscribed to it, and something had come of the server in the last half second; else it waits until something does. The server reports each second how much of our sound
// arrives. If it does not for two and a half seconds, or misses more than a fifth of one, what waits was not played, and what is on its way either.
//
// A key has no time of its own, and one that was lost is sent again after a second, and if that is lost after two more, and so on. So one that comes behind a pause of more than half a
// second is as old as the pause, for 1.2 s, behind one of more than 0.9 s for 2.5 s, and behind one of two seconds or a break for ten, or for as long as that was and 1.2 s. So it is behind a loss of more than 0.2 s of the
// caller's sound, wherever that was lost, and before the sound that is behind it; but not in the silence of a telephone that sends nothing in one, as it is known by the first in which
// nothing was lost.
//
// A browser sends a packet each 20 ms, whatever its caller says. If none has come for half a second marks wait here, too, and what was on its way to it by then was not played if more
// than half a second of its sound is missing, or nothing comes for two seconds. Sound goes on meanwhile, so that a browser that comes back hears the rest. One with a muted microphone, or
// without one, is away as well: it may be a machine that has stopped the sound in both directions, and there is no yes from it. After a minute the call is over.
//
// Of the caller's way to us it is known by how much it grows, since their packets say when they were spoken. That stands in the round trip, and what comes more than 0.6 s later than it says
// is not heard: so early speech does not become late speech. Behind a mute LiveKit sets what a packet says to now: the way counts as slow as before. It counts as quick again where what
// waited comes sooner, or is missing by the numbers of the packets.
//
// What cannot be known. LiveKit forwards, and tells nobody's round trip but our own to the server: what lies beyond is a bound of 0.4 s. What is lost between the server and the caller
// nobody tells: a browser's way to it is taken to be as well as the one from it. A key that alone is lost, and no sound with it, is sent again after a second, and held for new: so is one of
// a telephone that sends nothing just then, if its way to the server is gone, and one on a way that delays and loses nothing. What is lost on the way to the server alone, while sound of the caller comes, is known when the next report comes: a second of an end at most, two and a half if reports are lost
// as well, may be lost behind a mark that was answered. A telephone's packets say when they were spoken by the count of their samples, which LiveKit's bridge lets stand while a telephone
// sends nothing: so a telephone's way that gets slower at once, and loses nothing, is taken for a silence, and only one that does little by little is seen. Of one that trembles as well
// a part is missed, if it slows by a quarter of the time or more; and packets that such a one loses before the bridge are taken for a way that gets slower. What a page's way slows by while it
// is muted LiveKit hides, and where it gets quick again meanwhile the round trip stays long. So it does where the clock of a page stands still without a mute, as when its microphone is taken
// from it: that looks like a way that slows at once. That the way to the server is gone for good is noticed after ten seconds.
//
// Who is hidden in the room, as one who records may be, the server tells of when it is asked: that is done at each coming and going, and every ten seconds.
//
// What a call shows goes as data to its caller alone. Of a break of the connection who shows it is told, since what was on its way may be lost.
//
// Sound is Opus, without a C library, at the rate of a telephone line.
//
// Floor 3: imports voice, voice/media, voice/media/ear, smsmcp, github.com/livekit, github.com/pion/webrtc and github.com/thesyncim/gopus. Nothing that anybody in the room chose is
// logged or put into an error (invariant 13).
package room
