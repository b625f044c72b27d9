// Package testbed gives tests a real Asterisk, a real ntfy and a real LiveKit server on the loopback address.
//
// [Start] installs the first two with testbed/install.sh (once, into .cache/testbed), copies deploy/asterisk with the few changes that a test needs, and starts
// them in a folder of their own on free ports, so any number of beds run at once. They end with the test, and with the test's process.
//
// [StartLiveKit] does so with a real LiveKit server, which testbed/livekit.sh builds from its source, in minutes: it skips the test without READBACK_LIVEKIT in the environment.
//
// On a machine that is no Debian the test is skipped, and says what was left out. On a Debian it fails if they cannot be had.
//
// Tests only.
package testbed
