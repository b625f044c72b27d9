package relay

import (
	"context"
	"encoding/json"
	"strconv"
	"sync"
	"time"
)

// The server asks a client for its user's answer by a result of the modern era, to which the client answers with a call of its own. Clients of the older eras are asked by a request, over
// the pipe that the relay has and the server has not. So the relay puts the tool calls of such a client into the modern era (bridge.go), if the client declared that it can be asked, asks
// it what the server needs, and posts the call again with the answer. What it asks and what is answered it passes on as it is.

const (
	inputRequired = "input_required"
	createMethod  = "elicitation/create"

	mostAsked  = 4                // questions that a client has open at the same time; below atOnce, so that other calls go on
	mostRounds = 8                // questions in one call
	askedFor   = 15 * time.Minute // how long one is open: longer than a send waits by default; after it the server hears that nobody answered
)

// needs is a result that asks the client for something. It is an error on its way through hand: the call has no answer yet.
type needs struct {
	Type     string          `json:"resultType"`
	State    json.RawMessage `json:"requestState"`
	Requests map[string]struct {
		Method string          `json:"method"`
		Params json.RawMessage `json:"params"`
	} `json:"inputRequests"`
}

func (n *needs) Error() string { return "the server needs the client's answer first" }

// asked is what the client was asked and has not answered.
type asked struct {
	mu   sync.Mutex
	who  *declared // nil: it said nothing of itself
	open map[string]chan json.RawMessage
	last int
	gone bool
}

// settle takes what the client declared, once the server has taken its initialize.
func (a *asked) settle(d *declared) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.who = d
}

func (a *asked) client() *declared {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.who
}

// begin opens a question, and gives its id; nil where the client has enough of them, or is gone, or cannot be asked.
func (a *asked) begin() (id json.RawMessage, answer <-chan json.RawMessage) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.gone || !a.who.forms() || len(a.open) >= mostAsked {
		return nil, nil
	}
	if a.open == nil {
		a.open = map[string]chan json.RawMessage{}
	}
	a.last++
	id = json.RawMessage(strconv.Quote("readback-" + strconv.Itoa(a.last)))
	c := make(chan json.RawMessage, 1)
	a.open[string(id)] = c
	return id, c
}

// end closes a question, and says whether it was open still: whether the client may still be showing it.
func (a *asked) end(id json.RawMessage) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	_, open := a.open[string(id)]
	delete(a.open, string(id))
	return open
}

// answer takes a response of the client, if it is to a question. An error is no answer: nil.
func (a *asked) answer(m message) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	c, ok := a.open[string(m.answers)]
	if !ok {
		return false
	}
	delete(a.open, string(m.answers))
	var in struct {
		Result json.RawMessage `json:"result"`
	}
	_ = json.Unmarshal(m.line, &in) // it was read before
	c <- in.Result
	return true
}

// leave ends all questions: the client is gone.
func (a *asked) leave() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.gone = true
	for _, c := range a.open {
		close(c)
	}
	a.open = nil
}

// cancelled is the answer of nobody.
const cancelled = `{"action":"cancel"}`

// ask asks the client what the server needs, and gives the call with the answers. errNotMCP if the server needs what the relay cannot ask for, or nothing, or asks again and again.
func (r *relay) ask(ctx context.Context, m message, n needs, rounds int) (message, error) {
	if len(n.Requests) == 0 || rounds >= mostRounds {
		return m, errNotMCP
	}
	answers := map[string]json.RawMessage{}
	for key, q := range n.Requests {
		if q.Method != createMethod {
			return m, errNotMCP
		}
		answers[key] = r.put(ctx, q.Params)
	}
	line, err := within(m.line, func(params map[string]json.RawMessage) (err error) {
		if n.State != nil {
			params["requestState"] = n.State
		}
		params["inputResponses"], err = json.Marshal(answers)
		return err
	})
	m.line = line
	return m, err
}

// put asks the client one question, and waits for what it answers: that nobody did, where it could not be asked, did not answer in time or answered with an error.
func (r *relay) put(ctx context.Context, params json.RawMessage) json.RawMessage {
	id, answer := r.asked.begin()
	if id == nil {
		return json.RawMessage(cancelled)
	}
	line, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": id, "method": createMethod, "params": params})
	if err != nil { // all of it came out of JSON
		return json.RawMessage(cancelled)
	}
	r.write(line)
	late := time.NewTimer(askedFor)
	defer late.Stop()
	select {
	case said := <-answer:
		if said != nil {
			return said
		}
	case <-late.C:
	case <-ctx.Done():
	}
	if r.asked.end(id) { // the client shows it still
		line, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "method": "notifications/cancelled", "params": map[string]any{"requestId": id}})
		if err == nil {
			r.write(line)
		}
	}
	return json.RawMessage(cancelled)
}
