package ear

import "math"

// The analysis: 40 ms of sound, in which even a deep voice has three periods, at a resolution of 16 Hz.
const (
	frame  = 160
	span   = 320
	points = 512
	half   = points / 2
)

// twiddle and hann are tables for the transform; bent is the autocorrelation of hann, which every autocorrelation of a windowed sound carries.
var (
	cosines, sines [half]float64
	reversed       [half]int
	hann           [span]float64
	bent           [half]float64
)

func init() {
	for i := range half {
		cosines[i], sines[i] = math.Cos(2*math.Pi*float64(i)/points), math.Sin(2*math.Pi*float64(i)/points)
		for bit := range 8 {
			if i>>bit&1 == 1 {
				reversed[i] |= 1 << (7 - bit)
			}
		}
	}
	for i := range hann {
		hann[i] = 0.5 - 0.5*math.Cos(2*math.Pi*(float64(i)+0.5)/span)
	}
	for lag := range bent {
		for i := 0; i+lag < span; i++ {
			bent[lag] += hann[i] * hann[i+lag]
		}
		bent[lag] /= 120 // that of lag 0: 3/8 of the span
	}
}

// spectrum is room for one transform, used again for each frame.
type spectrum struct {
	re, im [half]float64
}

// transform gives the real and imaginary parts of the Fourier transform of 512 real samples, for bins 0 to 256: two interleaved halves are transformed as
// one complex signal and taken apart.
func (s *spectrum) transform(x *[points]float64, each func(bin int, re, im float64)) {
	for i := range half {
		j := reversed[i]
		s.re[j], s.im[j] = x[2*i], x[2*i+1]
	}
	for size := 2; size <= half; size *= 2 {
		step := points / size
		for start := 0; start < half; start += size {
			for k := range size / 2 {
				c, d := cosines[k*step], -sines[k*step]
				a, b := start+k, start+k+size/2
				re, im := s.re[b]*c-s.im[b]*d, s.re[b]*d+s.im[b]*c
				s.re[b], s.im[b] = s.re[a]-re, s.im[a]-im
				s.re[a], s.im[a] = s.re[a]+re, s.im[a]+im
			}
		}
	}
	for k := 0; k <= half; k++ {
		a, b := k%half, (half-k)%half
		evenRe, evenIm := (s.re[a]+s.re[b])/2, (s.im[a]-s.im[b])/2
		oddRe, oddIm := (s.im[a]+s.im[b])/2, (s.re[b]-s.re[a])/2
		c, d := -1.0, 0.0
		if k < half {
			c, d = cosines[k], -sines[k]
		}
		each(k, evenRe+oddRe*c-oddIm*d, evenIm+oddRe*d+oddIm*c)
	}
}
