package parts

import (
	"readback/voice/listen"
)

// detecting is a detector that serves one call after another: to load a network for each takes a tenth of a second.
type detecting interface {
	listen.VAD
	Reset() error // as new; an error: it is of no more use
	Close() error
}

// detectors are those that no call has; nil where the ears' own hear.
type detectors struct {
	load func() (detecting, error)
	free chan detecting
}

// mostFree is how many wait for a call.
const mostFree = 4

// newDetectors loads the first, so that what is wrong is known before a call comes.
func newDetectors(load func() (detecting, error)) (*detectors, error) {
	first, err := load()
	if err != nil {
		return nil, err
	}
	d := &detectors{load: load, free: make(chan detecting, mostFree)}
	d.free <- first
	return d, nil
}

// get gives a call its detector; nil is the ears' own, also where none can be loaded any more. done is to be called when the call is over.
func (d *detectors) get() (v listen.VAD, done func()) {
	if d == nil {
		return nil, func() {}
	}
	var one detecting
	select {
	case one = <-d.free:
	default:
		var err error
		if one, err = d.load(); err != nil {
			return nil, func() {}
		}
	}
	return one, func() { d.put(one) }
}

func (d *detectors) put(one detecting) {
	if one.Reset() == nil {
		select {
		case d.free <- one:
			return
		default:
		}
	}
	_ = one.Close()
}

// Close gives back those that no call has.
func (d *detectors) Close() error {
	for {
		select {
		case one := <-d.free:
			_ = one.Close()
		default:
			return nil
		}
	}
}
