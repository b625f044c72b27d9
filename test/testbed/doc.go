// Package testbed gives tests a real Asterisk and a real ntfy on the loopback address.
//
// [Start] installs both with testbed/install.sh (once, into .cache/testbed), copies deploy/asterisk with the few changes that a test needs, and starts
// them in a folder of their own on free ports, so any number of beds run at once. They end with the test, and with the test's process.
//
// On a machine that is no Debian the test is skipped, and says what was left out. On a Debian it fails if they cannot be had.
//
// Tests only.
package testbed
