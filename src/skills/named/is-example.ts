/** Characters before a name that are read for the start of its sentence. */
export const LONGEST_START = 200

/** Returns true for a name in an example or in a quotation: its sentence says so before it. */
export function isExample(prose: string, index: number): boolean {
  const before = prose.slice(Math.max(0, index - LONGEST_START), index)
  const start = before.replaceAll('e.g. ', 'e.g.,').split(/\n|[.!?]\s/u)
  const sentence = start.at(-1) ?? ''
  return /\bexamples?[ :,]|\be\.g\./iu.test(sentence) || sentence.split('"').length % 2 === 0
}
