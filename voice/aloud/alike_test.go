package aloud

import (
	"strings"
	"testing"

	"readback/smsmcp/lang"
)

func TestNamesThatSoundAlike(t *testing.T) {
	for _, p := range [][2]string{
		{"Marc", "Mark"}, {"Élodie", "Mélodie"}, {"Jean", "Jeanne"}, {"Sean", "Shawn"}, {"Sean", "Shaun"}, {"Louis", "Louise"}, {"Stéphane", "Stéphanie"}, {"Anne", "Ann"}, {"Anna", "Anne"},
		{"Philippe", "Filip"}, {"Eric", "Erik"}, {"Éric", "Erick"}, {"Frédéric", "Frédérique"}, {"Dominic", "Dominique"}, {"Michel", "Michèle"}, {"Daniel", "Danielle"}, {"Simon", "Simone"},
		{"Martin", "Martine"}, {"Christian", "Christiane"}, {"Denis", "Denise"}, {"Julien", "Julienne"}, {"André", "Andrée"}, {"Pascal", "Pascale"}, {"Nathalie", "Natalie"}, {"Catherine", "Katrine"},
		{"Sarah", "Sara"}, {"Cathy", "Kathy"}, {"Lucie", "Lucy"}, {"Marie", "Mary"}, {"Marie", "Maria"}, {"Jon", "John"}, {"Steven", "Stephen"}, {"Bryan", "Brian"}, {"Ian", "Yann"}, {"Chloé", "Cloé"},
		{"François", "Françoise"}, {"Gaël", "Gaëlle"}, {"Maud", "Maude"}, {"Benoît", "Benoit"}, {"Thibault", "Thibaud"}, {"Geoff", "Jeff"}, {"Lee", "Leigh"}, {"Claire", "Clair"}, {"Carol", "Carole"},
		{"Alain", "Allain"}, {"Renée", "René"}, {"Joël", "Joëlle"}, {"Jean-Paul", "Jean Paul"}, {"Jean-Paul", "Jeanpaul"}, {"Marie", "Marie Tremblay"}, {"Marc Roy", "Mark Roi"}, {"Stéphane Tremblay", "Stéphanie Tremblay"},
		{"Émile", "Émilie"}, {"Roger", "Rogé"}, {"Mathieu", "Matthieu"}, {"Xavier", "Xavié"}, {"Bernard", "Bernart"}, {"Henri", "Henry"}, {"Zoé", "Zoë"}, {"Kim", "Kym"}, {"Noémie", "Noémi"}, {"Aline", "Caline"},
		{"Joe", "Jo"}, {"Ray", "Rae"}, {"Knight", "Night"}, {"Wright", "Right"}, {"Wright", "Rite"}, {"Roger", "Rodger"}, {"Jim", "Tim"}, {"Rob", "Bob"}, {"Ben", "Ken"}, {"Aaron", "Erin"},
		{"Thompson", "Tomson"}, {"Louis", "Lewis"}, {"Bo", "Jo"}, {"Al", "Hal"}, {"Ed", "Ted"}, {"Ron", "Don"}, {"Sam", "Pam"}, {"Phil", "Bill"}, {"Bill", "Will"},
		{"Boss", "Ross"}, {"Matt", "Pat"}, {"Rob", "Ron"}, {"Tim", "Tin"}, {"Marin", "Martin"}, {"Yves", "Ève"}, {"Gilles", "Jill"}, {"Mathieu", "Matthew"},
		{"Xavier", "Zavier"}, {"Mitch", "Mich"}, {"Zoe", "Zoey"}, {"Leigh", "Lee"}, {"Hugh", "You"}, {"Léa", "Théa"}, {"Jim Roy", "Tim Roy"}, {"Leah", "Mia"}, {"Jean", "John"}, {"Camille", "Camila"}, {"Sarah", "Zara"}, {"Billy", "Millie"},
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

// Names that a real voice says alike are alike, in its language.
func TestNamesThatAVoiceSaysAlike(t *testing.T) {
	const (
		english = "Aaron Abby Adam Al Alan Albert Alex Alice Alison Allen Allan Amy Andrea Andy Angela Ann Anna Anne Annie Arthur Ashley Ashleigh Barbara Barry Barrie Ben Beth Betty Bill Bob Brad Brian Bryan Bruce Carl Karl Carol Carole Carrie Kerry Caryn Karen Catherine Katherine Kathryn Cathy Kathy Cindy Sindy Claire Clare Cody Craig Curt Kurt Dan Darren Daryl Darryl Dave Dawn Don Dean Deb Debbie Debby Denise Dennis Derek Derrick Diane Dianne Dick Donna Doug Ed Elaine Ellen Emily Emma Eric Erik Erin Evan Frances Francis Fred Gail Gale Gary Garry Gene Jean Geoff Jeff Geoffrey Jeffrey Gerry Jerry Gil Jill Gillian Jillian Glen Glenn Graham Graeme Greg Gregg Guy Hal Hall Hanna Hannah Harry Hairy Helen Henry Hugh Hew Ian Iain Jack Jake James Jan Jane Jayne Janet Jennifer Jenny Jim Gym Jo Joe Joan Joanne Joann Jody Jodie John Jon Jonathan Joyce Judy Julie Justin Kate Cate Kay Kaye Keith Ken Kim Kris Chris Christine Kristine Kyle Lance Larry Laura Lora Lauren Loren Laurie Lori Lee Leigh Lea Leah Len Les Lesley Leslie Linda Lynda Lisa Liz Lou Louis Lewis Lucy Luke Luc Lynn Lynne Mae May Marc Mark Margaret Maria Mary Merry Marie Marty Matt Matthew Mathew Maureen Meg Mel Michael Michelle Mick Mike Mitch Molly Nancy Nate Neal Neil Neill Nell Nick Nic Night Knight Norm Pam Pat Patti Patty Paul Pete Phil Philip Phillip Rae Ray Rachel Rachael Randy Rebecca Rebekah Reed Reid Read Rich Rick Ric Rob Robert Robin Robyn Rod Roger Rodger Ron Rose Ross Roy Russ Ruth Ryan Sally Sam Sandy Sara Sarah Scott Sean Shaun Shawn Sharon Shari Sherry Sheri Cheri Shelley Shelly Simon Sonia Sonya Stacy Stacey Stan Stephen Steven Steve Stewart Stuart Sue Susan Suzanne Sid Cyd Ted Teri Terry Theresa Teresa Thom Tom Thompson Tomson Tim Tina Todd Tony Toni Tracy Tracey Trent Tyler Vic Vick Vicky Vicki Victor Vince Walt Wayne Wain Wendy Will Wright Right Rite Write You Yves Zack Zach Zak Zoe Zoey Bo Beau Bow Flo Floe Moe Mo Sy Cy Di Dye Dee Bea Bee Cole Coal Claude Clod Rory Rhea Ria Rhys Reece Reese Niles Nyles Myles Miles Gwen Wynn Win Wyn"
		french  = "Adèle Agathe Aimé Aimée Alain Albert Alex Alexis Alice Aline Amélie André Andrée Ange Anne Annie Ariane Arnaud Arno Aude Audrey Aurèle Aurélie Baptiste Benoît Benoite Bernard Brigitte Bruno Camil Camille Carl Karl Carole Carol Caroline Catherine Katherine Cécile Cédric Cédrick Céline Chantal Charles Chloé Christian Christiane Christine Claire Clair Claude Clément Colette Cyr Cyril Cyrille Daniel Danielle Danièle David Denis Denise Dominique Dominic Édith Édouard Élaine Éliane Élise Élodie Émile Émilie Emma Éric Érick Étienne Ève Yves Évelyne Fabien Fabienne Félix Fernand Florence France Francis François Françoise Frédéric Frédérique Gabriel Gabrielle Gaston Gauthier Gautier Geneviève Georges Gérard Gilles Ghislain Ghislaine Guillaume Guy Hélène Henri Hubert Hugo Hugues Isabelle Jacques Jade Jean Jeanne Jérémie Jérémy Jérôme Joanne Joël Joëlle Johanne José Josée Josette Judith Jules Julie Julien Julienne Karine Carine Laurence Laurent Laure Léa Léo Léon Léonie Line Lynn Lise Loïc Louis Louise Luc Luce Lucie Lucy Lyne Madeleine Manon Marc Marcel Marcelle Margaux Margot Marguerite Marianne Marie Martin Martine Mathieu Matthieu Mathis Maude Maud Maurice Maxime Mélanie Michel Michèle Michelle Mireille Monique Nadia Nathalie Natalie Nicolas Nicole Noé Noémie Noël Noëlle Odette Olivier Pascal Pascale Patrice Patrick Paul Paule Philippe Pierre Rachel Raoul Raymond Raymonde Régis Réjean Réjeanne Rémi Rémy René Renée Richard Robert Roger Roland Rolande Rose Roch Roc Samuel Sébastien Serge Simon Simone Solange Sonia Sophie Stéphane Stéphanie Suzanne Sylvain Sylvie Thérèse Thibault Thibaut Thibaud Thierry Thomas Tom Valérie Véronique Victor Vincent Vivianne Viviane Xavier Yan Yann Yannick Yanick Yvan Yvon Yvonne Yvette Zoé Roy Roi Roys Caron Carron Gagné Gagnier Gagner Hébert Ébert Lévesque Léveque Tremblay Tremblé Côté Coté Dubé Dubai Pelletier Peltier Bélanger Bellanger Leblanc Leblan Renaud Reno Reynaud Thériault Terrio Gendreau Gendro Lefebvre Lefèvre Le Fèvre Hamel Amel Huot Uot Auger Auget Lacroix Lacroit Benoit Maheu Mailloux Maillou Roux Rou Lauzon Loson Lafleur Morin Maurin Moreau Morot Pinault Pinot Denault Deneau Jobin Jaubin Fortin Aubin Obin"
	)
	pairs := 0
	for l, names := range map[lang.Lang]string{lang.EN: english, lang.FR: french} {
		by := map[string][]string{}
		all := strings.Fields(names)
		sounds := strings.Split(strings.TrimSpace(spokenBy(t, l, strings.Join(all, ".\n\n")+".\n")), "\n")
		if len(sounds) != len(all) {
			t.Fatalf("%s: %d sounds of %d names", l, len(sounds), len(all))
		}
		for i, name := range all {
			p := strings.TrimSpace(sounds[i])
			for _, other := range by[p] {
				if name == other {
					continue
				}
				if pairs++; !alike(name, other) {
					t.Errorf("%s: %s and %s both sound %q: %q and %q", l, name, other, p, soundings(words(name)), soundings(words(other)))
				}
			}
			by[p] = append(by[p], name)
		}
	}
	if pairs < 100 {
		t.Errorf("%d pairs", pairs)
	}
}
