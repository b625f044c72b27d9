package oauth

import (
	"context"
	"errors"
	"net/netip"
	"strings"
	"time"

	"readback/smsmcp/outside"
)

var (
	errNoClient = errors.New("no such client")
	errLater    = errors.New("not now")
)

// client finds a client by its id: errNoClient, or errLater where that cannot be said now; any other error is the store's.
func (s *Server) client(ctx context.Context, id string, from netip.Prefix) (c Client, err error) {
	byDocument := strings.HasPrefix(id, "https://")
	if byDocument && (s.o.Documents == nil || !s.hosts.document(id)) || !byDocument && !strings.HasPrefix(id, clientPrefix) {
		return c, errNoClient
	}
	var found bool
	err = s.o.Store.View(ctx, func(tx Tx) (err error) {
		c, found, err = tx.Client(id)
		return err
	})
	switch {
	case err != nil:
		return Client{}, err
	case byDocument:
		return s.document(ctx, id, c, found, from)
	case !found:
		return Client{}, errNoClient
	}
	return c, nil
}

// document gives the client that is known by a document, as its host has it now, or had it not long ago. Where the host cannot be reached, or lets nobody
// in (what stands before it may take us for a robot), the last good copy holds; where it says that there is no such document, or another, it does not.
func (s *Server) document(ctx context.Context, id string, old Client, has bool, from netip.Prefix) (Client, error) {
	now := s.o.Now()
	if has && within(old.Fetched, now, old.Fresh) {
		return old, nil
	}
	got, err := s.fetch(ctx, id, from, now)
	switch {
	case errors.Is(err, errLater) && has && within(old.Fetched, now, lastGoodKept):
		s.log.Warn("oauth: a client's document cannot be had; its last good copy holds")
		return old, nil
	case err != nil:
		return Client{}, err
	}
	err = s.o.Store.Update(ctx, func(tx Tx) error {
		before, found, err := tx.Client(id)
		if err != nil {
			return err
		}
		got.Created, got.Granted = now, time.Time{}
		if found {
			got.Created, got.Granted = before.Created, before.Granted
		} else if err := sweepClients(tx, now); err != nil {
			return err
		}
		return tx.PutClient(got)
	})
	return got, err
}

// fetch gets and judges a document, not too often.
func (s *Server) fetch(ctx context.Context, id string, from netip.Prefix, now time.Time) (Client, error) {
	if at, ok := s.bad.Load(id); ok && within(at.(time.Time), now, notAgainBefore) {
		return Client{}, errLater
	}
	if !s.fetching.take(from, now) || !s.fetchingAll.take(struct{}{}, now) {
		return Client{}, errLater
	}
	select {
	case s.fetches <- struct{}{}:
		defer func() { <-s.fetches }()
	default:
		return Client{}, errLater
	}
	doc, err := s.o.Documents.Get(ctx, id)
	if err == nil {
		return s.judge(id, doc, now)
	}
	s.log.Warn("oauth: a client's document could not be fetched", "err", err) // a code
	for _, gone := range []error{outside.ErrForm, outside.ErrHost, outside.ErrPort, outside.ErrAddress, outside.ErrEncoding, outside.ErrTooBig, outside.ErrGone} {
		if errors.Is(err, gone) {
			return Client{}, errNoClient
		}
	}
	if !errors.Is(err, outside.ErrCancelled) {
		s.remember(id, now)
	}
	return Client{}, errLater
}

// remember notes that a document was not to be had. Only addresses at hosts of the list come here, but anybody can ask for any of those.
func (s *Server) remember(id string, now time.Time) {
	n := 0
	s.bad.Range(func(key, at any) bool {
		if n++; n > mostBad || !within(at.(time.Time), now, notAgainBefore) {
			s.bad.Delete(key)
		}
		return true
	})
	s.bad.Store(id, now)
}

// judge reads a document. It must be about the very address that it came from, of a client without a secret; of where it wants its answers only what is
// allowed here counts.
func (s *Server) judge(id string, doc outside.Doc, now time.Time) (Client, error) {
	if doc.Type != jsonType && !(strings.HasPrefix(doc.Type, "application/") && strings.HasSuffix(doc.Type, "+json")) {
		return Client{}, errNoClient
	}
	m, err := parseMetadata(doc.Body)
	if err != nil || m.id != id || m.secret || m.method != "" && m.method != noClientSecret {
		return Client{}, errNoClient
	}
	c := Client{ID: id, Name: m.name, Fetched: now, Fresh: min(max(doc.Fresh, leastFresh), mostFresh)}
	for _, one := range m.redirects {
		if _, ok := s.hosts.redirect(one); ok {
			c.Redirects = append(c.Redirects, one)
		}
	}
	if len(c.Redirects) == 0 {
		return Client{}, errNoClient
	}
	return c, nil
}
