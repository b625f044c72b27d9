package screen

import "readback/smsmcp/lang"

// ShownKey is what a key that the caller pressed is called, of which the digit is not shown.
var ShownKey = lang.Message{EN: "a key", FR: "une touche"}
