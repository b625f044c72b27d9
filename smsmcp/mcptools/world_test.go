package mcptools

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"readback/smsmcp"
	"readback/smsmcp/confirm"
	"readback/smsmcp/dispatch"
	"readback/smsmcp/guard"
	"readback/store"
	"readback/store/questions"
)

// sent is a carrier that writes down what it is handed.
type sent struct {
	mu  sync.Mutex
	all []string
}

func (c *sent) Name() string { return "test" }
func (c *sent) Plan(string) (smsmcp.Plan, error) {
	return smsmcp.Plan{Kind: smsmcp.SMS, Segments: 1}, nil
}
func (c *sent) Check(context.Context) error         { return nil }
func (c *sent) want(t *testing.T, bodies ...string) { t.Helper(); c.is(t, bodies) }
func (c *sent) is(t *testing.T, want []string) {
	t.Helper()
	c.mu.Lock()
	defer c.mu.Unlock()
	if !slices.Equal(c.all, want) {
		t.Errorf("the carrier got %q, want %q", c.all, want)
	}
}
func (c *sent) Send(_ context.Context, _ smsmcp.Number, body string) (smsmcp.Receipt, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.all = append(c.all, body)
	return smsmcp.Receipt{Key: smsmcp.Key{Carrier: "test", Kind: smsmcp.SMS, ID: fmt.Sprint(len(c.all))}}, nil
}

// world is the tools on the real store, door, desk and book of questions; every send waits.
type world struct {
	*fixture
	store   *store.Store
	desk    *confirm.Desk
	carrier *sent
	counts  map[string]int

	mu  sync.Mutex
	who smsmcp.Principal
	now time.Time
}

func (w *world) clock() time.Time { w.mu.Lock(); defer w.mu.Unlock(); return w.now }
func (w *world) pass(d time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.now = w.now.Add(d)
}
func (w *world) principal(context.Context) smsmcp.Principal {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.who
}
func (w *world) be(change func(*smsmcp.Principal)) {
	w.mu.Lock()
	defer w.mu.Unlock()
	change(&w.who)
}

func newWorld(t *testing.T, change ...func(*Options)) *world {
	t.Helper()
	s, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "readback.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	w := &world{store: s, carrier: &sent{}, counts: map[string]int{}, now: noon, who: smsmcp.Principal{ID: "c1", Name: "laptop", Read: true, Send: true, MayConfirm: true}}
	for _, c := range people {
		if _, err := s.AddContact(t.Context(), smsmcp.Contact{Name: c.Name, Aliases: c.Aliases, Numbers: c.Numbers, To: c.To}, func([]smsmcp.Contact) error { return nil }); err != nil {
			t.Fatal(err)
		}
	}
	w.fixture = setUp(t, func(f *fixture, o *Options) {
		cli := confirm.Channel{Name: smsmcp.CommandLine, Strong: true, Reachable: func() bool { return true }}
		w.desk = confirm.New(s, w.clock, o.Log, append(confirm.Weak(), cli)...)
		door := dispatch.New(dispatch.Options{
			Carrier: w.carrier, Ledger: s, Now: w.clock, Timeout: 5 * time.Second, Reachable: w.desk.Reachable, Tell: func(smsmcp.Send) {}, Log: o.Log,
			Observe: func(e smsmcp.Event, label string) { w.mu.Lock(); w.counts[string(e)+" "+label]++; w.mu.Unlock() },
			Guard: guard.Settings{
				Confirm: guard.ConfirmAlways, PerHour: 30, PerDay: 90, KeptForConfirmed: 10, UnconfirmedPerHour: 6, UnconfirmedPerDay: 20,
				Duplicate: 2 * time.Minute, FanOut: 30, Hold: time.Hour, Alarm: time.Hour, Named: 24 * time.Hour, Repeats: 24 * time.Hour, RepeatWords: 8,
				Zone: montreal, Expiry: 10 * time.Minute, MaxWaiting: 3, AsksPerHour: 60, PauseAfterNo: time.Minute,
			},
		})
		w.desk.Bind(door)
		o.Book, o.Door, o.Now, o.Who = s, door, w.clock, w.principal
		o.Questions, o.Desk = questions.New(s.DB()), w.desk
		for _, f := range change {
			f(o)
		}
	})
	return w
}

// The capabilities a client declares.
const (
	asksForms = `{"elicitation":{"form":{}}}`
	asksPlain = `{"elicitation":{}}`
	asksURLs  = `{"elicitation":{"url":{}}}`
	asksNone  = `{}`
)

const bonjour = `{"to":"Élodie Tremblay","body":"On dîne à 18 h ?"}`

// question is an input_required result.
type question struct {
	rpc
	state   string
	message string
	schema  map[string]any
}

// tool calls send_text in the modern era; more is more of the parameters.
func (w *world) tool(t *testing.T, capabilities, arguments, more string) question {
	t.Helper()
	params := `"name":"send_text","arguments":` + arguments + more +
		`,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"},"io.modelcontextprotocol/clientCapabilities":` + capabilities + `}`
	out := question{rpc: w.raw(t, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{`+params+`}}`, func(r *http.Request) {
		r.Header.Set("MCP-Protocol-Version", "2026-07-28")
		r.Header.Set("Mcp-Method", "tools/call")
		r.Header.Set("Mcp-Name", "send_text")
	})}
	var in struct {
		Result struct {
			ResultType, RequestState string
			InputRequests            map[string]struct {
				Method string
				Params struct {
					Message         string
					RequestedSchema map[string]any
				}
			}
		}
	}
	if err := json.Unmarshal([]byte(out.raw), &in); err != nil {
		t.Fatal(err, out.raw)
	}
	if in.Result.ResultType == "input_required" {
		q, ok := in.Result.InputRequests[elicitKey]
		if !ok || len(in.Result.InputRequests) != 1 || q.Method != "elicitation/create" || in.Result.RequestState == "" || len(out.Result.Content) != 0 {
			t.Fatalf("not one question: %s", out.raw)
		}
		out.state, out.message, out.schema = in.Result.RequestState, q.Params.Message, q.Params.RequestedSchema
	}
	return out
}

func (q question) text(t *testing.T) string {
	t.Helper()
	if len(q.Result.Content) != 1 {
		t.Fatalf("not one text: %s", q.raw)
	}
	return q.Result.Content[0].Text
}

// ask has the client asked, and gives the question.
func (w *world) ask(t *testing.T, arguments string) question {
	t.Helper()
	q := w.tool(t, asksForms, arguments, "")
	if q.state == "" {
		t.Fatalf("the client is not asked: %s", q.raw)
	}
	return q
}

// answer gives an answer to a state.
func (w *world) answer(t *testing.T, state, arguments, answer string) question {
	t.Helper()
	return w.tool(t, asksForms, arguments, `,"requestState":`+quoted(state)+`,"inputResponses":{"owner":`+answer+`}`)
}

func (w *world) only(t *testing.T) smsmcp.Send {
	t.Helper()
	all, err := w.store.Sends(t.Context(), 50)
	if err != nil || len(all) != 1 {
		t.Fatalf("%d sends: %v", len(all), err)
	}
	return all[0]
}

const (
	acceptSend = `{"action":"accept","content":{"answer":"send"}}`
	acceptDont = `{"action":"accept","content":{"answer":"do_not_send"}}`
)
