// Package screen is the part of the catalogue that the owner reads on a phone and in a browser: notifications, what asks for a yes, and the owner's page.
//
// Floor 1: imports lang.
package screen
