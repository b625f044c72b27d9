// Package silero hears speech with the Silero network (version 5, ONNX), 20 ms at a time, in the place of voice/media/ear's own detector: [VAD.Frame] has the same shape, and
// what it answers feeds the same turns. It exists only under the build tag silero and with cgo: it needs Microsoft's ONNX Runtime, a C++ library of 35 MB that is opened when
// the program runs, and the model, a file of 2 MB. `make silero` fetches both into .cache/silero and runs the tests, which set it beside ear's own.
//
// A turn is said to have begun no later than its first sound (invariant 10): the network is sure of a voice some frames after it began, and softer sound before a voice, an s or
// an f, belongs to it. No words are heard here, and nothing leaves the process.
//
// Without the tag the package is this comment: the program that is released needs no C. Who builds, vets or tests without the tag does not fetch the runtime's module either,
// which is why it is no module of its own; `go mod tidy` does.
//
// Floor 3: imports voice/media, voice/media/ear and the bindings of the runtime.
package silero
