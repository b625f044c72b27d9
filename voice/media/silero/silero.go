//go:build silero && cgo

package silero

import (
	"errors"
	"fmt"
	"math"
	"sync"

	ort "github.com/yalue/onnxruntime_go"

	"readback/voice/media"
	"readback/voice/media/ear"
)

// Why there is no detector. Each is a code that may be shown or logged; what the library said of it is wrapped.
var (
	ErrLibrary = errors.New("silero_library") // the runtime cannot be opened, is too old, or another is open already
	ErrModel   = errors.New("silero_model")   // the model cannot be read, or is not Silero's fifth
	ErrRun     = errors.New("silero_failed")  // of VAD.Err: the network failed during the call
)

// The files, as install.sh calls them.
const (
	Library = "libonnxruntime.so"
	Model   = "silero_vad.onnx"
)

// What the network takes at 8 kHz (snakers4/silero-vad, utils_vad.py of version 5).
const (
	window  = 256 // samples, 32 ms
	carried = 32  // samples of the window before, in front of them
	memory  = 128 // numbers in each of two layers that it carries from one window to the next
)

// When it is speech. The first two are Silero's own.
const (
	sure     = 0.5   // the probability of speech that begins it,
	over     = 0.35  // and below which a window no longer belongs to it
	doubt    = 0.15  // windows before the first sure one that are at least this likely belong to it too
	hangover = 10    // frames of speech after the last sound, as ear's
	unsure   = 20    // frames that windows of doubt may reach back
	margin   = 3     // frames before the first of them that belong to it in any case: a voice begins softer than what is heard of it
	lookBack = 20    // frames before them that may belong to speech: an s, an f. With unsure and the pre-roll less than what voice/listen holds
	stands   = 6.0   // dB above the noise: sound
	forget   = 0.2   // dB by which the noise is thought to rise in a frame, unless it is heard to be softer
	faintest = -55.0 // dB below full scale
)

// VAD tells speech from all else, 20 ms at a time. It is not safe for concurrent use. A call has one of its own.
type VAD struct {
	session *ort.AdvancedSession
	in      *ort.Tensor[float32] // what is carried, and the window
	state   *ort.Tensor[float32]
	rate    *ort.Tensor[int64]
	likely  *ort.Tensor[float32]
	next    *ort.Tensor[float32] // the state after the window
	err     error
	own     ear.VAD // hears where the network has failed

	held    int     // samples of the window so far
	samples int     // so far in the call
	since   int     // the sample with which windows of at least doubt began
	p       float64 // of the last window
	speech  bool
	quiet   int // frames since the last window that belongs to speech
	frames  int
	noise   float64 // in dB
	present uint64  // a bit for each of the last frames that stood out of the noise, the newest lowest
}

var opened struct {
	sync.Mutex
	library string
}

// open opens the library, once in a process: it cannot be closed while a detector lives, and there can be one alone.
func open(library string) error {
	opened.Lock()
	defer opened.Unlock()
	switch opened.library {
	case library:
		return nil
	case "":
	default:
		return fmt.Errorf("%w: another is open", ErrLibrary)
	}
	ort.SetSharedLibraryPath(library)
	if err := ort.InitializeEnvironment(ort.WithLogLevelError()); err != nil {
		return fmt.Errorf("%w: %w", ErrLibrary, err)
	}
	opened.library = library
	if err := ort.DisableTelemetry(); err != nil {
		return fmt.Errorf("%w: %w", ErrLibrary, err)
	}
	return nil
}

// New makes a detector of the runtime's library (libonnxruntime.so, 1.24 or later) and Silero's fifth model, by their paths. All detectors of a process use one library. The
// errors are ErrLibrary and ErrModel. Close gives its memory back.
func New(library, model string) (*VAD, error) {
	if err := open(library); err != nil {
		return nil, err
	}
	v := &VAD{noise: faintest}
	if err := v.load(model); err != nil {
		return nil, errors.Join(fmt.Errorf("%w: %w", ErrModel, err), v.Close())
	}
	return v, nil
}

func (v *VAD) load(model string) (err error) {
	tensor := func(shape ...int64) (t *ort.Tensor[float32]) {
		if err == nil {
			t, err = ort.NewEmptyTensor[float32](shape)
		}
		return t
	}
	v.in, v.state = tensor(1, carried+window), tensor(2, 1, memory)
	v.likely, v.next = tensor(1, 1), tensor(2, 1, memory)
	if err != nil {
		return err
	}
	if v.rate, err = ort.NewTensor(ort.NewShape(1), []int64{media.Rate}); err != nil {
		return err
	}
	options, err := ort.NewSessionOptions()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, options.Destroy()) }()
	if err := errors.Join(options.SetIntraOpNumThreads(1), options.SetInterOpNumThreads(1)); err != nil { // it is small: more threads cost more than they bring
		return err
	}
	v.session, err = ort.NewAdvancedSession(model, []string{"input", "state", "sr"}, []string{"output", "stateN"},
		[]ort.Value{v.in, v.state, v.rate}, []ort.Value{v.likely, v.next}, options)
	if err != nil {
		return err
	}
	return v.session.Run() // on silence: another model is found out now, and not in a call
}

// Close gives the memory back; ear's own detector hears then. It may be called again.
func (v *VAD) Close() error {
	var errs []error
	if v.session != nil {
		errs = append(errs, v.session.Destroy())
	}
	for _, t := range []*ort.Tensor[float32]{v.in, v.state, v.likely, v.next} {
		if t != nil {
			errs = append(errs, t.Destroy())
		}
	}
	if v.rate != nil {
		errs = append(errs, v.rate.Destroy())
	}
	v.session, v.in, v.state, v.likely, v.next, v.rate = nil, nil, nil, nil, nil, nil
	return errors.Join(errs...)
}

// Reset makes it as new, for another call; ErrRun if the network has failed.
func (v *VAD) Reset() error {
	if v.session == nil || v.err != nil {
		return ErrRun
	}
	clear(v.in.GetData())
	clear(v.state.GetData())
	*v = VAD{session: v.session, in: v.in, state: v.state, rate: v.rate, likely: v.likely, next: v.next, noise: faintest}
	return nil
}

// Err is ErrRun once the network has failed: from then on ear's own detector hears the call.
func (v *VAD) Err() error { return v.err }

// Frame takes the next 20 ms, 160 samples at 8 kHz. What it answers is of the sound up to the last whole window, which ended less than 32 ms before the end of the frame.
func (v *VAD) Frame(pcm []int16) ear.Heard {
	if v.session == nil || v.err != nil {
		return v.own.Frame(pcm)
	}
	out := ear.Heard{Level: level(pcm)}
	v.frames++
	v.noise = max(min(v.noise+forget, out.Level), faintest-stands)
	v.present <<= 1
	if out.Level > faintest && out.Level > v.noise+stands {
		v.present |= 1
	}
	for len(pcm) > 0 && v.err == nil {
		in := v.in.GetData()
		n := min(len(pcm), window-v.held)
		for i, s := range pcm[:n] {
			in[carried+v.held+i] = float32(s) / 32768
		}
		pcm, v.held, v.samples = pcm[n:], v.held+n, v.samples+n
		if v.held == window {
			v.window()
		}
	}
	switch {
	case !v.speech && v.p >= sure:
		v.speech, v.quiet = true, 0
		out.Began = v.began()
	case v.p >= over:
		v.quiet = 0
	default:
		if v.quiet++; v.quiet > hangover {
			v.speech = false
		}
	}
	out.Speech, out.Sound = v.speech, v.speech && v.p >= over
	return out
}

// window asks the network for the window that has just been filled.
func (v *VAD) window() {
	v.held = 0
	if err := v.session.Run(); err != nil {
		v.err = fmt.Errorf("%w: %w", ErrRun, err)
		return
	}
	copy(v.state.GetData(), v.next.GetData())
	in := v.in.GetData()
	copy(in[:carried], in[window:])
	p := float64(v.likely.GetData()[0])
	if p >= doubt && v.p < doubt {
		v.since = v.samples - window
	}
	v.p = p
}

// began is how many frames ago the sound began of which this frame is speech: no later than the first window that may have been speech, and as much sooner as there was sound.
func (v *VAD) began() int {
	frame := v.frames - 1
	first := min(frame-v.since/media.FrameSamples, unsure)
	n := first
	for n < first+lookBack && v.present>>(n+1)&7 != 0 { // a gap of two frames is none: it is the silence before a t
		n++
	}
	return min(max(n, first+margin), frame)
}

// level is the root mean square in dB below full scale.
func level(pcm []int16) float64 {
	sum := 0.0
	for _, s := range pcm {
		x := float64(s) / 32768
		sum += x * x
	}
	return 10 * math.Log10(sum/float64(max(len(pcm), 1))+1e-10)
}
