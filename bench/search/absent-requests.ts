/** Small talk, riddles and noise: other messages to an agent, for which there is no tool. Ours. */
export const ABSENT_REQUESTS: readonly string[] = `
hello there
thanks, that was great
who are you?
good morning
never mind
what is the meaning of life
why is the sky blue
what is two plus two
asdkjh qweoiu zxmcn
blorptang fizzwick
xqzt
lorem ipsum dolor sit amet
can you keep a secret
I feel a bit lonely today
say something nice
how old are you
please repeat your last answer
what did you just say
yes please go ahead
make it shorter
in other words?
that is wrong, try again
who won the battle of hastings
name three greek philosophers
how do magnets work
my shoelaces keep coming undone
is it rude to whistle indoors
the quick brown fox jumps over the lazy dog
spell onomatopoeia backwards
tell me a fairy tale about a dragon
ok
???
wow, I did not expect that
wubba lubba grompf
do you ever sleep
sing me a lullaby
knock knock
`
  .trim()
  .split('\n')
