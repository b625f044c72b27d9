package main

import (
	"context"
	"crypto/rand"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"readback/test/testbed"
	"readback/voice"
	"readback/voice/media"
	"readback/voip/ari"
)

// bareEcho is the least that can send a caller's sound back by Asterisk: a bridge, external media, a port with its jitter buffer, and nothing above it. What a frame
// holds is put into the queue in the same 20 ms in which it is taken from the buffer.
type bareEcho struct {
	t      *bench
	client *ari.Client
	on     *atomic.Bool

	mu    sync.Mutex
	calls map[string]chan struct{} // of callers and of media channels, closed when the channel has entered (media) or ended (callers)
	all   sync.WaitGroup
}

const bareApp = "bare"

func (e *bareEcho) event(ev ari.Event) {
	switch ev := ev.(type) {
	case ari.StasisStart:
		id := ev.Channel.ID
		e.mu.Lock()
		defer e.mu.Unlock()
		if strings.HasPrefix(id, bareApp) {
			e.close(id)
			return
		}
		over, name, entered := make(chan struct{}), bareApp+rand.Text(), make(chan struct{})
		e.calls[id], e.calls[name] = over, entered
		e.all.Go(func() {
			if err := e.serve(id, name, entered, over); err != nil {
				e.t.Errorf("the bare echo: %w", err)
			}
		})
	case ari.StasisEnd:
		e.mu.Lock()
		defer e.mu.Unlock()
		e.close(ev.Channel.ID)
	case ari.ChannelHangupRequest:
		e.mu.Lock()
		defer e.mu.Unlock()
		e.close(ev.Channel.ID)
	}
}

func (e *bareEcho) close(id string) {
	if ch := e.calls[id]; ch != nil {
		close(ch)
		delete(e.calls, id)
	}
}

func (e *bareEcho) serve(id, name string, entered, over <-chan struct{}) error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Hour)
	defer cancel()
	var port *media.Port
	port, err := media.Open(media.Options{Local: loopback, Now: time.Now, Jitter: 2 * media.FrameTime, OnSlot: func(s media.Slot) {
		if e.on.Load() && time.Since(s.At) < media.FrameTime { // later ones are caught up with: see catchUp
			_ = port.Playback().Play(ctx, voice.Frame{Rate: media.Rate, Samples: append([]int16(nil), s.Near[:]...)})
		}
	}})
	if err != nil {
		return err
	}
	defer port.Close()
	if err := e.client.Answer(ctx, id); err != nil {
		return err
	}
	if err := e.client.CreateBridge(ctx, name); err != nil {
		return err
	}
	defer func() {
		_ = e.client.HangUp(ctx, name, ari.Normal)
		_ = e.client.DeleteBridge(ctx, name)
	}()
	if err := e.client.AddToBridge(ctx, name, id); err != nil {
		return err
	}
	peer, err := e.client.ExternalMedia(ctx, name, port.Addr())
	if err != nil {
		return err
	}
	<-entered
	if err := e.client.AddToBridge(ctx, name, name); err != nil {
		return err
	}
	port.Lock(peer)
	running, stop := context.WithCancel(ctx)
	defer stop()
	context.AfterFunc(running, port.Close)
	go func() { <-over; stop() }()
	_ = port.Run(running)
	return nil
}

// startEcho has the bare echo answer its application until it is ended.
func startEcho(t *bench, bed *testbed.Bed, on *atomic.Bool) (end func()) {
	e := &bareEcho{t: t, client: newClient(t, bed, bareApp), on: on, calls: map[string]chan struct{}{}}
	ended := listenTo(t, e.client, func(context.Context) error { return nil }, e.event)
	return func() {
		e.all.Wait()
		ended()
		e.client.Close()
	}
}
