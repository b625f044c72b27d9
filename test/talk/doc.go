// Package talk tests calls from the owner's browser to the real program, through a real LiveKit server: Chromium, signed in at the page, presses Talk; what it says is spoken by flite and heard by
// pocketsphinx; what went is looked for at the carrier. A scene in which the recogniser was wrong, as its own words prove, is begun anew, three times in all; one in which something went without a
// yes never is.
//
// The browser's microphone is one of the tests: a script that is in the page before its own answers getUserMedia with a stream of WebAudio, into which the tests play recorded speech when the
// page says that it is time (Chromium's own --use-file-for-fake-audio-capture plays from the moment it is asked for, and cannot wait for a question). All from there on is real: the track, WebRTC,
// the server, the program. That the page may ask for a real microphone, and gets it, is tested in test/browser, with the one that Chromium fakes.
//
// Without READBACK_LIVEKIT these tests are left out: make livekit. READBACK_BROWSER_SHOTS names a folder for pictures of the scenes.
//
// Tests only.
package talk
