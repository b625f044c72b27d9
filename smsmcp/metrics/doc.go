// Package metrics counts what happens, for Prometheus: events as they are told to [Metrics.Observe], and how much waits and how the parts stand at
// the moment of a scrape.
//
// A label is never anybody's number, name or word. Labels come as codes; here each is looked at once more: one of a closed set must be in it, and a code
// must be [a-z_]{1,40}, and among the first of its metric. Anything else becomes "other" (invariant 13), so that nobody can make metrics grow without end.
//
// Floor 2: imports smsmcp. The only importer of Prometheus' client library.
package metrics
