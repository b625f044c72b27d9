package voicemail_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"readback/cmd/readback/machine"
	"readback/smsmcp"
	"readback/smsmcp/inbox"
	"readback/store"
	"readback/voice"
	"readback/voice/voicemail"
)

// The test binary is its own second process: it keeps messages in the data folder READBACK_TEST_VOICEMAIL, under the name READBACK_TEST_VOICEMAIL_NAME, until it is killed.
func TestMain(m *testing.M) {
	data := os.Getenv("READBACK_TEST_VOICEMAIL")
	if data == "" {
		os.Exit(m.Run())
	}
	if err := keepOn(data, os.Getenv("READBACK_TEST_VOICEMAIL_NAME")); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// shared is a box as a process on a data folder has it.
func shared(data string, s *store.Store) *voicemail.Box {
	in := inbox.New(inbox.Options{Store: s, Name: "voipms", Now: func() time.Time { return noon }, Rand: rand.New(rand.NewPCG(1, 2)), Hold: time.Hour, Alarm: time.Hour})
	d := machine.Folder(data)
	return voicemail.New(voicemail.Options{Inbox: in, Folder: d.Path(machine.VoicemailFolder), Most: 400_000, Alone: d.OneAtATime("voicemail")})
}

func keepOn(data, name string) error {
	s, err := store.Join(context.Background(), filepath.Join(data, "readback.db"))
	if err != nil {
		return err
	}
	b := shared(data, s)
	for i := 0; ; i++ {
		m := message(fmt.Sprint(name, "-", i), "hello", tone(time.Second))
		m.Caller.Number = fmt.Sprintf("+1514555%04d", i%3)
		if err := b.Keep(context.Background(), m); err != nil {
			return err
		}
		fmt.Println("kept", m.Call)
	}
}

// TestInvariant08ProcessesThatAreKilledLoseNoVoicemail: two of them keep messages, of which some make room for others, while the server recovers; each in turn is killed. What they said
// that they keep is a text, once, which says of its sound what is so; nothing half-written stays, and no sound without a text.
func TestInvariant08ProcessesThatAreKilledLoseNoVoicemail(t *testing.T) {
	rounds := 10
	if testing.Short() {
		rounds = 3
	}
	data := t.TempDir()
	folder := filepath.Join(data, machine.VoicemailFolder)
	s, err := store.Open(t.Context(), filepath.Join(data, "readback.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	server := shared(data, s)
	said := map[string]bool{}
	for round := range rounds {
		var mu sync.Mutex
		var children []*exec.Cmd
		var wg sync.WaitGroup
		kept := make(chan struct{}, 1000)
		for i := range 2 {
			c := exec.CommandContext(t.Context(), os.Args[0])
			c.Env = append(os.Environ(), "READBACK_TEST_VOICEMAIL="+data, fmt.Sprintf("READBACK_TEST_VOICEMAIL_NAME=%d-%d", round, i))
			c.Stderr = os.Stderr
			out, err := c.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := c.Start(); err != nil {
				t.Fatal(err)
			}
			children = append(children, c)
			wg.Go(func() {
				var call string
				for {
					if _, err := fmt.Fscanln(out, new(string), &call); err != nil {
						return
					}
					mu.Lock()
					said[call] = true
					mu.Unlock()
					select {
					case kept <- struct{}{}:
					default:
					}
				}
			})
		}
		for n := 0; n < 4+round; {
			select {
			case <-kept:
				n++
			default:
				if err := server.Recover(t.Context()); err != nil {
					t.Error(err)
				}
			}
		}
		for _, c := range children {
			_ = c.Process.Kill()
		}
		wg.Wait()
		for _, c := range children {
			_ = c.Wait()
			if c.ProcessState.ExitCode() > 0 {
				t.Fatal("a child failed")
			}
		}
	}
	if err := server.Recover(t.Context()); err != nil {
		t.Error(err)
	}
	texts := map[string]smsmcp.Text{}
	for q := (smsmcp.Query{Strangers: true, Limit: 500}); ; {
		p, err := s.Texts(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range p.Rows {
			if _, twice := texts[r.Text.Key.ID]; twice {
				t.Errorf("%s is two texts", r.Text.Key.ID)
			}
			texts[r.Text.Key.ID] = r.Text
		}
		if !p.Older {
			break
		}
		q.Before = smsmcp.Cursor{At: p.Rows[0].Text.At, ID: p.Rows[0].Text.ID}
	}
	for call := range said {
		if _, ok := texts[call]; !ok {
			t.Errorf("%s was kept, and is no text", call)
		}
	}
	sounds := map[string]bool{}
	list, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range list {
		name, isSound := strings.CutSuffix(e.Name(), ".wav")
		_, err := os.Stat(filepath.Join(folder, name+".json"))
		switch {
		case filepath.Ext(e.Name()) == ".part":
			t.Errorf("%s is left half-written", e.Name())
		case isSound && err != nil:
			t.Errorf("%s is nobody's", e.Name())
		}
		sounds[e.Name()] = isSound
	}
	wrong := 0
	for call, x := range texts {
		_, lost := x.Sound()
		if there := sounds[voicemail.File(call, noon)]; lost == there {
			wrong++
			t.Errorf("%s: the sound is there: %v; the text says that it is lost: %v", call, there, lost)
		}
	}
	t.Logf("%d kept, %d texts, %d files", len(said), len(texts), len(list))
}

// TestARecoveryWaitsForWhoKeepsAMessage in another process: between the note and the sound it would say that the sound is lost, and take the note away under it.
func TestARecoveryWaitsForWhoKeepsAMessage(t *testing.T) {
	w := newWorld(t, 3*one)
	lock := make(chan struct{}, 1)
	asked := make(chan struct{}, 100)
	box := func(in voicemail.Inbox, asks func()) *voicemail.Box {
		return voicemail.New(voicemail.Options{Inbox: in, Folder: w.folder, Most: 3 * one, Alone: func(ctx context.Context) (func(), error) {
			asks()
			select {
			case lock <- struct{}{}:
				return func() { <-lock }, nil
			case <-ctx.Done():
				return nil, ctx.Err()
			}
		}})
	}
	worker, server := box(w, func() {}), box(w.inbox, func() { asked <- struct{}{} })
	for i := range 3 {
		if err := worker.Keep(t.Context(), message(fmt.Sprint(i), "hello", tone(2*time.Second))); err != nil {
			t.Fatal(err)
		}
	}
	recovered := make(chan error, 1)
	w.before = func(x smsmcp.Text) error {
		if _, lost := x.Sound(); !lost || x.Key.ID == "last" { // only where another message makes room: the note of the last is there, and its sound not yet
			return nil
		}
		w.before = nil
		go func() { recovered <- server.Recover(context.WithoutCancel(t.Context())) }()
		select {
		case <-asked: // it waits
		case err := <-recovered:
			recovered <- err
		}
		return nil
	}
	if err := worker.Keep(t.Context(), message("last", "hello", tone(2*time.Second))); err != nil {
		t.Fatal(err)
	}
	if err := <-recovered; err != nil {
		t.Error(err)
	}
	name := strings.TrimSuffix(voicemail.File("last", noon), ".wav")
	for _, end := range []string{".wav", ".json"} {
		if _, err := os.Stat(filepath.Join(w.folder, name+end)); err != nil {
			t.Error(err)
		}
	}
	if lost := w.lost(); len(lost) != 1 || lost[0] == "last" {
		t.Errorf("lost: %v", lost)
	}
}

// TestAMessageWaitsForNoProcessForever: where the turn cannot be had it is kept all the same, and nobody recovers anything.
func TestAMessageWaitsForNoProcessForever(t *testing.T) {
	w := newWorld(t, 0)
	b := voicemail.New(voicemail.Options{Inbox: w, Folder: w.folder, Alone: func(context.Context) (func(), error) { return nil, errors.New("no lock") }})
	part := filepath.Join(w.folder, "20261130T120000Z-a.wav.part")
	for i, sound := range []voice.Frame{tone(time.Second), tone(2 * time.Second)} {
		if err := b.Keep(t.Context(), message(fmt.Sprint(i), "hello", sound)); err != nil {
			t.Error(err)
		}
	}
	if err := os.WriteFile(part, []byte("half"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := b.Recover(t.Context()); !errors.Is(err, voicemail.ErrFolder) {
		t.Error(err)
	}
	if _, err := os.Stat(part); err != nil || len(w.rows()) != 2 || len(w.lost()) != 0 {
		t.Errorf("%v, %d texts", err, len(w.rows()))
	}
}

// TestWhatIsKnownToBeToldIsNotToldAgain: a recovery may be often. What another process could not store, or what is new of a sound, is.
func TestWhatIsKnownToBeToldIsNotToldAgain(t *testing.T) {
	w := newWorld(t, 0)
	told := 0
	w.before = func(smsmcp.Text) error { told++; return nil }
	for i := range 3 {
		w.keep(message(fmt.Sprint(i), "hello", tone(time.Second)))
	}
	server := w.restart()
	for i, want := range []int{6, 6, 6} {
		if err := server.Recover(t.Context()); err != nil || told != want {
			t.Errorf("%d: %v, told %d times, want %d", i, err, told, want)
		}
	}
	worker := voicemail.New(voicemail.Options{Folder: w.folder, Inbox: refusing{}})
	if err := worker.Keep(t.Context(), message("worker", "hello", tone(time.Second))); !errors.Is(err, voicemail.ErrStore) {
		t.Error(err)
	}
	if err := os.Remove(filepath.Join(w.folder, voicemail.File("1", noon))); err != nil { // it gave way to another process' message, which was killed before it could say so
		t.Fatal(err)
	}
	for range 2 {
		if err := server.Recover(t.Context()); err != nil || told != 8 {
			t.Errorf("%v, told %d times", err, told)
		}
	}
	if got := w.lost(); len(got) != 1 || got[0] != "1" || len(w.rows()) != 4 {
		t.Errorf("lost: %v, %d texts", got, len(w.rows()))
	}
	if err := os.WriteFile(filepath.Join(w.folder, "20261130T120000Z-b.json"), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if err := server.Recover(t.Context()); err != nil || told != 8 {
			t.Errorf("%v, told %d times", err, told)
		}
	}
	if n := strings.Count(w.log.String(), "cannot be read"); n != 1 {
		t.Errorf("said %d times", n)
	}
}

type refusing struct{}

func (refusing) Receive(context.Context, smsmcp.Text) error { return errors.New("busy") }
