//go:build race

package speak

// The race detector makes arithmetic fifteen times as slow: under it, fewer recordings and moments are tried.
func init() { less = true }
