package wyomingtest

import (
	"bufio"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"sort"
	"strings"
)

// everyday is what people say besides: it keeps stray speech from being forced into the phrases.
const everyday = `
hello
hello it's me
good morning
good evening how are you
i'm fine thank you
thank you very much
thanks a lot
goodbye
bye for now
see you later
see you tomorrow
who is it
what time is it
what is the weather like today
what did you say
i did not hear that
can you hear me
can you say that again
could you read me my messages
read my new messages
do i have any new messages
is there anything new
tell me the next one
next
stop
repeat that
again please
write a message to my mother
text my brother that i am late
tell him that i am on my way
tell her i will be there at seven
i will be there in ten minutes
i am at the office
i am at home now
meet me at the station
meet me at the harbour at noon
the meeting is on monday
call me back when you can
let me think about it
wait a moment
hold on
just a second
not now
not yet
maybe later
i don't know
i'm not sure
never mind
forget it
that is right
that is wrong
that is not what i said
it is too late
the train leaves at eight
we have dinner at nine
bring some bread and milk
how much is it
where are you
where is the car
are you coming tonight
i love you
happy birthday
the dog is in the garden
the children are at school
she said that he would come
they want to know when you will arrive
one two three four five six seven eight nine ten
eleven twelve thirty forty fifty
monday tuesday wednesday thursday friday saturday sunday
this morning this afternoon this evening tonight tomorrow
`

// languageModel writes a model of two words at a time, and the dictionary of its words, into a folder: "lm" and "dict".
func languageModel(dictionary, folder string, phrases []string) error {
	weight := map[string]int{}
	for _, line := range strings.Split(everyday, "\n") {
		weight[strings.Join(words.FindAllString(line, -1), " ")]++
	}
	for _, p := range phrases {
		weight[strings.Join(words.FindAllString(strings.ToLower(p), -1), " ")] += 4
	}
	delete(weight, "")
	one, two, follows := map[string]float64{}, map[[2]string]float64{}, map[string]float64{}
	for sentence, n := range weight {
		last := "<s>"
		for _, w := range append(strings.Fields(sentence), "</s>") {
			one[w] += float64(n)
			two[[2]string{last, w}] += float64(n)
			follows[last] += float64(n)
			last = w
		}
	}
	if err := pronounce(dictionary, filepath.Join(folder, "dict"), one); err != nil {
		return err
	}
	return arpa(filepath.Join(folder, "lm"), one, two, follows)
}

// arpa writes counts as a model in ARPA's format: absolute discounting, the rest by the single words.
func arpa(name string, one map[string]float64, two map[[2]string]float64, follows map[string]float64) error {
	const discount = 0.6
	all := 0.0
	for _, n := range one {
		all += n + 1
	}
	p := func(w string) float64 { return (one[w] + 1) / all }
	kinds, seen := map[string]float64{}, map[string]float64{}
	for pair := range two {
		kinds[pair[0]]++
		seen[pair[0]] += p(pair[1])
	}
	var ones, twos []string
	for w := range one {
		back := 0.0
		if follows[w] > 0 {
			back = math.Log10(discount * kinds[w] / follows[w] / (1 - seen[w]))
		}
		ones = append(ones, fmt.Sprintf("%.4f %s %.4f", math.Log10(p(w)), w, back))
	}
	ones = append(ones, fmt.Sprintf("-99 <s> %.4f", math.Log10(discount*kinds["<s>"]/follows["<s>"]/(1-seen["<s>"]))))
	for pair, n := range two {
		twos = append(twos, fmt.Sprintf("%.4f %s %s", math.Log10((n-discount)/follows[pair[0]]), pair[0], pair[1]))
	}
	sort.Strings(ones)
	sort.Strings(twos)
	text := fmt.Sprintf("\\data\\\nngram 1=%d\nngram 2=%d\n\n\\1-grams:\n%s\n\n\\2-grams:\n%s\n\n\\end\\\n", len(ones), len(twos), strings.Join(ones, "\n"), strings.Join(twos, "\n"))
	return os.WriteFile(name, []byte(text), 0o600)
}

// pronounce writes how each word sounds. A word that the dictionary lacks is an error: it could never be heard.
func pronounce(dictionary, name string, of map[string]float64) error {
	f, err := os.Open(dictionary)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	var out strings.Builder
	known := map[string]bool{"</s>": true}
	for in := bufio.NewScanner(f); in.Scan(); {
		word, _, _ := strings.Cut(in.Text(), " ")
		word, _, _ = strings.Cut(word, "(")
		if of[word] > 0 {
			known[word] = true
			out.WriteString(in.Text() + "\n")
		}
	}
	for w := range of {
		if !known[w] {
			return fmt.Errorf("the dictionary has no word %q", w)
		}
	}
	return os.WriteFile(name, []byte(out.String()), 0o600)
}
