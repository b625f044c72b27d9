package clean

import (
	"fmt"
	"strings"
	"testing"
)

var texts = map[string]string{
	"plain":   "See you at the station at 7, and bring the keys please. ",
	"french":  "L’été à Québec, c’est déjà fini ; on se voit à midi ? ",
	"mixed":   "« Salut » \u202e👩\u200d👧 नमस्ते क्\u200dष é\u0301 <<ok>> \u200b\n",
	"marks":   "\u0301",
	"joiners": "\u0915\u094d\u200d",
	"angles":  "<",
}

var sink Result

// BenchmarkClean shows that the time is linear in the length: MB/s are the same at every size.
func BenchmarkClean(b *testing.B) {
	for _, name := range []string{"plain", "french", "mixed", "marks", "joiners", "angles"} {
		for _, size := range []int{160, 4 << 10, 64 << 10, 1 << 20} {
			s := strings.Repeat(texts[name], size/len(texts[name])+1)
			s = strings.TrimSpace(s)
			if name == "marks" {
				s = "x" + s
			}
			b.Run(fmt.Sprintf("%s/%dKiB", name, size>>10), func(b *testing.B) {
				b.SetBytes(int64(len(s)))
				b.ReportAllocs()
				for b.Loop() {
					sink = Body(s)
				}
			})
		}
	}
}
