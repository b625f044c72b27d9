package openai_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"log"
	"mime"
	"mime/multipart"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"readback/smsmcp"
	"readback/smsmcp/lang"
	"readback/voice"
	"readback/voice/media"
	"readback/voice/speech/openai"
)

const secret = "sk-secret-4711"

// asked is one request as it came.
type asked struct {
	method, url string
	header      http.Header
	body        []byte
	files       map[string][]byte // of a form
	fields      map[string][]string
	name, kind  string // of the file
}

// server records what it is asked and answers by a function.
type server struct {
	*httptest.Server
	mu     sync.Mutex
	asked  []asked
	answer http.HandlerFunc
}

func serve(t testing.TB, answer http.HandlerFunc) *server {
	t.Helper()
	s := &server{answer: answer}
	s.Server = httptest.NewServer(http.HandlerFunc(s.handle))
	t.Cleanup(s.Close)
	return s
}

func (s *server) handle(w http.ResponseWriter, r *http.Request) {
	a := asked{method: r.Method, url: r.URL.String(), header: r.Header.Clone(), files: map[string][]byte{}, fields: map[string][]string{}}
	a.body, _ = io.ReadAll(r.Body)
	if kind, params, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); kind == "multipart/form-data" {
		form := multipart.NewReader(bytes.NewReader(a.body), params["boundary"])
		for {
			p, err := form.NextPart()
			if err != nil {
				break
			}
			b, _ := io.ReadAll(p)
			if p.FileName() != "" {
				a.files[p.FormName()], a.name, a.kind = b, p.FileName(), p.Header.Get("Content-Type")
			} else {
				a.fields[p.FormName()] = append(a.fields[p.FormName()], string(b))
			}
		}
	}
	s.mu.Lock()
	s.asked = append(s.asked, a)
	s.mu.Unlock()
	s.answer(w, r)
}

func (s *server) requests() []asked {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.asked)
}

func (s *server) at() openai.Server {
	return openai.Server{URL: s.URL + "/v1", Key: func() (string, error) { return secret, nil }, Pause: time.Millisecond}
}

func stt(t testing.TB, at openai.Server, timeout time.Duration) *openai.STT {
	t.Helper()
	e, err := openai.NewSTT(openai.STTOptions{Server: at, Model: "whisper-1", Timeout: timeout})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func tts(t testing.TB, at openai.Server, pcm bool, patience time.Duration) *openai.TTS {
	t.Helper()
	e, err := openai.NewTTS(openai.TTSOptions{
		Server: at, Model: "tts-1", PCM: pcm, Now: time.Now, Patience: patience,
		Voices: map[lang.Lang]openai.Pair{lang.FR: {Program: "ff_siwis"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func hear(t testing.TB, e voice.STT, l lang.Lang, pcm []int16) (string, error) {
	t.Helper()
	h, err := e.Listen(t.Context(), l, 8000)
	if err != nil {
		t.Fatal(err)
	}
	for at := 0; at < len(pcm); at += 160 {
		if err := h.Write(voice.Frame{Rate: 8000, Samples: pcm[at:min(at+160, len(pcm))]}); err != nil {
			t.Fatal(err)
		}
	}
	words, err := h.Finish(t.Context())
	for range h.Interim() {
		t.Error("an interim")
	}
	return words.RawForRules(), err
}

func speak(ctx context.Context, e voice.TTS, l lang.Lang, v voice.Voice, text string) (hz int, pcm []int16, err error) {
	for f, err := range e.Speak(ctx, l, v, text) {
		if err != nil {
			return hz, pcm, err
		}
		hz = f.Rate
		pcm = append(pcm, f.Samples...)
	}
	return hz, pcm, nil
}

func tone(n int) []int16 {
	out := make([]int16, n)
	for i := range out {
		out[i] = int16(i%64*100 - 3200)
	}
	return out
}

func wav(hz int, pcm []int16) []byte {
	var b bytes.Buffer
	_ = media.WriteWAV(&b, hz, pcm)
	return b.Bytes()
}

func raw(pcm []int16) (b []byte) {
	for _, v := range pcm {
		b = binary.LittleEndian.AppendUint16(b, uint16(v))
	}
	return b
}

func says(text string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"text":%q}`, text)
	}
}

// TestInvariant10NoRecogniserIsToldWhatIsExpected: it gets the whole utterance, its language, temperature 0, and nothing that tells what is expected.
func TestInvariant10NoRecogniserIsToldWhatIsExpected(t *testing.T) {
	s := serve(t, says("  Oui, vas-y. \n"))
	words, err := hear(t, stt(t, s.at(), time.Minute), lang.FR, tone(8000))
	if words != "Oui, vas-y." || err != nil {
		t.Fatalf("%q, %v", words, err)
	}
	r := s.requests()
	if len(r) != 1 || r[0].method != "POST" || r[0].url != "/v1/audio/transcriptions" {
		t.Fatalf("%d requests: %s %s", len(r), r[0].method, r[0].url)
	}
	want := "map[language:[fr] model:[whisper-1] response_format:[json] temperature:[0]]"
	if got := fmt.Sprint(r[0].fields); got != want || len(r[0].files) != 1 {
		t.Errorf("asked with %s", got)
	}
	hz, pcm, err := media.ReadWAV(bytes.NewReader(r[0].files["file"]), 1<<20)
	if err != nil || hz != 16000 || len(pcm) != 16000 || r[0].name != "speech.wav" || r[0].kind != "audio/wav" {
		t.Errorf("%d samples at %d in %s (%s), %v", len(pcm), hz, r[0].name, r[0].kind, err)
	}
}

// TestInvariant11TheKeyIsInTheHeaderAlone, as it is at that moment, and nothing from the environment is.
func TestInvariant11TheKeyIsInTheHeaderAlone(t *testing.T) {
	elsewhere := serve(t, says("stolen"))
	for name, v := range map[string]string{
		"OPENAI_API_KEY": "sk-env", "OPENAI_BASE_URL": elsewhere.URL, "OPENAI_ORG_ID": "org-env", "OPENAI_PROJECT_ID": "proj-env",
		"OPENAI_CUSTOM_HEADERS": "X-Env: env", "HTTP_PROXY": elsewhere.URL, "http_proxy": elsewhere.URL,
	} {
		t.Setenv(name, v)
	}
	key := secret
	s := serve(t, func(w http.ResponseWriter, r *http.Request) { // it says in every error whom it speaks with
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusUnauthorized)
		fmt.Fprintf(w, `{"error":{"message":"bad key %s","type":"x","code":%q,"param":null}}`, r.Header.Get("Authorization"), r.Header.Get("Authorization"))
	})
	at := s.at()
	at.Key = func() (string, error) { return key, nil }
	hears, speaks := stt(t, at, time.Minute), tts(t, at, false, time.Minute)
	var said []string
	for i := range 3 {
		key = fmt.Sprint(secret, i)
		_, err := hear(t, hears, lang.EN, tone(800))
		_, _, err2 := speak(t.Context(), speaks, lang.EN, voice.ProgramVoice, "Hello")
		_, err3 := hears.Check(t.Context())
		for _, err := range []error{err, err2, err3} {
			if !errors.Is(err, openai.ErrKey) {
				t.Errorf("%v", err)
			}
			said = append(said, fmt.Sprintf("%v %+v %#v", err, err, err))
		}
	}
	for i, r := range s.requests() {
		if got := r.header.Values("Authorization"); len(got) != 1 || got[0] != fmt.Sprint("Bearer ", secret, i/3) {
			t.Errorf("request %d: %q", i, got)
		}
		r.header.Del("Authorization")
		if whole := fmt.Sprint(r.url, r.header, string(r.body)); strings.Contains(whole, secret) || strings.Contains(strings.ToLower(whole), "-env") || strings.Contains(whole, "X-Env") {
			t.Errorf("request %d: %.300s", i, whole)
		}
	}
	if whole := fmt.Sprint(said); strings.Contains(whole, secret) || strings.Contains(whole, "127.0.0.1") || strings.Contains(whole, "bad key") {
		t.Error(whole)
	}
	// A key that cannot be read, or is none, is sent nowhere; and it is in no error.
	before := len(s.requests())
	for _, k := range []func() (string, error){
		func() (string, error) { return "", errors.New("/etc/" + secret) }, func() (string, error) { return secret + "\r\nX: y", nil }, func() (string, error) { return secret + " é", nil },
	} {
		at.Key = k
		if _, err := hear(t, stt(t, at, time.Minute), lang.EN, tone(800)); !errors.Is(err, openai.ErrKey) || strings.Contains(err.Error(), secret) {
			t.Error(err)
		}
	}
	if len(s.requests()) != before || len(elsewhere.requests()) > 0 {
		t.Error("it was asked")
	}
	// A server without a key is asked without one.
	for _, k := range []func() (string, error){nil, func() (string, error) { return "", nil }} {
		at.Key = k
		_, _ = hear(t, stt(t, at, time.Minute), lang.EN, tone(800))
		r := s.requests()
		if _, there := r[len(r)-1].header["Authorization"]; there {
			t.Error("a key from nowhere")
		}
	}
}

// TestInvariant11TheKeyGoesToTheServerAlone: no redirect is followed, and it does not go in the clear to another machine.
func TestInvariant11TheKeyGoesToTheServerAlone(t *testing.T) {
	elsewhere := serve(t, says("stolen"))
	for _, code := range []int{301, 302, 303, 307, 308} {
		s := serve(t, func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, elsewhere.URL+r.URL.Path, code) })
		if words, err := hear(t, stt(t, s.at(), time.Minute), lang.EN, tone(800)); !errors.Is(err, openai.ErrBroken) {
			t.Errorf("%d: %q, %v", code, words, err)
		}
		if _, _, err := speak(t.Context(), tts(t, s.at(), false, time.Minute), lang.EN, voice.ProgramVoice, "Hello"); !errors.Is(err, openai.ErrBroken) {
			t.Errorf("%d: %v", code, err)
		}
	}
	if len(elsewhere.requests()) > 0 {
		t.Error("it was asked")
	}
	key := func() (string, error) { return secret, nil }
	for url, ok := range map[string]bool{
		"https://api.openai.com/v1": true, "http://127.0.0.1:8000/v1": true, "http://localhost:8000/v1/": true, "http://[::1]:1/v1": true,
		"http://10.0.0.2/v1": false, "http://speech.lan/v1": false, "http://127.0.0.1.example.com/v1": false, "ftp://127.0.0.1/": false, "": false, "https://": false,
		"https://u:p@api.openai.com/v1": false, "https://api.openai.com/v1?x=y": false, "https://api.openai.com/v1#x": false, "api.openai.com/v1": false,
	} {
		_, err := openai.NewSTT(openai.STTOptions{Server: openai.Server{URL: url, Key: key}, Model: "m"})
		if errors.Is(err, openai.ErrAddress) == ok {
			t.Errorf("%q: %v", url, err)
		}
	}
	if _, err := openai.NewSTT(openai.STTOptions{Server: openai.Server{URL: "http://speech.lan:8000/v1"}, Model: "m"}); err != nil {
		t.Errorf("without a key: %v", err)
	}
	// TLS: who is not who they say gets nothing.
	s := &server{answer: says("yes")}
	s.Server = httptest.NewUnstartedServer(http.HandlerFunc(s.handle))
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.StartTLS()
	defer s.Close()
	if _, err := hear(t, stt(t, s.at(), time.Minute), lang.EN, tone(800)); !errors.Is(err, openai.ErrUnreachable) || len(s.requests()) > 0 {
		t.Errorf("%v, %d requests", err, len(s.requests()))
	}
	at := s.at()
	at.Roots = s.Client().Transport.(*http.Transport).TLSClientConfig.RootCAs
	if words, err := hear(t, stt(t, at, time.Minute), lang.EN, tone(800)); err != nil || words != "yes" {
		t.Errorf("%q, %v", words, err)
	}
}

// TestAnswersThatAreNone: each costs a code, and no second request.
func TestAnswersThatAreNone(t *testing.T) {
	status := func(code int, kind, body string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", kind)
			w.Header().Set("Retry-After", "0")
			w.Header().Set("x-should-retry", "true")
			w.WriteHeader(code)
			_, _ = io.WriteString(w, body)
		}
	}
	for what, c := range map[string]struct {
		answer http.HandlerFunc
		want   error
	}{
		"400":               {status(400, "application/json", `{"error":{"message":"the words of a stranger"}}`), openai.ErrFailed},
		"403":               {status(403, "text/html", "<h1>the words of a stranger</h1>"), openai.ErrKey},
		"404":               {status(404, "application/json", `{"detail":"the words of a stranger"}`), openai.ErrModel},
		"429":               {status(429, "application/json", `{"error":"the words of a stranger"}`), openai.ErrBusy},
		"500":               {status(500, "application/json", ``), openai.ErrFailed},
		"503":               {status(503, "application/json", `{"error":{}}`), openai.ErrFailed},
		"no JSON":           {status(200, "text/plain", "yes"), openai.ErrBroken},
		"broken JSON":       {status(200, "application/json", `{"text":"yes"`), openai.ErrBroken},
		"no text":           {status(200, "application/json", `{}`), openai.ErrBroken},
		"null":              {status(200, "application/json", `null`), openai.ErrBroken},
		"a book":            {status(200, "application/json", `{"text":"`+strings.Repeat("x", 17<<10)+`"}`), openai.ErrBroken},
		"too long a whole":  {status(200, "application/json", `{"text":"yes","x":"`+strings.Repeat("x", 4<<20)+`"}`), openai.ErrBroken},
		"without end":       {status(200, "application/json", `{"text":"yes","x":"`+strings.Repeat("x", 4<<20)), openai.ErrBroken},
		"an endless error":  {status(500, "application/json", `{"error":"`+strings.Repeat("x", 4<<20)), openai.ErrFailed},
		"cut off":           {cut("Content-Type: application/json\r\nContent-Length: 30", `{"text":"yes"}`), openai.ErrGone},
		"cut off in chunks": {cut("Content-Type: application/json\r\nTransfer-Encoding: chunked", "e\r\n{\"text\":\"yes\"}\r\n"), openai.ErrGone},
	} {
		s := serve(t, c.answer)
		words, err := hear(t, stt(t, s.at(), time.Minute), lang.EN, tone(800))
		if !errors.Is(err, c.want) || words != "" || strings.Contains(err.Error(), "stranger") {
			t.Errorf("%s: %q, %v", what, words, err)
		}
		if n := len(s.requests()); n != 1 {
			t.Errorf("%s: %d requests", what, n)
		}
		var coded smsmcp.Coded
		if m, ok := openai.Advice(err); !ok || m.FR == "" || !errors.As(err, &coded) || strings.Trim(coded.Code(), "abcdefghijklmnopqrstuvwxyz_") != "" {
			t.Errorf("%s: %v has no sentence, or is no code", what, err)
		}
	}
}

// cut answers with a head and a body, and ends the connection.
func cut(head, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		c, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			return
		}
		if head != "" {
			_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\n"+head+"\r\n\r\n"+body)
		}
		_ = c.Close()
	}
}

// TestOnceMoreAndNoMore: a server that is not there, or goes away before it answers, is asked twice.
func TestOnceMoreAndNoMore(t *testing.T) {
	for what, bad := range map[string]int{"it comes back": 1, "it does not": 2} {
		var mu sync.Mutex
		left := bad
		s := serve(t, func(w http.ResponseWriter, r *http.Request) {
			mu.Lock()
			defer mu.Unlock()
			if left--; left >= 0 {
				cut("", "")(w, r)
				return
			}
			if strings.HasSuffix(r.URL.Path, "speech") {
				_, _ = w.Write(wav(24000, tone(2400)))
				return
			}
			says("yes")(w, r)
		})
		words, err := hear(t, stt(t, s.at(), time.Minute), lang.EN, tone(800))
		if want := map[int]string{1: "yes"}[bad]; words != want || (err == nil) != (bad == 1) || err != nil && !errors.Is(err, openai.ErrUnreachable) {
			t.Errorf("%s: %q, %v", what, words, err)
		}
		mu.Lock()
		left = bad
		mu.Unlock()
		_, pcm, err := speak(t.Context(), tts(t, s.at(), false, time.Minute), lang.EN, voice.ProgramVoice, "Hello")
		if len(pcm) > 0 != (bad == 1) || (err == nil) != (bad == 1) {
			t.Errorf("%s: %d samples, %v", what, len(pcm), err)
		}
		r := s.requests()
		if len(r) != 4 || !bytes.Contains(r[1].files["file"], r[0].files["file"]) {
			t.Errorf("%s: %d requests", what, len(r))
		}
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
	if _, err := hear(t, stt(t, openai.Server{URL: "http://" + l.Addr().String(), Pause: time.Millisecond}, time.Minute), lang.EN, tone(800)); !errors.Is(err, openai.ErrUnreachable) {
		t.Error(err)
	}
}

func TestWaitsEnd(t *testing.T) {
	const short = 300 * time.Millisecond
	s := serve(t, func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	if _, err := hear(t, stt(t, s.at(), short), lang.EN, tone(800)); !errors.Is(err, openai.ErrStalled) {
		t.Error(err)
	}
	if _, _, err := speak(t.Context(), tts(t, s.at(), false, short), lang.EN, voice.ProgramVoice, "Hello"); !errors.Is(err, openai.ErrStalled) {
		t.Error(err)
	}
	if _, err := stt(t, s.at(), short).Check(t.Context()); !errors.Is(err, openai.ErrStalled) {
		t.Error(err)
	}
	e := stt(t, s.at(), time.Hour)
	asked := len(s.requests())
	h, err := e.Listen(t.Context(), lang.EN, 8000)
	if err != nil {
		t.Fatal(err)
	}
	_ = h.Write(voice.Frame{Rate: 8000, Samples: tone(800)})
	ended := make(chan error, 1)
	go func() { _, err := h.Finish(context.WithoutCancel(t.Context())); ended <- err }()
	for len(s.requests()) == asked {
		runtime.Gosched()
	}
	h.Cancel()
	h.Cancel()
	if err := <-ended; !errors.Is(err, openai.ErrEnded) {
		t.Error(err)
	}
	h, _ = e.Listen(t.Context(), lang.EN, 8000)
	h.Cancel()
	if _, open := <-h.Interim(); open {
		t.Error("an interim")
	}
	if _, err := h.Finish(t.Context()); !errors.Is(err, openai.ErrEnded) {
		t.Error(err)
	}
	if err := h.Write(voice.Frame{Rate: 8000, Samples: tone(1)}); !errors.Is(err, openai.ErrEnded) {
		t.Error(err)
	}
}

func TestBoundsOfAnUtterance(t *testing.T) {
	s := serve(t, says("Thank you."))
	e := stt(t, s.at(), time.Minute)
	if words, err := hear(t, e, lang.EN, nil); words != "" || err != nil {
		t.Errorf("silence: %q, %v", words, err)
	}
	h, err := e.Listen(t.Context(), lang.EN, 8000)
	if err != nil {
		t.Fatal(err)
	}
	for range 120 {
		if err := h.Write(voice.Frame{Rate: 8000, Samples: tone(8000)}); err != nil {
			t.Fatal(err)
		}
	}
	if err := h.Write(voice.Frame{Rate: 8000, Samples: tone(1)}); !errors.Is(err, openai.ErrTooLong) {
		t.Error(err)
	}
	if words, err := h.Finish(t.Context()); !errors.Is(err, openai.ErrTooLong) || words.Len() > 0 {
		t.Error(err)
	}
	if len(s.requests()) > 0 {
		t.Error("it was asked")
	}
	if _, err := e.Listen(t.Context(), lang.EN, 100); !errors.Is(err, openai.ErrRate) {
		t.Error(err)
	}
}

func TestCheckLooksForTheModel(t *testing.T) {
	list := `{"object":"list","data":[{"id":"other","object":"model"},{"id":"whisper-1","object":"model","created":1,"owned_by":"x"}]}`
	s := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, list)
	})
	if got, err := stt(t, s.at(), time.Minute).Check(t.Context()); got != "whisper-1" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
	if _, err := tts(t, s.at(), false, time.Minute).Check(t.Context()); !errors.Is(err, openai.ErrModel) {
		t.Error(err)
	}
	if r := s.requests()[0]; r.url != "/v1/models" || r.method != "GET" {
		t.Errorf("%s %s", r.method, r.url)
	}
	none := serve(t, http.NotFound)
	if _, err := stt(t, none.at(), time.Minute).Check(t.Context()); err != nil {
		t.Errorf("a server without a list: %v", err)
	}
}
