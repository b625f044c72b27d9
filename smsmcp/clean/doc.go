// Package clean makes a stranger's words fit to stand between two quotation marks, and says whether words of our own can be drawn as
// they are.
//
// [Body] is the sanitiser of the frame (invariant 3): what it gives has no line break, no control, no character that hides or reorders, and
// no mark that could pass for « or ». It keeps what people write: emoji sequences, every script's letters and marks, the joiners
// that Arabic and Indic words need, the typographic apostrophe, no-break spaces. It is idempotent, and linear in its input.
//
// [Drawable] holds invariant 14 for what we send: nothing is mended there, a body is taken as it is or refused.
//
// Floor 0: imports no other package of the project.
package clean
