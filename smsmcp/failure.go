package smsmcp

// The failures that the program itself writes on a send. All others are a carrier's codes, reduced.
const (
	NotListed   = "not_listed"  // of Failed: it was unknown for long, and the carrier's list does not show it. A list that shows it later makes it Done
	KeyTaken    = "key_taken"   // of Done: the carrier gave it the key of another text, so that it has none of its own
	OwnerSaid   = "owner_said"  // of Done and Failed: the owner settled what was unknown. A list that shows what Failed makes it Done too
	Interrupted = "interrupted" // of Unknown: the program ended while it was out
	Restored    = "restored"    // of Unknown: it was out when the backup was made that was restored
)

// ByRestore is who froze all sends where a backup was restored: texts that went after it was made are not in its log, and so not counted.
const ByRestore Channel = "restored"
