// Package show is the [voice.Screen] of a call whose caller has a page before them: it makes JSON of what is shown, and hands it on in its order.
//
// Words are shown as smsmcp/page/body shows them: whole, with a mark for what a screen would not show or would obey, and a mark is no text. They are a stranger's (invariant 4): the page draws
// them as text alone. A draft is shown whole (invariant 14); a turn that is too long is cut, and says so.
//
// A page that is slow, or a connection that is broken, holds nobody up. What waits for it is bounded: of turns the oldest go missing, which the numbers tell. A draft and how far it is never go
// missing: there are only so many in a call. What was on its way in a break may not have arrived: after it, the end of the draft before, the draft that is open, how far it is, and how many others there are, are told once more. Each
// stage says which draft it is of, so that none is taken for another's.
//
// Floor 3: imports smsmcp/lang, smsmcp/lang/screen, smsmcp/page/body and voice. It logs nothing.
package show
