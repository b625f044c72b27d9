package owner

import (
	"context"
	"net/http"
	"sync"
	"testing"
	"time"

	"readback/smsmcp/lang"
)

// from carries requests to a handler as a process of that name would.
type from struct {
	http.Handler
	name string
}

func (f from) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	r.RemoteAddr = f.name
	f.Handler.ServeHTTP(w, r)
}

func TestTheOwnerGetsThroughAFlood(t *testing.T) {
	w := newWorld(t, false)
	w.setPassphrase()
	ctx, cancel := context.WithCancel(t.Context())
	var flood sync.WaitGroup
	for range 20 {
		flood.Go(func() {
			cl := Local(from{w.handler, "guesser"}, lang.EN)
			for ctx.Err() == nil {
				if _, err := Thaw.Do(ctx, cl, None{}, bad); err == nil {
					t.Error("a wrong passphrase passed")
				}
			}
		})
	}
	for range 5 {
		asked := time.Now()
		if _, err := Thaw.Do(t.Context(), Local(from{w.handler, "owner"}, lang.EN), None{}, good); err != nil {
			t.Errorf("the owner: %v", err)
		}
		if took := time.Since(asked); took > time.Second {
			t.Errorf("the owner waited %v", took)
		}
	}
	cancel()
	flood.Wait()
}
