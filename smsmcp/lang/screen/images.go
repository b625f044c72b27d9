package screen

import "readback/smsmcp/lang"

// Images gives the words of the page of images by their key; "" where there is none. What begins with images_ is a code of smsmcp/images; no_image_, refused_ and failed_ begin the keys
// of what is said of one thing.
func Images(l lang.Lang, key string) string { return imageWords[key].In(l) }

// What the page of images counts.
var (
	ImagesCount = lang.Plural{One: lang.Message{EN: "%d attachment", FR: "%d pièce jointe"}, Many: lang.Message{EN: "%d attachments", FR: "%d pièces jointes"}}
	ImagesAlt   = lang.Message{EN: "Image %d of %d of this text, as it came", FR: "Image %d sur %d de ce texto, telle qu'elle est arrivée"}
)

var imageWords = map[string]lang.Message{
	"nav":   {EN: "Images", FR: "Images"},
	"title": {EN: "Images that came with texts", FR: "Images reçues avec des textos"},
	"what": {
		EN: "Nothing is fetched until you ask. What stands in an image is its sender's, never Readback's.",
		FR: "Rien n'est téléchargé avant que vous le demandiez. Ce qui figure dans une image est de son expéditeur, jamais de Readback.",
	},
	"none":  {EN: "No text came with an image yet.", FR: "Aucun texto n'est encore arrivé avec une image."},
	"fetch": {EN: "Show", FR: "Afficher"},
	"again": {EN: "Try again", FR: "Réessayer"},
	"older": {EN: "Older ones", FR: "Plus anciennes"},
	"first": {EN: "The newest", FR: "Les plus récentes"},

	"images_nowhere": {
		EN: "The carrier has nothing of this text, or nothing any more.",
		FR: "L'opérateur n'a rien de ce texto, ou n'en a plus rien.",
	},
	"images_carrier": {EN: "The carrier could not be asked. Try again later.", FR: "L'opérateur n'a pas pu être interrogé. Réessayez plus tard."},
	"images_time":    {EN: "Not all of it came in time. Try again.", FR: "Tout n'est pas arrivé à temps. Réessayez."},
	"images_disk":    {EN: "It could not be kept. The log says why.", FR: "Cela n'a pas pu être conservé. Le journal dit pourquoi."},

	"dropped":           {EN: "An image that had to make room for newer ones.", FR: "Une image qui a dû laisser la place à de plus récentes."},
	"no_image_vcard":    {EN: "A contact card. It is no image, and is not shown.", FR: "Une fiche de contact. Ce n'est pas une image ; elle n'est pas affichée."},
	"no_image_sound":    {EN: "A sound. It is no image, and is not played.", FR: "Un son. Ce n'est pas une image ; il n'est pas lu."},
	"no_image_video":    {EN: "A video. It is no image, and is not shown.", FR: "Une vidéo. Ce n'est pas une image ; elle n'est pas affichée."},
	"no_image_text":     {EN: "A text file. It is no image, and is not shown.", FR: "Un fichier de texte. Ce n'est pas une image ; il n'est pas affiché."},
	"no_image_other":    {EN: "Something that is no image Readback can show.", FR: "Autre chose qu'une image que Readback sait afficher."},
	"refused_too_large": {EN: "An image of too many pixels. It is not shown.", FR: "Une image de trop de pixels. Elle n'est pas affichée."},
	"refused_broken":    {EN: "An image that cannot be read.", FR: "Une image illisible."},
	"refused_slow":      {EN: "An image that takes too long to read. It is not shown.", FR: "Une image trop longue à lire. Elle n'est pas affichée."},
	"failed":            {EN: "It did not come. Try again later.", FR: "Elle n'est pas arrivée. Réessayez plus tard."},

	"failed_outside_too_big":  {EN: "It is larger than 5 MB, and was not fetched.", FR: "Elle dépasse 5 Mo et n'a pas été téléchargée."},
	"failed_outside_gone":     {EN: "The carrier no longer has it.", FR: "L'opérateur ne l'a plus."},
	"failed_outside_form":     {EN: "It is said to be where Readback does not go.", FR: "Elle serait là où Readback ne va pas."},
	"failed_outside_host":     {EN: "It is said to be where Readback does not go.", FR: "Elle serait là où Readback ne va pas."},
	"failed_outside_port":     {EN: "It is said to be where Readback does not go.", FR: "Elle serait là où Readback ne va pas."},
	"failed_outside_address":  {EN: "It is said to be where Readback does not go.", FR: "Elle serait là où Readback ne va pas."},
	"failed_outside_redirect": {EN: "It is said to be where Readback does not go.", FR: "Elle serait là où Readback ne va pas."},
}
