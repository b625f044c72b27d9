package aloud

import "testing"

func TestNamesThatSoundAlike(t *testing.T) {
	for _, p := range [][2]string{
		{"Marc", "Mark"}, {"Élodie", "Mélodie"}, {"Jean", "Jeanne"}, {"Sean", "Shawn"}, {"Sean", "Shaun"}, {"Louis", "Louise"}, {"Stéphane", "Stéphanie"}, {"Anne", "Ann"}, {"Anna", "Anne"},
		{"Philippe", "Filip"}, {"Eric", "Erik"}, {"Éric", "Erick"}, {"Frédéric", "Frédérique"}, {"Dominic", "Dominique"}, {"Michel", "Michèle"}, {"Daniel", "Danielle"}, {"Simon", "Simone"},
		{"Martin", "Martine"}, {"Christian", "Christiane"}, {"Denis", "Denise"}, {"Julien", "Julienne"}, {"André", "Andrée"}, {"Pascal", "Pascale"}, {"Nathalie", "Natalie"}, {"Catherine", "Katrine"},
		{"Sarah", "Sara"}, {"Cathy", "Kathy"}, {"Lucie", "Lucy"}, {"Marie", "Mary"}, {"Marie", "Maria"}, {"Jon", "John"}, {"Steven", "Stephen"}, {"Bryan", "Brian"}, {"Ian", "Yann"}, {"Chloé", "Cloé"},
		{"François", "Françoise"}, {"Gaël", "Gaëlle"}, {"Maud", "Maude"}, {"Benoît", "Benoit"}, {"Thibault", "Thibaud"}, {"Geoff", "Jeff"}, {"Lee", "Leigh"}, {"Claire", "Clair"}, {"Carol", "Carole"},
		{"Alain", "Allain"}, {"Renée", "René"}, {"Joël", "Joëlle"}, {"Jean-Paul", "Jean Paul"}, {"Jean-Paul", "Jeanpaul"}, {"Marie", "Marie Tremblay"}, {"Marc Roy", "Mark Roi"}, {"Stéphane Tremblay", "Stéphanie Tremblay"},
		{"Émile", "Émilie"}, {"Roger", "Rogé"}, {"Mathieu", "Matthieu"}, {"Xavier", "Xavié"}, {"Bernard", "Bernart"}, {"Henri", "Henry"}, {"Zoé", "Zoë"}, {"Kim", "Kym"}, {"Noémie", "Noémi"}, {"Aline", "Caline"},
	} {
		if !alike(p[0], p[1]) || !alike(p[1], p[0]) {
			t.Errorf("%s and %s: %q and %q", p[0], p[1], soundings(words(p[0])), soundings(words(p[1])))
		}
	}
}

func TestNamesThatDoNot(t *testing.T) {
	for _, p := range [][2]string{
		{"Marc", "Marie"}, {"Paul", "Pierre"}, {"Tom", "Tim"}, {"Luc", "Guy"}, {"Alice", "Bernard"}, {"Maman", "Papa"}, {"Mom", "Dad"}, {"Sophie", "Julie"}, {"Jacques", "Jean"}, {"Kim", "Jim"},
		{"Ben", "Dan"}, {"Claire", "Clara"}, {"Zoé", "Chloé"}, {"Nicolas", "Thomas"}, {"Sylvie", "Sylvain"}, {"Robert", "Gilbert"}, {"François", "Frank"}, {"Marie Tremblay", "Marie Gagnon"},
		{"Jean Tremblay", "Luc Tremblay"}, {"Dr. Roy", "Dr. Côté"}, {"David", "Daniel"}, {"Léa", "Léo"}, {"Hugo", "Hugues"}, {"Gilles", "Jules"}, {"Marie", "Tremblay Marie"}, {"Olivier", "Olivia Roy"},
	} {
		if alike(p[0], p[1]) || alike(p[1], p[0]) {
			t.Errorf("%s and %s: %q and %q", p[0], p[1], soundings(words(p[0])), soundings(words(p[1])))
		}
	}
}
