package lang

// RuleWords says in a few words which rule spoke, or why a send did not simply go, for a list of sends; the code itself where it has no words.
func RuleWords(l Lang, code string) string {
	if m, ok := ruleWords[code]; ok {
		return m.In(l)
	}
	return code
}

// By the codes that are in the log.
var ruleWords = map[string]Message{
	"not_a_contact":     {"not a contact", "pas un contact"},
	"contact_changed":   {"the contact has changed", "contact modifié"},
	"frozen":            {"all sends were frozen", "envois gelés"},
	"wrote_stop":        {"the contact wrote STOP", "le contact a écrit STOP"},
	"body_not_drawable": {"characters that cannot be shown", "caractères impossibles à montrer"},
	"body_too_long":     {"too long", "trop long"},
	"duplicate":         {"the same text moments before", "même texto juste avant"},
	"unsettled":         {"the same text may have gone", "même texto peut-être parti"},
	"rate_hour":         {"limit of the hour", "limite de l'heure"},
	"rate_day":          {"limit of the day", "limite du jour"},
	"rate_day_kept":     {"the rest of the day is kept for a yes", "reste du jour gardé pour un oui"},
	"unconfirmed_hour":  {"many unconfirmed in an hour", "beaucoup sans confirmation en une heure"},
	"unconfirmed_day":   {"many unconfirmed in a day", "beaucoup sans confirmation en un jour"},
	"fan_out":           {"the same text to many", "même texto à plusieurs"},
	"hold":              {"a stranger's words were shown", "mots d'un inconnu affichés"},
	"alarm":             {"a suspicious text was shown", "texto suspect affiché"},
	"heard_too_much":    {"too many texts were shown to compare", "trop de textos affichés pour comparer"},
	"named_by_another":  {"another's text named the contact", "contact nommé par le texto d'un autre"},
	"repeats_code":      {"repeats a one-time code", "répète un code à usage unique"},
	"repeats_words":     {"repeats another's words", "reprend les mots d'un autre"},
	"new_host":          {"a link to a new site", "lien vers un nouveau site"},
	"quiet_hours":       {"quiet hours", "heures calmes"},
	"read_back":         {"read back to you on a call", "relu pendant un appel"},
	"always_ask":        {"you are asked for every text", "vous êtes consulté pour chaque texto"},
	"too_many_waiting":  {"too many waited already", "trop de textos en attente"},
	"too_many_asks":     {"you were asked too often", "vous avez été consulté trop souvent"},
	"paused_after_no":   {"a pause after two noes", "pause après deux non"},
	"no_channel":        {"no way to ask you", "aucun moyen de vous consulter"},
	"channel_too_weak":  {"needs a stronger channel", "demande un canal plus sûr"},

	"not_listed":  {"the carrier's list does not show it", "absent de la liste de l'opérateur"},
	"key_taken":   {"the carrier gave it another text's number", "l'opérateur lui a donné l'identifiant d'un autre"},
	"owner_said":  {"you said so", "vous l'avez dit"},
	"interrupted": {"Readback ended while it was out", "Readback s'est arrêté pendant l'envoi"},
	"restored":    {"it was out when the backup was made", "en route au moment de la sauvegarde"},
}
