package owner

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"

	"readback/smsmcp/lang"
)

// maxAnswer bounds what a client reads of an answer, and maxAsk what a handler reads of most questions, in bytes.
const (
	maxAnswer = 64 << 20
	maxAsk    = 256 << 10
)

// Call is one question that the command line asks: a path, what goes in and what comes out. Both sides are made from it.
type Call[In, Out any] struct {
	Path    string
	Guarded bool // it needs the owner's passphrase, where one is set
	first   bool // of a guarded one: it needs none while none is set, whatever the carrier
	limit   int64
}

// envelope is the body of every request. The passphrase travels here and nowhere else.
type envelope[In any] struct {
	Passphrase string `json:"passphrase,omitempty"`
	Ask        In     `json:"ask"`
}

// Do asks. The passphrase is empty where none is needed. An answer that is an error is an [*Error].
func (c Call[In, Out]) Do(ctx context.Context, cl *Client, ask In, passphrase string) (out Out, err error) {
	b, err := json.Marshal(envelope[In]{passphrase, ask})
	if err != nil {
		return out, fmt.Errorf("owner: %w", err)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://owner/v1/"+c.Path, bytes.NewReader(b))
	if err != nil {
		return out, fmt.Errorf("owner: %w", err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept-Language", string(cl.lang))
	resp, err := cl.http.Do(req)
	if err != nil {
		// A url.Error would print the URL; it says nothing here, but the cause is all that is wanted.
		if inner := errors.Unwrap(err); inner != nil {
			err = inner
		}
		return out, fmt.Errorf("owner: %w", err)
	}
	defer func() { _ = resp.Body.Close() }()
	d := json.NewDecoder(io.LimitReader(resp.Body, maxAnswer))
	if resp.StatusCode != http.StatusOK {
		var e Error
		if err := d.Decode(&e); err != nil || e.Code == "" {
			return out, fmt.Errorf("owner: HTTP status %d", resp.StatusCode)
		}
		return out, &e
	}
	if err := d.Decode(&out); err != nil {
		return out, fmt.Errorf("owner: answer: %w", err)
	}
	return out, nil
}

// handle serves the call on mux.
func (c Call[In, Out]) handle(h *handler, do func(ctx context.Context, l lang.Lang, ask In) (Out, error)) {
	limit := max(c.limit, maxAsk)
	h.mux.HandleFunc("POST /v1/"+c.Path, func(w http.ResponseWriter, r *http.Request) {
		l, err := lang.Parse(r.Header.Get("Accept-Language"))
		if err != nil {
			l = lang.EN
		}
		var in envelope[In]
		d := json.NewDecoder(http.MaxBytesReader(w, r.Body, limit))
		d.DisallowUnknownFields()
		if err := d.Decode(&in); err != nil {
			h.answer(w, r, l, nil, fail(CodeBadRequest, lang.OwnerBadRequest))
			return
		}
		if c.Guarded {
			if err := h.gate.pass(r.Context(), r.RemoteAddr, in.Passphrase, c.first); err != nil {
				h.answer(w, r, l, nil, err)
				return
			}
		}
		out, err := do(r.Context(), l, in.Ask)
		h.answer(w, r, l, out, err)
	})
}

// answer writes one answer, or the sentence for an error.
func (h *handler) answer(w http.ResponseWriter, r *http.Request, l lang.Lang, out any, err error) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	if err == nil {
		_ = json.NewEncoder(w).Encode(out)
		return
	}
	e := h.errorOf(err, l)
	if e.Code == CodeInternal {
		h.o.Log.ErrorContext(r.Context(), "the owner's call failed", "call", r.URL.Path, "error", err)
	}
	w.WriteHeader(e.status())
	_ = json.NewEncoder(w).Encode(e)
}
