package consent

import (
	"readback/smsmcp/fold"
	"readback/voice"
)

// Bounds of what is compared. Beyond them a turn passes for an echo, which is the safe side: an echo is no answer.
const (
	maxEchoWords   = 64
	maxPromptWords = 1024
)

// Echo says whether a turn resembles a prompt: more than half of its words stand in the prompt, in the same order. The prompt may come back through
// the caller's loudspeaker. A key has no words, and is none. A turn that repeats a word of the prompt by chance passes for an echo as well: the caller is asked again.
func Echo(t voice.Turn, prompt string) bool {
	return echo(t.Words().RawForRules(), prompt)
}

func echo(turn, prompt string) bool {
	if len(turn) > maxBytes || len(prompt) > 16*maxBytes {
		return true
	}
	said, asked := fold.Words(turn), fold.Words(prompt)
	if len(said) > maxEchoWords || len(asked) > maxPromptWords {
		return true
	}
	// The longest common subsequence, a row at a time.
	row := make([]int, len(asked)+1)
	for _, w := range said {
		diagonal := 0
		for j, p := range asked {
			above := row[j+1]
			if w == p {
				row[j+1] = diagonal + 1
			} else {
				row[j+1] = max(above, row[j])
			}
			diagonal = above
		}
	}
	return 2*row[len(asked)] > len(said)
}
