package testbed

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"time"
)

// certify makes the bed's own certificate, its own authority too: of ARI's server, of Asterisk's SIP, and of a provider that a test plays.
func (b *Bed) certify() error {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	b.ca, b.caKey = template("localhost"), key
	b.ca.IsCA, b.ca.BasicConstraintsValid = true, true
	b.ca.KeyUsage |= x509.KeyUsageCertSign
	b.ca.IPAddresses = []net.IP{net.IPv4(127, 0, 0, 1)}
	b.CAFile, b.KeyFile, err = b.write("bed", b.ca, key)
	if err != nil {
		return err
	}
	text, err := os.ReadFile(b.CAFile)
	if err != nil {
		return err
	}
	b.Roots = x509.NewCertPool()
	b.Roots.AppendCertsFromPEM(text)
	return nil
}

// Certificate makes a certificate for another name that the bed's authority has signed, and gives the files of it and its key.
func (b *Bed) Certificate(name string) (certFile, keyFile string) {
	b.t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		b.t.Fatal(err)
	}
	certFile, keyFile, err = b.write(name, template(name), key)
	if err != nil {
		b.t.Fatal(err)
	}
	return certFile, keyFile
}

func template(name string) *x509.Certificate {
	return &x509.Certificate{
		SerialNumber: big.NewInt(time.Now().UnixNano()), Subject: pkix.Name{CommonName: name}, DNSNames: []string{name},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(24 * time.Hour), KeyUsage: x509.KeyUsageDigitalSignature,
	}
}

func (b *Bed) write(name string, cert *x509.Certificate, key *ecdsa.PrivateKey) (certFile, keyFile string, err error) {
	der, err := x509.CreateCertificate(rand.Reader, cert, b.ca, &key.PublicKey, b.caKey)
	if err != nil {
		return "", "", err
	}
	pkcs8, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return "", "", err
	}
	keys := filepath.Join(b.dir, "keys")
	if err := os.MkdirAll(keys, 0o700); err != nil {
		return "", "", err
	}
	certFile, keyFile = filepath.Join(keys, name+".crt"), filepath.Join(keys, name+".key")
	if err := os.WriteFile(keyFile, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: pkcs8}), 0o600); err != nil {
		return "", "", err
	}
	return certFile, keyFile, os.WriteFile(certFile, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o600)
}
