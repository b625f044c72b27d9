package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"readback/smsmcp"
	"readback/smsmcp/clean"
	"readback/smsmcp/frame"
	"readback/smsmcp/lang"
	"readback/smsmcp/signs"
	"readback/smsmcp/untrusted"
)

const mega = 1 << 20

// frames measures the sanitiser and the frame: how fast, and whether a megabyte costs as much a byte as a kilobyte does.
func frames(context.Context, string) ([]row, error) {
	var rows []row
	for _, s := range []struct{ name, text string }{
		{"plain", "See you at the station at 7, and bring the keys please. "},
		{"French", "L’été à Québec, c’est déjà fini ; on se voit à midi ? "},
		{"hostile", "« Salut » \u202e👩\u200d👧 नमस्ते é\u0301 <<ok>> \u200b\n"},
		{"marks alone", "\u0301"},
	} {
		small, whole := fill(s.text, 1<<10), fill(s.text, mega)
		m, err := byTurns(15,
			func() error {
				for range mega >> 10 {
					clean.Body(small)
				}
				return nil
			},
			func() error { clean.Body(whole); return nil },
			func() error { signs.Alarms(whole); return nil },
		)
		if err != nil {
			return nil, err
		}
		rows = append(rows,
			row{"sanitise 1 MiB of " + s.name + " text, against 1024 times 1 KiB", speed(m[1]), speed(m[0]), times(m[1], m[0]), "linear"},
			row{"alarms in 1 MiB of " + s.name + " text", speed(m[2]), "", "", ""})
	}
	page := smsmcp.Page{}
	marie := &smsmcp.Contact{ID: 1, Name: "Marie Tremblay"}
	now := time.Date(2026, 11, 30, 14, 0, 0, 0, time.UTC)
	for i := range 50 {
		page.Rows = append(page.Rows, smsmcp.Row{Contact: marie, Text: smsmcp.Text{
			ID: smsmcp.TextID(i + 1), Direction: smsmcp.Received, Peer: smsmcp.NumberPeer("+15145550101"), At: now.Add(time.Duration(i) * time.Minute),
			Body: untrusted.New(fmt.Sprintf("Texte %d : l’été à Québec, c’est déjà fini ; on se voit à midi ?", i)),
		}})
	}
	m, err := byTurns(500, func() error {
		frame.Render(frame.List{Page: page, Now: now}, frame.Options{Lang: lang.EN, Zone: time.UTC, MaskCodes: true})
		return nil
	})
	if err != nil {
		return nil, err
	}
	return append(rows, row{"frame 50 texts", short(m[0]), "", "", ""}), nil
}

func fill(s string, size int) string { return strings.Repeat(s, size/len(s)+1)[:size/len(s)*len(s)] }

func speed(d time.Duration) string { return fmt.Sprintf("%.0f MB/s", float64(mega)/1e6/d.Seconds()) }
