package owner

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"regexp"

	"readback/smsmcp"
	"readback/smsmcp/lang"
)

// tokenName is the form of a token's name: it stands in the log beside each send, and needs no care when it is drawn.
var tokenName = regexp.MustCompile(`^[a-z0-9][a-z0-9._-]{0,39}$`)

func (h *handler) tokens(ctx context.Context, _ lang.Lang, _ None) ([]Token, error) {
	all, err := h.o.Store.Tokens(ctx)
	out := make([]Token, 0, len(all))
	for _, t := range all {
		out = append(out, Token{Name: t.Name, Created: t.Created, Revoked: t.Revoked, MayConfirm: t.MayConfirm})
	}
	return out, err
}

// newToken makes a token. It is shown this once; the store keeps its hash.
func (h *handler) newToken(ctx context.Context, _ lang.Lang, n Name) (Secret, error) {
	if !tokenName.MatchString(n.Name) {
		return Secret{}, fail(CodeToken, lang.OwnerTokenName)
	}
	id, token, hash, err := h.o.Mint(h.o.Rand)
	if err != nil {
		return Secret{}, err
	}
	if err := h.o.Store.AddToken(ctx, h.o.Now(), n.Name, id, hash); err != nil {
		return Secret{}, err
	}
	return Secret{token}, nil
}

// backup copies the store to a new file that the owner alone can read.
func (h *handler) backup(ctx context.Context, _ lang.Lang, f File) (None, error) {
	if !filepath.IsAbs(f.Path) {
		return None{}, fail(CodeFile, lang.OwnerFilePath)
	}
	if _, err := os.Stat(filepath.Dir(f.Path)); err != nil {
		return None{}, fail(CodeFile, lang.OwnerFileFolder, filepath.Dir(f.Path))
	}
	return None{}, h.o.Store.Backup(ctx, f.Path)
}

// examine looks at the parts that only the server can see.
func (h *handler) examine(ctx context.Context, l lang.Lang, _ None) (f Findings, err error) {
	if f.State, err = h.state(ctx, l, None{}); err != nil {
		return f, err
	}
	if err := h.o.Store.Check(ctx); err != nil {
		h.o.Log.ErrorContext(ctx, "the store's check failed", "error", err)
		f.Store = lang.OwnerStoreDamaged.In(l)
	}
	if err := h.o.Carrier.Check(ctx); err != nil {
		f.Account = lang.OwnerCarrierDown.In(l)
		var coded smsmcp.Coded
		if errors.As(err, &coded) {
			f.Account = lang.OwnerCarrierSays.In(l, smsmcp.Reduce(coded.Code()))
		}
	}
	if h.o.Parts != nil {
		f.Parts = h.o.Parts()
	}
	return f, nil
}
