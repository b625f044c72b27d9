package llm_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"log/slog"
	"net"
	"net/http"
	"os"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"readback/smsmcp/lang"
	"readback/voice"
	"readback/voice/llm"
	"readback/voice/llm/anthropic"
	. "readback/voice/llm/llmtest"
	"readback/voice/llm/openai"
)

// engine is what both are.
type engine interface {
	voice.LLM
	Check(ctx context.Context) error
	Close()
}

func key() (string, error) { return Key, nil }

// build makes the engine of a wire.
func build(t testing.TB, w Wire, url string, tr *http.Transport, l llm.Limits, key func() (string, error)) engine {
	t.Helper()
	var e engine
	var err error
	if w == OpenAI {
		e, err = openai.New(openai.Options{Key: key, BaseURL: url, Model: Model, Limits: l, Transport: tr})
	} else {
		e, err = anthropic.New(anthropic.Options{Key: key, BaseURL: url, Model: Model, Limits: l, Transport: tr})
	}
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// each runs a test for both engines, against a server that does steps.
func each(t *testing.T, l llm.Limits, answer func(Request) []Step, f func(t *testing.T, s *Server, e engine)) {
	for _, w := range []Wire{OpenAI, Anthropic} {
		t.Run(w.String(), func(t *testing.T) {
			s := Start(t, w, answer)
			e := build(t, w, s.URL, s.Transport, l, key)
			t.Cleanup(e.Close)
			f(t, s, e)
			if r := s.Refused(); r != nil {
				t.Errorf("the service would refuse: %q", r)
			}
		})
	}
}

func steps(all ...Step) func(Request) []Step { return func(Request) []Step { return all } }

var hello = voice.Request{
	System:   "You are brief.",
	Messages: []voice.Message{{Role: voice.Caller, Text: "hello"}},
	Tools: []voice.ToolDef{{
		Name: "find_contact", Description: "Finds.",
		Schema: json.RawMessage(`{"type":"object","properties":{"word":{"type":"string"}},"required":["word"],"additionalProperties":false}`),
	}, {Name: "end_call", Schema: json.RawMessage(`{"type":"object"}`)}},
}

// all reads a whole answer: a piece of text is "t:…", a call "c:id name args".
func all(ctx context.Context, e voice.LLM, r voice.Request) (out []string, err error) {
	for d, failed := range e.Reply(ctx, r) {
		switch {
		case failed != nil:
			return out, failed
		case d.Call != nil:
			out = append(out, "c:"+d.Call.ID+" "+d.Call.Name+" "+string(d.Call.Args))
		default:
			out = append(out, "t:"+d.Text)
		}
	}
	return out, nil
}

// code gives an error's code, and fails on an error that is none of ours or says more than its code.
func code(t *testing.T, err error) string {
	t.Helper()
	if err == nil {
		return ""
	}
	var e *llm.Error
	if !errors.As(err, &e) || err.Error() != "llm: "+e.Code() {
		t.Fatalf("no error of ours: %v", err)
	}
	if !regexp.MustCompile(`^[a-z_]{1,40}$`).MatchString(e.Code()) || !lang.LLMKnows(e.Code()) {
		t.Errorf("%q is no code, or has no sentence", e.Code())
	}
	return e.Code()
}

func same(t *testing.T, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestAnAnswerAsItComes(t *testing.T) {
	gate := make(chan struct{}, 1)
	each(t, llm.Limits{}, steps(Text("One"), Text(" two"), Wait(gate), Text(" three."), Call("call_a", "find_contact", `{"wo`, `rd":"Ma`, `rie"}`), Call("call_b", "end_call")),
		func(t *testing.T, s *Server, e engine) {
			var got []string
			for d, err := range e.Reply(t.Context(), hello) {
				if err != nil {
					t.Fatal(err)
				}
				if d.Call != nil {
					got = append(got, "c:"+d.Call.ID+" "+d.Call.Name+" "+string(d.Call.Args))
					continue
				}
				if got = append(got, "t:"+d.Text); d.Text == " two" {
					gate <- struct{}{} // only now does the server go on: what came before was given at once
				}
			}
			same(t, got, "t:One", "t: two", "t: three.", `c:call_a find_contact {"word":"Marie"}`, "c:call_b end_call {}")
			q := s.Asked()[0]
			if q.System != hello.System || q.MaxTokens != 1024 || !slices.Equal(q.Tools, []string{"find_contact", "end_call"}) || q.Messages[0].Text != "hello" {
				t.Errorf("asked %+v", q)
			}
			if !strings.Contains(string(q.Body), `"additionalProperties":false`) || !strings.Contains(string(q.Body), `"required":["word"]`) {
				t.Errorf("the schema is not whole: %s", q.Body)
			}
			for _, no := range []string{"cache", "beta"} {
				if strings.Contains(strings.ToLower(string(q.Body)+fmt.Sprint(q.Header)), no) {
					t.Errorf("%q was asked for", no)
				}
			}
		})
}

func TestArgumentsOfAnyForm(t *testing.T) {
	for _, args := range []string{"not json", `[1,2]`, `{"a":`, `"x"`, "null", "{}{}", `{"to":"` + strings.Repeat("é", 1000) + `"}`} {
		each(t, llm.Limits{}, steps(Call("call_a", "anything at all", args)), func(t *testing.T, _ *Server, e engine) {
			got, err := all(t.Context(), e, hello)
			if err != nil {
				t.Fatal(err)
			}
			same(t, got, "c:call_a anything at all "+args)
		})
	}
}

func TestIDsOfCallsAreGoodToAnswerBy(t *testing.T) {
	r := hello
	r.Messages = []voice.Message{
		{Role: voice.Caller, Text: "x"}, {Role: voice.Agent, Calls: []voice.ToolCall{{ID: "old", Name: "end_call", Args: json.RawMessage("{}")}}},
		{Role: voice.Tool, CallID: "old", Text: "no"},
	}
	each(t, llm.Limits{}, func(q Request) []Step {
		if q.Number == 1 {
			return []Step{Call("old", "a"), Call("", "b"), Call("n\n", "c"), Call("twin", "d"), Call("twin", "e")}
		}
		return []Step{Text("fine")}
	}, func(t *testing.T, _ *Server, e engine) {
		m := voice.Message{Role: voice.Agent}
		said := r
		for d, err := range e.Reply(t.Context(), r) {
			if err != nil {
				t.Fatal(err)
			}
			m.Calls = append(m.Calls, *d.Call)
		}
		if len(m.Calls) != 5 {
			t.Fatalf("%d calls", len(m.Calls))
		}
		said.Messages = append(slices.Clone(r.Messages), m)
		for _, c := range m.Calls {
			said.Messages = append(said.Messages, voice.Message{Role: voice.Tool, CallID: c.ID, Text: "no", Failed: true})
		}
		got, err := all(t.Context(), e, said) // the server refuses a conversation with ids that are not good
		if err != nil {
			t.Fatal(err)
		}
		same(t, got, "t:fine")
	})
}

func TestInvariant13EveryErrorIsACode(t *testing.T) {
	foreign := "FOREIGN-WORDS " + Key
	for name, c := range map[string]struct {
		steps []Step
		want  *llm.Error
		tries int
	}{
		"401":                   {[]Step{Refuse(401, "authentication_error", foreign)}, llm.ErrUnauthorized, 1},
		"403":                   {[]Step{Refuse(403, "permission_error", foreign)}, llm.ErrUnauthorized, 1},
		"402":                   {[]Step{Refuse(402, "billing_error", foreign)}, llm.ErrNoCredit, 1},
		"404":                   {[]Step{Refuse(404, "not_found_error", foreign)}, llm.ErrNoModel, 1},
		"400":                   {[]Step{Refuse(400, "invalid_request_error", foreign)}, llm.ErrBadRequest, 1},
		"400 of another form":   {[]Step{Status(400, "<html>"+foreign)}, llm.ErrBadRequest, 1},
		"400 by a filter":       {[]Step{Refuse(400, "content_filter", foreign)}, llm.ErrRefused, 1},
		"413":                   {[]Step{Refuse(413, "request_too_large", foreign)}, llm.ErrBadRequest, 1},
		"429":                   {[]Step{Refuse(429, "rate_limit_error", foreign)}, llm.ErrRateLimited, 2},
		"429, soon":             {[]Step{Refuse(429, "rate_limit_error", foreign, "Retry-After: 0.01")}, llm.ErrRateLimited, 2},
		"429, later":            {[]Step{Refuse(429, "rate_limit_error", foreign, "Retry-After: 30")}, llm.ErrRateLimited, 1},
		"429, on a day":         {[]Step{Refuse(429, "rate_limit_error", foreign, "Retry-After: Wed, 21 Oct 2026 07:28:00 GMT")}, llm.ErrRateLimited, 1},
		"429 without credit":    {[]Step{Refuse(429, "insufficient_quota", foreign)}, llm.ErrNoCredit, 1},
		"500":                   {[]Step{Refuse(500, "api_error", foreign)}, llm.ErrServer, 2},
		"503":                   {[]Step{Status(503, foreign)}, llm.ErrOverloaded, 2},
		"529":                   {[]Step{Refuse(529, "overloaded_error", foreign)}, llm.ErrOverloaded, 2},
		"a redirect":            {[]Step{Status(307, foreign, "Location: /elsewhere")}, llm.ErrBadAnswer, 1},
		"a web page":            {[]Step{Status(200, "<html>"+foreign, "Content-Type: text/html")}, llm.ErrBadAnswer, 1},
		"JSON, no stream":       {[]Step{Status(200, "{}")}, llm.ErrBadAnswer, 1},
		"no answer, broken":     {[]Step{Break()}, llm.ErrUnreachable, 2},
		"overloaded at once":    {[]Step{Fault("overloaded_error", foreign)}, llm.ErrOverloaded, 2},
		"overloaded after that": {[]Step{Text("a"), Fault("overloaded_error", foreign)}, llm.ErrOverloaded, 1},
		"unknown fault":         {[]Step{Text("a"), Fault("flux", foreign)}, llm.ErrBadAnswer, 1},
		"broken":                {[]Step{Text("a"), Break()}, llm.ErrCut, 1},
		"broken in a call":      {[]Step{Call("call_a", "f", `{"a"`), Break()}, llm.ErrCut, 1},
		"broken at the start":   {[]Step{Ping(), Break()}, llm.ErrCut, 1},
		"ended without an end":  {[]Step{Text("a"), Call("call_a", "f", `{}`), Stop()}, llm.ErrCut, 1},
		"garbage":               {[]Step{Text("a"), Raw("event: message_delta\ndata: {" + foreign + "\n\n")}, llm.ErrBadAnswer, 1},
		"ended for a reason":    {[]Step{Text("a"), Call("call_a", "f", `{}`), End("whim")}, llm.ErrBadAnswer, 1},
		"one endless line":      {[]Step{Text("a"), Raw("data: " + strings.Repeat("x", 2<<20))}, llm.ErrTooBig, 1},
		"too much around it":    {[]Step{Text("a"), Raw(strings.Repeat("event: ping\n: x\n\n", 2<<20))}, llm.ErrTooBig, 1},
	} {
		t.Run(name, func(t *testing.T) {
			each(t, llm.Limits{Pause: time.Millisecond}, func(Request) []Step { return c.steps }, func(t *testing.T, s *Server, e engine) {
				var logged strings.Builder
				log.SetOutput(&logged)
				defer log.SetOutput(os.Stderr)
				defer slog.SetDefault(slog.Default())
				slog.SetDefault(slog.New(slog.NewTextHandler(&logged, nil)))
				got, err := all(t.Context(), e, hello)
				if !errors.Is(err, c.want) || code(t, err) != c.want.Code() {
					t.Errorf("%q, %v; want %v", got, err, c.want)
				}
				if n := len(s.Asked()); n != c.tries {
					t.Errorf("asked %d times, want %d", n, c.tries)
				}
				for _, d := range got {
					if d != "t:a" {
						t.Errorf("an answer that is not whole gave %q", d)
					}
				}
				if told := fmt.Sprintf("%v %+v %#v", err, err, err) + logged.String(); strings.Contains(told, "FOREIGN") || strings.Contains(told, Key) || logged.Len() > 0 {
					t.Errorf("told %q", told)
				}
			})
		})
	}
}

func TestRefusals(t *testing.T) {
	for _, c := range []struct {
		w    Wire
		s    []Step
		want *llm.Error
	}{
		{OpenAI, []Step{Text("a"), Call("c", "f"), End("content_filter")}, llm.ErrRefused},
		{OpenAI, []Step{Text("a"), Call("c", "f"), End("length")}, llm.ErrCut},
		{OpenAI, []Step{Raw(`data: {"choices":[{"index":0,"delta":{"refusal":"I will not"}}]}` + "\n\n")}, llm.ErrRefused},
		{Anthropic, []Step{Text("a"), Call("c", "f"), End("refusal")}, llm.ErrRefused},
		{Anthropic, []Step{Text("a"), Call("c", "f", `{"a`), End("max_tokens")}, llm.ErrCut},
		{Anthropic, []Step{Text("a"), End("pause_turn")}, llm.ErrBadAnswer},
		{Anthropic, []Step{Text("a"), End("model_context_window_exceeded")}, llm.ErrCut},
	} {
		s := Start(t, c.w, steps(c.s...))
		e := build(t, c.w, s.URL, s.Transport, llm.Limits{}, key)
		got, err := all(t.Context(), e, hello)
		if !errors.Is(err, c.want) || len(got) > 1 {
			t.Errorf("%v: %q, %v; want %v", c.w, got, err, c.want)
		}
		e.Close()
	}
}

func TestOneRetry(t *testing.T) {
	for name, first := range map[string]Step{
		"busy": Refuse(529, "overloaded_error", ""), "slower": Refuse(429, "rate_limit_error", "", "Retry-After: 0"), "broken": Break(), "fault": Fault("overloaded_error", ""),
	} {
		t.Run(name, func(t *testing.T) {
			each(t, llm.Limits{Pause: time.Millisecond}, func(q Request) []Step {
				if q.Number == 1 {
					return []Step{first}
				}
				return []Step{Text("here")}
			}, func(t *testing.T, s *Server, e engine) {
				got, err := all(t.Context(), e, hello)
				if err != nil || len(s.Asked()) != 2 {
					t.Fatal(got, err, len(s.Asked()))
				}
				same(t, got, "t:here")
			})
		})
	}
}

func TestNobodyThere(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	url := "http://" + l.Addr().String()
	_ = l.Close()
	for _, w := range []Wire{OpenAI, Anthropic} {
		e := build(t, w, url, nil, llm.Limits{Pause: time.Millisecond}, key)
		if got, err := all(t.Context(), e, hello); !errors.Is(err, llm.ErrUnreachable) || len(got) > 0 {
			t.Error(got, err)
		}
		if err := e.Check(t.Context()); !errors.Is(err, llm.ErrUnreachable) {
			t.Error(err)
		}
	}
}

// bubble runs a test in a bubble, where a minute passes at once, for both engines.
func bubble(t *testing.T, l llm.Limits, answer func(Request) []Step, f func(t *testing.T, s *Server, e engine)) {
	for _, w := range []Wire{OpenAI, Anthropic} {
		t.Run(w.String(), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s, stop := InMemory(w, answer)
				defer stop()
				e := build(t, w, s.URL, s.Transport, l, key)
				defer e.Close()
				f(t, s, e)
			})
		})
	}
}

func TestBoundsOfTime(t *testing.T) {
	drip := make([]Step, 0, 20)
	for range 20 {
		drip = append(drip, Text("a"), Pause(9*time.Second))
	}
	pings := make([]Step, 0, 40)
	for range 40 {
		pings = append(pings, Ping(), Pause(time.Second))
	}
	for name, c := range map[string]struct {
		steps []Step
		want  time.Duration
		words int
	}{
		"silence":             {[]Step{Silent()}, 15 * time.Second, 0},
		"no first piece":      {[]Step{Hang()}, 15 * time.Second, 0},
		"pings alone":         {pings, 15 * time.Second, 0},
		"no next piece":       {[]Step{Pause(14 * time.Second), Text("a"), Hang()}, 24 * time.Second, 1},
		"pings for the next":  {append([]Step{Text("a")}, pings...), 10 * time.Second, 1},
		"no end of arguments": {[]Step{Call("call_a", "f", "{"), Hang()}, 10 * time.Second, 0},
		"no end":              {drip, 60 * time.Second, 7},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, llm.Limits{}, steps(c.steps...), func(t *testing.T, s *Server, e engine) {
				began := time.Now()
				got, err := all(t.Context(), e, hello)
				if took := time.Since(began); !errors.Is(err, llm.ErrTimedOut) || took != c.want || len(got) != c.words {
					t.Errorf("%q, %v, after %v", got, err, took)
				}
				synctest.Wait()
				if now, _ := s.Open(); now != 0 || len(s.Asked()) != 1 {
					t.Errorf("%d connections are open, asked %d times", now, len(s.Asked()))
				}
			})
		})
	}
}

func TestAListenerMayTakeItsTime(t *testing.T) {
	bubble(t, llm.Limits{}, steps(Text("a"), Text("b"), Text("c")), func(t *testing.T, _ *Server, e engine) {
		n := 0
		for _, err := range e.Reply(t.Context(), hello) {
			if err != nil {
				t.Fatal(err)
			}
			time.Sleep(18 * time.Second)
			n++
		}
		if n != 3 {
			t.Errorf("%d pieces", n)
		}
	})
}

func TestThePauseBeforeTheRetryIsWithinTheFirstBound(t *testing.T) {
	bubble(t, llm.Limits{}, func(q Request) []Step {
		if q.Number == 1 {
			return []Step{Pause(0), Break()}[1:]
		}
		return []Step{Silent()}
	}, func(t *testing.T, s *Server, e engine) {
		began := time.Now()
		_, err := all(t.Context(), e, hello)
		if !errors.Is(err, llm.ErrTimedOut) || time.Since(began) != 15*time.Second || len(s.Asked()) != 2 {
			t.Error(err, time.Since(began), len(s.Asked()))
		}
	})
	bubble(t, llm.Limits{}, steps(Refuse(429, "rate_limit_error", "", "Retry-After: 2")), func(t *testing.T, s *Server, e engine) {
		ctx, stop := context.WithTimeout(t.Context(), time.Second)
		defer stop()
		began := time.Now()
		_, err := all(ctx, e, hello)
		if !errors.Is(err, llm.ErrTimedOut) || time.Since(began) != time.Second || len(s.Asked()) != 1 {
			t.Error(err, time.Since(began), len(s.Asked()))
		}
		began = time.Now()
		if _, err := all(t.Context(), e, hello); !errors.Is(err, llm.ErrRateLimited) || time.Since(began) != 2*time.Second || len(s.Asked()) != 3 {
			t.Error(err, time.Since(began), len(s.Asked()))
		}
	})
}

func TestBoundsOfSize(t *testing.T) {
	half := strings.Repeat("x", 32<<10)
	calls := func(n int) (all []Step) {
		for i := range n {
			all = append(all, Call(fmt.Sprintf("call_%d", i), "f", "{}"))
		}
		return all
	}
	for name, c := range map[string]struct {
		steps []Step
		want  error
		gave  int
	}{
		"64 KiB of text":           {[]Step{Text(half), Text(half)}, nil, 2},
		"a byte more":              {[]Step{Text(half), Text(half), Text("x")}, llm.ErrTooBig, 2},
		"in one piece":             {[]Step{Text(half + half + "x")}, llm.ErrTooBig, 0},
		"of arguments":             {[]Step{Call("c", "f", half, half)}, llm.ErrTooBig, 0},
		"of text and of arguments": {[]Step{Text(half), Call("c", "f", half)}, llm.ErrTooBig, 1},
		"a name":                   {[]Step{Text(half), Call("c", half)}, llm.ErrTooBig, 1},
		"32 calls":                 {calls(32), nil, 32},
		"33 calls":                 {calls(33), llm.ErrTooBig, 0},
	} {
		t.Run(name, func(t *testing.T) {
			each(t, llm.Limits{}, steps(c.steps...), func(t *testing.T, s *Server, e engine) {
				got, err := all(t.Context(), e, hello)
				if !errors.Is(err, c.want) || len(got) != c.gave || len(s.Asked()) != 1 {
					t.Errorf("%d pieces, %v", len(got), err)
				}
			})
		})
	}
}

func TestACallerWhoGoesFreesAll(t *testing.T) {
	for name, go_ := range map[string]func(e engine, t *testing.T){
		"by the context": func(e engine, t *testing.T) {
			ctx, stop := context.WithCancel(t.Context())
			for _, err := range e.Reply(ctx, hello) {
				if stop(); err != nil && (!errors.Is(err, llm.ErrCancelled) || !errors.Is(err, context.Canceled)) {
					t.Error(err)
				}
			}
			stop()
		},
		"by the loop": func(e engine, t *testing.T) {
			for _, err := range e.Reply(t.Context(), hello) {
				if err != nil {
					t.Error(err)
				}
				break
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			each(t, llm.Limits{}, steps(Text("a"), Hang()), func(t *testing.T, s *Server, e engine) {
				before := runtime.NumGoroutine()
				for range 20 {
					go_(e, t)
				}
				for wait(func() bool { now, _ := s.Open(); return now == 0 && runtime.NumGoroutine() <= before+1 }) != nil {
					now, ever := s.Open()
					t.Fatalf("%d connections of %d are open, %d goroutines more", now, ever, runtime.NumGoroutine()-before)
				}
				if len(s.Asked()) != 20 {
					t.Errorf("asked %d times", len(s.Asked()))
				}
			})
		})
	}
}

// wait waits for a condition, five seconds at most.
func wait(f func() bool) error {
	for end := time.Now().Add(5 * time.Second); !f(); {
		if time.Now().After(end) {
			return errors.New("it never was")
		}
		runtime.Gosched()
	}
	return nil
}

func TestInvariant11NoVariableOfTheEnvironmentAndNoKeyElsewhere(t *testing.T) {
	var elsewhere atomic.Int32
	other := Start(t, OpenAI, func(Request) []Step { elsewhere.Add(1); return nil })
	for _, v := range []string{"OPENAI_BASE_URL", "ANTHROPIC_BASE_URL"} {
		t.Setenv(v, other.URL)
	}
	for _, v := range []string{"OPENAI_API_KEY", "ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "OPENAI_ORG_ID"} {
		t.Setenv(v, "from-the-environment")
	}
	t.Setenv("ANTHROPIC_CUSTOM_HEADERS", "X-From: the-environment")
	t.Setenv("OPENAI_CUSTOM_HEADERS", "X-From: the-environment")
	each(t, llm.Limits{}, func(q Request) []Step {
		if q.Number == 1 {
			return []Step{Text("a")}
		}
		return []Step{Status(307, "", "Location: "+other.URL+"/chat/completions")}
	}, func(t *testing.T, s *Server, e engine) {
		if _, err := all(t.Context(), e, hello); err != nil {
			t.Error(err)
		}
		if _, err := all(t.Context(), e, hello); !errors.Is(err, llm.ErrBadAnswer) {
			t.Error(err)
		}
		if err := e.Check(t.Context()); err != nil {
			t.Error(err)
		}
		for _, q := range s.Asked() {
			if strings.Contains(fmt.Sprint(q.Header), "environment") || strings.Contains(string(q.Body), Key) {
				t.Errorf("%v", q.Header)
			}
		}
	})
	if elsewhere.Load() > 0 || len(other.Asked()) > 0 {
		t.Error("another host was asked")
	}
}

func TestInvariant11NoKeyInAnError(t *testing.T) {
	for _, w := range []Wire{OpenAI, Anthropic} {
		s := Start(t, w, steps(Text("a")))
		for _, k := range []string{"sk-wrong-SECRET", "SECRET with spaces", "SECRET\r\nX-Evil: 1", "SECRETé", ""} {
			e := build(t, w, s.URL, s.Transport, llm.Limits{}, func() (string, error) { return k, nil })
			want := llm.ErrNoKey
			if k == "sk-wrong-SECRET" {
				want = llm.ErrUnauthorized
			}
			_, err := all(t.Context(), e, hello)
			for _, err := range []error{err, e.Check(t.Context())} {
				if !errors.Is(err, want) || strings.Contains(fmt.Sprintf("%v %+v %#v", err, err, err), "SECRET") {
					t.Errorf("%q: %v", k, err)
				}
			}
			e.Close()
		}
		e := build(t, w, s.URL, s.Transport, llm.Limits{}, func() (string, error) { return "", errors.New("/secret/path") })
		if _, err := all(t.Context(), e, hello); !errors.Is(err, llm.ErrNoKey) || code(t, err) == "" {
			t.Error(err)
		}
	}
}

func TestCheck(t *testing.T) {
	for _, w := range []Wire{OpenAI, Anthropic} {
		s := Start(t, w, steps())
		e := build(t, w, s.URL, s.Transport, llm.Limits{}, key)
		if err := e.Check(t.Context()); err != nil {
			t.Error(err)
		}
		var other engine
		if w == OpenAI {
			other, _ = openai.New(openai.Options{Key: key, BaseURL: s.URL, Model: "none/such model", Transport: s.Transport})
		} else {
			other, _ = anthropic.New(anthropic.Options{Key: key, BaseURL: s.URL, Model: "none/such model", Transport: s.Transport})
		}
		if err := other.Check(t.Context()); !errors.Is(err, llm.ErrNoModel) {
			t.Errorf("%v: %v", w, err)
		}
		e.Close()
		other.Close()
		if w == OpenAI {
			listed, _ := openai.New(openai.Options{Key: key, BaseURL: s.URL, Model: Listed, Transport: s.Transport})
			if err := listed.Check(t.Context()); err != nil {
				t.Error(err)
			}
		}
	}
}

func TestConfigurations(t *testing.T) {
	for _, c := range []struct {
		url  string
		key  bool
		want error
	}{
		{"https://models.example/v1", true, nil}, {"http://127.0.0.1:8080/v1", true, nil}, {"http://localhost/v1/", true, nil}, {"http://[::1]:80", true, nil},
		{"http://192.168.1.5:11434/v1", false, nil}, {"http://192.168.1.5:11434/v1", true, llm.ErrAddress}, {"http://models.example/v1", false, llm.ErrAddress},
		{"http://8.8.8.8/v1", false, llm.ErrAddress}, {"https://user:pass@models.example", true, llm.ErrAddress}, {"models.example", true, llm.ErrAddress},
		{"https://models.example/?a=1", true, llm.ErrAddress}, {"file:///etc", true, llm.ErrAddress},
	} {
		o := openai.Options{BaseURL: c.url, Model: "m"}
		if c.key {
			o.Key = key
		}
		if _, err := openai.New(o); !errors.Is(err, c.want) {
			t.Errorf("%s: %v", c.url, err)
		}
	}
	if _, err := openai.New(openai.Options{Model: "m"}); !errors.Is(err, llm.ErrNoKey) {
		t.Error(err)
	}
	if _, err := anthropic.New(anthropic.Options{Model: "m"}); !errors.Is(err, llm.ErrNoKey) {
		t.Error(err)
	}
	if _, err := anthropic.New(anthropic.Options{Key: key}); !errors.Is(err, llm.ErrNoModel) {
		t.Error(err)
	}
}
