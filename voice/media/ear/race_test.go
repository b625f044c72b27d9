//go:build race

package ear

// The race detector makes arithmetic fifteen times as slow, and there is one goroutine here: under it, less is measured.
func init() { less = true }
