package web

import (
	"bytes"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"sync"
	"syscall"
	"time"

	"readback/smsmcp"
	"readback/smsmcp/lang"
)

// files is a certificate and its key in two files, which others renew. A new pair that is not good, as in the middle of being written, changes nothing.
type files struct {
	cert, key string
	now       func() time.Time
	log       *slog.Logger

	mu      sync.Mutex
	pair    *tls.Certificate
	sum     [32]byte // of what the files held last
	looked  time.Time
	trouble trouble
}

func newFiles(o TLSOptions) (*files, error) {
	f := &files{cert: o.CertFile, key: o.KeyFile, now: o.Now, log: o.Log, looked: o.Now()}
	pair, sum, err := f.read()
	if err != nil {
		return nil, err.say
	}
	f.pair, f.sum = pair, sum
	return f, nil
}

func (f *files) certificate(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	f.look()
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.pair, nil
}

// look reads the files anew where a minute has passed. Who comes meanwhile gets the pair that there is.
func (f *files) look() {
	now := f.now()
	f.mu.Lock()
	due := passed(f.looked, now, lookEvery)
	if due {
		f.looked = now
	}
	f.mu.Unlock()
	if !due {
		return
	}
	pair, sum, err := f.read()
	f.mu.Lock()
	defer f.mu.Unlock()
	if err != nil {
		if f.trouble.is(err.code, now) {
			f.log.Warn("the certificate's files cannot be used: the old certificate stays", "code", err.code)
		}
		return
	}
	f.trouble.is("", now)
	if sum != f.sum {
		f.pair, f.sum = pair, sum
		f.log.Info("a new certificate is in use", "until", pair.Leaf.NotAfter)
	}
}

func (f *files) standing() smsmcp.Part {
	f.mu.Lock()
	defer f.mu.Unlock()
	p := smsmcp.Part{Failure: f.trouble.code, Since: f.trouble.since}
	if p.Failure == "" {
		if p.Failure = timeCode(f.pair.Leaf, f.now()); p.Failure == codeExpired {
			p.Since = f.pair.Leaf.NotAfter
		}
	}
	return p
}

// unusable says why two files are no pair: to the owner at the start, and by code afterwards.
type unusable struct {
	code string
	say  error
}

// mostPEM bounds a file. A long chain has some ten thousand bytes.
const mostPEM = 1 << 20

func (f *files) read() (*tls.Certificate, [32]byte, *unusable) {
	cert, err := slurp(f.cert)
	if err != nil {
		return nil, [32]byte{}, &unusable{codeUnreadable, lang.Say(lang.CLISecretFile, "tls.cert_file", why(err))}
	}
	key, err := slurp(f.key)
	if err != nil {
		return nil, [32]byte{}, &unusable{codeUnreadable, lang.Say(lang.CLISecretFile, "tls.key_file", why(err))}
	}
	pair, err := tls.X509KeyPair(cert, key)
	switch {
	case err == nil && pair.Leaf != nil:
		a, b := sha256.Sum256(cert), sha256.Sum256(key)
		return &pair, sha256.Sum256(append(a[:], b[:]...)), nil
	case !holds(cert, certificateIn):
		return nil, [32]byte{}, &unusable{codeNoCert, lang.Say(lang.CLINoCertificate, "tls.cert_file")}
	case !holds(key, keyIn):
		return nil, [32]byte{}, &unusable{codeNoKey, lang.Say(lang.WebTLSNoKey)}
	}
	return nil, [32]byte{}, &unusable{codeMismatch, lang.Say(lang.WebTLSMismatch)}
}

var (
	errNoFile = errors.New("not a regular file")
	errTooBig = errors.New("too big")
)

func slurp(name string) ([]byte, error) {
	in, err := os.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0) // the open of a pipe would wait for its writer
	if err != nil {
		return nil, err
	}
	defer func() { _ = in.Close() }()
	info, err := in.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, errNoFile
	}
	b, err := io.ReadAll(io.LimitReader(in, mostPEM+1))
	if err == nil && len(b) > mostPEM {
		err = errTooBig
	}
	return b, err
}

func why(err error) lang.Message {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return lang.CLIFileMissing
	case errors.Is(err, fs.ErrPermission):
		return lang.CLIFileForbidden
	case errors.Is(err, errNoFile):
		return lang.CLIFileIrregular
	case errors.Is(err, errTooBig):
		return lang.CLIFileTooBig
	}
	return lang.CLIFileOther
}

// holds says whether one of the blocks of a PEM file is good.
func holds(text []byte, good func(*pem.Block) bool) bool {
	for len(bytes.TrimSpace(text)) > 0 {
		var b *pem.Block
		if b, text = pem.Decode(text); b == nil {
			return false
		}
		if good(b) {
			return true
		}
	}
	return false
}

func certificateIn(b *pem.Block) bool {
	_, err := x509.ParseCertificate(b.Bytes)
	return b.Type == "CERTIFICATE" && err == nil
}

func keyIn(b *pem.Block) bool {
	_, pkcs8 := x509.ParsePKCS8PrivateKey(b.Bytes)
	_, ec := x509.ParseECPrivateKey(b.Bytes)
	_, pkcs1 := x509.ParsePKCS1PrivateKey(b.Bytes)
	return pkcs8 == nil || ec == nil || pkcs1 == nil
}
