package voipms

import (
	"fmt"
	"io"
	"log/slog"
)

// redacted is what stands where a Secret would have been printed.
const redacted = "[secret]"

// Secret is a credential. No verb of fmt, no encoder and no logger prints it. The zero value is no credential.
type Secret struct{ read func() (string, error) }

// NewSecret holds a credential that is known.
func NewSecret(s string) Secret { return Secret{func() (string, error) { return s, nil }} }

// SecretFrom reads a credential anew for every call to the carrier, so that a file with a new password is taken up. What read's error
// says is dropped.
func SecretFrom(read func() (string, error)) Secret { return Secret{read} }

// reveal gives the credential to the one place that writes it into a request.
func (s Secret) reveal() (string, bool) {
	if s.read == nil {
		return "", false
	}
	v, err := s.read()
	return v, err == nil && v != ""
}

// Format prints a placeholder for every verb and flag.
func (s Secret) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, redacted) }

// MarshalJSON gives the placeholder.
func (s Secret) MarshalJSON() ([]byte, error) { return []byte(`"` + redacted + `"`), nil }

// MarshalText gives the placeholder.
func (s Secret) MarshalText() ([]byte, error) { return []byte(redacted), nil }

// LogValue gives the placeholder.
func (s Secret) LogValue() slog.Value { return slog.StringValue(redacted) }
