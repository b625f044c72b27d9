package secret

import (
	"runtime/debug"
	"sync"
	"time"
)

// restEvery is how often memory is given back to the system at most: that costs a collection.
const restEvery = 3 * time.Second

// Memory gives back what hashes took, 64 MiB each, which the runtime would keep for a while, a few of them at once where many guess. The zero value is ready.
type Memory struct {
	Free func() // what gives it back; debug.FreeOSMemory where nil

	mu      sync.Mutex
	resting bool
	again   bool // a hash was made while it rested
}

// Used is called after each hash.
func (m *Memory) Used() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.again = m.resting; m.resting {
		return
	}
	m.resting = true
	if m.Free == nil {
		m.Free = debug.FreeOSMemory
	}
	m.Free()
	time.AfterFunc(restEvery, func() {
		m.mu.Lock()
		again := m.again
		m.resting, m.again = false, false
		m.mu.Unlock()
		if again {
			m.Used()
		}
	})
}
