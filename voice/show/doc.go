// Package show is the [voice.Screen] of a call whose caller has a page before them: it makes JSON of what is shown, and hands it on in its order.
//
// Words are shown as smsmcp/page/body shows them: whole, with a mark for what a screen would not show or would obey, and a mark is no text. They are a stranger's (invariant 4): the page draws
// them as text alone. A draft is shown whole (invariant 14); a turn that is too long is cut, and says so.
//
// A page that is slow, or a connection that is broken, holds nobody up. What waits for it is bounded: of turns the oldest go missing, which the numbers tell. A draft and how far it is never go
// missing: there are only so many in a call. After a break the draft that is open is shown once more, since what was on its way may not have arrived.
//
// Floor 3: imports smsmcp/lang, smsmcp/lang/screen, smsmcp/page/body and voice. It logs nothing.
package show
