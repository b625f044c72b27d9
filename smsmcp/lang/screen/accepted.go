package screen

import (
	"sort"
	"strconv"
	"strings"

	"readback/smsmcp/lang"
)

// Accepted gives the language of ours that a browser likes best (RFC 9110, 12.5.4); fallback where it names none.
func Accepted(header string, fallback lang.Lang) lang.Lang {
	type choice struct {
		l lang.Lang
		q float64
	}
	var all []choice
	if len(header) > 500 {
		return fallback
	}
	for one := range strings.SplitSeq(header, ",") {
		tag, rest, _ := strings.Cut(one, ";")
		base, _, _ := strings.Cut(strings.TrimSpace(tag), "-")
		l, err := lang.Parse(base)
		if err != nil {
			continue
		}
		q := 1.0
		if v, ok := strings.CutPrefix(strings.TrimSpace(rest), "q="); ok {
			if q, err = strconv.ParseFloat(v, 64); err != nil || !(q > 0 && q <= 1) {
				continue
			}
		}
		all = append(all, choice{l, q})
	}
	if len(all) == 0 {
		return fallback
	}
	sort.SliceStable(all, func(i, j int) bool { return all[i].q > all[j].q })
	return all[0].l
}
