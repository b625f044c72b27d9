package line_test

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"net/netip"
	"testing"
	"time"

	"readback/voice"
	"readback/voice/media"
)

// reflect sends what it gets back to where it came from, softer, 60 ms later, until the socket is closed.
func (w *world) reflect(by float64) {
	b := make([]byte, 2048)
	var pcm [media.FrameSamples]int16
	var late [][]byte
	for {
		n, from, err := w.media.ReadFromUDPAddrPort(b)
		if err != nil {
			return
		}
		media.DecodeULaw(pcm[:], b[12:n])
		for i := range pcm {
			pcm[i] = int16(float64(pcm[i]) * by)
		}
		out := append([]byte(nil), b[:n]...)
		media.EncodeULaw(out[12:], pcm[:])
		late = append(late, out)
		if len(late) > 3 {
			// Its own stream, with its own clock.
			binary.BigEndian.PutUint32(late[0][8:], 77)
			if _, err := w.media.WriteToUDPAddrPort(late[0], netip.AddrPortFrom(from.Addr(), from.Port())); err != nil {
				return
			}
			late = late[1:]
		}
	}
}

// TestTheProgramDoesNotHearItself: what comes back of its own speech is turned down before anybody hears it.
func TestTheProgramDoesNotHearItself(t *testing.T) {
	w := begin(t)
	w.call("c", time.Now())
	leg := w.leg()
	go w.reflect(0.3)
	// Something like speech: noise that comes and goes four times a second.
	chance := rand.New(rand.NewPCG(3, 4))
	const seconds = 5
	speech := make([]int16, seconds*8000)
	smooth := 0.0
	for i := range speech {
		smooth += 0.3 * (chance.Float64()*2 - 1 - smooth)
		speech[i] = int16(24000 * smooth * max(0, math.Sin(2*math.Pi*4*float64(i)/8000)))
	}
	if err := leg.Play(t.Context(), voice.Frame{Rate: 8000, Samples: speech}); err != nil {
		t.Fatal(err)
	}
	var said, heard float64
	for _, s := range speech[3*8000:] {
		said += float64(s) * float64(s)
	}
	for n := range seconds * 50 {
		f, err := leg.Hear(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if n < 3*50 { // it learns
			continue
		}
		for _, s := range f.Samples {
			heard += float64(s) * float64(s)
		}
	}
	// 0.3 of the amplitude are 0.09 of the energy: of that a hundredth at most.
	if said == 0 || heard > 0.0009*said {
		t.Errorf("of what it said it hears %.5f", heard/said)
	}
}
