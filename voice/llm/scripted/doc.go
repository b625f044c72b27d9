// Package scripted answers a conversation by rules, with no model at all: for a house without one, and for a demonstration. It understands a few sentences in English and
// French, as a recogniser writes them: in any case, without punctuation, perhaps without accents.
//
// It knows no contacts. Where a name ends and the words of the text begin, it learns by asking find_contact for each name that it may be, all in one answer. It keeps nothing
// between two answers: all that it goes by is in the conversation. Like any model it prepares and never sends, and the program reads back what it made of a sentence.
//
// Floor 3: imports smsmcp/fold, smsmcp/lang, smsmcp/lang/spoken, voice.
package scripted
