package checkup_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"math/big"
	"net"
	"net/http/httptest"
	"testing"
	"time"
)

// certified is a fake ARI at an address, with a certificate for it.
func certified(t *testing.T, ip net.IP) (*httptest.Server, *x509.CertPool) {
	t.Helper()
	key := must(ecdsa.GenerateKey(elliptic.P256(), rand.Reader))
	c := &x509.Certificate{
		SerialNumber: big.NewInt(1), IPAddresses: []net.IP{ip}, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IsCA: true, BasicConstraintsValid: true,
	}
	der := must(x509.CreateCertificate(rand.Reader, c, c, &key.PublicKey, key))
	roots := x509.NewCertPool()
	roots.AddCert(must(x509.ParseCertificate(der)))
	s := fake(t, "127.0.0.1:0", false, "22", nil)
	own := httptest.NewUnstartedServer(s.Config.Handler)
	own.Listener.Close()
	own.Listener = must(net.Listen("tcp", net.JoinHostPort(ip.String(), "0")))
	own.TLS = &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}}, MinVersion: tls.VersionTLS12}
	own.StartTLS()
	return own, roots
}
