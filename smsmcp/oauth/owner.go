package oauth

import (
	"context"
	"errors"
)

// ErrNoGrant says that no grant that works has that id.
var ErrNoGrant = errors.New("oauth: no client that is let in has that id")

// Grants gives what the owner agreed to, oldest first, also what ended lately.
func (s *Server) Grants(ctx context.Context) (all []Grant, err error) {
	err = s.o.Store.View(ctx, func(tx Tx) (err error) {
		all, err = tx.Grants()
		return err
	})
	return all, wrap("grants", err)
}

// Revoke ends a grant by the owner's word; ErrNoGrant if none works.
func (s *Server) Revoke(ctx context.Context, id string) error {
	now := s.o.Now()
	var ended Grant
	err := s.change(ctx, id, func(tx Tx, g Grant) (err error) {
		ended, err = end(tx, g, ByOwner, now)
		return err
	})
	if err == nil {
		s.log.Info("oauth: the owner ended a grant", "grant", ended.ID)
		s.notify(ended)
	}
	return err
}

// SetMayConfirm says whether a yes that comes by this client counts, as a weak one. No new grant has it.
func (s *Server) SetMayConfirm(ctx context.Context, id string, may bool) error {
	err := s.change(ctx, id, func(tx Tx, g Grant) error {
		g.MayConfirm = may
		return tx.PutGrant(g)
	})
	if err == nil {
		s.log.Info("oauth: a grant's mark was changed", "grant", id, "may_confirm", may)
	}
	return err
}

func (s *Server) change(ctx context.Context, id string, do func(Tx, Grant) error) error {
	err := s.o.Store.Update(ctx, func(tx Tx) error {
		g, found, err := tx.Grant(id)
		if err == nil && (!found || !g.Ended.IsZero()) {
			err = ErrNoGrant
		}
		if err != nil {
			return err
		}
		return do(tx, g)
	})
	return wrap("change a grant", err)
}
