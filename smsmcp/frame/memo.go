package frame

import (
	"sync"

	"readback/smsmcp/clean"
	"readback/smsmcp/signs"
)

// Memo remembers what was found in bodies, since a model reads the same list again and again. It knows a body by its very bytes, so it can say of
// none what is true of another. It is bounded, and safe for concurrent use; the zero value is ready.
type Memo struct {
	mu    sync.Mutex
	kept  map[question]finding
	bytes int
}

const (
	memoBytes = 1 << 20 // of bodies; past it all is forgotten
	memoBody  = 4 << 10 // a longer one is not worth it
)

// question is a body, and how it is to be shown.
type question struct {
	body     string
	cap      int
	received bool
	mask     bool
}

// finding is a body as it is shown, and what there is to say of it.
type finding struct {
	clean.Result
	alarms []signs.Alarm
	masked int
}

// of answers a question, from memory if it can. A nil Memo remembers nothing.
func (m *Memo) of(q question) finding {
	if m == nil || len(q.body) > memoBody {
		return q.find()
	}
	m.mu.Lock()
	f, ok := m.kept[q]
	m.mu.Unlock()
	if ok {
		return f
	}
	f = q.find()
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.bytes += len(q.body); m.kept == nil || m.bytes > memoBytes {
		m.kept, m.bytes = map[question]finding{}, len(q.body)
	}
	m.kept[q] = f
	return f
}

func (q question) find() finding {
	f := finding{Result: clean.UpTo(q.body, q.cap)}
	if q.received {
		f.alarms = signs.Alarms(f.Text)
		if q.mask {
			f.Text, f.masked = signs.Mask(f.Text)
		}
	}
	return f
}
