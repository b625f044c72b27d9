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

// power gives the power of the Fourier transform of 512 real samples in its bins from a first up to a last, which is not among them.
func (s *spectrum) power(x *[points]float64, out *[half + 1]float64, first, last int) {
	s.transform(x)
	for k := first; k < last; k++ {
		re, im := s.bin(k)
		out[k] = re*re + im*im
	}
}

// real gives the real part of the same, in all bins.
func (s *spectrum) real(x *[points]float64, out *[half + 1]float64) {
	s.transform(x)
	for k := range out {
		out[k], _ = s.bin(k)
	}
}

// transform transforms 512 real samples as 256 complex ones: two interleaved halves, which bin takes apart.
func (s *spectrum) transform(x *[points]float64) {
	for i := 0; i < half; i += 2 { // the pairs are the first step, whose factors are 1
		a, b := reversed[i]&(half-1), reversed[i+1]&(half-1)
		s.re[i], s.re[i+1] = x[2*a]+x[2*b], x[2*a]-x[2*b]
		s.im[i], s.im[i+1] = x[2*a+1]+x[2*b+1], x[2*a+1]-x[2*b+1]
	}
	for size := 4; size <= half; size *= 2 {
		step, m := points/size, size/2
		for start := 0; start < half; start += size {
			reA, reB := s.re[start:start+m], s.re[start+m:start+size]
			imA, imB := s.im[start:start+m], s.im[start+m:start+size]
			for k := range reA {
				c, d := cosines[k*step&(half-1)], -sines[k*step&(half-1)]
				re, im := reB[k]*c-imB[k]*d, reB[k]*d+imB[k]*c
				reB[k], imB[k] = reA[k]-re, imA[k]-im
				reA[k], imA[k] = reA[k]+re, imA[k]+im
			}
		}
	}
}

// bin is the transform in one bin, from 0 to 256.
func (s *spectrum) bin(k int) (re, im float64) {
	a, b := k&(half-1), -k&(half-1)
	evenRe, evenIm := (s.re[a]+s.re[b])/2, (s.im[a]-s.im[b])/2
	oddRe, oddIm := (s.im[a]+s.im[b])/2, (s.re[b]-s.re[a])/2
	c, d := -1.0, 0.0
	if k < half {
		c, d = cosines[k], -sines[k]
	}
	return evenRe + oddRe*c - oddIm*d, evenIm + oddRe*d + oddIm*c
}
