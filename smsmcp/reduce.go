package smsmcp

// Reduce brings a foreign word to a known form, [a-z_]{1,40} (invariant 13): anything else becomes an underscore, and the empty
// string "unknown".
func Reduce(s string) string {
	out := make([]byte, 0, 40)
	for i := 0; i < len(s) && len(out) < 40; i++ {
		c := s[i]
		if c >= 'A' && c <= 'Z' {
			c += 'a' - 'A'
		}
		if c < 'a' || c > 'z' {
			if len(out) > 0 && out[len(out)-1] == '_' {
				continue
			}
			c = '_'
		}
		out = append(out, c)
	}
	if len(out) == 0 {
		return "unknown"
	}
	return string(out)
}
