package draw

import "strings"

// narrow is the least room in which the last column of a table is set beside the others, in columns.
const narrow = 24

// Table writes rows in columns, the first row and each cell through [Line]. The last column is wrapped where it stands, or below its row where
// there is too little room beside the others.
func Table(rows [][]string, width int) string {
	var wide []int
	for _, row := range rows {
		for i, cell := range row {
			if i == len(wide) {
				wide = append(wide, 0)
			}
			wide[i] = max(wide[i], Width(cell))
		}
	}
	left := 0
	for _, n := range wide[:max(len(wide)-1, 0)] {
		left += n + 2
	}
	beside := width-left >= narrow || len(wide) > 0 && left+wide[len(wide)-1] <= width
	var b strings.Builder
	for _, row := range rows {
		head := ""
		for i, cell := range row[:len(row)-1] {
			head += Line(cell) + strings.Repeat(" ", wide[i]-Width(cell)+2)
		}
		last := Line(row[len(row)-1])
		switch {
		case beside:
			b.WriteString(Hung(head, last, width))
		case strings.Trim(last, " –") == "":
			b.WriteString(strings.TrimRight(head, " ") + "\n")
		default:
			b.WriteString(strings.TrimRight(head, " ") + "\n" + Hung("    ", last, width))
		}
	}
	return b.String()
}
