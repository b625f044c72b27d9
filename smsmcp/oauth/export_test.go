package oauth

// NewMemory is for the contract.
func NewMemory() Store { return newMemory() }
