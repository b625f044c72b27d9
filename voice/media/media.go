// Package media carries the sound of a call: G.711 in RTP packets from and to one peer, with a small jitter buffer for what comes, a queue with marks for what
// goes, and one pace of 20 ms for both; and it reads and writes WAV.
//
// A mark says that sound was played only if every packet of it left at the pace of speech and none was cleared or refused by the network: the yes on a call stands on
// it (invariant 10). Packets from any other source than the peer are counted, and never heard. All that is received is bounded, whatever the peer does.
//
// Floor 2: imports voice, github.com/pion/rtp and github.com/zaf/g711. Clocks are passed in; it waits by timers. It logs nothing.
package media

import (
	"time"

	"github.com/zaf/g711"
)

// A telephone line: 8000 samples a second, in frames of 20 ms.
const (
	Rate         = 8000
	FrameSamples = 160
	FrameTime    = 20 * time.Millisecond
)

// Frame is 20 ms of mono PCM at the rate of a telephone line.
type Frame [FrameSamples]int16

// Duration is how long n samples of a telephone line sound.
func Duration(n int) time.Duration { return time.Duration(n) * time.Second / Rate }

// samples is how many samples of a telephone line sound for d.
func samples(d time.Duration) int { return int(d * Rate / time.Second) }

// EncodeULaw writes pcm to dst as µ-law, as far as both reach, and says how many samples that was.
func EncodeULaw(dst []byte, pcm []int16) int {
	n := min(len(dst), len(pcm))
	for i, v := range pcm[:n] {
		dst[i] = g711.EncodeUlawFrame(v)
	}
	return n
}

// DecodeULaw writes the sound of µ-law to dst, as far as both reach, and says how many samples that was.
func DecodeULaw(dst []int16, ulaw []byte) int {
	n := min(len(dst), len(ulaw))
	for i, b := range ulaw[:n] {
		dst[i] = decode(b)
	}
	return n
}

func decode(b byte) int16 { return g711.DecodeUlawFrame(b) }
