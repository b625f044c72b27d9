package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	mrand "math/rand/v2"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	mcpserver "github.com/mark3labs/mcp-go/server"

	"readback/smsmcp"
	"readback/smsmcp/dispatch"
	"readback/smsmcp/inbox"
	"readback/smsmcp/lang"
	"readback/smsmcp/mcptools"
	"readback/smsmcp/untrusted"
	"readback/smsmcp/web"
	"readback/store"
)

const stored = 100_000

// everyday is what people write, in the lengths and with the marks that they use.
var everyday = []string{
	"Ok!", "On se voit à la gare à midi ? J’apporte le dessert 🥧", "I'm on my way, 10 min", "T’es où ?",
	"Don't forget that the plumber comes Thursday between 9 and 11, the key is with the neighbours as always. Call me if he does not show up.",
	"Merci beaucoup 🙏", "Did you see the mail from 2024 about the roof? I think we still owe them 1250 dollars", "lol", "C’est noté, à demain",
	"We land at 18:40, gate B22. No need to come, we'll take the train and then a taxi", "Oui", "Bonne fête Maman ! On t’appelle ce soir après le souper",
}

// reads measures read_texts of 50 texts out of 100,000, over HTTP on loopback, with the token and every check: against a bare mcp-go handler that has
// the same schema and returns the same bytes from memory, and against a bare net/http handler that writes the same answer. Each new answer of ours is
// framed anew; with a commit between two reads, nothing read before helps.
func reads(ctx context.Context, dir string) ([]row, error) {
	db, err := store.Open(ctx, filepath.Join(dir, "reads.db"))
	if err != nil {
		return nil, err
	}
	defer func() { _ = db.Close() }()
	now := time.Date(2026, 11, 30, 14, 0, 0, 0, time.UTC)
	if err := seed(ctx, db, now); err != nil {
		return nil, err
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	ours, token, err := product(ctx, db, now)
	if err != nil {
		return nil, err
	}
	client := &caller{http: &http.Client{}, token: token}
	schema, answer, text, err := client.learn(ctx, ours)
	if err != nil {
		return nil, err
	}
	if n := strings.Count(text, "«"); n != 51 {
		return nil, fmt.Errorf("the answer holds %d quotes, not those of 50 texts and the head", n)
	}
	bare, err := serve(ctx, bareMCP(schema, text))
	if err != nil {
		return nil, err
	}
	plain, err := serve(ctx, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(answer)
	}))
	if err != nil {
		return nil, err
	}
	get := func(url string) func() error {
		return func() error { _, err := client.call(ctx, url, read); return err }
	}
	n := 0
	commit := func() error {
		n++
		return db.Synced(ctx, smsmcp.SyncState{Carrier: "bench", Good: now.Add(time.Duration(n) * time.Second), Tried: now})
	}
	if _, err := byTurns(200, get(ours), get(bare), get(plain)); err != nil {
		return nil, err
	}
	m, err := byTurns(1500, get(ours), get(bare), get(plain))
	if err != nil {
		return nil, err
	}
	fresh, err := byTurns(500, commit, get(ours), get(bare))
	if err != nil {
		return nil, err
	}
	return []row{
		{"read_texts, 50 of 100,000, against a bare mcp-go handler", short(m[0]), short(m[1]), times(m[0], m[1]), "≤ 1.5"},
		{"the same, against a bare net/http handler", short(m[0]), short(m[2]), times(m[0], m[2]), ""},
		{"the same after a commit, against a bare mcp-go handler", short(fresh[1]), short(fresh[2]), times(fresh[1], fresh[2]), ""},
	}, nil
}

// seed stores a year of texts of 200 contacts and many strangers, the last 60 of contacts today.
func seed(ctx context.Context, db *store.Store, now time.Time) error {
	var all []smsmcp.Contact
	for i := range 200 {
		n := smsmcp.Number(fmt.Sprintf("+1514555%04d", i))
		all = append(all, smsmcp.Contact{Name: fmt.Sprintf("Contact %c%c", 'A'+i/26, 'a'+i%26), Numbers: []smsmcp.Number{n}, To: n})
	}
	if _, _, err := db.AddContacts(ctx, all, func([]smsmcp.Contact, smsmcp.Contact) error { return nil }); err != nil {
		return err
	}
	var texts []smsmcp.Text
	for i := range stored {
		peer := smsmcp.NumberPeer(all[i*7%200].To)
		if i%3 == 0 && i < stored-60 {
			peer = smsmcp.NumberPeer(smsmcp.Number(fmt.Sprintf("+1438%07d", i%20_000)))
		}
		texts = append(texts, smsmcp.Text{
			Key: smsmcp.Key{Carrier: "bench", Kind: smsmcp.SMS, ID: fmt.Sprint(i)}, Direction: smsmcp.Received, Peer: peer,
			Body: untrusted.New(everyday[i%len(everyday)]),
			At:   now.Add(-time.Duration(stored-i) * 5 * time.Minute),
		})
	}
	_, err := db.StoreTexts(ctx, now, texts)
	return err
}

// product serves the product's own stack.
func product(ctx context.Context, db *store.Store, now time.Time) (url, token string, err error) {
	id, token, hash, err := web.NewToken(rand.Reader)
	if err != nil {
		return "", "", err
	}
	if err := db.AddToken(ctx, now, "bench", id, hash); err != nil {
		return "", "", err
	}
	clock := func() time.Time { return now }
	log := slog.New(slog.DiscardHandler)
	tools, err := mcptools.New(mcptools.Options{
		Reader: inbox.New(inbox.Options{Store: db, Name: "bench", Now: clock, Rand: mrand.New(mrand.NewPCG(1, 1)), Hold: time.Hour, Alarm: time.Hour}), //nolint:gosec // jitter
		Book:   db, Door: dispatch.New(dispatch.Options{Now: clock}), Who: web.Who, Now: clock, Random: rand.Reader,
		Lang: lang.EN, Zone: time.UTC, Version: "bench", Log: log, MaskCodes: true,
	})
	if err != nil {
		return "", "", err
	}
	url, err = serve(ctx, web.New(web.Options{
		MCP: tools, Tokens: db, NoToken: store.ErrNoToken, Now: time.Now, Log: log, RequestsPerMinute: 1 << 30, Burst: 1 << 30,
	}))
	return url, token, err
}

func serve(ctx context.Context, h http.Handler) (string, error) {
	ln, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	go func() { _ = web.Serve(ctx, ln, h, slog.New(slog.DiscardHandler)) }()
	return "http://" + ln.Addr().String() + "/mcp", nil
}

// bareMCP is mcp-go alone, with the settings that the product gives it.
func bareMCP(schema json.RawMessage, text string) http.Handler {
	m := mcpserver.NewMCPServer("bare", "1", mcpserver.WithToolCapabilities(false))
	m.AddTool(mcp.NewToolWithRawSchema("read_texts", "", schema), func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return mcp.NewToolResultText(text), nil
	})
	return mcpserver.NewStreamableHTTPServer(m, mcpserver.WithStateLess(true), mcpserver.WithDisableStreaming(true))
}

const (
	list = `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`
	read = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read_texts","arguments":{}}}`
)

type caller struct {
	http  *http.Client
	token string
}

func (c *caller) call(ctx context.Context, url, body string) ([]byte, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	r.Header.Set("Authorization", "Bearer "+c.token)
	a, err := c.http.Do(r)
	if err != nil {
		return nil, err
	}
	defer func() { _ = a.Body.Close() }()
	out, err := io.ReadAll(a.Body)
	if err == nil && (a.StatusCode != http.StatusOK || bytes.Contains(out, []byte(`"error"`))) {
		err = fmt.Errorf("%s: %s", a.Status, out)
	}
	return out, err
}

// learn asks the product for its schema of read_texts, and for one answer.
func (c *caller) learn(ctx context.Context, url string) (schema json.RawMessage, answer []byte, text string, err error) {
	out, err := c.call(ctx, url, list)
	if err != nil {
		return nil, nil, "", err
	}
	var tools struct {
		Result struct {
			Tools []struct {
				Name        string
				InputSchema json.RawMessage
			}
		}
	}
	if err := json.Unmarshal(out, &tools); err != nil {
		return nil, nil, "", err
	}
	for _, t := range tools.Result.Tools {
		if t.Name == "read_texts" {
			schema = t.InputSchema
		}
	}
	if answer, err = c.call(ctx, url, read); err != nil {
		return nil, nil, "", err
	}
	var got struct {
		Result struct {
			Content []struct{ Text string }
		}
	}
	if err := json.Unmarshal(answer, &got); err != nil || len(got.Result.Content) != 1 {
		return nil, nil, "", fmt.Errorf("an answer without one text: %s (%w)", answer, err)
	}
	return schema, answer, got.Result.Content[0].Text, nil
}
