// Package aloud is what is said aloud on a call: of a draft, before the owner is asked for a yes ([Draft]), and of a text that was received or sent ([Text]). It is pure.
//
// What a person hears of a draft must tell them what will be sent (invariants 10 and 14, by ear). So a body is said word for word, in the voice of what is quoted, between two sounds
// that no body can make; whatever a voice would skip, spell or guess at is said by name, or refused: other alphabets, letters in a costume, signs and emoji without a name, links of which
// more than the letters counts. Links and addresses of mail are spelled, since hosts that sound alike are not the same, and refused where they are too long to be. What is refused is never mended. It is the same with numbers: a run of five digits and more, telephone numbers and codes are said digit by digit,
// and so are two numbers side by side of which a voice would make one: "20 5" is not 25. A mark that may change a number is named: a minus, also across a space or as a typographic
// dash; a dash behind a number, between two or between one and a word; the point of .5; a colon, dots or another mark between two; ticks and quotes behind one, which may be feet and
// inches, even where they only close a quotation; and brackets around a number alone, which bookkeepers write for a minus.
//
// What the ear cannot tell, and nothing here tells it:
//
//   - capitals, but in a code of both capitals and small letters; accents, where a voice says them alike; how a word is spelled (their and there), but in a link;
//   - punctuation that is a pause or an intonation: stops, commas, colons, question and exclamation marks, quotes, brackets, bullets, line breaks, dashes and hyphens of words, and how often
//     a mark is repeated. Before and behind a number it is so too, but for the marks above. Quotes and brackets are pauses and not said, since people do not say them and the words
//     inside are heard all the same; a text that is punctuation alone is said mark by mark;
//   - which of the marks of one sense it is: a hyphen or a typographic dash, a straight tick or a curly one;
//   - spaces between digits, and how a telephone number or a thousand is grouped: of a telephone number only where its shape is one that nothing
//     else has, so that 1000-2000 is no number to call;
//   - a sign, a face or a number, and the words that name it ("20 $" and "20 dollars"): the sense is one;
//   - the tone of skin of an emoji, whether a link says http or https, and whether it ends in a slash.
//
// A body cannot pass for the program: it is in the other voice, and the program's own words are outside the two sounds. Nor can it hold a command to an engine: what is given here is letters, digits,
// spaces and , . ; : ! ? ' - alone.
//
// Of a text nothing is refused: what cannot be said is left out, and the program says so. Nothing of a sender's words or label is ever said in the program's voice (invariant 4), and the
// sender is told by the rules of smsmcp/frame.
//
// Floor 2: imports smsmcp, smsmcp/clean, smsmcp/fold, smsmcp/lang, smsmcp/lang/spoken, smsmcp/signs, voice.
package aloud
