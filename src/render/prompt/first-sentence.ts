/** The first sentence of a line, or the whole line when it is one. `e.g.` ends no sentence. */
export function firstSentence(line: string): string {
  for (const { index } of line.matchAll(/(?<=[^\s.]{2})[.!?](?=\s+[^\s\p{Ll}])|[。！？](?=.)/gv)) {
    return line.slice(0, index + 1)
  }
  return line
}
