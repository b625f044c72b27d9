// Package voicetest is for tests: what every leg must do, and a leg in memory.
package voicetest
