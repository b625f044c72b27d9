// Package wyomingtest gives tests servers that speak Wyoming: real engines (pocketsphinx hears English; flite and espeak-ng speak), and a recogniser that is fake, for
// what no engine here can hear. Each can be told to die, to stall, to talk nonsense, to lie about lengths or to answer late.
//
// For tests alone: imports smsmcp/lang, voice/media, voice/media/mediatest. Its wire is written on its own, so that both sides of it are checked.
package wyomingtest

import (
	"bufio"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"testing"
	"time"
)

// Fault is what is wrong with a server.
type Fault int

// The faults.
const (
	None      Fault = iota
	Dies            // the connection is reset: at once, or when After bytes of sound have come, or before its answer's end if it speaks
	Stalls          // it takes all and answers nothing
	Half            // it begins its answer and then answers nothing more
	Garbage         // it answers what is not Wyoming
	Huge            // it announces more than fits into memory
	Flood           // it answers a line that never ends
	Trickle         // it answers one byte now and then
	Early           // it gives its transcript before the utterance is over
	Complains       // it answers with an error, as Wyoming has it
	Late            // it answers rightly, after Delay
)

// Trouble is when something is wrong.
type Trouble struct {
	Fault Fault
	Times int           // for so many connections; 0 for all that follow
	After int           // bytes of sound, of Dies
	Delay time.Duration // of Late, and between two bytes of Trickle
}

// Request is what a server was asked.
type Request struct {
	Event string // transcribe, synthesize or describe
	Data  string // as it came
	Sound []int16
	Rate  int
}

// Speech is what a server spoke.
type Speech struct {
	Voice, Text string
	Rate        int
	Sound       []int16
}

// Server is one that listens on this machine until the test ends.
type Server struct {
	t       testing.TB
	l       net.Listener
	ctx     context.Context
	name    string
	hears   func(pcm []int16, language string) (string, error)
	speaks  func(voice, language, text string) (rate int, pcm []int16, err error)
	voices  []string
	serving sync.WaitGroup

	mu       sync.Mutex
	trouble  Trouble
	limited  bool
	conns    map[net.Conn]bool
	opened   int
	requests []Request
	heard    []string
	spoken   []Speech
}

func (s *Server) start(t testing.TB) *Server {
	t.Helper()
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	s.t, s.l, s.ctx, s.conns = t, l, ctx, map[net.Conn]bool{}
	s.serving.Go(s.accept)
	t.Cleanup(func() {
		cancel()
		s.Stop()
		s.serving.Wait()
	})
	return s
}

// URL is the server's address, tcp://HOST:PORT.
func (s *Server) URL() string { return "tcp://" + s.l.Addr().String() }

// Stop ends the server and all its connections, as a crash does.
func (s *Server) Stop() {
	_ = s.l.Close()
	s.mu.Lock()
	defer s.mu.Unlock()
	for c := range s.conns {
		reset(c)
	}
}

// Trouble says what goes wrong from now on, with connections that come.
func (s *Server) Trouble(t Trouble) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.trouble, s.limited = t, t.Times > 0
}

// Open is how many connections are open now, and how many there were.
func (s *Server) Open() (now, ever int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.conns), s.opened
}

// Requests is what the server was asked.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Request(nil), s.requests...)
}

// Heard is what the server understood, in the order in which it did. Each is there before it is answered.
func (s *Server) Heard() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.heard...)
}

// Spoken is what the server spoke.
func (s *Server) Spoken() []Speech {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Speech(nil), s.spoken...)
}

func (s *Server) asked(r Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests = append(s.requests, r)
}

func (s *Server) accept() {
	for {
		c, err := s.l.Accept()
		if err != nil {
			return
		}
		s.mu.Lock()
		trouble := s.trouble
		if s.limited {
			if s.trouble.Times--; s.trouble.Times == 0 {
				s.trouble, s.limited = Trouble{}, false
			}
		}
		s.conns[c] = true
		s.opened++
		s.mu.Unlock()
		s.serving.Go(func() {
			p := &peer{Server: s, Conn: c, in: bufio.NewReader(c), trouble: trouble}
			if err := p.serve(); err != nil && s.ctx.Err() == nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
				var op net.Error
				if !errors.As(err, &op) {
					s.t.Errorf("%s: %v", s.name, err)
				}
			}
			_ = c.Close()
			s.mu.Lock()
			delete(s.conns, c)
			s.mu.Unlock()
		})
	}
}

// reset ends a connection as a crash does.
func reset(c net.Conn) {
	if tcp, ok := c.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0)
	}
	_ = c.Close()
}

// peer is one connection.
type peer struct {
	*Server
	net.Conn
	in      *bufio.Reader
	trouble Trouble
}

var errDied = io.EOF // a fault that was asked for is no fault of the test

// read gives the next event with its data, wherever they stand.
func (p *peer) read() (kind string, data map[string]any, raw string, payload []byte, err error) {
	line, err := p.in.ReadString('\n')
	if err != nil {
		return "", nil, "", nil, err
	}
	var h struct {
		Type          string
		Data          map[string]any
		DataLength    int `json:"data_length"`
		PayloadLength int `json:"payload_length"`
	}
	if err := json.Unmarshal([]byte(line), &h); err != nil {
		return "", nil, "", nil, fmt.Errorf("a line that is no event: %w", err)
	}
	if h.Data == nil {
		h.Data = map[string]any{}
	}
	more := make([]byte, h.DataLength)
	payload = make([]byte, h.PayloadLength)
	if _, err := io.ReadFull(p.in, more); err != nil {
		return "", nil, "", nil, err
	}
	if _, err := io.ReadFull(p.in, payload); err != nil {
		return "", nil, "", nil, err
	}
	if len(more) > 0 {
		if err := json.Unmarshal(more, &h.Data); err != nil {
			return "", nil, "", nil, fmt.Errorf("data that are none: %w", err)
		}
	}
	return h.Type, h.Data, line + string(more), payload, nil
}

// write writes an event, its data behind the header as Python's servers do, or in it.
func (p *peer) write(kind string, data map[string]any, payload []byte, inHeader bool) error {
	h := map[string]any{"type": kind, "version": "1.8.0"}
	var behind []byte
	if inHeader {
		h["data"] = data
	} else if len(data) > 0 {
		behind, _ = json.Marshal(data)
		h["data_length"] = len(behind)
	}
	if len(payload) > 0 {
		h["payload_length"] = len(payload)
	}
	line, _ := json.Marshal(h)
	_, err := p.Write(append(append(append(line, '\n'), behind...), payload...))
	return err
}

func (p *peer) serve() error {
	if p.trouble.Fault == Dies && p.trouble.After == 0 && p.hears != nil {
		reset(p.Conn)
		return errDied
	}
	var r Request
	language := ""
	early := false
	for heard := 0; ; {
		kind, data, raw, payload, err := p.read()
		if err != nil {
			return err
		}
		switch kind {
		case "describe":
			p.asked(Request{Event: kind, Data: raw})
			if wrong, err := p.wrong(); wrong {
				return err
			}
			if err := p.write("info", p.info(), nil, true); err != nil {
				return err
			}
		case "transcribe":
			language, _ = data["language"].(string)
			r = Request{Event: kind, Data: raw}
		case "audio-chunk":
			rate, _ := data["rate"].(float64)
			r.Rate = int(rate)
			for i := 0; i+1 < len(payload); i += 2 {
				r.Sound = append(r.Sound, int16(binary.LittleEndian.Uint16(payload[i:])))
			}
			heard += len(payload)
			if p.trouble.Fault == Dies && heard >= p.trouble.After {
				reset(p.Conn)
				return errDied
			}
			if p.trouble.Fault == Early && !early {
				early = true
				if err := p.write("transcript", map[string]any{"text": "yes send it"}, nil, false); err != nil {
					return err
				}
			}
		case "audio-stop":
			p.asked(r)
			if err := p.hear(r, language); err != nil {
				return err
			}
		case "synthesize":
			p.asked(Request{Event: kind, Data: raw})
			if err := p.speak(data); err != nil {
				return err
			}
		}
	}
}

func (p *peer) hear(r Request, language string) error {
	if wrong, err := p.wrong(); wrong {
		return err
	}
	text, err := p.hears(r.Sound, language)
	if err != nil {
		p.t.Errorf("%s: %v", p.name, err)
		return p.write("error", map[string]any{"text": "failed"}, nil, false)
	}
	p.mu.Lock()
	p.heard = append(p.heard, text)
	p.mu.Unlock()
	return p.write("transcript", map[string]any{"text": text, "language": language}, nil, false)
}

func (p *peer) speak(data map[string]any) error {
	text, _ := data["text"].(string)
	chosen, _ := data["voice"].(map[string]any)
	voice, _ := chosen["name"].(string)
	language, _ := chosen["language"].(string)
	if p.trouble.Fault != Half && p.trouble.Fault != Dies {
		if wrong, err := p.wrong(); wrong {
			return err
		}
	}
	rate, pcm, err := p.speaks(voice, language, text)
	if err != nil {
		p.t.Errorf("%s: %v", p.name, err)
		return p.write("error", map[string]any{"text": "failed"}, nil, false)
	}
	p.mu.Lock()
	p.spoken = append(p.spoken, Speech{voice, text, rate, pcm})
	p.mu.Unlock()
	format := map[string]any{"rate": rate, "width": 2, "channels": 1}
	if err := p.write("audio-start", format, nil, false); err != nil {
		return err
	}
	for at := 0; at < len(pcm); at += 1024 {
		if at > len(pcm)/2 && p.trouble.Fault == Half || p.trouble.Fault == Dies && 2*at >= p.trouble.After {
			_, err := p.wrong()
			return err
		}
		var b []byte
		for _, v := range pcm[at:min(at+1024, len(pcm))] {
			b = binary.LittleEndian.AppendUint16(b, uint16(v))
		}
		if err := p.write("audio-chunk", format, b, at%2048 == 0); err != nil {
			return err
		}
	}
	return p.write("audio-stop", map[string]any{"timestamp": nil}, nil, true)
}

// wrong does what was asked to go wrong in place of an answer. It says whether that was all.
func (p *peer) wrong() (bool, error) {
	gone := func() error { _, err := io.Copy(io.Discard, p.in); return errors.Join(err, io.EOF) }
	wait := func() bool {
		after := time.NewTimer(p.trouble.Delay)
		defer after.Stop()
		select {
		case <-after.C:
			return true
		case <-p.ctx.Done():
			return false
		}
	}
	switch p.trouble.Fault {
	case Dies:
		reset(p.Conn)
		return true, errDied
	case Stalls, Half:
		return true, gone()
	case Garbage:
		_, _ = io.WriteString(p, "HTTP/1.1 400 Bad Request\r\n\r\n")
		return true, gone()
	case Huge:
		_, _ = io.WriteString(p, `{"type":"transcript","data_length":9223372036854775807,"payload_length":1099511627776}`+"\n"+strings.Repeat("x", 1<<16))
		return true, gone()
	case Flood:
		for line := strings.Repeat("x", 1<<16); ; {
			if _, err := io.WriteString(p, line); err != nil {
				return true, errDied
			}
		}
	case Trickle:
		for wait() {
			if _, err := io.WriteString(p, " "); err != nil {
				return true, errDied
			}
		}
		return true, errDied
	case Complains:
		return true, p.write("error", map[string]any{"text": "the words of a stranger", "code": "x"}, nil, false)
	case Late:
		return !wait(), errDied
	}
	return false, nil
}

func (p *peer) info() map[string]any {
	about := map[string]any{"name": p.name, "version": "1.0", "installed": true, "attribution": map[string]any{"name": "", "url": ""}}
	kind, list := "asr", "models"
	if p.speaks != nil {
		kind, list = "tts", "voices"
	}
	names := []any{}
	for _, v := range p.voices {
		names = append(names, map[string]any{"name": v, "languages": []string{"en"}, "installed": true})
	}
	about[list] = names
	return map[string]any{kind: []any{about}}
}
